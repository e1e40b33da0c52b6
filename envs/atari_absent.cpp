// In place of atari.cpp in a build without the emulator: the games are listed, and refused.
#include "core/error.hpp"
#include "envs/atari.hpp"
#include "envs/atari_listing.hpp"

namespace clade {
namespace {

constexpr const char* kReason =
    "this build is without the Arcade Learning Environment; configure with -DCLADE_ATARI=ON";

}  // namespace

std::vector<EnvironmentInfo> atari_environments() { return list_atari_games(kReason); }

EnvironmentFactory make_atari_factory(const std::string& name, const EnvironmentOptions&) {
  throw_input_error(std::string("environment '") + playable_atari_game(name).name + "' is not available: " + kReason);
}

std::map<std::string, std::string> atari_provenance(const std::string& name, const EnvironmentOptions&) {
  throw_input_error(std::string("environment '") + playable_atari_game(name).name + "' is not available: " + kReason);
}

}  // namespace clade
