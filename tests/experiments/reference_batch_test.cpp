#include "experiments/reference_batch.hpp"

#include <cstring>
#include <vector>

#include "core/error.hpp"
#include "experiments/random_play.hpp"
#include "experiments/run_task.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/toy_environment.hpp"

namespace clade {
namespace {

using test::ToyEnvironment;

/// Breaks in its second step.
class Broken final : public Environment {
 public:
  const EnvironmentSpec& spec() const override { return toy_.spec(); }
  void reset(RandomStream& rng, ObservationRow observation) override { toy_.reset(rng, observation); }
  StepOutcome step(const Action& action, ObservationRow observation) override {
    StepOutcome outcome = toy_.step(action, observation);
    if (++steps_ == 2) outcome.failure = "toy simulation broke";
    return outcome;
  }

 private:
  ToyEnvironment toy_;
  int steps_ = 0;
};

TEST_CASE("the reference batch is what follows each step of keyed random play, episode after episode") {
  ToyEnvironment environment;
  const auto batch = make_reference_batch(environment, 11, 100);
  const std::size_t bytes = environment.spec().observation.bytes();
  REQUIRE(batch->size() == 100 * bytes);

  // By hand.
  std::vector<std::byte> row(bytes);
  const ObservationRow observation(row.data(), environment.spec().observation);
  RandomActions actions(environment.spec().action, {11, Purpose::reference_play, 0, 1, 0});
  std::size_t taken = 0;
  for (std::uint64_t episode = 0; taken < 100; ++episode) {
    RandomStream rng(RandomKey{11, Purpose::reference_play, 0, 0, episode});
    environment.reset(rng, observation);
    StepOutcome outcome;
    for (std::uint32_t step = 0; taken < 100 && step < environment.spec().max_steps && !outcome.terminated; ++step) {
      outcome = environment.step(actions.draw(), observation);
      REQUIRE(std::memcmp(batch->data() + taken * bytes, row.data(), bytes) == 0);
      ++taken;
    }
  }
  CHECK(*make_reference_batch(environment, 11, 100) == *batch);
  CHECK_FALSE(*make_reference_batch(environment, 12, 100) == *batch);
  CHECK(reference_batch_digest(*batch).size() == 32);
}

TEST_CASE("a random play that breaks is refused with its reason") {
  Broken environment;
  CHECK_THROWS_WITH(
      make_reference_batch(environment, 1, 10),
      clade::testing::contains_text("random play for virtual batch normalisation failed: toy simulation"));
}

TEST_CASE("random actions are uniform over choices, and between bounds where those are finite") {
  ActionSpec discrete;
  discrete.choices = 3;
  RandomActions choices(discrete, RandomKey{1, Purpose::test});
  int counts[3] = {0, 0, 0};
  for (int draw = 0; draw < 3000; ++draw) ++counts[choices.draw().choice];
  for (const int count : counts) CHECK(std::abs(count - 1000) < 120);

  ActionSpec continuous;
  continuous.size = 2;
  continuous.low = {2.0, -std::numeric_limits<double>::infinity()};
  continuous.high = {4.0, 8.0};
  RandomActions components(continuous, RandomKey{1, Purpose::test});
  for (int draw = 0; draw < 100; ++draw) {
    const Action action = components.draw();
    REQUIRE(action.continuous.size() == 2);
    CHECK(action.continuous[0] >= 2.0);
    CHECK(action.continuous[0] < 4.0);
    CHECK(action.continuous[1] >= -1.0);
    CHECK(action.continuous[1] < 8.0);
  }
}

TEST_CASE("a task's policy has a reference batch exactly where its network normalises by one") {
  RunSettings settings;
  settings.environment = "CartPole-v1";
  settings.network = "mlp:4";
  CHECK(make_run_task(settings).policy.reference_batch == nullptr);
}

}  // namespace
}  // namespace clade
