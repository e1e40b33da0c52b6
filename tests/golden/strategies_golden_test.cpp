// Walks through every group of the recorded strategy results. Each is compared, or reported as skipped with the
// feature that is not there yet. What a case is follows from its attributes and from the words of its name, as the
// file's README explains them; a name with other words is skipped by name.

#include <cmath>
#include <iostream>
#include <map>
#include <optional>

#include "core/fitness.hpp"
#include "core/number_text.hpp"
#include "core/optimizer.hpp"
#include "es/openai_es.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/recorded_noise.hpp"
#include "tests/support/tolerances.hpp"
#include "tools/golden_file.hpp"

using namespace clade;
using clade::testing::kStrategyGolden;
using clade::testing::RecordedNoise;

namespace {

using Values = std::vector<double>;

/// What stands in the file, by the name of its top group.
enum class Kind { shaping, adam, openai_es };
const std::map<std::string, Kind> kCompared{
    {"shaping", Kind::shaping}, {"adam", Kind::adam}, {"openai_es", Kind::openai_es}};

void skipped(const std::string& path, const std::string& why) {
  std::cout << "skipped: " << path << ": " << why << '\n';
}

/// Largest difference; NaN on either side counts as infinite.
double largest_difference(std::span<const double> values, std::span<const double> expected) {
  REQUIRE(values.size() == expected.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double difference = std::abs(values[i] - expected[i]);
    largest = difference <= largest ? largest : (std::isnan(difference) ? HUGE_VAL : difference);
  }
  return largest;
}

void check_near(const std::string& path, std::span<const double> values, std::span<const double> expected) {
  INFO(path);
  CHECK(largest_difference(values, expected) <= kStrategyGolden);
}

std::optional<Values> shaped(const std::string& dataset, const Values& returns) {
  const std::string z_score = "zscore_";
  if (dataset == "centred_ranks") return shape_fitness(Shaping::centred_rank, returns);
  if (dataset == "sign") return shape_fitness(Shaping::sign, returns);
  if (dataset == "centred_sign_rank") return shape_fitness(Shaping::centred_sign_rank, returns);
  if (dataset.starts_with(z_score)) {
    return shape_fitness(Shaping::z_score, returns, parse_real(dataset.substr(z_score.size()), "epsilon"));
  }
  return std::nullopt;
}

std::size_t compare_shapings(const GoldenFile& file, const std::string& group) {
  std::size_t compared = 0;
  for (const std::string& name : file.groups(group)) {
    const std::string path = group + "/" + name;
    const Values returns = file.read<double>(path + "/returns").values;
    for (const std::string& dataset : file.datasets(path)) {
      if (dataset == "returns") continue;
      const std::optional<Values> values = shaped(dataset, returns);
      if (!values) {
        skipped(path + "/" + dataset, "no such shaping yet");
        continue;
      }
      check_near(path + "/" + dataset, *values, file.read<double>(path + "/" + dataset).values);
      ++compared;
    }
  }
  return compared;
}

/// Steps of `prefix`gradients, each taken from zeros so that the parameters are the step; and the running parameters
/// where they are recorded.
std::size_t compare_adam_form(const GoldenFile& file, const std::string& group, const std::string& prefix,
                              AdamEpsilon form) {
  const std::string steps_path =
      group + "/" + prefix + "steps" + (form == AdamEpsilon::starter ? "_starter_epsilon" : "");
  const GoldenArray<double> gradients = file.read<double>(group + "/" + prefix + "gradients");
  const GoldenArray<double> steps = file.read<double>(steps_path);
  OptimizerSpec spec;
  spec.learning_rate = file.real_attribute(group, "lr");
  spec.adam_epsilon = form;
  const auto optimizer = make_optimizer(spec, gradients.row_size());
  for (std::size_t t = 0; t < gradients.rows(); ++t) {
    Values step(gradients.row_size(), 0.0);
    optimizer->ascend({gradients.row(t), gradients.row_size()}, step);
    check_near(steps_path, step, {steps.row(t), steps.row_size()});
  }
  if (!prefix.empty() || form != AdamEpsilon::corrected) return 1;

  const GoldenArray<double> theta = file.read<double>(group + "/theta");
  Values parameters = file.read<double>(group + "/theta0").values;
  const auto running = make_optimizer(spec, gradients.row_size());
  for (std::size_t t = 0; t < gradients.rows(); ++t) {
    running->ascend({gradients.row(t), gradients.row_size()}, parameters);
    check_near(group + "/theta", parameters, {theta.row(t), theta.row_size()});
  }
  return 2;
}

std::size_t compare_adam(const GoldenFile& file, const std::string& group) {
  std::size_t compared = 0;
  for (const std::string& dataset : file.datasets(group)) {
    const std::string suffix = "gradients";
    if (!dataset.ends_with(suffix)) continue;
    const std::string prefix = dataset.substr(0, dataset.size() - suffix.size());
    for (AdamEpsilon form : {AdamEpsilon::corrected, AdamEpsilon::starter}) {
      compared += compare_adam_form(file, group, prefix, form);
    }
  }
  return compared;
}

/// Settings of a case from the words of its name: "pairs_l2_starter_epsilon", "sigma_no_l2". Nothing where a word is
/// unknown.
std::optional<OpenAiEsConfig> openai_config(const GoldenFile& file, const std::string& group, std::string name) {
  const auto take = [&](const std::string& word) {
    if (!name.starts_with(word)) return false;
    name.erase(0, word.size());
    if (name.starts_with("_")) name.erase(0, 1);
    return true;
  };
  OpenAiEsConfig config;
  config.sigma = file.real_attribute(group, "sigma");
  config.optimizer.learning_rate = file.real_attribute(group, "lr");
  config.optimizer.adam_epsilon = AdamEpsilon::corrected;
  if (take("pairs")) {
    config.gradient_scale = GradientScale::pairs;
  } else if (take("sigma")) {
    config.gradient_scale = GradientScale::sigma;
  } else {
    return std::nullopt;
  }
  if (take("no_l2")) {
    config.weight_decay = 0.0;
  } else if (take("l2")) {
    config.weight_decay = file.real_attribute(group, "l2");
  } else {
    return std::nullopt;
  }
  if (take("starter_epsilon")) config.optimizer.adam_epsilon = AdamEpsilon::starter;
  return name.empty() ? std::optional(config) : std::nullopt;
}

std::size_t compare_openai_es(const GoldenFile& file, const std::string& group) {
  constexpr std::uint64_t kSeed = 0;  // names the recorded noise, nothing else
  const GoldenArray<double> eps = file.read<double>(group + "/eps");
  const Values theta0 = file.read<double>(group + "/theta0").values;
  const std::size_t pairs = eps.extents.at(1);
  RecordedNoise noise;
  for (std::size_t generation = 0; generation < eps.rows(); ++generation) {
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const double* first = eps.row(generation) + pair * theta0.size();
      noise.record(direction_key(kSeed, generation, pair), Values(first, first + theta0.size()));
    }
  }

