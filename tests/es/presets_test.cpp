#include "es/presets.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/network.hpp"
#include "core/number_text.hpp"
#include "core/observation_normalizer.hpp"
#include "es/ars.hpp"
#include "es/openai_es.hpp"
#include "tests/support/catch.hpp"

using namespace clade;

namespace {

const Preset& find(const std::vector<Preset>& presets, const std::string& name) {
  const auto found =
      std::find_if(presets.begin(), presets.end(), [&](const Preset& preset) { return preset.name == name; });
  REQUIRE(found != presets.end());
  return *found;
}

double number(const Preset& preset, const std::string& option) {
  INFO(preset.name << ": " << option);
  return parse_real(preset.values.at(option), option);
}

void check_values(const Preset& preset, const std::map<std::string, std::string>& expected) {
  for (const auto& [option, value] : expected) {
    INFO(preset.name << ": " << option);
    CHECK(preset.values.at(option) == value);
  }
}

}  // namespace

TEST_CASE("every ARS preset holds valid values and its published result", "[presets]") {
  const std::vector<Preset> presets = ars_presets();
  std::set<std::string> names;
  for (const Preset& preset : presets) {
    INFO(preset.name);
    names.insert(preset.name);
    CHECK(preset.values.at("env") == preset.name + "-v4");
    ArsConfig config;
    const double population = number(preset, "population");
    CHECK(std::fmod(population, 2.0) == 0.0);
    config.directions = static_cast<std::size_t>(population) / 2;
    config.top = static_cast<std::size_t>(number(preset, "top"));
    config.step_size = number(preset, "learning-rate");
    config.noise = number(preset, "sigma");
    config.validate();
    CHECK(parse_network(preset.values.at("network")).description() == "linear:nobias");
    CHECK(parse_initialisation(preset.values.at("initialisation")) == Initialisation::zero);
    CHECK(parse_normalization(preset.values.at("normalize")) == NormalizationKind::ars);
    REQUIRE(preset.published);
    CHECK(number(preset, "target-return") == preset.published->threshold);
    CHECK(preset.published->episodes_top <= preset.published->episodes_all);
  }
  CHECK(names.size() == presets.size());
}

TEST_CASE("the HalfCheetah preset is the paper's V2-t", "[presets]") {
  const Preset preset = find(ars_presets(), "HalfCheetah");
  check_values(preset, {{"population", "64"},
                        {"top", "4"},
                        {"learning-rate", "0.02"},
                        {"sigma", "0.03"},
                        {"reward-shift", "0"},
                        {"target-return", "3430"}});
  CHECK(preset.published->episodes_top == 1707U);
}

TEST_CASE("every OpenAI-ES preset holds valid values", "[presets]") {
  for (const Preset& preset : openai_es_presets()) {
    INFO(preset.name);
    OpenAiEsConfig config;
    config.population = static_cast<std::size_t>(number(preset, "population"));
    config.sigma = number(preset, "sigma");
    config.optimizer.kind = parse_optimizer(preset.values.at("optimizer"));
    config.optimizer.learning_rate = number(preset, "learning-rate");
    config.weight_decay = number(preset, "weight-decay");
    config.shaping = parse_shaping(preset.values.at("shaping"));
    config.validate();
    parse_network(preset.values.at("network"));
    parse_initialisation(preset.values.at("initialisation"));
    // Pixels are not normalised: the network's first layer divides bytes by 255.
    const bool pixels = preset.values.contains("atari-protocol");
    CHECK(parse_normalization(preset.values.at("normalize")) ==
          (pixels ? NormalizationKind::none : NormalizationKind::openai));
  }
}

TEST_CASE("the uber-es preset is the published configuration on Atari", "[presets]") {
  check_values(find(openai_es_presets(), "uber-es"), {{"population", "5000"},
                                                      {"sigma", "0.02"},
                                                      {"learning-rate", "0.01"},
                                                      {"weight-decay", "0.005"},
                                                      {"max-steps", "5000"},
                                                      {"network", "model_vbn"},
                                                      {"reference-observations", "128"},
                                                      {"atari-protocol", "uber"},
                                                      {"head", "argmax"},
                                                      {"final-episodes", "200"},
                                                      {"budget-frames", "1000000000"}});
}

TEST_CASE("the atari-es preset is the same with fewer members and episodes, and ends by no frames", "[presets]") {
  std::map<std::string, std::string> values = find(openai_es_presets(), "uber-es").values;
  values.erase("budget-frames");
  values["population"] = "128";
  values["learning-rate"] = "0.02";
  values["evaluation-episodes"] = "10";
  values["final-episodes"] = "30";
  CHECK(find(openai_es_presets(), "atari-es").values == values);
}

TEST_CASE("the openai preset is the published configuration", "[presets]") {
  check_values(find(openai_es_presets(), "openai"), {{"population", "10000"},
                                                     {"minimum-steps", "100000"},
                                                     {"sigma", "0.02"},
                                                     {"learning-rate", "0.01"},
                                                     {"weight-decay", "0.005"},
                                                     {"network", "mlp:256,256:tanh"},
                                                     {"action-noise", "0.01"},
                                                     {"statistics-fraction", "0.01"},
                                                     {"adam-epsilon", std::string(name_of(AdamEpsilon::starter))},
                                                     {"gradient-scale", std::string(name_of(GradientScale::pairs))}});
}
