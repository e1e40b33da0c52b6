#include "envs/atari_listing.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "envs/atari_options.hpp"

namespace clade {
namespace {

constexpr const char* kTwoPlayers = "it is for two players, which the emulator does not offer";

std::string missing_rom(const AtariGame& game) {
  const std::filesystem::path rom = find_atari_rom(game, AtariParameters{}.rom_dir);
  std::error_code ignored;
  if (std::filesystem::exists(rom, ignored)) return "";
  return "no ROM " + rom.string() + "; run tools/setup.sh, or give the folder that holds it as rom_dir";
}

std::string summary(const AtariGame& game) {
  if (!game.single_player()) return "a game for two players";
  const AtariParameters defaults;
  std::size_t size = 1;
  for (const std::size_t extent : defaults.observation_shape(game)) size *= extent;
  return std::to_string(size) + " observations, " + std::to_string(game.minimal_actions) + " actions, " +
         std::to_string(defaults.max_steps()) + " steps";
}

}  // namespace

std::vector<EnvironmentInfo> list_atari_games(const std::string& reason) {
  std::vector<EnvironmentInfo> infos;
  for (const AtariGame& game : atari_games()) {
    std::string unavailable = kTwoPlayers;
    if (game.single_player()) unavailable = reason.empty() ? missing_rom(game) : reason;
    infos.push_back({game.name, "Atari", summary(game), atari_option_infos(game), unavailable});
  }
  return infos;
}

const AtariGame& playable_atari_game(const std::string& name) {
  const AtariGame* game = find_atari_game(name);
  CLADE_CHECK(game != nullptr);
  if (!game->single_player()) throw_input_error("environment '" + name + "' is not available: " + kTwoPlayers);
  return *game;
}

}  // namespace clade
