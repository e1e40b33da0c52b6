#include "ga/birth_replay.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "tests/ga/families.hpp"
#include "tests/support/catch.hpp"

using namespace clade;
using namespace clade::testing;

namespace {

using Individuals = std::vector<Individual>;
using Vector = std::vector<float>;

constexpr std::size_t kParameters = 203;  // no multiple of the noise's groups

PromisedWeights ready(const Vector& weights) {
  std::promise<Weights> promise;
  promise.set_value(std::make_shared<const Vector>(weights));
  return promise.get_future().share();
}

std::optional<PromisedWeights> nobody(const Individual&) { return std::nullopt; }
bool none(const Individual&) { return false; }

std::map<Individual, Vector> run(BirthReplay& replay, const NoiseSource& noise) {
  std::map<Individual, Vector> result;
  Individuals order;
  replay.run(kParameters, one_scale(kParameters), noise, [&](const Individual& who, const Weights& weights) {
    result[who] = *weights;
    order.push_back(who);
  });
  CHECK(std::is_sorted(order.begin(), order.end()));
  return result;
}

/// Initial 0:0 and 0:1; 1:0 and 1:1 mutated; 2:0 a uniform and 2:1 a one-point cross of them; 3:0 a copy of 2:0; 4:0 a
/// uniform cross of 3:0 and 2:1; 5:0 mutated.
Genealogy crossed() {
  Genealogy genealogy;
  genealogy.add({0, 0}, initial_birth(1));
  genealogy.add({0, 1}, initial_birth(2));
  genealogy.add({1, 0}, mutation({0, 0}, 3));
  genealogy.add({1, 1}, mutation({0, 1}, 4));
  genealogy.add({2, 0}, crossing({1, 0}, {1, 1}, 5, Crossover::uniform));
  genealogy.add({2, 1}, crossing({1, 0}, {1, 1}, 6, Crossover::one_point, 100));
  Birth copy;
  copy.form = PerturbationForm::none;
  copy.parent = Individual{2, 0};
  genealogy.add({3, 0}, copy);
  genealogy.add({4, 0}, crossing({3, 0}, {2, 1}, 7, Crossover::uniform));
  genealogy.add({5, 0}, mutation({4, 0}, 8));
  return genealogy;
}

}  // namespace

TEST_CASE("a chain replayed is each birth applied in turn", "[birth_replay]") {
  const auto noise = make_counter_noise();
  const Genealogy genealogy = chain(20);
  BirthReplay replay(genealogy, {20, 0}, nobody, none);
  CHECK(replay.births() == 21);
  CHECK(replay.kept() == Individuals{{20, 0}});
  CHECK(replay.sources().empty());
  const auto result = run(replay, *noise);
  CHECK(result.at({20, 0}) == reference_weights(genealogy, {20, 0}, kParameters, *noise).at({20, 0}));
}

TEST_CASE("a replay starts from the nearest known ancestor", "[birth_replay]") {
  const auto noise = make_counter_noise();
  const Genealogy genealogy = chain(20);
  const auto reference = reference_weights(genealogy, {20, 0}, kParameters, *noise);
  const auto known = [&](const Individual& who) -> std::optional<PromisedWeights> {
    if (who.generation != 15 && who.generation != 4) return std::nullopt;
    return ready(reference.at(who));
  };
  BirthReplay replay(genealogy, {20, 0}, known, none);
  CHECK(replay.births() == 5);
  CHECK(replay.sources() == Individuals{{15, 0}});
  CHECK(run(replay, *noise).at({20, 0}) == reference.at({20, 0}));
}

TEST_CASE("kept ancestors are handed out and stay as they were", "[birth_replay]") {
  const auto noise = make_counter_noise();
  const Genealogy genealogy = chain(9);
  const auto reference = reference_weights(genealogy, {9, 0}, kParameters, *noise);
  BirthReplay replay(genealogy, {9, 0}, nobody, [](const Individual& who) { return who.generation % 4 == 0; });
  CHECK(replay.kept() == Individuals{{0, 0}, {4, 0}, {8, 0}, {9, 0}});
  std::map<Individual, Weights> held;
  replay.run(kParameters, one_scale(kParameters), *noise,
             [&](const Individual& who, const Weights& weights) { held[who] = weights; });
  REQUIRE(held.size() == 4);
  for (const auto& [who, weights] : held) CHECK(*weights == reference.at(who));
}

