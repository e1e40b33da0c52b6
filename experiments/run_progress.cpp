#include "experiments/run_progress.hpp"

#include <cmath>
#include <numeric>
#include <span>

#include "core/statistics.hpp"
#include "experiments/replay.hpp"

namespace clade {

namespace {

double sum_of(std::span<const std::uint32_t> counts) {
  return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
}

}  // namespace

double limit_share(const GenerationRecord& generation, double limit, double seconds) {
  return limit > 0.0 && seconds > 0.0 ? sum_of(generation.steps) / (seconds * limit) : 0.0;
}

ProgressFields progress_fields(const RunRecord& record, const ProgressContext& context) {
  const GenerationRecord& generation = record.generations.back();
  ProgressFields fields;
  fields.generation = record.next_generation;
  const ReturnSummary returns = summarize(member_fitness(generation, 0.0));
  if (returns.count > 0) {
    fields.best_return = returns.maximum;
    fields.mean_return = returns.mean;
    fields.median_return = returns.median;
  }
  const ReturnSummary validated = summarize(context.validated_returns);
  if (validated.count > 0) fields.evaluation_mean = validated.mean;
  if (validated.count > 1) fields.evaluation_error = validated.standard_error;
  fields.validates = !generation.validation.candidates.empty();
  fields.episodes = generation.total_episodes;
  fields.steps = generation.total_steps;
  const double seconds = generation.evaluate_seconds + generation.update_seconds;
  const bool frames = generation.total_frames != generation.total_steps;
  if (frames) fields.frames = generation.total_frames;
  if (seconds > 0.0) {
    fields.steps_per_second = (sum_of(generation.steps) + sum_of(generation.validation.steps)) / seconds;
    if (frames) {
      fields.frames_per_second = (sum_of(generation.frames) + sum_of(generation.validation.frames)) / seconds;
    }
    fields.environment_share = generation.environment_seconds / (seconds * context.threads);
  }
  if (generation.limit_share > 0.0) fields.limit_share = generation.limit_share;
  fields.failed_episodes = context.failed_episodes;
  fields.seconds_elapsed = generation.total_seconds;
  fields.seconds_left = context.seconds_left;
  return fields;
}

}  // namespace clade
