#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/progress.hpp"
#include "core/run_record.hpp"

namespace clade {

/// What a progress line shows beside the record.
struct ProgressContext {
  int threads = 1;
  std::vector<double> validated_returns;  ///< the latest, of the solution
  std::uint64_t failed_episodes = 0;
  std::optional<double> seconds_left;
};

/// Of the generation recorded last. Rates are of that generation, validation included.
ProgressFields progress_fields(const RunRecord& record, const ProgressContext& context);

/// The share of R* that a generation's training reached: its steps over `seconds` (all of the generation but its
/// validation, whose episodes share passes of the network) and over `limit`. 0 where `limit` is.
double limit_share(const GenerationRecord& generation, double limit, double seconds);

}  // namespace clade
