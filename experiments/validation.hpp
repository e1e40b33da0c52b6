#pragma once

#include <span>
#include <vector>

#include "core/episode_scheduler.hpp"
#include "core/run_record.hpp"

namespace clade {

/// What the run file keeps of a validation, but for the elites, which the strategy chooses.
Validation record_validation(std::span<const Individual> candidates, const EvaluationResults& results);

/// What each candidate is worth: the mean return of its validation episodes, NaN where one failed. No reward shift: an
/// elite is chosen by what the task pays.
std::vector<double> validation_means(const Validation& validation);

/// Validation returns of the first elite, NaN where an episode failed; empty where the generation was not validated.
std::vector<double> elite_returns(const Validation& validation);

}  // namespace clade
