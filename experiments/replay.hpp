#pragma once

#include <cstdint>
#include <vector>

#include "core/episode_scheduler.hpp"
#include "core/run_record.hpp"
#include "core/strategy.hpp"

namespace clade {

/// What the run file keeps of an evaluated generation (its members, returns, steps); totals and timings are the
/// caller's to fill in.
GenerationRecord record_generation(const Population& population, const EvaluationResults& results,
                                   const NormalizerSnapshot& normalizer, std::uint32_t max_steps);

/// Adds an evaluation's episodes, steps, frames and times to the generation's totals.
void add_costs(const EvaluationResults& results, GenerationRecord& generation);

/// Appends what each episode gave, NaN where it failed: of an evaluation or a final test.
void append_returns(const EvaluationResults& results, std::vector<double>& returns, std::vector<std::uint32_t>& steps,
                    std::vector<std::uint32_t>& frames);

/// Fitness of each member: the mean over its episodes of return - reward_shift * steps; NaN where one failed. The one
/// place where it is computed, so that a replay is told the same bits as the run was.
std::vector<double> member_fitness(const GenerationRecord& record, double reward_shift);

/// Brings a freshly made strategy to its state before `generation`: the last keyframe before it, then the updates
/// from the stored returns. `generation` may be the number of generations stored: the state after all of them.
/// Throws Error where the record does not reach so far.
void replay_to(Strategy& strategy, const RunRecord& record, double reward_shift, std::uint64_t generation);

}  // namespace clade