  std::size_t compared = 0;
  for (const std::string& name : file.groups(group)) {
    const std::string path = group + "/" + name;
    std::optional<OpenAiEsConfig> config = openai_config(file, group, name);
    if (!config) {
      skipped(path, "unknown words in the case's name");
      continue;
    }
    config->population = 2 * pairs;
    const GoldenArray<double> returns = file.read<double>(path + "/returns");
    const GoldenArray<double> gradients = file.read<double>(path + "/gradients");
    const GoldenArray<double> theta = file.read<double>(path + "/theta");
    OpenAiEs strategy(*config, theta0, kSeed, noise, 1);
    for (std::size_t generation = 0; generation < returns.rows(); ++generation) {
      Values fitness;  // recorded as all plus halves, then all minus halves
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        fitness.push_back(returns.row(generation)[pair]);
        fitness.push_back(returns.row(generation)[pairs + pair]);
      }
      strategy.tell(fitness);
      check_near(path + "/gradients", strategy.gradient(), {gradients.row(generation), gradients.row_size()});
      check_near(path + "/theta", strategy.solution(), {theta.row(generation), theta.row_size()});
    }
    ++compared;
  }
  return compared;
}

std::size_t compare(Kind kind, const GoldenFile& file, const std::string& group) {
  switch (kind) {
    case Kind::shaping:
      return compare_shapings(file, group);
    case Kind::adam:
      return compare_adam(file, group);
    case Kind::openai_es:
      return compare_openai_es(file, group);
  }
  return 0;
}

}  // namespace

TEST_CASE("strategies agree with recorded results", "[golden]") {
  const std::filesystem::path path = golden_directory() / "strategies.h5";
  if (!std::filesystem::exists(path)) CLADE_SKIP("no " + path.string());
  const GoldenFile file(path);
  const std::vector<std::string> groups = file.groups();
  CHECK_FALSE(groups.empty());
  for (const std::string& group : groups) {
    const auto kind = kCompared.find(group);
    if (kind == kCompared.end()) {
      const std::vector<std::string> cases = file.groups("/" + group);
      if (cases.empty()) skipped("/" + group, "no such strategy yet");
      for (const std::string& name : cases) skipped("/" + group + "/" + name, "no " + group + " yet");
      continue;
    }
    const std::size_t compared = compare(kind->second, file, "/" + group);
    std::cout << "compared: /" << group << ": " << compared << " results\n";
    CHECK(compared > 0);
  }
}
