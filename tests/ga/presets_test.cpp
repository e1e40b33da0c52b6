#include "ga/presets.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "core/network.hpp"
#include "core/number_text.hpp"
#include "ga/deep_ga.hpp"
#include "ga/random_search.hpp"
#include "tests/support/catch.hpp"

using namespace clade;

namespace {

const Preset& find(const std::vector<Preset>& presets, const std::string& name) {
  const auto found =
      std::find_if(presets.begin(), presets.end(), [&](const Preset& preset) { return preset.name == name; });
  REQUIRE(found != presets.end());
  return *found;
}

std::size_t whole(const Preset& preset, const std::string& option) {
  INFO(preset.name << ": " << option);
  return static_cast<std::size_t>(parse_real(preset.values.at(option), option));
}

void check_values(const Preset& preset, const std::map<std::string, std::string>& expected) {
  for (const auto& [option, value] : expected) {
    INFO(preset.name << ": " << option);
    CHECK(preset.values.at(option) == value);
  }
}

}  // namespace

TEST_CASE("every preset of the deep GA holds valid values", "[presets]") {
  std::set<std::string> names;
  for (const Preset& preset : deep_ga_presets()) {
    INFO(preset.name);
    names.insert(preset.name);
    DeepGaConfig config;
    config.population = whole(preset, "population");
    config.parents = whole(preset, "parents");
    config.elites = whole(preset, "elites");
    config.candidates = whole(preset, "validation-candidates");
    config.power = parse_power_schedule(preset.values.at("power"));
    config.validate();
    CHECK(whole(preset, "validation-episodes") >= 10);
    parse_network(preset.values.at("network"));
    const Initialisation initialisation = parse_initialisation(preset.values.at("initialisation"));
    CHECK((initialisation == Initialisation::uber || initialisation == Initialisation::fan_in));
    CHECK(preset.values.at("evaluate-every") == "0");
  }
  CHECK(names.size() == deep_ga_presets().size());
}

TEST_CASE("every preset of random search holds valid values and none of the genetic algorithm's", "[presets]") {
  for (const Preset& preset : random_search_presets()) {
    INFO(preset.name);
    RandomSearchConfig config;
    config.population = whole(preset, "population");
    config.elites = whole(preset, "elites");
    config.candidates = whole(preset, "validation-candidates");
    config.validate();
    CHECK_FALSE(preset.values.contains("parents"));
    CHECK_FALSE(preset.values.contains("power"));
    const Preset genetic = find(deep_ga_presets(), preset.name);
    for (const auto& [option, value] : preset.values) CHECK(genetic.values.at(option) == value);
  }
}

TEST_CASE("such2017 is the published configuration", "[presets]") {
  const Preset preset = find(deep_ga_presets(), "such2017");
  check_values(preset, {{"atari-protocol", "uber"},
                        {"network", "large_model"},
                        {"initialisation", "uber"},
                        {"head", "argmax"},
                        {"population", "1000"},
                        {"parents", "20"},
                        {"elites", "1"},
                        {"power", "0.002"},
                        {"episodes", "1"},
                        {"max-steps", "5000"},
                        {"validation-candidates", "10"},
                        {"validation-episodes", "30"},
                        {"final-episodes", "200"},
                        {"budget-frames", "1000000000"}});
  CHECK_FALSE(preset.values.contains("env"));
}

TEST_CASE("the humanoid preset is the published configuration", "[presets]") {
  check_values(find(deep_ga_presets(), "humanoid"), {{"env", "Humanoid-v4"},
                                                     {"network", "mlp:256,256:tanh"},
                                                     {"population", "12500"},
                                                     {"parents", "625"},
                                                     {"power", "0.00224"},
                                                     {"episodes", "5"}});
}

TEST_CASE("atari-workstation is a smaller run of the same protocol", "[presets]") {
  check_values(find(deep_ga_presets(), "atari-workstation"), {{"atari-protocol", "uber"},
                                                              {"population", "200"},
                                                              {"parents", "20"},
                                                              {"validation-candidates", "3"},
                                                              {"validation-episodes", "10"}});
}
