#include "ga/random_search.hpp"

#include <limits>

#include "core/error.hpp"
#include "ga/deep_ga.hpp"
#include "tests/ga/families.hpp"
#include "tests/support/catch.hpp"

using namespace clade;
using namespace clade::testing;

namespace {

constexpr std::uint64_t kSeed = 9;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Values = std::vector<double>;
using Vector = std::vector<float>;
using Individuals = std::vector<Individual>;

GenomeLayout layout_of(std::size_t parameters) { return {parameters, one_scale(parameters), {}}; }

RandomSearchConfig small_config() {
  RandomSearchConfig config;
  config.population = 5;
  config.candidates = 3;
  return config;
}

Vector weights_of(const Population& population, std::size_t place, const NoiseSource& noise) {
  Vector weights(population.parameters());
  materialise(population, population.members.at(place), noise, 0, weights);
  return weights;
}

Vector solution_of(const RandomSearch& strategy) { return {strategy.solution().begin(), strategy.solution().end()}; }

}  // namespace

TEST_CASE("every member of every generation is a fresh network", "[random_search]") {
  const auto noise = make_counter_noise();
  RandomSearch strategy(small_config(), layout_of(12), kSeed, *noise);
  for (std::uint64_t g = 0; g < 3; ++g) {
    const Population population = strategy.ask(1, 4);
    CHECK(population.generation == g);
    CHECK(population.first_member == 1);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(population.members[i].form == PerturbationForm::initial);
      CHECK(population.members[i].key == pack({kSeed, Purpose::initialisation, g, i + 1, 0}));
      CHECK(population.members[i].pair == i + 1);
    }
    strategy.tell(Values(5, 1.0));
  }
}

TEST_CASE("random search starts from the generation that the deep GA starts from", "[random_search]") {
  const auto noise = make_counter_noise();
  DeepGaConfig config;
  config.population = 20;
  const DeepGa genetic(config, layout_of(12), kSeed, *noise);
  const RandomSearch random(small_config(), layout_of(12), kSeed, *noise);
  CHECK(genetic.ask(0, 5).members == random.ask(0, 5).members);
}

TEST_CASE("the best by validation so far is kept", "[random_search]") {
  const auto noise = make_counter_noise();
  RandomSearch strategy(small_config(), layout_of(12), kSeed, *noise);
  CHECK(solution_of(strategy) == weights_of(strategy.ask(0, 1), 0, *noise));
  const Vector winner = weights_of(strategy.ask(0, 5), 3, *noise);
  strategy.validated(Values{1, 5, 2});
  strategy.tell(Values{0, 3, kNan, 2, 1});
  CHECK(strategy.elites() == Individuals{{0, 3}});
  CHECK(solution_of(strategy) == winner);

  const Values fitness{9, 8, 7, 6, 5};
  Individuals individuals;
  const Population candidates = strategy.candidates(fitness, individuals);
  CHECK(individuals == Individuals{{0, 3}, {1, 0}, {1, 1}});
  CHECK(weights_of(candidates, 0, *noise) == winner);
  CHECK(weights_of(candidates, 2, *noise) == weights_of(strategy.ask(0, 5), 1, *noise));
  strategy.validated(Values{5, 5, 4});
  strategy.tell(fitness);
  CHECK(strategy.elites() == Individuals{{0, 3}});
  CHECK(solution_of(strategy) == winner);
  strategy.validated(Values{5, 5.5, 4});
  strategy.tell(fitness);
  CHECK(strategy.elites() == Individuals{{2, 0}});
}

TEST_CASE("a random search that failed for a generation goes on", "[random_search]") {
  const auto noise = make_counter_noise();
  RandomSearch strategy(small_config(), layout_of(12), kSeed, *noise);
  Individuals individuals;
  CHECK(strategy.candidates(Values(5, kNan), individuals).members.empty());
  strategy.tell(Values(5, kNan));
  CHECK(strategy.elites().empty());
  CHECK(strategy.generation() == 1);
  strategy.tell(Values{kNan, kNan, 1, kNan, kNan});
  CHECK(strategy.elites() == Individuals{{1, 2}});
  strategy.tell(Values(5, kNan));
  CHECK(strategy.elites() == Individuals{{1, 2}});
}

TEST_CASE("a saved random search goes on to the same bits, a foreign state is refused", "[random_search]") {
  const auto noise = make_counter_noise();
  RandomSearch straight(small_config(), layout_of(12), kSeed, *noise);
  straight.validated(Values{1, 5, 2});
  straight.tell(Values{0, 3, kNan, 2, 1});
  RandomSearch resumed(small_config(), layout_of(12), kSeed, *noise);
  resumed.load(straight.save());
  CHECK(solution_of(resumed) == solution_of(straight));
  for (RandomSearch* strategy : {&straight, &resumed}) strategy->tell(Values{2, 1, 2.5, 0, 0});
  CHECK(resumed.save() == straight.save());
  CHECK(straight.elites() == Individuals{{1, 2}});

  State future = straight.save();
  future.set("generation", std::vector<std::uint64_t>{1});
  CHECK_THROWS_WITH(resumed.load(future), contains_text("generation 1 has the elite 1:2"));
  RandomSearch larger(small_config(), layout_of(13), kSeed, *noise);
  CHECK_THROWS_WITH(larger.load(straight.save()), contains_text("12 parameters, expected 13"));
}

TEST_CASE("settings of random search out of range are refused", "[random_search]") {
  const auto refuses = [](auto change, const std::string& part) {
    RandomSearchConfig config;
    change(config);
    CHECK_THROWS_WITH(config.validate(), contains_text(part));
  };
  CHECK_NOTHROW(RandomSearchConfig{}.validate());
  refuses([](RandomSearchConfig& config) { config.population = 0; }, "population 0");
  refuses([](RandomSearchConfig& config) { config.elites = 0; }, "elites 0");
  refuses([](RandomSearchConfig& config) { config.elites = 11; }, "elites 11 is outside [1, 10]");
  refuses([](RandomSearchConfig& config) { config.candidates = 0; }, "candidates 0");
  refuses(
      [](RandomSearchConfig& config) {
        config.population = 3;
        config.elites = 4;
      },
      "elites 4 is outside [1, 3], the population");
}
