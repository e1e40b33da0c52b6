#include "ga/deep_ga.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/parallel.hpp"
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

GenomeLayout layout_of(std::size_t parameters) {
  return {parameters, one_scale(parameters), {parameters / 3, parameters / 2}};
}

DeepGaConfig small_config() {
  DeepGaConfig config;
  config.population = 6;
  config.parents = 3;
  config.elites = 1;
  config.candidates = 3;
  config.power = parse_power_schedule("0.125");
  config.parent_cache_bytes = 1 << 20;
  return config;
}

std::vector<Vector> weights_of(const Population& population, const NoiseSource& noise) {
  std::vector<Vector> all;
  for (const Member& member : population.members) {
    all.emplace_back(population.parameters());
    materialise(population, member, noise, 0, all.back());
  }
  return all;
}

Vector solution_of(const DeepGa& strategy) { return {strategy.solution().begin(), strategy.solution().end()}; }

/// Higher is nearer to (1, 1, ...).
double nearness(const Vector& weights) {
  double distance = 0.0;
  for (float weight : weights) distance += (static_cast<double>(weight) - 1.0) * (static_cast<double>(weight) - 1.0);
  return -distance;
}

Values fitness_of(const Population& population, const NoiseSource& noise) {
  Values fitness;
  for (const Vector& weights : weights_of(population, noise)) fitness.push_back(nearness(weights));
  return fitness;
}

/// A whole generation. The validation is the function itself, upside down every third generation, so that elites come
/// and go.
void generation(DeepGa& strategy, std::size_t population, const NoiseSource& noise) {
  const Values fitness = fitness_of(strategy.ask(0, population), noise);
  Individuals individuals;
  Values means = fitness_of(strategy.candidates(fitness, individuals), noise);
  if (strategy.generation() % 3 == 2) {
    for (double& mean : means) mean = -mean;
  }
  strategy.validated(means);
  strategy.tell(fitness);
}

/// After a generation of the fitness 1 5 3 4 2 and a failure, validated as 10, 30, 20: elite 0:3, parents 0:3 0:1 0:2.
DeepGa after_one_generation(const DeepGaConfig& config, const NoiseSource& noise, std::size_t parameters = 12) {
  DeepGa strategy(config, layout_of(parameters), kSeed, noise);
  strategy.validated(Values{10, 30, 20});
  strategy.tell(Values{1, 5, 3, 4, 2, kNan});
  return strategy;
}

}  // namespace

TEST_CASE("generation 0 is drawn afresh, each member from its own key", "[deep_ga]") {
  const auto noise = make_counter_noise();
  const DeepGa strategy(small_config(), layout_of(12), kSeed, *noise);
  const Population population = strategy.ask(2, 3);
  CHECK(population.generation == 0);
  CHECK(population.first_member == 2);
  CHECK(population.parameters() == 12);
  CHECK(population.ancestors.empty());
  REQUIRE(population.members.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const Member& member = population.members[i];
    CHECK(member.form == PerturbationForm::initial);
    CHECK(member.key == pack({kSeed, Purpose::initialisation, 0, i + 2, 0}));
    CHECK(member.pair == i + 2);
  }
  Vector expected(12);
  noise->perturb(population.members[1].key, 0.25F, 0, {}, expected);
  CHECK(weights_of(population, *noise)[1] == expected);
  CHECK(strategy.parents().empty());
  CHECK(strategy.elites().empty());
}

