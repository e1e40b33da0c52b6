#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/run_record.hpp"

namespace clade {

/// The options that fix results, ordered by key; a repeated option keeps the order of its values.
std::vector<ConfigEntry> result_configuration(const RunRecord& record);

/// The state's values but those under "time/", which hold wall times.
std::vector<std::pair<std::string, const StateValue*>> result_values(const State& state);

}  // namespace clade
