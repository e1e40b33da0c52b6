#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace clade {

/// A game of the Arcade Learning Environment. Known without its ROM, so that listings need no emulator.
struct AtariGame {
  const char* name;             ///< "SpaceInvaders": the environment's name, Gymnasium's without "ALE/" and "-v5"
  const char* rom;              ///< "space_invaders": the file's name without ".bin"
  const char* md5;              ///< of the ROM's bytes, lower-case hexadecimal
  std::size_t minimal_actions;  ///< 0 where the game is for two players only
  bool minimal_fire;            ///< the button alone is one of the minimal actions
  std::size_t lines;            ///< height of the screen
  bool single_player() const { return minimal_actions > 0; }
};

/// All games that ROMs come with, by name of the ROM.
std::span<const AtariGame> atari_games();

/// By environment name ("SpaceInvaders") or Gymnasium's ("ALE/SpaceInvaders-v5"); nullptr where there is none.
const AtariGame* find_atari_game(std::string_view name);

/// By the ROM's name ("space_invaders"); nullptr where there is none.
const AtariGame* find_atari_game_by_rom(std::string_view rom);

}  // namespace clade
