#include "experiments/run_progress.hpp"

#include <vector>

#include "tests/support/catch.hpp"

namespace clade {
namespace {

RunRecord one_generation() {
  RunRecord record;
  record.next_generation = 1;
  GenerationRecord generation;
  generation.episodes_per_member = 1;
  generation.members.resize(3);
  generation.returns = {1.0, 5.0, 3.0};
  generation.steps = {10, 20, 30};
  generation.frames = {40, 80, 118};
  generation.status.assign(3, static_cast<std::uint8_t>(EpisodeStatus::terminated));
  generation.validation.candidates = {{0, 1}};
  generation.validation.steps = {40};
  generation.validation.frames = {160};
  generation.total_episodes = 4;
  generation.total_steps = 100;
  generation.total_frames = 398;
  generation.evaluate_seconds = 1.5;
  generation.update_seconds = 0.5;
  generation.environment_seconds = 3.0;
  generation.total_seconds = 2.5;
  record.generations.push_back(generation);
  return record;
}

TEST_CASE("a progress line's figures are the last generation's, its counts the run's") {
  const RunRecord record = one_generation();
  const ProgressFields fields = progress_fields(
      record, {.threads = 2, .validated_returns = {4.0, 6.0}, .failed_episodes = 1, .seconds_left = 9.0});
  CHECK(fields.generation == 1);
  CHECK(fields.best_return == 5.0);
  CHECK(fields.mean_return == 3.0);
  CHECK(fields.median_return == 3.0);
  CHECK(fields.evaluation_mean == 5.0);
  CHECK(fields.evaluation_error == 1.0);
  CHECK(fields.validates);
  CHECK(fields.steps == 100);
  CHECK(fields.frames == 398U);
  CHECK(fields.steps_per_second == 50.0);
  CHECK(fields.frames_per_second == 199.0);
  CHECK(fields.environment_share == 0.75);
  CHECK_FALSE(fields.limit_share);
  CHECK(fields.seconds_left == 9.0);
}

TEST_CASE("frames that are the steps are not shown, an unknown limit is not either") {
  RunRecord record = one_generation();
  record.generations.back().total_frames = 100;
  record.generations.back().limit_share = 0.9;
  const ProgressFields fields = progress_fields(record, {});
  CHECK_FALSE(fields.frames);
  CHECK_FALSE(fields.frames_per_second);
  CHECK_FALSE(fields.evaluation_mean);
  CHECK(fields.limit_share == 0.9);
}

TEST_CASE("the share of R* is training's steps over the time that is not validation's") {
  const RunRecord record = one_generation();
  CHECK(limit_share(record.generations.back(), 40.0, 2.0) == 0.75);
  CHECK(limit_share(record.generations.back(), 0.0, 2.0) == 0.0);
  CHECK(limit_share(record.generations.back(), 40.0, 0.0) == 0.0);
}

}  // namespace
}  // namespace clade
