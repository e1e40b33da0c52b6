#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/run_record.hpp"

namespace clade {

/// "human-normalised 0.052 (random play 65.2, a human 4334.7 points), 220.3 points above random play": how a score of
/// the run's game compares with the published ones. Empty where the run's environment is no game that has any, or where
/// its returns are not the points of a game (clipped rewards, an episode for each life). A cap of `max_steps` that
/// ended episodes sooner than the published ones is named: ", in episodes of at most 500 steps".
std::string reference_text(const RunRecord& record, double score, std::optional<std::uint32_t> max_steps = {});

}  // namespace clade
