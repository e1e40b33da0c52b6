#include "envs/atari_options.hpp"

#include <filesystem>
#include <set>
#include <string>

#include "core/error.hpp"
#include "envs/atari.hpp"
#include "envs/installed_files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment_variable.hpp"

namespace clade {
namespace {

using testing::contains_text;
using testing::EnvironmentVariable;

AtariParameters resolved(const std::string& name, const EnvironmentOptions& options = {}) {
  return resolve_atari_parameters(*find_atari_game(name), options);
}

void refused(const std::string& name, const EnvironmentOptions& options, const std::string& part) {
  CAPTURE(name, part);
  CHECK_THROWS_AS(resolved(name, options), Error);
  CHECK_THROWS_WITH(resolved(name, options), contains_text(part));
}

}  // namespace

TEST_CASE("Games have the names of their ROMs in camel case", "[atari]") {
  CHECK(atari_games().size() == 108);
  std::size_t single_player = 0;
  for (const AtariGame& game : atari_games()) {
    std::string name;
    bool upper = true;
    for (const char* letter = game.rom; *letter != '\0'; ++letter) {
      if (*letter == '_') {
        upper = true;
        continue;
      }
      name += upper ? static_cast<char>(std::toupper(*letter)) : *letter;
      upper = *letter >= '0' && *letter <= '9';
    }
    CHECK(game.name == name);
    CHECK(std::string(game.md5).size() == 32);
    CHECK(find_atari_game(game.name) == &game);
    CHECK(find_atari_game("ALE/" + name + "-v5") == &game);
    CHECK(find_atari_game_by_rom(game.rom) == &game);
    if (game.single_player()) ++single_player;
  }
  CHECK(single_player == 104);
  for (const char* name : {"frostbite", "ALE/Frostbite", "Frostbite-v5", "ALE/Frostbite-v4", "ALE/-v5", ""}) {
    CHECK(find_atari_game(name) == nullptr);
  }
  CHECK(find_atari_game_by_rom("Frostbite") == nullptr);
}

TEST_CASE("Protocols give the defaults, options override them", "[atari]") {
  const AtariParameters dqn = resolved("Frostbite");
  CHECK(dqn.protocol == AtariProtocol::dqn);
  CHECK(dqn.frame_skip == 4);
  CHECK(dqn.repeat_action_probability == 0.0);
  CHECK(dqn.noop_start);
  CHECK(dqn.noop_max == 30);
  CHECK(dqn.fires(*find_atari_game("Frostbite")));
  CHECK_FALSE(dqn.fires(*find_atari_game("Asterix")));
  CHECK_FALSE(dqn.episodic_life);
  CHECK_FALSE(dqn.clip_rewards);
  CHECK(dqn.max_frames == 108000);
  CHECK(dqn.max_steps() == 27000);
  CHECK(dqn.stack == 4);
  CHECK_FALSE(dqn.bilinear);
  CHECK_FALSE(dqn.full_action_space);
  CHECK(dqn.observation == AtariObservation::pixels);
  CHECK(dqn.limit_counts_start());

  const AtariParameters machado = resolved("Frostbite", {{"protocol", "machado"}});
  CHECK(machado.repeat_action_probability == 0.25);
  CHECK(machado.max_frames == 108000);
  CHECK_FALSE(machado.bilinear);

  const AtariParameters uber = resolved("Frostbite", {{"protocol", "uber"}});
  CHECK(uber.repeat_action_probability == 0.0);
  CHECK(uber.max_frames == 20000);
  CHECK(uber.max_steps() == 5000);
  CHECK(uber.bilinear);
  CHECK_FALSE(uber.limit_counts_start());

  // Whatever the order.
  const AtariParameters mixed = resolved(
      "Frostbite",
      {{"resize", "area"}, {"max_frames", "1000"}, {"protocol", "uber"}, {"repeat_action_probability", "0.1"}});
  CHECK(mixed.protocol == AtariProtocol::uber);
  CHECK_FALSE(mixed.bilinear);
  CHECK(mixed.max_frames == 1000);
  CHECK(mixed.repeat_action_probability == 0.1);
}

TEST_CASE("Frames of a start's button", "[atari]") {
  const AtariGame& game = *find_atari_game("Frostbite");
  CHECK(resolved("Frostbite").fire_frames(game) == 1);
  CHECK(resolved("Frostbite", {{"fire_reset", "off"}}).fire_frames(game) == 0);
  CHECK(resolved("Frostbite", {{"protocol", "uber"}}).fire_frames(game) == 8);
  CHECK(resolved("Frostbite", {{"protocol", "uber"}, {"frame_skip", "3"}}).fire_frames(game) == 6);
  CHECK(resolved("Asterix").fire_frames(*find_atari_game("Asterix")) == 0);
}

TEST_CASE("The limit of steps never ends an episode before the limit of frames", "[atari]") {
  CHECK(resolved("Pong", {{"max_frames", "101"}}).max_steps() == 26);
  CHECK(resolved("Pong", {{"max_frames", "100"}}).max_steps() == 25);
  CHECK(resolved("Pong", {{"frame_skip", "1"}}).max_steps() == 108000);
}

TEST_CASE("Shapes of observations and numbers of actions", "[atari]") {
  const AtariGame& pong = *find_atari_game("Pong");
  const AtariGame& pooyan = *find_atari_game("Pooyan");
  using Shape = std::vector<std::size_t>;
  CHECK(resolved("Pong").observation_shape(pong) == Shape{84, 84, 4});
  CHECK(resolved("Pong", {{"stack", "1"}}).observation_shape(pong) == Shape{84, 84, 1});
  CHECK(resolved("Pong", {{"observation", "ram"}}).observation_shape(pong) == Shape{128});
  CHECK(resolved("Pooyan", {{"observation", "rgb"}}).observation_shape(pooyan) == Shape{220, 160, 3});
  CHECK(resolved("Pong").actions(pong) == 6);
  CHECK(resolved("Pong", {{"full_action_space", "true"}}).actions(pong) == 18);
}

TEST_CASE("Wrong options of Atari games are refused", "[atari]") {
  refused("Frostbite", {{"frame_skip", "0"}}, "frame_skip=0");
  refused("Frostbite", {{"frame_skip", "-1"}}, "from 1 to 1000");
  refused("Frostbite", {{"noop_max", "0"}}, "noop_max=0");
  refused("Frostbite", {{"noop_max", "-3"}}, "from 1 to 255");
  refused("Frostbite", {{"max_frames", "0"}}, "max_frames=0");
  refused("Frostbite", {{"stack", "0"}}, "stack=0");
  refused("Frostbite", {{"repeat_action_probability", "1.5"}}, "at most 1");
  refused("Frostbite", {{"repeat_action_probability", "-0.1"}}, "at least 0");
  refused("Frostbite", {{"protocol", "nature"}}, "dqn|machado|uber");
  refused("Frostbite", {{"protocol", "dqn"}, {"protocol", "uber"}}, "twice");
  refused("Frostbite", {{"resize", "cubic"}}, "area|bilinear");
  refused("Frostbite", {{"observation", "sound"}}, "pixels|ram|rgb");
  refused("Frostbite", {{"mode", "easy"}}, "or auto");
  refused("Frostbite", {{"rom_dir", ""}}, "rom_dir");
  refused("Frostbite", {{"fire_reset", "maybe"}}, "true, false or auto");
  refused("Asterix", {{"fire_reset", "1"}}, "the button is not one of the game's minimal actions");
  refused("Frostbite", {{"frameskip", "2"}}, "frame_skip");
  refused("Frostbite", {{"observation", "ram"}, {"stack", "4"}}, "means nothing with observation=ram");
  refused("Frostbite", {{"observation", "rgb"}, {"resize", "area"}}, "means nothing with observation=rgb");
  refused("Frostbite", {{"noop_start", "0"}, {"noop_max", "5"}}, "means nothing with noop_start=0");
  refused("Frostbite", {{"max_frames", "31"}}, "the start takes up to 31 of them");
  CHECK_NOTHROW(resolved("Frostbite", {{"max_frames", "32"}}));
  CHECK_NOTHROW(resolved("Frostbite", {{"max_frames", "1"}, {"protocol", "uber"}}));
}

TEST_CASE("What results depend on is described option by option", "[atari]") {
  const AtariGame& game = *find_atari_game("Frostbite");
  const auto before = resolved("Frostbite").description(game);
  const EnvironmentOptions changes = {{"frame_skip", "3"},         {"repeat_action_probability", "0.5"},
                                      {"noop_max", "7"},           {"fire_reset", "off"},
                                      {"episodic_life", "on"},     {"clip_rewards", "on"},
                                      {"max_frames", "5000"},      {"stack", "3"},
                                      {"resize", "bilinear"},      {"mode", "2"},
                                      {"full_action_space", "on"}, {"difficulty", "1"},
                                      {"observation", "ram"},      {"protocol", "uber"},
                                      {"noop_start", "off"}};
  for (const auto& change : changes) {
    CAPTURE(change.first);
    CHECK(resolved("Frostbite", {change}).description(game) != before);
  }
  CHECK(resolved("Frostbite", {{"rom_dir", "/elsewhere"}}).description(game) == before);
  CHECK(before.at("atari_repeat_action_probability") == "0");
}

TEST_CASE("ROMs are looked for where the caller says, then where the process's environment says", "[atari]") {
  const AtariGame& game = *find_atari_game("SpaceInvaders");
  const EnvironmentVariable folder("CLADE_ATARI_ROMS", "/somewhere");
  CHECK(find_atari_rom(game, "default") == "/somewhere/space_invaders.bin");
  CHECK(find_atari_rom(game, "/elsewhere") == "/elsewhere/space_invaders.bin");
  for (const EnvironmentInfo& info : atari_environments()) CHECK_FALSE(info.unavailable.empty());
  CHECK_THROWS_AS(make_atari_factory("SpaceInvaders", {}), Error);
  CHECK_THROWS_AS(atari_provenance("SpaceInvaders", {}), Error);
}

}  // namespace clade