TEST_CASE("elites are chosen by validation, parents are the elites and the generation's best", "[deep_ga]") {
  const auto noise = make_counter_noise();
  DeepGa strategy(small_config(), layout_of(12), kSeed, *noise);
  const Values fitness{1, 5, 3, 4, 2, kNan};
  Individuals individuals;
  const Population candidates = strategy.candidates(fitness, individuals);
  CHECK(individuals == Individuals{{0, 1}, {0, 3}, {0, 2}});
  CHECK(weights_of(candidates, *noise)[1] == weights_of(strategy.ask(3, 1), *noise)[0]);
  strategy.validated(Values{10, 30, 20});
  strategy.tell(fitness);
  CHECK(strategy.generation() == 1);
  CHECK(strategy.elites() == Individuals{{0, 3}});
  CHECK(strategy.parents() == Individuals{{0, 3}, {0, 1}, {0, 2}});
  CHECK(strategy.genealogy().size() == 3);

  // The elite of before is validated again, and stays a parent though it is no member of this generation.
  const Values next{9, 9, 7, 8, 6, 9};
  CHECK(strategy.candidates(next, individuals).members[0].form == PerturbationForm::none);
  CHECK(individuals == Individuals{{0, 3}, {1, 0}, {1, 1}});
  strategy.validated(Values{25, 24, 25});
  strategy.tell(next);
  CHECK(strategy.elites() == Individuals{{0, 3}});
  CHECK(strategy.parents() == Individuals{{0, 3}, {1, 0}, {1, 1}});

  strategy.validated(Values{25, 20, 26});
  strategy.tell(next);
  CHECK(strategy.elites() == Individuals{{2, 1}});
  CHECK(strategy.parents() == Individuals{{2, 1}, {2, 0}, {2, 5}});
  for (const Individual& parent : strategy.parents()) CHECK(strategy.genealogy().has(parent));
}

TEST_CASE("a child is its parent and one perturbation", "[deep_ga]") {
  const auto noise = make_counter_noise();
  const DeepGa strategy = after_one_generation(small_config(), *noise);
  const Population population = strategy.ask(0, 6);
  CHECK(population.ancestors == Individuals{{0, 3}, {0, 1}, {0, 2}});
  CHECK(population.generation == 1);
  const std::vector<Vector> weights = weights_of(population, *noise);
  for (std::size_t i = 0; i < 6; ++i) {
    const Member& member = population.members[i];
    RandomStream draws(RandomKey{kSeed, Purpose::selection, 1, i, 0});
    CHECK(member.base == draws.below(3));
    CHECK(member.form == PerturbationForm::dense);
    CHECK(member.key == pack({kSeed, Purpose::perturbation, 1, i, 0}));
    CHECK(member.scale == 0.125F);
    CHECK(member.crossover == Crossover::none);
    const Individual parent = population.ancestors[member.base];
    Vector expected(12);
    noise->perturb(pack({kSeed, Purpose::initialisation, 0, parent.member, 0}), 0.25F, 0, {}, expected);
    noise->perturb(member.key, 0.125F, 0, expected, expected);
    CHECK(weights[i] == expected);
  }
}

TEST_CASE("a candidate's weights are the member's or the elite's own", "[deep_ga]") {
  const auto noise = make_counter_noise();
  const DeepGa strategy = after_one_generation(small_config(), *noise);
  Individuals individuals;
  const Population candidates = strategy.candidates(Values{1, 2, 3, 4, 5, 6}, individuals);
  CHECK(individuals == Individuals{{0, 3}, {1, 5}, {1, 4}});
  const std::vector<Vector> weights = weights_of(candidates, *noise);
  CHECK(weights[0] == solution_of(strategy));
  const std::vector<Vector> members = weights_of(strategy.ask(0, 6), *noise);
  CHECK(weights[1] == members[5]);
  CHECK(weights[2] == members[4]);
  for (std::uint32_t i = 0; i < 3; ++i) CHECK(candidates.members[i].pair == i);
}

TEST_CASE("failed members become neither elites nor parents", "[deep_ga]") {
  const auto noise = make_counter_noise();
  DeepGa strategy(small_config(), layout_of(12), kSeed, *noise);
  strategy.tell(Values{kNan, 2, kNan, kNan, kNan, kNan});
  CHECK(strategy.parents() == Individuals{{0, 1}});
  CHECK(strategy.ask(0, 6).members[5].base == 0);
  strategy.tell(Values{kNan, kNan, -1, kNan, kNan, kNan});
  CHECK(strategy.elites() == Individuals{{0, 1}});
  CHECK(strategy.parents() == Individuals{{0, 1}, {1, 2}});
}

