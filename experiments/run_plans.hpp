#pragma once

#include <cstdint>
#include <vector>

#include "core/episode_scheduler.hpp"
#include "core/population.hpp"
#include "core/run_record.hpp"
#include "experiments/run_settings.hpp"
#include "experiments/run_task.hpp"

namespace clade {

/// What a run plays. The four kinds of episodes have start states of their own (Purpose): none ever meets those of
/// another.

/// Training episodes of `generation`, under a cap of `max_steps`, one lane of settings.lanes a worker.
EvaluationPlan training_plan(const RunSettings& settings, std::uint64_t generation, std::uint32_t max_steps);

/// Validation episodes of a generation's candidates, under the caps of training. Episode e has the same start state for
/// all candidates, so that the best of them is not the luckiest; another generation's has others.
EvaluationPlan validation_plan(const RunSettings& settings, const RunTask& task, std::uint32_t max_steps);

/// `episodes` of one policy without action noise, under the task's own limits: evaluations and the final test.
EvaluationPlan test_plan(const RunSettings& settings, const RunTask& task, Purpose purpose, std::uint32_t episodes);

/// Expected length of the members' episodes, from what was recorded: their parents' where they are a GA's, else that of
/// the same member in the generation before. Empty where nothing is known.
std::vector<double> expected_steps(const RunRecord& record, const Population& population);
/// That of individuals that were evaluated.
std::vector<double> recorded_steps(const RunRecord& record, std::span<const Individual> individuals);

}  // namespace clade
