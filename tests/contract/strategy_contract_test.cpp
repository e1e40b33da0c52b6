// What every strategy promises. A new strategy adds its line to strategies() and runs all of this.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>

#include "core/error.hpp"
#include "core/noise.hpp"
#include "core/population.hpp"
#include "core/strategy.hpp"
#include "es/ars.hpp"
#include "es/openai_es.hpp"
#include "ga/deep_ga.hpp"
#include "ga/random_search.hpp"
#include "tests/support/catch.hpp"

using namespace clade;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Values = std::vector<double>;

struct StrategyCase {
  std::string name;
  std::size_t population = 20;
  bool decays = false;             ///< parameters shrink where fitness tells nothing
  bool starts_afresh = false;      ///< from networks of its own, not from what it is given
  double covered_distance = 0.75;  ///< share of the way to the sphere's centre that 200 generations must cover
  std::function<std::unique_ptr<Strategy>(std::span<const double> initial, std::uint64_t seed, const NoiseSource& noise,
                                          int threads)>
      make;
};

StrategyCase openai_es(const std::string& name, const std::function<void(OpenAiEsConfig&)>& change = {}) {
  OpenAiEsConfig config;
  config.population = 20;
  config.sigma = 0.1;
  config.optimizer.learning_rate = 0.03;
  config.weight_decay = 0.0;
  if (change) change(config);
  StrategyCase result;
  result.name = "openai_es " + name;
  result.population = config.population;
  result.decays = config.weight_decay > 0.0;
  result.make = [config](std::span<const double> initial, std::uint64_t seed, const NoiseSource& noise, int threads) {
    return std::make_unique<OpenAiEs>(config, initial, seed, noise, threads);
  };
  return result;
}

StrategyCase ars(const std::string& name, std::size_t directions, std::size_t top) {
  ArsConfig config;
  config.directions = directions;
  config.top = top;
  config.step_size = 0.05;
  config.noise = 0.1;
  StrategyCase result;
  result.name = "ars " + name;
  result.population = 2 * directions;
  result.make = [config](std::span<const double> initial, std::uint64_t seed, const NoiseSource& noise, int threads) {
    return std::make_unique<Ars>(config, initial, seed, noise, threads);
  };
  return result;
}

/// Networks of independent normals, with a boundary of layers in the middle.
GenomeLayout layout_of(std::size_t parameters) {
  GenomeLayout layout;
  layout.parameter_count = parameters;
  layout.initial_scales =
      std::make_shared<const std::vector<InitialScale>>(std::vector<InitialScale>{{0, parameters, 1.0F}});
  layout.layer_starts = {parameters / 2};
  return layout;
}

StrategyCase deep_ga(const std::string& name, const std::function<void(DeepGaConfig&)>& change = {}) {
  DeepGaConfig config;
  config.population = 20;
  config.parents = 5;
  config.candidates = 3;
  config.power = parse_power_schedule("exponential:0.5,0.05,100");
  config.parent_cache_bytes = 1 << 20;
  if (change) change(config);
  StrategyCase result;
  result.name = "deep GA " + name;
  result.starts_afresh = true;
  result.make = [config](std::span<const double> initial, std::uint64_t seed, const NoiseSource& noise, int) {
    return std::make_unique<DeepGa>(config, layout_of(initial.size()), seed, noise);
  };
  return result;
}

StrategyCase random_search() {
  RandomSearchConfig config;
  config.population = 20;
  config.candidates = 3;
  StrategyCase result;
  result.name = "random search";
  result.starts_afresh = true;
  result.covered_distance = 0.5;
  result.make = [config](std::span<const double> initial, std::uint64_t seed, const NoiseSource& noise, int) {
    return std::make_unique<RandomSearch>(config, layout_of(initial.size()), seed, noise);
  };
  return result;
}

