#include "envs/atari_environment.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "envs/atari.hpp"
#include "tests/support/atari.hpp"
#include "tests/support/catch.hpp"

namespace clade {
namespace {

using testing::action_stream;
using testing::atari_game;
using testing::AtariPlayer;
using testing::AtariRecord;
using testing::Bytes;
using testing::bytes_of;
using testing::contains_text;
using testing::episode_stream;
using testing::play_atari;
using testing::play_by_hand;
using testing::started_emulator;

/// The number of no-ops of an episode that was just reset, where nothing else belongs to the start.
std::int64_t noops_of(AtariPlayer& player) { return player.emulator().frame_number(); }

std::vector<AtariAction> noops_then(std::size_t noops, const std::vector<AtariAction>& others = {}) {
  std::vector<AtariAction> actions(noops, AtariAction::noop);
  actions.insert(actions.end(), others.begin(), others.end());
  return actions;
}

std::size_t drawn_noops(std::uint64_t episode, std::uint32_t most = 30) {
  RandomStream rng = episode_stream(episode);
  return 1 + rng.below(most);
}

}  // namespace

TEST_CASE("Episodes from cached start states are those of real resets", "[atari]") {
  CLADE_NEED_ATARI();
  // Games whose reset depends on what was before, a PAL game, one that keeps pixels of earlier frames, one with
  // paddles.
  const std::string name =
      GENERATE("Frostbite", "BeamRider", "Freeway", "AirRaid", "YarsRevenge", "Breakout", "DemonAttack");
  CAPTURE(name);
  AtariPlayer player(name);
  const std::vector<AtariAction> button(atari_game(name).minimal_fire ? 1 : 0, AtariAction::fire);
  play_atari(player, 99, 150);  // what was played before leaves no trace
  for (const std::uint64_t episode : {1U, 2U}) {
    const std::vector<AtariAction> start = noops_then(drawn_noops(episode), button);
    const AtariRecord expected = play_by_hand(started_emulator(name), start, episode, 200);
    CHECK((play_atari(player, episode, 200) == expected));
  }
}

TEST_CASE("Numbers of no-ops are drawn uniformly from 1 to the most", "[atari]") {
  CLADE_NEED_ATARI();
  AtariPlayer player("Pong", {{"fire_reset", "off"}, {"noop_max", "5"}, {"observation", "ram"}});
  std::map<std::int64_t, int> counts;
  for (std::uint64_t episode = 0; episode < 1000; ++episode) {
    player.reset(episode);
    ++counts[noops_of(player)];
    CHECK(noops_of(player) == static_cast<std::int64_t>(drawn_noops(episode, 5)));
  }
  CHECK(counts.size() == 5);
  for (const auto& [noops, count] : counts) {
    CHECK(noops >= 1);
    CHECK(noops <= 5);
    CHECK(count > 150);  // 200 +- 4 standard deviations
    CHECK(count < 250);
  }
  AtariPlayer without("Pong", {{"fire_reset", "off"}, {"noop_start", "off"}, {"observation", "ram"}});
  for (const std::uint64_t episode : {1U, 2U}) {
    CHECK(without.reset(episode) == bytes_of(started_emulator("Pong").ram()));
    CHECK(noops_of(without) == 0);
  }
}

TEST_CASE("The start presses the button as the protocol says", "[atari]") {
  CLADE_NEED_ATARI();
  const auto state_after = [](const std::vector<AtariAction>& actions) {
    AtariEmulator emulator = started_emulator("Breakout");
    for (const AtariAction action : actions) emulator.act(action);
    return std::pair(bytes_of(emulator.ram()), bytes_of(emulator.screen()));
  };
  const auto start_of = [](const EnvironmentOptions& options) {
    AtariPlayer player("Breakout", options);
    player.reset(5);
    return std::pair(bytes_of(player.emulator().ram()), bytes_of(player.emulator().screen()));
  };
  const std::size_t noops = drawn_noops(5);
  CHECK(start_of({}) == state_after(noops_then(noops, {AtariAction::fire})));
  CHECK(start_of({{"fire_reset", "on"}}) == state_after(noops_then(noops, {AtariAction::fire})));
  CHECK(start_of({{"fire_reset", "off"}}) == state_after(noops_then(noops)));
  // Action 2 of Breakout's minimal ones is right.
  const std::vector<AtariAction> steps = {AtariAction::fire,  AtariAction::fire,  AtariAction::fire,
                                          AtariAction::fire,  AtariAction::right, AtariAction::right,
                                          AtariAction::right, AtariAction::right};
  CHECK(start_of({{"protocol", "uber"}}) == state_after(noops_then(noops, steps)));
  CHECK(start_of({{"protocol", "uber"}, {"fire_reset", "off"}}) == state_after(noops_then(noops)));
}

TEST_CASE("Sticky frames repeat the joystick's last position", "[atari]") {
  CLADE_NEED_ATARI();
  const std::string probability = GENERATE("0", "0.25", "0.7", "1");
  CAPTURE(probability);
  AtariPlayer player("Seaquest", {{"repeat_action_probability", probability}});
  const AtariRecord seen = play_atari(player, 3, 100);
  const std::vector<AtariAction> start = noops_then(drawn_noops(3), {AtariAction::fire});
  CHECK((play_by_hand(started_emulator("Seaquest"), start, 3, 100, std::stod(probability)) == seen));
  if (probability == "1") {
    // The start's button stays down whatever the policy wants.
    AtariEmulator emulator = started_emulator("Seaquest");
    for (const AtariAction action : start) emulator.act(action);
    for (int frame = 0; frame < 400; ++frame) emulator.act(AtariAction::fire);
    CHECK(bytes_of(player.emulator().ram()) == bytes_of(emulator.ram()));
  }
}

TEST_CASE("Protocol machado is sticky by a quarter", "[atari]") {
  CLADE_NEED_ATARI();
  AtariPlayer player("Seaquest", {{"protocol", "machado"}});
  const std::vector<AtariAction> start = noops_then(drawn_noops(4), {AtariAction::fire});
  CHECK((play_by_hand(started_emulator("Seaquest"), start, 4, 50, 0.25) == play_atari(player, 4, 50)));
}

TEST_CASE("A game that ends within a step shows only the frames that were seen", "[atari]") {
  CLADE_NEED_ATARI();
  // Random play until ends fell on every frame of a step, among them the first: the plane is then that one screen.
  AtariPlayer player("Breakout");
  std::vector<bool> ended_at(5);
  for (std::uint64_t episode = 0; episode < 12; ++episode) {
    const AtariRecord seen = play_atari(player, episode, 3000);
    REQUIRE(seen.terminated);
    CHECK_FALSE(seen.truncated);
    const std::uint32_t frames = seen.frames.back();
    REQUIRE(frames >= 1);
    REQUIRE(frames <= 4);
    ended_at[frames] = true;
    if (episode >= 4 && frames > 1) continue;
    const std::vector<AtariAction> start = noops_then(drawn_noops(episode), {AtariAction::fire});
    CHECK((play_by_hand(started_emulator("Breakout"), start, episode, 3000) == seen));
  }
  CHECK(std::count(ended_at.begin(), ended_at.end(), true) >= 3);
}

TEST_CASE("Rewards are points, or their signs", "[atari]") {
  CLADE_NEED_ATARI();
  const std::string name = GENERATE("Boxing", "SpaceInvaders", "Skiing");
  CAPTURE(name);
  AtariPlayer plain(name);
  AtariPlayer clipped(name, {{"clip_rewards", "true"}});
  const AtariRecord points = play_atari(plain, 1, 300);
  const AtariRecord signs = play_atari(clipped, 1, 300);
  REQUIRE(points.rewards.size() == signs.rewards.size());
  CHECK((points.observations == signs.observations));
  bool large = false;
  for (std::size_t step = 0; step < points.rewards.size(); ++step) {
    const double reward = points.rewards[step];
    large = large || std::abs(reward) > 1.0;
    CHECK(signs.rewards[step] == (reward > 0.0 ? 1.0 : reward < 0.0 ? -1.0 : 0.0));
  }
  if (name != "Boxing") CHECK(large);
  if (name == "Skiing") CHECK(*std::min_element(points.rewards.begin(), points.rewards.end()) < -1.0);
}

TEST_CASE("With episodic life the loss of one ends the episode, and the next starts afresh", "[atari]") {
  CLADE_NEED_ATARI();
  AtariPlayer whole("Breakout");
  AtariPlayer one("Breakout", {{"episodic_life", "true"}});
  // The step in which a whole game's first life is lost.
  whole.reset(1);
  CHECK(whole.emulator().lives() == 5);
  RandomStream rng = action_stream(1);
  std::size_t steps = 0;
  for (; whole.emulator().lives() == 5; ++steps) CHECK_FALSE(whole.random_step(rng).terminated);
  const AtariRecord seen = play_atari(one, 1, 3000);
  CHECK(seen.terminated);
  CHECK(seen.rewards.size() == steps);
  CHECK(seen.frames.back() == 4);
  CHECK(one.emulator().lives() == 4);
  CHECK(seen.observations.back() == whole.observation());
  CHECK((play_atari(one, 1, 3000) == seen));
  one.reset(1);
  CHECK(one.emulator().lives() == 5);
}

TEST_CASE("The limit of frames cuts an episode, counted with its start", "[atari]") {
  CLADE_NEED_ATARI();
  const std::size_t start = drawn_noops(2) + 1;
  const std::size_t limit = start + 4 * 10 + 3;
  AtariPlayer player("Frostbite", {{"max_frames", std::to_string(limit)}});
  const AtariRecord seen = play_atari(player, 2, 100);
  CHECK(seen.truncated);
  CHECK_FALSE(seen.terminated);
  CHECK(seen.frames.size() == 11);
  CHECK(seen.frames.back() == 3);
  CHECK(player.emulator().frame_number() == static_cast<std::int64_t>(limit));
  CHECK(seen.frames.size() <= player.spec().max_steps);
  // The same up to there.
  AtariPlayer unlimited("Frostbite");
  const AtariRecord longer = play_atari(unlimited, 2, 10);
  CHECK_FALSE(longer.truncated);
  CHECK(std::equal(longer.observations.begin(), longer.observations.end(), seen.observations.begin()));

  // Such et al. count from the first decision on.
  AtariPlayer uber("Frostbite", {{"protocol", "uber"}, {"max_frames", "42"}});
  const AtariRecord counted = play_atari(uber, 2, 100);
  CHECK(counted.truncated);
  CHECK(counted.frames.size() == 11);
  CHECK(counted.frames.back() == 2);
  CHECK(uber.spec().max_steps == 11);
}

TEST_CASE("RAM and colours are the emulator's", "[atari]") {
  CLADE_NEED_ATARI();
  AtariPlayer ram("Pooyan", {{"observation", "ram"}});
  AtariPlayer rgb("Pooyan", {{"observation", "rgb"}});
  CHECK(ram.spec().observation.shape == std::vector<std::size_t>{128});
  CHECK(rgb.spec().observation.shape == std::vector<std::size_t>{220, 160, 3});
  AtariEmulator emulator = started_emulator("Pooyan");
  for (const AtariAction action : noops_then(drawn_noops(1), {AtariAction::fire})) emulator.act(action);
  const auto check = [&] {
    CHECK(ram.observation() == bytes_of(emulator.ram()));
    Bytes colours(3 * emulator.screen().size());
    emulator.rgb(colours);
    CHECK(rgb.observation() == colours);
    const ScreenAccess::Screen screen = rgb.environment().screen();
    CHECK(screen.width == 160);
    CHECK(screen.height == 220);
    CHECK(screen.rgb == colours);
  };
  ram.reset(1);
  rgb.reset(1);
  check();
  for (std::size_t step = 0; step < 60; ++step) {
    const std::size_t choice = step % emulator.minimal_actions().size();
    for (int frame = 0; frame < 4; ++frame) emulator.act(emulator.minimal_actions()[choice]);
    ram.step(choice);
    rgb.step(choice);
    check();
  }
}

TEST_CASE("Frame skip and stack", "[atari]") {
  CLADE_NEED_ATARI();
  AtariPlayer player("Pong", {{"frame_skip", "1"}, {"stack", "2"}});
  CHECK(player.spec().frames_per_step == 1);
  CHECK(player.spec().max_steps == 108000);
  PlaneMaker planes(Resize::area, 210, GreyTable(player.emulator().grey_palette()));
  const auto plane_now = [&] {
    Bytes plane(kPlaneSize);
    const std::uint8_t* screen = player.emulator().screen().data();
    planes.make(screen, screen, plane.data());  // no maximum with an earlier frame
    return plane;
  };
  player.reset(1);
  Bytes before = plane_now();
  for (std::size_t step = 0; step < 20; ++step) {
    const StepOutcome outcome = player.step(step % 6);
    CHECK(outcome.frames == 1U);
    const Bytes now = plane_now();
    Bytes expected;
    for (std::size_t pixel = 0; pixel < kPlaneSize; ++pixel) {
      expected.push_back(before[pixel]);
      expected.push_back(now[pixel]);
    }
    CHECK(player.observation() == expected);
    before = now;
  }
}

TEST_CASE("Resize by area and bilinear differ only in the plane", "[atari]") {
  CLADE_NEED_ATARI();
  AtariPlayer area("Frostbite");
  AtariPlayer bilinear("Frostbite", {{"resize", "bilinear"}});
  const AtariRecord a = play_atari(area, 1, 30);
  const AtariRecord b = play_atari(bilinear, 1, 30);
  CHECK(a.rewards == b.rewards);
  CHECK((a.observations != b.observations));
  PlaneMaker planes(Resize::bilinear, 210, GreyTable(bilinear.emulator().grey_palette()));
  bilinear.reset(4);
  Bytes plane(kPlaneSize);
  const std::uint8_t* screen = bilinear.emulator().screen().data();
  planes.make(screen, screen, plane.data());
  for (std::size_t pixel = 0; pixel < kPlaneSize; ++pixel)
    REQUIRE(bilinear.observation()[4 * pixel + 3] == plane[pixel]);
}

TEST_CASE("The full action set has all positions in the order of their codes", "[atari]") {
  CLADE_NEED_ATARI();
  AtariPlayer player("Pong", {{"full_action_space", "true"}, {"observation", "ram"}});
  CHECK(player.spec().action.choices == 18);
  AtariEmulator emulator = started_emulator("Pong");
  player.reset(1);
  for (const AtariAction action : noops_then(drawn_noops(1), {AtariAction::fire})) emulator.act(action);
  for (std::size_t choice = 0; choice < 18; ++choice) {
    player.step(choice);
    for (int frame = 0; frame < 4; ++frame) emulator.act(static_cast<AtariAction>(choice));
    CHECK(player.observation() == bytes_of(emulator.ram()));
  }
  CHECK_THROWS_WITH(player.step(18), contains_text("action 18") && contains_text("0 to 17"));
}

TEST_CASE("Modes and difficulties reach the game", "[atari]") {
  CLADE_NEED_ATARI();
  AtariPlayer player("Freeway", {{"mode", "4"}, {"difficulty", "1"}, {"observation", "ram"}});
  AtariEmulator emulator = started_emulator("Freeway", {.mode = 4, .difficulty = 1});
  for (const AtariAction action : noops_then(drawn_noops(1))) emulator.act(action);
  player.reset(1);
  for (int step = 0; step < 40; ++step) {
    CHECK(player.observation() == bytes_of(emulator.ram()));
    player.step(1);
    for (int frame = 0; frame < 4; ++frame) emulator.act(AtariAction::up);
  }
  CHECK_THROWS_WITH(make_atari_factory("Freeway", {{"mode", "9"}}), contains_text("the game has 0, 1"));
  CHECK_THROWS_WITH(make_atari_factory("Freeway", {{"difficulty", "3"}}), contains_text("the game has 0, 1"));
}

TEST_CASE("A run file says which ROM was played, and how", "[atari]") {
  CLADE_NEED_ATARI();
  const auto provenance = atari_provenance("ALE/Frostbite-v5", {{"protocol", "uber"}});
  CHECK(provenance.at("rom") == "frostbite.bin");
  CHECK(provenance.at("rom_md5") == "4ca73eb959299471788f0b685c3ba0b5");
  CHECK(provenance.at("ale_version") == "0.12.1");
  CHECK(provenance.at("atari_protocol") == "uber");
  CHECK(provenance.at("atari_resize") == "bilinear");
  CHECK(make_atari_factory("ALE/Frostbite-v5", {})(0)->spec().name == "Frostbite");
  CHECK_THROWS_WITH(make_atari_factory("Frostbite", {{"rom_dir", "/nowhere"}}),
                    contains_text("/nowhere/frostbite.bin"));
  CHECK_THROWS_WITH(atari_provenance("Combat", {}), contains_text("two players"));
}

}  // namespace clade
