#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "core/run_record.hpp"

namespace clade {

/// "1 episode", "1,707 episodes"
std::string episodes_text(std::uint64_t count);

/// "mean 12.30 +- 1.200, median 12.00 in 20 episodes, 1 of them failed"; "all 20 episodes failed". The standard error
/// is left out where there is none (one episode).
std::string returns_text(std::span<const double> returns);

/// The generation whose evaluation is the run's best: where fewest episodes failed, then the one with the highest mean,
/// the earliest of equals. nullptr where no evaluation episode was played to its end.
const GenerationRecord* best_evaluation(const RunRecord& record);

/// The last lines of a run's output: the final test where one was played, and the best evaluation with the file.
void print_result_lines(std::ostream& out, const RunRecord& record, const std::string& file);

}  // namespace clade