TEST_CASE("a replay of crossovers is each birth applied in turn", "[birth_replay]") {
  const auto noise = make_counter_noise();
  const Genealogy genealogy = crossed();
  const auto reference = reference_weights(genealogy, {5, 0}, kParameters, *noise);
  for (int way = 0; way < 4; ++way) {
    INFO(way);
    const auto known = [&](const Individual& who) -> std::optional<PromisedWeights> {
      const bool held = (way == 1 && who == Individual{1, 1}) || (way == 2 && who == Individual{2, 0}) ||
                        (way == 3 && who.generation == 1);
      return held ? std::optional(ready(reference.at(who))) : std::nullopt;
    };
    BirthReplay replay(genealogy, {5, 0}, known, [&](const Individual& who) { return way == 2 && who.member == 1; });
    const auto result = run(replay, *noise);
    for (const auto& [who, weights] : result) CHECK(weights == reference.at(who));
    CHECK(result.contains({5, 0}));
  }
}

TEST_CASE("a copy of a known ancestor is a vector of its own", "[birth_replay]") {
  const auto noise = make_counter_noise();
  Genealogy genealogy;
  genealogy.add({0, 0}, initial_birth(1));
  Birth copy;
  copy.form = PerturbationForm::none;
  copy.parent = Individual{0, 0};
  genealogy.add({1, 0}, copy);
  genealogy.add({2, 0}, mutation({1, 0}, 3));
  const auto reference = reference_weights(genealogy, {2, 0}, kParameters, *noise);
  const PromisedWeights original = ready(reference.at({0, 0}));
  const auto known = [&](const Individual& who) {
    return who.generation == 0 ? std::optional(original) : std::nullopt;
  };
  BirthReplay replay(genealogy, {2, 0}, known, none);
  CHECK(run(replay, *noise).at({2, 0}) == reference.at({2, 0}));
  CHECK(*original.get() == reference.at({0, 0}));
}

TEST_CASE("crossovers of long lineages are replayed once each", "[birth_replay]") {
  // Two lines that cross in every generation: without shared results the births would be 2^2000.
  constexpr std::uint64_t kGenerations = 2000;
  Genealogy genealogy;
  genealogy.add({0, 0}, initial_birth(1));
  genealogy.add({0, 1}, initial_birth(2));
  for (std::uint64_t g = 1; g <= kGenerations; ++g) {
    genealogy.add({g, 0}, crossing({g - 1, 0}, {g - 1, 1}, 2 * g + 1, Crossover::one_point, 90, 0.01F));
    genealogy.add({g, 1}, crossing({g - 1, 1}, {g - 1, 0}, 2 * g + 2, Crossover::one_point, 40, 0.01F));
  }
  const auto noise = make_counter_noise();
  BirthReplay replay(genealogy, {kGenerations, 0}, nobody, none);
  CHECK(replay.births() == 2 * kGenerations + 1);
  CHECK(run(replay, *noise).at({kGenerations, 0}) ==
        reference_weights(genealogy, {kGenerations, 0}, kParameters, *noise).at({kGenerations, 0}));
}

TEST_CASE("what a promised ancestor throws is thrown", "[birth_replay]") {
  const auto noise = make_counter_noise();
  std::promise<Weights> promise;
  promise.set_exception(std::make_exception_ptr(Error(ErrorKind::run_time, "no memory left")));
  const PromisedWeights failed = promise.get_future().share();
  const Genealogy genealogy = chain(3);
  BirthReplay replay(
      genealogy, {3, 0},
      [&](const Individual& who) { return who.generation == 1 ? std::optional(failed) : std::nullopt; }, none);
  CHECK_THROWS_WITH(run(replay, *noise), contains_text("no memory left"));
}
