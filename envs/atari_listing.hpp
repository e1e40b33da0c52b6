#pragma once

#include <string>
#include <vector>

#include "envs/atari_games.hpp"
#include "envs/catalog.hpp"

namespace clade {

/// The catalogue's entries of all games; `reason` says why none can be made, empty where they can. Needs no emulator.
std::vector<EnvironmentInfo> list_atari_games(const std::string& reason);

/// The game of that name; throws Error (input) where it is for two players.
const AtariGame& playable_atari_game(const std::string& name);

}  // namespace clade
