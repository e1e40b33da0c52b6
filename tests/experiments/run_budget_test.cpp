#include "experiments/run_budget.hpp"

#include "tests/support/catch.hpp"

namespace clade {
namespace {

RunRecord record_of(std::uint64_t generations) {
  RunRecord record;
  record.sessions.emplace_back();
  for (std::uint64_t index = 0; index < generations; ++index) {
    GenerationRecord generation;
    generation.generation = index;
    generation.total_episodes = 10 * (index + 1);
    generation.total_steps = 100 * (index + 1);
    generation.total_frames = 400 * (index + 1);
    generation.total_seconds = 2.0 * static_cast<double>(index + 1);
    record.generations.push_back(generation);
  }
  record.next_generation = generations;
  return record;
}

TEST_CASE("the first budget that is spent ends a run, and says so") {
  const RunRecord record = record_of(3);
  RunSettings settings;
  CHECK_FALSE(spent_budget(settings, record, 6.0));
  settings.budget_frames = 1201;
  CHECK_FALSE(spent_budget(settings, record, 6.0));
  settings.budget_frames = 1200;
  CHECK(spent_budget(settings, record, 6.0) == "frames spent");
  CHECK_FALSE(spent_budget(settings, record_of(0), 6.0));
  settings = {};
  settings.generations = 3;
  CHECK(spent_budget(settings, record, 6.0) == "generations spent");
  settings = {};
  settings.budget_episodes = 30;
  CHECK(spent_budget(settings, record, 6.0) == "episodes spent");
  settings = {};
  settings.budget_steps = 300;
  CHECK(spent_budget(settings, record, 6.0) == "steps spent");
  settings = {};
  settings.budget_seconds = 6.0;
  CHECK(spent_budget(settings, record, 6.0) == "seconds spent");
  CHECK_FALSE(spent_budget(settings, record, 5.9));
}

TEST_CASE("a target is reached by the last evaluation, or by the elite's validation where none was played") {
  RunRecord record = record_of(2);
  RunSettings settings;
  settings.target_return = 3.0;
  CHECK_FALSE(spent_budget(settings, record, 1.0));
  Validation& validation = record.generations.back().validation;
  validation.episodes_per_candidate = 2;
  validation.candidates = {{0, 1}};
  validation.elites = {{0, 1}};
  validation.returns = {2.0, 4.0};
  validation.status.assign(2, static_cast<std::uint8_t>(EpisodeStatus::terminated));
  CHECK(spent_budget(settings, record, 1.0) == "target return 3 reached");
  validation.status[0] = static_cast<std::uint8_t>(EpisodeStatus::failed);
  CHECK_FALSE(spent_budget(settings, record, 1.0));
  record.generations.back().evaluation_returns = {3.0, 3.5};
  CHECK(spent_budget(settings, record, 1.0) == "target return 3 reached");
}

TEST_CASE("the time left is that of the budget spent first, at this session's rates") {
  RunRecord record = record_of(4);
  record.sessions.back().first_generation = 2;
  RunSettings settings;
  CHECK_FALSE(budget_seconds_left(settings, record, 4.0));
  settings.budget_frames = 4000;  // 800 of them in these 4 s, 2400 to come
  CHECK(budget_seconds_left(settings, record, 4.0) == 12.0);
  settings.generations = 6;
  CHECK(budget_seconds_left(settings, record, 4.0) == 4.0);
}

}  // namespace
}  // namespace clade