TEST_CASE("a generation that failed as a whole changes the generation's number alone", "[deep_ga]") {
  const auto noise = make_counter_noise();
  DeepGa strategy(small_config(), layout_of(12), kSeed, *noise);
  const Values failed(6, kNan);
  Individuals individuals{{3, 4}};
  CHECK(strategy.candidates(failed, individuals).members.empty());
  CHECK(individuals.empty());
  strategy.validated({});
  strategy.tell(failed);
  CHECK(strategy.generation() == 1);
  CHECK(strategy.parents().empty());
  const Member member = strategy.ask(4, 1).members[0];
  CHECK(member.form == PerturbationForm::initial);
  CHECK(member.key == pack({kSeed, Purpose::initialisation, 1, 4, 0}));

  strategy.tell(Values{1, 2, 3, 4, 5, 6});
  CHECK(strategy.parents() == Individuals{{1, 5}, {1, 4}, {1, 3}});
  State before = strategy.save();
  strategy.tell(failed);
  before.set("generation", std::vector<std::uint64_t>{3});
  CHECK(strategy.save() == before);
}

TEST_CASE("the mutation power follows its schedule by the generation's number", "[deep_ga]") {
  const auto noise = make_counter_noise();
  DeepGaConfig config = small_config();
  config.power = parse_power_schedule("linear:1,0.5,4");
  DeepGa strategy(config, layout_of(12), kSeed, *noise);
  const Values expected{1.0, 0.875, 0.75, 0.625, 0.5, 0.5};
  for (std::size_t g = 0; g < expected.size(); ++g) {
    const Member member = strategy.ask(0, 1).members[0];
    CHECK(member.scale == (g == 0 ? 0.0F : static_cast<float>(expected[g])));
    strategy.tell(Values{1, 2, 3, 4, 5, 6});
  }
}

TEST_CASE("tournaments prefer the better parents", "[deep_ga]") {
  const auto noise = make_counter_noise();
  DeepGaConfig config = small_config();
  config.selection = ParentSelection::tournament;
  config.tournament_size = 2;
  const DeepGa strategy = after_one_generation(config, *noise);
  std::vector<int> drawn(3, 0);
  for (const Member& member : strategy.ask(0, 900).members) ++drawn.at(member.base);
  // 5, 3 and 1 of 9.
  CHECK(std::abs(drawn[0] - 500) < 60);
  CHECK(std::abs(drawn[1] - 300) < 60);
  CHECK(std::abs(drawn[2] - 100) < 60);
}

TEST_CASE("a share of the children has a mate, another parent, drawn after the parent", "[deep_ga]") {
  const auto noise = make_counter_noise();
  DeepGaConfig config = small_config();
  config.crossover = Crossover::uniform;
  config.crossover_rate = 0.25;
  const DeepGa strategy = after_one_generation(config, *noise);
  int crossed = 0;
  const std::vector<Member> members = strategy.ask(0, 1200).members;
  for (std::size_t i = 0; i < members.size(); ++i) {
    RandomStream draws(RandomKey{kSeed, Purpose::selection, 1, i, 0});
    REQUIRE(members[i].base == draws.below(3));
    const bool has_mate = draws.uniform() < 0.25;
    REQUIRE((members[i].crossover == Crossover::uniform) == has_mate);
    if (!has_mate) continue;
    ++crossed;
    const std::uint32_t other = draws.below(2);
    REQUIRE(members[i].mate == (other < members[i].base ? other : other + 1));
    REQUIRE(members[i].crossover_key == pack({kSeed, Purpose::crossover, 1, i, 0}));
  }
  CHECK(std::abs(crossed - 300) < 60);

  DeepGa lonely(config, layout_of(12), kSeed, *noise);
  lonely.tell(Values{kNan, 1, kNan, kNan, kNan, kNan});
  for (const Member& member : lonely.ask(0, 50).members) CHECK(member.crossover == Crossover::none);
}

TEST_CASE("a uniform crossover takes each parameter from one of its parents, half from each", "[deep_ga]") {
  constexpr std::size_t kParameters = 10'007;
  const auto noise = make_counter_noise();
  DeepGaConfig config = small_config();
  config.crossover = Crossover::uniform;
  config.crossover_rate = 1.0;
  const DeepGa strategy = after_one_generation(config, *noise, kParameters);
  const Population population = strategy.ask(0, 2);
  const std::vector<Vector> children = weights_of(population, *noise);
  for (std::size_t i = 0; i < 2; ++i) {
    const Member& member = population.members[i];
    const Vector parent = *population.supply->base(member.base);
    const Vector mate = *population.supply->base(member.mate);
    Vector chooser(kParameters);
    noise->perturb(member.crossover_key, 1.0F, 0, {}, chooser);
    Vector normals(kParameters);
    noise->perturb(member.key, 1.0F, 0, {}, normals);
    int from_mate = 0;
    for (std::size_t p = 0; p < kParameters; ++p) {
      const bool mates = chooser[p] < 0.0F;
      if (mates) ++from_mate;
      REQUIRE(children[i][p] == std::fma(0.125F, normals[p], mates ? mate[p] : parent[p]));
    }
    // Standard deviation 50.
    CHECK(std::abs(from_mate - static_cast<int>(kParameters) / 2) < 200);
  }
}