std::vector<StrategyCase> strategies() {
  std::vector<StrategyCase> all{
      openai_es("centred ranks"),
      openai_es("weight decay", [](OpenAiEsConfig& config) { config.weight_decay = 0.005; }),
      openai_es("not mirrored", [](OpenAiEsConfig& config) { config.mirrored = false; }),
      openai_es("not mirrored, raw",
                [](OpenAiEsConfig& config) {
                  config.mirrored = false;
                  config.shaping = Shaping::raw;
                }),
      openai_es("centred sign ranks", [](OpenAiEsConfig& config) { config.shaping = Shaping::centred_sign_rank; }),
      openai_es("z-scores", [](OpenAiEsConfig& config) { config.shaping = Shaping::z_score; }),
      openai_es("raw, momentum, gradient over sigma",
                [](OpenAiEsConfig& config) {
                  config.shaping = Shaping::raw;
                  config.optimizer.kind = OptimizerKind::sgd;
                  config.gradient_scale = GradientScale::sigma;
                }),
      openai_es("corrected epsilon",
                [](OpenAiEsConfig& config) { config.optimizer.adam_epsilon = AdamEpsilon::corrected; }),
      openai_es("sign", [](OpenAiEsConfig& config) { config.shaping = Shaping::sign; }),
      ars("all directions", 8, 8),
      ars("top directions", 8, 3),
      ars("one direction", 1, 1),
      deep_ga("truncation"),
      deep_ga("without a cache", [](DeepGaConfig& config) { config.parent_cache_bytes = 0; }),
      deep_ga("two elites, tournaments, uniform crossover",
              [](DeepGaConfig& config) {
                config.elites = 2;
                config.selection = ParentSelection::tournament;
                config.crossover = Crossover::uniform;
              }),
      deep_ga("one-point crossover", [](DeepGaConfig& config) { config.crossover = Crossover::one_point; }),
      random_search(),
  };
  // Signs of the return say nothing once all members are better than 0, the start.
  all[8].covered_distance = 0.02;
  return all;
}

Values fitness_of(const Population& population, const NoiseSource& noise,
                  const std::function<double(std::span<const float>)>& function) {
  Values fitness;
  std::vector<float> weights(population.parameters());
  for (const Member& member : population.members) {
    materialise(population, member, noise, 0, weights);
    fitness.push_back(function(weights));
  }
  return fitness;
}

/// Squared distance to (1, 1, ...), counted from the start at 0: 0 there, the dimension at the optimum.
double sphere(std::span<const float> weights) {
  double gained = 0.0;
  for (float weight : weights)
    gained += 1.0 - (static_cast<double>(weight) - 1.0) * (static_cast<double>(weight) - 1.0);
  return gained;
}

double sphere_of_solution(const Strategy& strategy) {
  const std::vector<float> weights(strategy.solution().begin(), strategy.solution().end());
  return sphere(weights);
}

void generation(Strategy& strategy, const StrategyCase& kind, const NoiseSource& noise) {
  strategy.tell(fitness_of(strategy.ask(0, kind.population), noise, sphere));
}

Values solution(const Strategy& strategy) { return {strategy.solution().begin(), strategy.solution().end()}; }

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

