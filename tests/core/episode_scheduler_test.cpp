#include "core/episode_scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/toy_environment.hpp"

namespace clade {
namespace {

using test::toy_factory;
using test::ToyFaults;

/// Answers with a number that only the member, the episode's step and the observation decide.
class StubEngine final : public InferenceEngine {
 public:
  void begin_generation(const Population& population, const NormalizerSnapshot&) override {
    first_member_ = population.first_member;
  }
  void prepare(std::size_t, std::size_t member) override { member_ = first_member_ + member; }
  void begin_episode(std::size_t, std::size_t, const EpisodeIdentity&, const EpisodeSettings&) override {}
  void infer(std::size_t, std::span<InferenceRow> rows) override {
    for (InferenceRow& row : rows) {
      const double* observation = reinterpret_cast<const double*>(row.observation);
      row.action.continuous[0] = observation[0] * static_cast<double>(member_) * 0.01 + 1e-3 * row.step;
    }
  }

 private:
  std::size_t first_member_ = 0;
  std::size_t member_ = 0;
};

EngineFactory stub_engines() {
  return [](std::size_t) { return std::make_unique<StubEngine>(); };
}

Population population_of(std::size_t members, std::size_t first_member = 0) {
  Population population;
  population.generation = 7;
  population.first_member = first_member;
  for (std::size_t member = 0; member < members; ++member) {
    Member recipe;
    recipe.pair = static_cast<std::uint32_t>((first_member + member) / 2);
    population.members.push_back(recipe);
  }
  return population;
}

EvaluationPlan plan_of(std::uint32_t episodes) {
  EvaluationPlan plan;
  plan.seed = 5;
  plan.episodes_per_member = episodes;
  plan.collects_moments = [](std::uint32_t member, std::uint32_t episode) { return (member + episode) % 3 == 0; };
  return plan;
}

EvaluationResults run(int threads, std::size_t lanes, const Population& population, const EvaluationPlan& plan,
                      const ToyFaults& faults = {}) {
  EpisodeScheduler scheduler({threads, lanes}, toy_factory(faults), stub_engines());
  return scheduler.evaluate(population, {}, plan);
}

void check_equal(const EvaluationResults& a, const EvaluationResults& b) {
  REQUIRE(a.episodes.size() == b.episodes.size());
  for (std::size_t index = 0; index < a.episodes.size(); ++index) {
    CAPTURE(index);
    CHECK(a.episodes[index].episode_return == b.episodes[index].episode_return);
    CHECK(a.episodes[index].steps == b.episodes[index].steps);
    CHECK(a.episodes[index].status == b.episodes[index].status);
  }
  REQUIRE(a.moments.size() == b.moments.size());
  for (std::size_t index = 0; index < a.moments.size(); ++index) {
    CHECK(a.moments[index].count() == b.moments[index].count());
    CHECK(a.moments[index].mean()[0] == b.moments[index].mean()[0]);
    CHECK(a.moments[index].squares()[1] == b.moments[index].squares()[1]);
  }
  REQUIRE(a.failures.size() == b.failures.size());
  for (std::size_t index = 0; index < a.failures.size(); ++index) {
    CHECK(a.failures[index].identity.member == b.failures[index].identity.member);
    CHECK(a.failures[index].identity.episode == b.failures[index].identity.episode);
    CHECK(a.failures[index].reason == b.failures[index].reason);
  }
}

TEST_CASE("results do not depend on threads, lanes or the order of tasks") {
  const Population population = population_of(23);
  EvaluationPlan plan = plan_of(3);
  const EvaluationResults reference = run(1, 1, population, plan);
  CHECK(reference.complete);
  CHECK(reference.moments.size() == 23);
  check_equal(reference, run(2, 1, population, plan));
  check_equal(reference, run(3, 2, population, plan));
  check_equal(reference, run(1, 8, population, plan));
  for (std::size_t member = 0; member < 23; ++member) plan.expected_steps.push_back(static_cast<double>(member % 5));
  check_equal(reference, run(2, 3, population, plan));
}

TEST_CASE("a single member's many episodes are shared among workers with the same results") {
  const Population population = population_of(1);
  const EvaluationPlan plan = plan_of(50);
  check_equal(run(1, 1, population, plan), run(3, 4, population, plan));
}

TEST_CASE("a generation evaluated in pieces equals one evaluated whole") {
  const EvaluationPlan plan = plan_of(2);
  const EvaluationResults whole = run(1, 1, population_of(10), plan);
  EvaluationResults pieces = run(2, 2, population_of(6), plan);
  pieces.append(run(2, 1, population_of(4, 6), plan));
  check_equal(whole, pieces);
  CHECK(whole.steps() == pieces.steps());
}

TEST_CASE("common random numbers give a pair the same episodes") {
  const Population population = population_of(4);
  EvaluationPlan plan = plan_of(1);
  const EvaluationResults apart = run(1, 1, population, plan);
  plan.common_random_numbers = true;
  const EvaluationResults common = run(1, 1, population, plan);
  CHECK(common.episodes[2].steps == common.episodes[3].steps);
  CHECK(common.episodes[0].steps == common.episodes[1].steps);
  CHECK((apart.episodes[0].steps != apart.episodes[1].steps || apart.episodes[2].steps != apart.episodes[3].steps));
}

TEST_CASE("all members may meet the same start states, an episode of each number another") {
  const Population population = population_of(5);
  EvaluationPlan plan = plan_of(4);
  plan.same_for_all = true;
  const EvaluationResults results = run(2, 3, population, plan);
  for (std::size_t index = 4; index < results.episodes.size(); ++index) {
    CHECK(results.episodes[index].steps == results.episodes[index % 4].steps);  // an episode's length is its key's
  }
  CHECK(results.episodes[4].episode_return != results.episodes[0].episode_return);  // another member acts
  check_equal(results, run(1, 1, population, plan));
  plan.same_for_all = false;
  const EvaluationResults own = run(1, 1, population_of(1), plan);
  CHECK(own.episodes[0].episode_return == results.episodes[0].episode_return);  // they are member 0's
}

TEST_CASE("a plan plays with fewer lanes than the scheduler has, and with no more") {
  std::atomic<std::size_t> most_rows{0};
  class Counting final : public InferenceEngine {
   public:
    explicit Counting(std::atomic<std::size_t>& most) : most_(most) {}
    void begin_generation(const Population&, const NormalizerSnapshot&) override {}
    void prepare(std::size_t, std::size_t) override {}
    void begin_episode(std::size_t, std::size_t, const EpisodeIdentity&, const EpisodeSettings&) override {}
    void infer(std::size_t, std::span<InferenceRow> rows) override {
      most_ = std::max(most_.load(), rows.size());
      for (InferenceRow& row : rows) row.action.continuous[0] = 0.0;
    }

   private:
    std::atomic<std::size_t>& most_;
  };
  std::atomic<std::size_t> environments{0};
  EpisodeScheduler scheduler(
      {1, 6},
      [&](std::size_t slot) {
        ++environments;
        return toy_factory()(slot);
      },
      [&](std::size_t) { return std::make_unique<Counting>(most_rows); });
  EvaluationPlan plan = plan_of(40);
  plan.lanes = 2;
  const EvaluationResults two = scheduler.evaluate(population_of(1), {}, plan);
  CHECK(most_rows == 2);
  CHECK(environments == 2);
  plan.lanes = 100;
  const EvaluationResults six = scheduler.evaluate(population_of(1), {}, plan);
  CHECK(environments == 6);
  CHECK(most_rows <= 6);
  CHECK(most_rows > 2);
  check_equal(two, six);
}

TEST_CASE("failed episodes are kept by identity and hurt no other") {
  const Population population = population_of(40);
  const EvaluationPlan plan = plan_of(2);
  const ToyFaults faults{.throw_probability = 0.2, .nan_probability = 0.2};
  const EvaluationResults one = run(1, 1, population, plan, faults);
  CHECK(one.complete);
  CHECK(one.failures.size() > 10);
  CHECK(one.failures.size() < 70);
  check_equal(one, run(3, 4, population, plan, faults));
}

TEST_CASE("every reset that throws is a failed episode, not a hang") {
  const EvaluationResults results = run(2, 4, population_of(9), plan_of(3), ToyFaults{.throw_in_reset = true});
  CHECK(results.complete);
  CHECK(results.failures.size() == 27);
  CHECK(results.steps() == 0);
}

TEST_CASE("a stop leaves the generation incomplete and returns at once") {
  EpisodeScheduler scheduler({2, 2}, toy_factory(), stub_engines());
  std::atomic<int> asked{0};
  const EvaluationResults results =
      scheduler.evaluate(population_of(100), {}, plan_of(2), [&] { return ++asked > 500; });
  CHECK_FALSE(results.complete);
  CHECK(results.steps() < 2 * 100 * 30);
  // The scheduler is usable afterwards.
  check_equal(scheduler.evaluate(population_of(5), {}, plan_of(2)), run(1, 1, population_of(5), plan_of(2)));
}

TEST_CASE("time inside environment and engine is measured and at most the workers' time") {
  const EvaluationResults results = run(2, 1, population_of(200), plan_of(2));
  CHECK(results.environment_seconds > 0.0);
  CHECK(results.inference_seconds > 0.0);
  CHECK(results.environment_seconds + results.inference_seconds <= 2.0 * results.wall_seconds);
}

}  // namespace
}  // namespace clade
