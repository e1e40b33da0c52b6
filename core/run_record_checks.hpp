#pragma once

#include "core/run_record.hpp"

namespace clade {

/// Throws Error (input) naming the generation and the first thing in it that contradicts the rest: columns of different
/// length, an unknown form, crossover or status, a recipe on a base that is not among the ancestors, an ancestor that
/// is not older than its children or was no member of its generation. Lists that a strategy does not keep are empty
/// and pass.
void check_run_record(const RunRecord& record);

}  // namespace clade