TEST_CASE("a one-point crossover cuts between layers, at each with the same chance", "[deep_ga]") {
  const auto noise = make_counter_noise();
  DeepGaConfig config = small_config();
  config.crossover = Crossover::one_point;
  config.crossover_rate = 1.0;
  DeepGa strategy = after_one_generation(config, *noise);
  const Population population = strategy.ask(0, 400);  // cuts of 12 parameters at 4 and 6
  int early = 0;
  for (const Member& member : population.members) {
    REQUIRE((member.crossover_point == 4 || member.crossover_point == 6));
    if (member.crossover_point == 4) ++early;
  }
  CHECK(std::abs(early - 200) < 50);
  const std::vector<Vector> children = weights_of(population, *noise);
  for (std::size_t i = 0; i < 10; ++i) {
    const Member& member = population.members[i];
    const Vector parent = *population.supply->base(member.base);
    const Vector mate = *population.supply->base(member.mate);
    Vector normals(12);
    noise->perturb(member.key, 1.0F, 0, {}, normals);
    for (std::size_t p = 0; p < 12; ++p) {
      CHECK(children[i][p] == std::fma(0.125F, normals[p], p < member.crossover_point ? parent[p] : mate[p]));
    }
  }
  GenomeLayout one_layer = layout_of(12);
  one_layer.layer_starts.clear();
  CHECK_THROWS_WITH(DeepGa(config, one_layer, kSeed, *noise), contains_text("one-point crossover"));
}

TEST_CASE("the size of the parents' cache never alters results", "[deep_ga]") {
  constexpr std::size_t kParameters = 37;
  const auto noise = make_counter_noise();
  for (Crossover crossover : {Crossover::none, Crossover::uniform, Crossover::one_point}) {
    DeepGaConfig config = small_config();
    config.crossover = crossover;
    const auto run = [&](std::size_t vectors) {
      config.parent_cache_bytes = vectors * kParameters * sizeof(float);
      DeepGa strategy(config, layout_of(kParameters), kSeed, *noise);
      for (int count = 0; count < 15; ++count) generation(strategy, 6, *noise);
      const Population last = strategy.ask(0, 6);
      std::vector<Vector> weights = weights_of(last, *noise);
      weights.push_back(solution_of(strategy));
      for (std::size_t i = 0; i < 6; ++i) {
        const auto genealogy = std::make_shared<Genealogy>(strategy.genealogy());
        const Individual who{last.generation, static_cast<std::uint32_t>(i)};
        genealogy->add(who, birth_of(last, last.members[i]));
        CHECK(reference_weights(*genealogy, who, kParameters, *noise).at(who) == weights[i]);
      }
      return std::pair(strategy.save(), weights);
    };
    const auto none = run(0);
    CHECK(run(1) == none);
    CHECK(run(2) == none);
    CHECK(run(1000) == none);
  }
}

TEST_CASE("parents are one birth away where the cache has its automatic size", "[deep_ga]") {
  constexpr std::size_t kParameters = 37;
  const auto noise = make_counter_noise();
  DeepGaConfig config = small_config();
  config.parent_cache_bytes = automatic_parent_cache(config, kParameters);
  CHECK(config.parent_cache_bytes == 4 * kParameters * sizeof(float));
  DeepGa strategy(config, layout_of(kParameters), kSeed, *noise);
  for (int count = 0; count < 100; ++count) generation(strategy, 6, *noise);
  CHECK(strategy.cache_use().mutations <= strategy.cache_use().misses + 3);  // a parent of a parent in the beginning
  CHECK(strategy.cache_use().hit_rate() > 0.6);
  config.crossover = Crossover::uniform;
  CHECK(automatic_parent_cache(config, kParameters) == 7 * kParameters * sizeof(float));
}

