#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/run_record.hpp"
#include "experiments/failure_log.hpp"

namespace clade {

/// "1 episode", "1,707 episodes"
std::string episodes_text(std::uint64_t count);

/// "mean 12.30 +- 1.200, median 12.00 in 20 episodes, 1 of them failed"; "all 20 episodes failed". The standard error
/// is left out where there is none (one episode).
std::string returns_text(std::span<const double> returns);

/// Returns of the solution after a generation: of its evaluation, where none was played of the elite's validation.
std::vector<double> validated_returns(const GenerationRecord& generation);

/// The cap in steps that the episodes of validated_returns() had: validation's is training's, evaluations have none but
/// the task's own.
std::optional<std::uint32_t> validation_cap(const GenerationRecord& generation);

/// The generation whose evaluation (or validation) is the run's best: where fewest episodes failed, then the one with
/// the highest mean, the earliest of equals. nullptr where no such episode was played to its end.
const GenerationRecord* best_evaluation(const RunRecord& record);

/// "1 generation", "1,707 generations"
std::string generations_text(std::uint64_t count);

/// "played 1,707 episodes, 40,000 steps, 160,000 frames in 3:21 (796.0 frames/s)": frames only where they are not the
/// steps. Empty where no generation is recorded.
std::string played_text(const RunRecord& record);

/// The last lines of a run's output: the final test where one was played, and the best evaluation with the file.
void print_result_lines(std::ostream& out, const RunRecord& record, const std::string& file);

/// How a program ends.
struct ClosingLines {
  std::string program;
  std::string file;
  bool interrupted = false;      ///< a signal came
  bool finished_before = false;  ///< there was nothing left to do
  std::string reason;            ///< the budget that is spent; empty where none is
};

/// What a run's programs print at their end: why it ended, the session's failures, the results.
void print_closing(std::ostream& out, const RunRecord& record, const FailureLog& failures, const ClosingLines& lines);

}  // namespace clade
