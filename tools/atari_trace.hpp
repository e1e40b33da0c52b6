#pragma once

#include <string>

#include "tools/trace_replay.hpp"

namespace clade {

/// Whether the group holds games recorded from the Arcade Learning Environment.
bool is_atari_trace(const GoldenFile& file, const std::string& group);

/// Plays the recorded actions in our emulator, each game from a new one, and makes the recorded screens' planes. The
/// game must be available (EnvironmentInfo::unavailable). Throws Error as replay_trace, and where the ROM is wrong.
TraceReport replay_atari_trace(const GoldenFile& file, const std::string& group);

}  // namespace clade