TEST_CASE("workers may make members of a generation at the same time", "[deep_ga]") {
  const auto noise = make_counter_noise();
  DeepGaConfig config = small_config();
  config.crossover = Crossover::uniform;
  config.parent_cache_bytes = 2 * 50 * sizeof(float);
  DeepGa strategy(config, layout_of(50), kSeed, *noise);
  for (int count = 0; count < 5; ++count) generation(strategy, 6, *noise);
  const Population population = strategy.ask(0, 64);
  const std::vector<Vector> expected = weights_of(population, *noise);
  std::vector<Vector> weights(64, Vector(50));
  parallel_for(64, 4,
               [&](std::size_t i, int) { materialise(population, population.members[i], *noise, 0, weights[i]); });
  CHECK(weights == expected);
}

TEST_CASE("a population stays as it was after its generation has ended", "[deep_ga]") {
  const auto noise = make_counter_noise();
  DeepGa strategy = after_one_generation(small_config(), *noise);
  const State start = strategy.save();
  const Population population = strategy.ask(0, 6);
  const std::vector<Vector> before = weights_of(population, *noise);
  for (int count = 0; count < 5; ++count) generation(strategy, 6, *noise);
  CHECK(weights_of(population, *noise) == before);
  strategy.load(start);
  CHECK(weights_of(population, *noise) == before);
  CHECK(weights_of(strategy.ask(0, 6), *noise) == before);
}

TEST_CASE("the solution is the first elite's weights", "[deep_ga]") {
  const auto noise = make_counter_noise();
  DeepGa fresh(small_config(), layout_of(12), kSeed, *noise);
  CHECK(solution_of(fresh) == weights_of(fresh.ask(0, 1), *noise)[0]);
  const std::vector<Vector> members = weights_of(fresh.ask(0, 6), *noise);
  fresh.validated(Values{10, 30, 20});
  fresh.tell(Values{1, 5, 3, 4, 2, kNan});
  CHECK(solution_of(fresh) == members[3]);
}

TEST_CASE("a run that was saved and loaded goes on to the same bits", "[deep_ga]") {
  const auto noise = make_counter_noise();
  DeepGaConfig config = small_config();
  config.elites = 2;
  config.crossover = Crossover::uniform;
  DeepGa straight(config, layout_of(20), kSeed, *noise);
  for (int count = 0; count < 25; ++count) {
    DeepGa resumed(config, layout_of(20), kSeed, *noise);
    resumed.load(straight.save());
    CHECK(resumed.save() == straight.save());
    CHECK(solution_of(resumed) == solution_of(straight));
    generation(straight, 6, *noise);
    generation(resumed, 6, *noise);
    REQUIRE(resumed.save() == straight.save());
    REQUIRE(solution_of(resumed) == solution_of(straight));
  }
  CHECK(straight.genealogy().chain_length(straight.parents().back()) > 10);
}

TEST_CASE("a state of another run is refused and changes nothing", "[deep_ga]") {
  const auto noise = make_counter_noise();
  DeepGa strategy = after_one_generation(small_config(), *noise);
  const State good = strategy.save();
  const auto refuses = [&](const std::string& name, StateValue value, const std::string& part) {
    State bad = good;
    bad.values()[name] = std::move(value);
    CHECK_THROWS_WITH(strategy.load(bad), contains_text(part));
    CHECK(strategy.save() == good);
  };
  using Words = std::vector<std::uint64_t>;
  refuses("parameters", Words{13}, "networks of 13 parameters, expected 12");
  refuses("parents/member", Words{1, 3, 2}, "that begin with the 1 elites");
  refuses("parents/member", Words{3, 1}, "'parents/member' has 2 numbers, expected 3");
  refuses("parents/member", Words{3, 1, 5}, "0:5 is unknown");
  refuses("generation", Words{0}, "state of generation 0 has the parent 0:3");
  refuses("generation", Words{1, 1}, "'generation' has 2 numbers");
  refuses("genealogy/forms", Words{2, 2, 9}, "unknown key kind 9");
  DeepGaConfig fewer = small_config();
  fewer.parents = 2;
  DeepGa other(fewer, layout_of(12), kSeed, *noise);
  CHECK_THROWS_WITH(other.load(good), contains_text("3 parents, expected at most 2"));
}

