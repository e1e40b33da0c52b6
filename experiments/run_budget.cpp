#include "experiments/run_budget.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "core/number_text.hpp"
#include "core/progress.hpp"
#include "core/statistics.hpp"
#include "experiments/run_summary.hpp"

namespace clade {

namespace {

bool reaches(std::span<const double> returns, double target) {
  const ReturnSummary summary = summarize(returns);
  return summary.count > 0 && summary.failed == 0 && summary.mean >= target;
}

}  // namespace

std::optional<std::string> spent_budget(const RunSettings& settings, const RunRecord& record, double seconds) {
  if (!record.generations.empty()) {
    const GenerationRecord& last = record.generations.back();
    if (settings.target_return && reaches(validated_returns(last), *settings.target_return)) {
      return "target return " + number_text(*settings.target_return) + " reached";
    }
    if (settings.budget_episodes && last.total_episodes >= *settings.budget_episodes) return "episodes spent";
    if (settings.budget_steps && last.total_steps >= *settings.budget_steps) return "steps spent";
    if (settings.budget_frames && last.total_frames >= *settings.budget_frames) return "frames spent";
  }
  if (settings.generations && record.next_generation >= *settings.generations) return "generations spent";
  if (settings.budget_seconds && seconds >= *settings.budget_seconds) return "seconds spent";
  return std::nullopt;
}

std::optional<double> budget_seconds_left(const RunSettings& settings, const RunRecord& record,
                                          double session_seconds) {
  const GenerationRecord& last = record.generations.back();
  const std::uint64_t first = record.sessions.back().first_generation;
  std::vector<BudgetUse> budgets;
  const auto add = [&](const auto& limit, auto field) {
    if (!limit) return;
    const double before = first == 0 ? 0.0 : static_cast<double>(record.generations[first - 1].*field);
    budgets.push_back({before, static_cast<double>(last.*field), static_cast<double>(*limit)});
  };
  if (settings.generations) {
    budgets.push_back({static_cast<double>(first), static_cast<double>(record.next_generation),
                       static_cast<double>(*settings.generations)});
  }
  add(settings.budget_episodes, &GenerationRecord::total_episodes);
  add(settings.budget_steps, &GenerationRecord::total_steps);
  add(settings.budget_frames, &GenerationRecord::total_frames);
  add(settings.budget_seconds, &GenerationRecord::total_seconds);
  return estimate_seconds_left(session_seconds, budgets);
}

}  // namespace clade
