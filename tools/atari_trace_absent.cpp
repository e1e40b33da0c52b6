// In place of atari_trace.cpp in a build without the emulator, whose games are all unavailable.
#include "core/error.hpp"
#include "tools/atari_trace.hpp"

namespace clade {

bool is_atari_trace(const GoldenFile& file, const std::string& group) { return file.has_attribute(group, "rom_md5"); }

TraceReport replay_atari_trace(const GoldenFile&, const std::string& group) {
  throw_input_error("the game '" + group + "' cannot be replayed: this build has no Atari (CLADE_ATARI is off)");
}

}  // namespace clade
