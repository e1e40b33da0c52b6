#include "experiments/run_plans.hpp"

#include <set>
#include <tuple>
#include <vector>

#include "tests/support/catch.hpp"

namespace clade {
namespace {

RunSettings cart_pole() {
  RunSettings settings;
  settings.environment = "CartPole-v1";
  settings.network = "linear";
  settings.seed = 7;
  settings.episodes = 3;
  settings.validation_episodes = 5;
  settings.max_frames = 400;
  return settings;
}

/// The keys of all start states that a plan's population would meet.
std::set<std::tuple<std::uint64_t, int, std::uint64_t, std::uint64_t, std::uint64_t>> keys_of(
    const EvaluationPlan& plan, std::uint64_t generation, std::uint32_t members) {
  std::set<std::tuple<std::uint64_t, int, std::uint64_t, std::uint64_t, std::uint64_t>> keys;
  for (std::uint32_t member = 0; member < members; ++member) {
    for (std::uint32_t episode = 0; episode < plan.episodes_per_member; ++episode) {
      EpisodeIdentity identity;
      identity.seed = plan.seed;
      identity.environment_purpose = plan.environment_purpose;
      identity.generation = generation;
      identity.environment_member = plan.same_for_all ? 0 : member;
      identity.episode = episode;
      const RandomKey key = identity.environment_key();
      keys.insert({key.seed, static_cast<int>(key.purpose), key.generation, key.member, key.episode});
    }
  }
  return keys;
}

TEST_CASE("no validation, evaluation or final episode has a training episode's start state") {
  const RunSettings settings = cart_pole();
  const RunTask task = make_run_task(settings);
  const auto training = keys_of(training_plan(settings, 4, 100), 4, 20);
  const auto validation = keys_of(validation_plan(settings, task, 100), 4, 20);
  const auto evaluation = keys_of(test_plan(settings, task, Purpose::evaluation_environment, 5), 4, 1);
  const auto final_test = keys_of(test_plan(settings, task, Purpose::final_environment, 5), 4, 1);
  CHECK(training.size() == 60);
  CHECK(validation.size() == 5);  // the same for all candidates
  std::set all = training;
  for (const auto* keys : {&validation, &evaluation, &final_test}) all.insert(keys->begin(), keys->end());
  CHECK(all.size() == training.size() + validation.size() + evaluation.size() + final_test.size());
  std::set later = keys_of(validation_plan(settings, task, 100), 5, 20);
  later.insert(validation.begin(), validation.end());
  CHECK(later.size() == 10);  // another generation's are others
}

TEST_CASE("training and validation are capped, tests have the task's own limits") {
  const RunSettings settings = cart_pole();
  const RunTask task = make_run_task(settings);
  const EvaluationPlan training = training_plan(settings, 0, 77);
  CHECK(training.episode.max_steps == 77);
  CHECK(training.episode.max_frames == 400U);
  CHECK(training.episode.action_noise);
  CHECK(training.episodes_per_member == 3);
  CHECK_FALSE(training.collects_moments);
  const EvaluationPlan validation = validation_plan(settings, task, 77);
  CHECK(validation.episode.max_steps == 77);
  CHECK(validation.episode.max_frames == 400U);
  CHECK_FALSE(validation.episode.action_noise);
  const EvaluationPlan test = test_plan(settings, task, Purpose::final_environment, 9);
  CHECK(test.episode.max_steps == 500);
  CHECK_FALSE(test.episode.max_frames);
  CHECK_FALSE(test.episode.action_noise);
}

TEST_CASE("a share of the training episodes contributes observation statistics, by their keys") {
  RunSettings settings = cart_pole();
  settings.normalize = "openai";
  settings.statistics_fraction = 0.25;
  const EvaluationPlan plan = training_plan(settings, 3, 10);
  REQUIRE(plan.collects_moments);
  int collecting = 0;
  for (std::uint32_t member = 0; member < 1000; ++member) collecting += plan.collects_moments(member, 0) ? 1 : 0;
  CHECK(collecting > 200);
  CHECK(collecting < 300);
  settings.statistics_fraction = 1.0;
  CHECK(training_plan(settings, 3, 10).collects_moments(0, 0));
}

TEST_CASE("lengths are expected from the parents of children, from the same member before of others") {
  RunRecord record;
  Population population;
  population.members.resize(3);
  CHECK(expected_steps(record, population).empty());
  GenerationRecord generation;
  generation.episodes_per_member = 2;
  generation.members.resize(3);
  generation.steps = {10, 20, 30, 50, 5, 5};
  record.generations.push_back(generation);
  CHECK(expected_steps(record, population) == std::vector<double>{15.0, 40.0, 5.0});
  population.first_member = 2;  // a further piece, of members that had no predecessor
  CHECK(expected_steps(record, population) == std::vector<double>{5.0, 0.0, 0.0});

  population.first_member = 0;
  population.ancestors = {{0, 1}, {0, 0}};
  for (Member& member : population.members) member.form = PerturbationForm::dense;
  population.members[1].base = 1;
  population.members[2].form = PerturbationForm::initial;
  CHECK(expected_steps(record, population) == std::vector<double>{40.0, 15.0, 5.0});
  CHECK(recorded_steps(record, population.ancestors) == std::vector<double>{40.0, 15.0});
  CHECK(recorded_steps(record, std::vector<Individual>{{9, 0}}) == std::vector<double>{0.0});
}

}  // namespace
}  // namespace clade
