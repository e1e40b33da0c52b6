// What every Atari game keeps: its line in the table, the same episodes twice, and starts that are real resets. A shard
// is every 26th game, so that the games are spread over many small tests.
#include <algorithm>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "envs/catalog.hpp"
#include "tests/support/atari.hpp"
#include "tests/support/catch.hpp"

namespace clade {
namespace {

using testing::atari_missing;
using testing::AtariPlayer;
using testing::AtariRecord;
using testing::Bytes;
using testing::bytes_of;
using testing::contains_text;
using testing::play_atari;
using testing::started_emulator;

constexpr std::size_t kSteps = 200;

/// A hash of everything an episode shows: 200 observations would take 6 MB.
std::uint64_t digest(AtariPlayer& player, std::uint64_t episode) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 1099511628211ULL; };
  for (const std::uint8_t byte : player.reset(episode)) add(byte);
  RandomStream rng = testing::action_stream(episode);
  bool ended = false;
  for (std::size_t step = 0; step < kSteps && !ended; ++step) {
    const StepOutcome outcome = player.random_step(rng);
    for (const std::uint8_t byte : player.observation()) add(byte);
    add(static_cast<std::uint64_t>(static_cast<std::int64_t>(outcome.reward)));
    add(outcome.frames.value_or(99));
    ended = outcome.terminated || outcome.truncated;
    add(ended ? 1 : 0);
  }
  return hash;
}

void check_game(const EnvironmentInfo& info) {
  CAPTURE(info.name);
  const AtariGame& game = testing::atari_game(info.name);
  if (!game.single_player()) {
    CHECK_THROWS_WITH(make_environment_factory(info.name), contains_text("two players"));
    return;
  }
  REQUIRE(info.unavailable.empty());
  const EnvironmentFactory factory = make_environment_factory(info.name);
  AtariPlayer first(factory(0));
  AtariPlayer second(factory(1));

  const EnvironmentSpec& spec = first.spec();
  CHECK(spec.name == info.name);
  CHECK(spec.observation.type == ObservationType::uint8);
  CHECK(spec.frames_per_step == 4);
  CHECK_THAT(info.summary, contains_text(std::to_string(spec.observation.size()) + " observations, "));
  CHECK_THAT(info.summary, contains_text(" " + std::to_string(spec.action.choices) + " actions, "));
  CHECK_THAT(info.summary, contains_text(" " + std::to_string(spec.max_steps) + " steps"));
  const std::vector<AtariAction>& actions = first.emulator().minimal_actions();
  CHECK(actions.size() == game.minimal_actions);
  CHECK((std::find(actions.begin(), actions.end(), AtariAction::fire) != actions.end()) == game.minimal_fire);
  CHECK(first.emulator().height() == game.lines);

  const std::uint64_t once = digest(first, 0);
  digest(second, 1);  // another episode before leaves no trace
  CHECK(digest(second, 0) == once);
  CHECK(digest(first, 0) == once);
  CHECK_THROWS_AS(first.step(spec.action.choices), Error);

  // The start is that of a new emulator, and so is what follows, frame by frame.
  AtariEmulator emulator = started_emulator(info.name);
  RandomStream rng = testing::episode_stream(2);
  const std::uint32_t noops = 1 + rng.below(30);
  for (std::uint32_t frame = 0; frame < noops; ++frame) emulator.act(AtariAction::noop);
  if (game.minimal_fire) emulator.act(AtariAction::fire);
  first.reset(2);
  REQUIRE((bytes_of(first.emulator().screen()) == bytes_of(emulator.screen())));
  RandomStream choices = testing::action_stream(2);
  for (int step = 0; step < 50 && !emulator.game_over(); ++step) {
    const std::uint32_t choice = choices.below(static_cast<std::uint32_t>(actions.size()));
    const StepOutcome outcome = first.step(choice);
    int points = 0;
    for (int frame = 0; frame < 4; ++frame) points += emulator.act(actions[choice]);
    REQUIRE(outcome.reward == points);
    REQUIRE((bytes_of(first.emulator().ram()) == bytes_of(emulator.ram())));
    REQUIRE((bytes_of(first.emulator().screen()) == bytes_of(emulator.screen())));
    REQUIRE(first.emulator().lives() == emulator.lives());
    REQUIRE(outcome.terminated == emulator.game_over());
  }
}

constexpr std::size_t kShards = 26;

void check_shard(std::size_t shard) {
  CLADE_NEED_ATARI();
  std::vector<EnvironmentInfo> games = list_environments();
  std::erase_if(games, [](const EnvironmentInfo& info) { return info.family != "Atari"; });
  REQUIRE(games.size() == atari_games().size());
  for (std::size_t game = shard; game < games.size(); game += kShards) check_game(games[game]);
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("Every Atari game plays the same twice, shard", "[contract][slow]", ((std::size_t Shard), Shard),
                       0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25) {
  check_shard(Shard);
}

TEST_CASE("Options of an Atari game at their listed defaults change nothing, wrong ones are named", "[contract]") {
  CLADE_NEED_ATARI();
  AtariPlayer plain("Frostbite");
  for (const EnvironmentInfo& info : list_environments()) {
    if (info.name != "Frostbite") continue;
    EnvironmentOptions defaults;
    for (const EnvironmentOptionInfo& option : info.options) {
      CAPTURE(option.name);
      CHECK_FALSE(option.text.empty());
      defaults.emplace_back(option.name, option.default_value);
      const EnvironmentOptions twice = {defaults.back(), defaults.back()};
      CHECK_THROWS_WITH(make_environment_factory(info.name, twice), contains_text("twice"));
      CHECK_THROWS_WITH(make_environment_factory(info.name, {{option.name, ""}}), contains_text(option.name));
    }
    AtariPlayer explicitly(make_environment_factory(info.name, defaults)(0));
    CHECK(digest(explicitly, 3) == digest(plain, 3));
  }
  CHECK_THROWS_WITH(make_environment_factory("Frostbite", {{"no_such_thing", "1"}}), contains_text("no_such_thing"));
}

}  // namespace clade
