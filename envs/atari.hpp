#pragma once

#include <map>
#include <string>
#include <vector>

#include "envs/catalog.hpp"

namespace clade {

/// All games that the Arcade Learning Environment has ROMs of. Those that cannot be made say why in `unavailable`: the
/// build is without it, the ROM is not there, or two play the game. Reads no ROM.
std::vector<EnvironmentInfo> atari_environments();

/// `name` is one of the above, or Gymnasium's ("ALE/Frostbite-v5"). Loads the ROM and plays the start states, which the
/// factory's slots share. Throws Error.
EnvironmentFactory make_atari_factory(const std::string& name, const EnvironmentOptions& options);

/// Version of the emulator, name and MD5 of the ROM, and how the game is played (the options' values as they count).
/// Throws Error as make_atari_factory.
std::map<std::string, std::string> atari_provenance(const std::string& name, const EnvironmentOptions& options);

}  // namespace clade