TEST_CASE("the genealogy holds the parents and their ancestors alone", "[deep_ga]") {
  const auto noise = make_counter_noise();
  DeepGa strategy(small_config(), layout_of(12), kSeed, *noise);
  for (int count = 0; count < 60; ++count) generation(strategy, 6, *noise);
  std::size_t longest = 0;
  for (const Individual& parent : strategy.parents()) {
    REQUIRE(strategy.genealogy().has(parent));
    longest = std::max(longest, strategy.genealogy().lineage(parent).size());
  }
  CHECK(strategy.genealogy().size() < longest + 20);
}

TEST_CASE("the deep GA finds the optimum of a sphere within its mutation power", "[deep_ga]") {
  const auto noise = make_counter_noise();
  for (Crossover crossover : {Crossover::none, Crossover::uniform}) {
    DeepGaConfig config = small_config();
    config.population = 60;
    config.parents = 8;
    config.power = parse_power_schedule("exponential:0.25,0.01,60");
    config.crossover = crossover;
    DeepGa strategy(config, layout_of(10), kSeed, *noise);
    for (int count = 0; count < 60; ++count) strategy.tell(fitness_of(strategy.ask(0, 60), *noise));
    // The start is about 10 away.
    CHECK(nearness(solution_of(strategy)) > -0.02);
  }
}

TEST_CASE("settings of the deep GA out of range are refused with the value and the limit", "[deep_ga]") {
  const auto refuses = [](auto change, const std::string& value, const std::string& limit) {
    DeepGaConfig config;
    change(config);
    CHECK_THROWS_WITH(config.validate(), contains_text(value) && contains_text(limit));
  };
  CHECK_NOTHROW(DeepGaConfig{}.validate());
  refuses([](DeepGaConfig& config) { config.population = 0; }, "population 0", "[1, 4294967295]");
  refuses([](DeepGaConfig& config) { config.population = std::size_t{1} << 32; }, "4294967296", "4294967295");
  refuses([](DeepGaConfig& config) { config.parents = 0; }, "parents 0", "[1, 1000]");
  refuses([](DeepGaConfig& config) { config.parents = 1001; }, "parents 1001", "[1, 1000], the population");
  refuses([](DeepGaConfig& config) { config.elites = 0; }, "elites 0", "[1, 20]");
  refuses([](DeepGaConfig& config) { config.elites = 21; }, "elites 21", "the number of parents");
  refuses([](DeepGaConfig& config) { config.elites = 11; }, "elites 11", "validation candidates");
  refuses([](DeepGaConfig& config) { config.candidates = 0; }, "candidates 0", "at least 1");
  refuses([](DeepGaConfig& config) { config.power.first = 0.0; }, "power 0", "above 0");
  refuses([](DeepGaConfig& config) { config.power.first = kNan; }, "power nan", "finite");
  refuses(
      [](DeepGaConfig& config) {
        config.selection = ParentSelection::tournament;
        config.tournament_size = 0;
      },
      "tournament size 0", "at least 1");
  for (double rate : {0.0, 1.5, -0.5, kNan}) {
    refuses(
        [&](DeepGaConfig& config) {
          config.crossover = Crossover::uniform;
          config.crossover_rate = rate;
        },
        "crossover rate", "(0, 1]");
  }
  const auto noise = make_counter_noise();
  DeepGaConfig config = small_config();
  config.parent_cache_bytes = 10;
  CHECK_THROWS_WITH(DeepGa(config, layout_of(12), kSeed, *noise), contains_text("below one member"));
}

TEST_CASE("a deep GA made for a network knows its layers", "[deep_ga]") {
  const auto noise = make_counter_noise();
  const Network network(parse_network("mlp:4:tanh"), std::size_t{3}, 2);
  const DeepGa strategy(small_config(), network, Initialisation::uber, kSeed, *noise);
  const Population population = strategy.ask(0, 1);
  CHECK(population.parameters() == 26);
  const Vector weights = weights_of(population, *noise)[0];
  for (std::size_t bias : {12U, 13U, 14U, 15U, 24U, 25U}) CHECK(weights[bias] == 0.0F);
  CHECK(weights[0] != 0.0F);
}
