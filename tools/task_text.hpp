#pragma once

#include <string>
#include <vector>

#include "core/run_record.hpp"

namespace clade {

/// "HalfCheetah-v4"; of a game with the rules it was played by: "Frostbite, protocol uber".
std::string task_text(const RunRecord& record);

/// The environment's options as "name=value". Of a game whose protocol is recorded only those that differ from the
/// protocol's defaults, whichever option of the program set them.
std::vector<std::string> task_options(const RunRecord& record);

}  // namespace clade
