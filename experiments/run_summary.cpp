#include "experiments/run_summary.hpp"

#include <algorithm>
#include <ostream>

#include "core/progress.hpp"
#include "core/statistics.hpp"
#include "experiments/score_text.hpp"
#include "experiments/validation.hpp"

namespace clade {

namespace {

/// "mean 12.30 +- 1.200"
std::string mean_text(const ReturnSummary& summary) {
  std::string text = "mean " + format_return(summary.mean);
  if (summary.count > 1) text += " +- " + format_return(summary.standard_error);
  return text;
}

/// What the best of several evaluations is worth: "; the best of 23 validations is optimistic, the final test is not".
/// Empty where there was one only, or no final test to compare with.
std::string bias_text(const RunRecord& record, const GenerationRecord& best) {
  const auto count = std::ranges::count_if(record.generations, [](const GenerationRecord& generation) {
    return summarize(validated_returns(generation)).count > 0;
  });
  if (count < 2 || summarize(record.final_returns).count == 0) return {};
  return "; the best of " + format_count(static_cast<std::uint64_t>(count)) +
         (best.evaluation_returns.empty() ? " validations" : " evaluations") + " is optimistic, the final test is not";
}

/// Whether the run's program validates candidates, even where none was left to validate.
bool validates(const RunRecord& record) {
  return std::ranges::any_of(record.configuration,
                             [](const ConfigEntry& entry) { return entry.key == "validation-episodes"; }) ||
         std::ranges::any_of(record.generations, [](const GenerationRecord& generation) {
           return !generation.validation.candidates.empty();
         });
}

/// "460 episodes of training and validation"
std::string cost_text(const RunRecord& record, std::uint64_t episodes) {
  return episodes_text(episodes) + " of training" + (validates(record) ? " and validation" : "");
}

/// "best validated mean 12.30 +- 1.200 (standard error, 10 episodes) after 460 episodes of training"
std::string best_text(const RunRecord& record, const GenerationRecord& best) {
  const ReturnSummary summary = summarize(validated_returns(best));
  std::string text = "best validated " + mean_text(summary) + (summary.count > 1 ? " (standard error, " : " (") +
                     episodes_text(summary.count + summary.failed);
  if (summary.failed > 0) text += ", " + format_count(summary.failed) + " of them failed";
  return text + bias_text(record, best) + ") after " + cost_text(record, best.total_episodes);
}

/// Why there is no best validation.
std::string nothing_text(const RunRecord& record) {
  const bool evaluated = std::ranges::any_of(
      record.generations, [](const GenerationRecord& generation) { return !validated_returns(generation).empty(); });
  const std::uint64_t episodes = record.generations.empty() ? 0 : record.generations.back().total_episodes;
  const std::string cost = cost_text(record, episodes);
  if (evaluated) return "every evaluation episode failed, in " + cost;
  return (validates(record) ? "no member was validated in " : "the solution was not evaluated during ") + cost;
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

std::vector<double> validated_returns(const GenerationRecord& generation) {
  return generation.evaluation_returns.empty() ? elite_returns(generation.validation) : generation.evaluation_returns;
}

std::string generations_text(std::uint64_t count) {
  return format_count(count) + (count == 1 ? " generation" : " generations");
}

std::string played_text(const RunRecord& record) {
  if (record.generations.empty()) return {};
  const GenerationRecord& last = record.generations.back();
  const bool frames = last.total_frames != last.total_steps;
  const std::uint64_t counted = frames ? last.total_frames : last.total_steps;
  std::string text = "played " + episodes_text(last.total_episodes) + ", " + format_count(last.total_steps) + " steps";
  if (frames) text += ", " + format_count(last.total_frames) + " frames";
  return text + " in " + format_duration(last.total_seconds) + " (" +
         format_rate(static_cast<double>(counted) / last.total_seconds) + (frames ? " frames/s)" : " steps/s)");
}

const GenerationRecord* best_evaluation(const RunRecord& record) {
  const GenerationRecord* best = nullptr;
  ReturnSummary best_summary;
  for (const GenerationRecord& generation : record.generations) {
    const ReturnSummary summary = summarize(validated_returns(generation));
    if (summary.count == 0) continue;
    const bool better = summary.failed < best_summary.failed ||
                        (summary.failed == best_summary.failed && summary.mean > best_summary.mean);
    if (best != nullptr && !better) continue;
    best = &generation;
    best_summary = summary;
  }
  return best;
}

std::optional<std::uint32_t> validation_cap(const GenerationRecord& generation) {
  if (!generation.evaluation_returns.empty()) return std::nullopt;
  return generation.max_steps;
}

void print_result_lines(std::ostream& out, const RunRecord& record, const std::string& file) {
  const GenerationRecord* best = best_evaluation(record);
  const ReturnSummary final_test = summarize(record.final_returns);
  if (const std::string played = played_text(record); !played.empty()) out << played << '\n';
  if (!record.final_returns.empty()) {
    out << "final test of the last solution: " << returns_text(record.final_returns) << '\n';
  }
  // A score stands right after the mean that it is of, the file in the last line.
  if (final_test.count > 0) {
    if (const std::string score = reference_text(record, final_test.mean); !score.empty()) {
      out << "its score: " << score << '\n';
    }
  }
  if (best == nullptr) {
    out << nothing_text(record) << ": " << file << '\n';
    return;
  }
  out << best_text(record, *best);
  if (final_test.count == 0) {
    const double mean = summarize(validated_returns(*best)).mean;
    if (const std::string score = reference_text(record, mean, validation_cap(*best)); !score.empty()) {
      out << "\nits score: " << score;
    }
  }
  out << ": " << file << '\n';
}

void print_closing(std::ostream& out, const RunRecord& record, const FailureLog& failures, const ClosingLines& lines) {
  if (lines.interrupted) {
    out << "interrupted and saved after " << generations_text(record.next_generation) << "; go on with "
        << lines.program << " --resume " << lines.file << '\n';
  } else if (!lines.reason.empty()) {
    out << "finished " << (lines.finished_before ? "already, " : "") << "after "
        << generations_text(record.next_generation) << ": " << lines.reason
        << (lines.finished_before ? "; what was spent goes on by a larger value (--generations, --budget-episodes, "
                                    "...), a target reached by a higher one or --target-return none"
                                  : "")
        << '\n';
  }
  if (failures.count() > 0) {
    out << episodes_text(failures.count()) << " failed in this session; the first: " << failures.first() << '\n';
  }
  print_result_lines(out, record, lines.file);
}

}  // namespace clade