/// Recipes, and what they are made from.
bool same_members(const Population& a, const Population& b, const NoiseSource& noise) {
  if (a.generation != b.generation || a.members != b.members || a.ancestors != b.ancestors) return false;
  std::vector<float> of_a(a.parameters());
  std::vector<float> of_b(b.parameters());
  for (std::size_t i = 0; i < a.members.size(); ++i) {
    materialise(a, a.members[i], noise, 0, of_a);
    materialise(b, b.members[i], noise, 0, of_b);
    if (of_a != of_b) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("strategies: fitness is maximised", "[strategy]") {
  const auto noise = make_counter_noise();
  for (const StrategyCase& kind : strategies()) {
    for (std::size_t dimension : {1U, 5U}) {
      INFO(kind.name << ", " << dimension << " parameters");
      const auto strategy = kind.make(Values(dimension, 0.0), 1, *noise, 1);
      for (int count = 0; count < 200; ++count) generation(*strategy, kind, *noise);
      const double left = static_cast<double>(dimension) - sphere_of_solution(*strategy);
      CHECK(std::sqrt(left / static_cast<double>(dimension)) < 1.0 - kind.covered_distance);
    }
  }
}

TEST_CASE("strategies: the same seed gives the same bits, another seed others", "[strategy]") {
  const auto noise = make_counter_noise();
  for (const StrategyCase& kind : strategies()) {
    INFO(kind.name);
    const auto run = [&](std::uint64_t seed) {
      const auto strategy = kind.make(Values(6, 0.0), seed, *noise, 1);
      for (int count = 0; count < 5; ++count) generation(*strategy, kind, *noise);
      return solution(*strategy);
    };
    CHECK(run(0) == run(0));
    CHECK(run(0) != run(1));
  }
}

TEST_CASE("strategies: asking changes nothing and may be done in pieces", "[strategy]") {
  const auto noise = make_counter_noise();
  for (const StrategyCase& kind : strategies()) {
    INFO(kind.name);
    const auto strategy = kind.make(Values(3, 0.5), 2, *noise, 1);
    generation(*strategy, kind, *noise);
    const State before = strategy->save();
    const Population whole = strategy->ask(0, kind.population);
    CHECK(same_members(whole, strategy->ask(0, kind.population), *noise));
    Population joined = strategy->ask(0, 1);
    const Population rest = strategy->ask(1, kind.population - 1);
    CHECK(rest.first_member == 1);
    joined.members.insert(joined.members.end(), rest.members.begin(), rest.members.end());
    CHECK(same_members(whole, joined, *noise));
    CHECK(strategy->save() == before);
  }
}

TEST_CASE("strategies: a saved one goes on to the same bits, with the returns alone", "[strategy]") {
  const auto noise = make_counter_noise();
  for (const StrategyCase& kind : strategies()) {
    INFO(kind.name);
    const auto straight = kind.make(Values(6, 0.2), 3, *noise, 1);
    for (int count = 0; count < 4; ++count) generation(*straight, kind, *noise);
    const auto resumed = kind.make(Values(6, 0.0), 3, *noise, 1);
    resumed->load(straight->save());
    CHECK(solution(*resumed) == solution(*straight));
    for (int count = 0; count < 4; ++count) {
      const Population asked = straight->ask(0, kind.population);
      CHECK(same_members(asked, resumed->ask(0, kind.population), *noise));
      const Values fitness = fitness_of(asked, *noise, sphere);
      straight->tell(fitness);
      resumed->tell(fitness);
    }
    CHECK(resumed->save() == straight->save());
  }
}

TEST_CASE("strategies: a state that does not fit is refused and changes nothing", "[strategy]") {
  const auto noise = make_counter_noise();
  for (const StrategyCase& kind : strategies()) {
    INFO(kind.name);
    const auto larger = kind.make(Values(7, 0.3), 3, *noise, 1);
    const auto strategy = kind.make(Values(6, 0.3), 3, *noise, 1);
    generation(*strategy, kind, *noise);
    const State before = strategy->save();
    CHECK_THROWS_AS(strategy->load(larger->save()), Error);
    CHECK_THROWS_AS(strategy->load(State{}), Error);
    for (const auto& [name, value] : before.values()) {
      State incomplete = before;
      incomplete.values().erase(name);
      CHECK_THROWS_WITH(strategy->load(incomplete), clade::testing::contains_text(name));
    }
    CHECK(strategy->save() == before);
  }
}

TEST_CASE("strategies: threads never alter an update", "[strategy]") {
  const auto noise = make_counter_noise();
  constexpr std::size_t kDimension = 40013;  // no multiple of any block or vector width
  for (const StrategyCase& kind : strategies()) {
    INFO(kind.name);
    Values fitness(kind.population);
    std::iota(fitness.begin(), fitness.end(), -3.0);
    const auto run = [&](int threads) {
      const auto strategy = kind.make(Values(kDimension, 0.1), 4, *noise, threads);
      for (int count = 0; count < 2; ++count) strategy->tell(fitness);
      return solution(*strategy);
    };
    const Values one = run(1);
    CHECK(run(2) == one);
    CHECK(run(3) == one);
  }
}

TEST_CASE("strategies: failed members do no harm", "[strategy]") {
  const auto noise = make_counter_noise();
  for (const StrategyCase& kind : strategies()) {
    INFO(kind.name);
    const auto strategy = kind.make(Values(4, 0.0), 5, *noise, 1);
    for (std::size_t count = 0; count < 100; ++count) {
      Values fitness = fitness_of(strategy->ask(0, kind.population), *noise, sphere);
      fitness[count % kind.population] = kNan;
      fitness[(3 * count + 1) % kind.population] = kNan;
      strategy->tell(fitness);
      REQUIRE(all_finite(strategy->solution()));
    }
    if (kind.population > 2) CHECK(sphere_of_solution(*strategy) > 0.0);
  }
}

TEST_CASE("strategies: a generation that failed as a whole moves nothing", "[strategy]") {
  const auto noise = make_counter_noise();
  for (const StrategyCase& kind : strategies()) {
    INFO(kind.name);
    const auto strategy = kind.make(Values(4, 0.7), 6, *noise, 1);
    generation(*strategy, kind, *noise);
    const Values before = solution(*strategy);
    const Population asked = strategy->ask(0, kind.population);
    strategy->tell(Values(kind.population, kNan));
    CHECK(solution(*strategy) == before);
    // The next generation draws noise of its own.
    CHECK_FALSE(strategy->ask(0, 1).members[0].key == asked.members[0].key);
  }
}

TEST_CASE("strategies: a thousand generations of flat fitness leave all finite", "[strategy]") {
  const auto noise = make_counter_noise();
  for (const StrategyCase& kind : strategies()) {
    for (double level : {0.1, 0.0, -1e300, -std::numeric_limits<double>::infinity()}) {
      INFO(kind.name << ", fitness " << level);
      const auto strategy = kind.make(Values(3, 0.7), 7, *noise, 1);
      strategy->tell(Values(kind.population, level));
      const Values first = solution(*strategy);
      for (int count = 1; count < 1000; ++count) strategy->tell(Values(kind.population, level));
      CHECK(all_finite(strategy->solution()));
      if (!kind.decays) CHECK(solution(*strategy) == first);
      if (!kind.decays && !kind.starts_afresh) CHECK(first == Values(3, 0.7));
    }
  }
}

TEST_CASE("strategies: a generation may be extended by further members", "[strategy]") {
  const auto noise = make_counter_noise();
  for (const StrategyCase& kind : strategies()) {
    INFO(kind.name);
    const auto whole = kind.make(Values(4, 0.0), 8, *noise, 1);
    const auto pieces = kind.make(Values(4, 0.0), 8, *noise, 1);
    for (std::size_t count = 0; count < 10; ++count) {
      const std::size_t further = 2 * count;
      whole->tell(fitness_of(whole->ask(0, kind.population + further), *noise, sphere));
      Values fitness = fitness_of(pieces->ask(0, kind.population), *noise, sphere);
      const Values extension = fitness_of(pieces->ask(kind.population, further), *noise, sphere);
      fitness.insert(fitness.end(), extension.begin(), extension.end());
      pieces->tell(fitness);
    }
    CHECK(solution(*whole) == solution(*pieces));
    CHECK(sphere_of_solution(*whole) > 0.0);
  }
}

TEST_CASE("strategies: extreme fitness leaves all finite or is an error that says why", "[strategy]") {
  const auto noise = make_counter_noise();
  const double huge = std::numeric_limits<double>::max();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const StrategyCase& kind : strategies()) {
    INFO(kind.name);
    Values fitness(kind.population);
    const Values extremes{huge, -huge, infinity, -infinity, kNan, 5e-324, 0.0};
    for (std::size_t i = 0; i < fitness.size(); ++i) fitness[i] = extremes[i % extremes.size()];
    const auto strategy = kind.make(Values(3, 0.5), 9, *noise, 1);
    const Values before = solution(*strategy);
    try {
      strategy->tell(fitness);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::run_time);
      CHECK(solution(*strategy) == before);
    }
    CHECK(all_finite(strategy->solution()));
  }
}
