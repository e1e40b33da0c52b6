#include "envs/atari.hpp"

#include <memory>

#include "envs/atari_emulator.hpp"
#include "envs/atari_environment.hpp"
#include "envs/atari_listing.hpp"
#include "envs/atari_options.hpp"

namespace clade {

std::vector<EnvironmentInfo> atari_environments() { return list_atari_games(""); }

EnvironmentFactory make_atari_factory(const std::string& name, const EnvironmentOptions& options) {
  const AtariGame& game = playable_atari_game(name);
  const AtariParameters parameters = resolve_atari_parameters(game, options);
  const auto setup = make_atari_setup(game, parameters, find_atari_rom(game, parameters.rom_dir));
  return [setup](std::size_t) { return std::make_unique<AtariEnvironment>(setup); };
}

std::map<std::string, std::string> atari_provenance(const std::string& name, const EnvironmentOptions& options) {
  const AtariGame& game = playable_atari_game(name);
  const AtariParameters parameters = resolve_atari_parameters(game, options);
  const std::filesystem::path rom = find_atari_rom(game, parameters.rom_dir);
  check_atari_rom(game, rom);
  std::map<std::string, std::string> provenance = parameters.description(game);
  provenance["ale_version"] = atari_emulator_version();
  provenance["rom"] = rom.filename().string();
  provenance["rom_md5"] = game.md5;
  return provenance;
}

}  // namespace clade
