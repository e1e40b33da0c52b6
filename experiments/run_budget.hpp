#pragma once

#include <optional>
#include <string>

#include "core/run_record.hpp"
#include "experiments/run_settings.hpp"

namespace clade {

/// Why no further generation is to be computed: "steps spent", "target return 475 reached"; empty where each budget has
/// something left. `seconds` is the run's wall time so far. The target is met by a generation whose evaluation (where
/// none was played, whose validation of the elite) has at least that mean and no failed episode.
std::optional<std::string> spent_budget(const RunSettings& settings, const RunRecord& record, double seconds);

/// Seconds until the first budget is spent at the rates of this session, which has run `session_seconds`; empty where
/// there is none or nothing is known. At least one generation is recorded.
std::optional<double> budget_seconds_left(const RunSettings& settings, const RunRecord& record, double session_seconds);

}  // namespace clade
