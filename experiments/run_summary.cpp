#include "experiments/run_summary.hpp"

#include <algorithm>
#include <ostream>

#include "core/progress.hpp"
#include "core/statistics.hpp"

namespace clade {

namespace {

/// "mean 12.30 +- 1.200"
std::string mean_text(const ReturnSummary& summary) {
  std::string text = "mean " + format_return(summary.mean);
  if (summary.count > 1) text += " +- " + format_return(summary.standard_error);
  return text;
}

}  // namespace

std::string episodes_text(std::uint64_t count) { return format_count(count) + (count == 1 ? " episode" : " episodes"); }

std::string returns_text(std::span<const double> returns) {
  const ReturnSummary summary = summarize(returns);
  if (summary.count == 0) return "all " + episodes_text(summary.failed) + " failed";
  std::string text = mean_text(summary) + ", median " + format_return(summary.median) + " in " +
                     episodes_text(summary.count + summary.failed);
  if (summary.failed > 0) text += ", " + format_count(summary.failed) + " of them failed";
  return text;
}

const GenerationRecord* best_evaluation(const RunRecord& record) {
  const GenerationRecord* best = nullptr;
  ReturnSummary best_summary;
  for (const GenerationRecord& generation : record.generations) {
    const ReturnSummary summary = summarize(generation.evaluation_returns);
    if (summary.count == 0) continue;
    const bool better = summary.failed < best_summary.failed ||
                        (summary.failed == best_summary.failed && summary.mean > best_summary.mean);
    if (best != nullptr && !better) continue;
    best = &generation;
    best_summary = summary;
  }
  return best;
}

void print_result_lines(std::ostream& out, const RunRecord& record, const std::string& file) {
  if (!record.final_returns.empty()) {
    out << "final test of the last solution: " << returns_text(record.final_returns) << '\n';
  }
  if (const GenerationRecord* best = best_evaluation(record)) {
    out << "best validated " << mean_text(summarize(best->evaluation_returns)) << " in "
        << episodes_text(best->total_episodes);
  } else {
    const bool evaluated = std::ranges::any_of(
        record.generations, [](const GenerationRecord& generation) { return !generation.evaluation_returns.empty(); });
    const std::uint64_t episodes = record.generations.empty() ? 0 : record.generations.back().total_episodes;
    out << (evaluated ? "every evaluation episode failed in " : "no evaluation was played in ")
        << episodes_text(episodes);
  }
  out << ": " << file << '\n';
}

}  // namespace clade
