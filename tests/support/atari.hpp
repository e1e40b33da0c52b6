#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/random.hpp"
#include "envs/atari.hpp"
#include "envs/atari_emulator.hpp"
#include "envs/atari_environment.hpp"
#include "envs/atari_games.hpp"
#include "envs/atari_options.hpp"
#include "envs/pixel_kernels.hpp"

namespace clade::testing {

/// Why Atari games cannot be played here, empty where they can.
inline std::string atari_missing() {
  for (const EnvironmentInfo& info : atari_environments()) {
    if (info.name == "Frostbite") return info.unavailable;
  }
  return "no Frostbite";
}

inline const AtariGame& atari_game(const std::string& name) {
  const AtariGame* game = find_atari_game(name);
  CLADE_CHECK(game != nullptr);
  return *game;
}

inline std::filesystem::path atari_rom(const std::string& name) {
  return find_atari_rom(atari_game(name), AtariParameters{}.rom_dir);
}

/// A new emulator that was reset once.
inline AtariEmulator started_emulator(const std::string& name, const AtariSwitches& switches = {}) {
  AtariEmulator emulator(atari_game(name), atari_rom(name), switches);
  emulator.reset_game();
  return emulator;
}

inline RandomStream episode_stream(std::uint64_t episode) {
  return RandomStream(RandomKey{.seed = 7, .purpose = Purpose::test, .generation = 1, .episode = episode});
}
inline RandomStream action_stream(std::uint64_t episode) {
  return RandomStream(RandomKey{.seed = 7, .purpose = Purpose::test, .generation = 2, .episode = episode});
}

using Bytes = std::vector<std::uint8_t>;

inline Bytes bytes_of(std::span<const std::uint8_t> values) { return {values.begin(), values.end()}; }

/// A game as environment, with a row of its own that is scribbled over before each use.
class AtariPlayer {
 public:
  explicit AtariPlayer(std::unique_ptr<Environment> environment)
      : environment_(std::move(environment)), row_(environment_->spec().observation.bytes()) {}
  explicit AtariPlayer(const std::string& name, const EnvironmentOptions& options = {})
      : AtariPlayer(make_atari_factory(name, options)(0)) {}

  const EnvironmentSpec& spec() const { return environment_->spec(); }
  AtariEnvironment& environment() { return dynamic_cast<AtariEnvironment&>(*environment_); }
  const AtariEmulator& emulator() { return environment().emulator(); }
  const Bytes& observation() const { return row_; }

  const Bytes& reset(std::uint64_t episode) {
    RandomStream rng = episode_stream(episode);
    environment_->reset(rng, row());
    return row_;
  }
  StepOutcome step(std::size_t choice) { return environment_->step({{}, choice}, row()); }
  StepOutcome random_step(RandomStream& rng) {
    return step(rng.below(static_cast<std::uint32_t>(spec().action.choices)));
  }

 private:
  ObservationRow row() {
    row_.assign(row_.size(), 0xA5);
    return {reinterpret_cast<std::byte*>(row_.data()), environment_->spec().observation};
  }

  std::unique_ptr<Environment> environment_;
  Bytes row_;
};

/// Everything an episode shows, in step order.
struct AtariRecord {
  std::vector<Bytes> observations;
  std::vector<double> rewards;
  std::vector<std::uint32_t> frames;
  bool terminated = false;
  bool truncated = false;
  bool operator==(const AtariRecord&) const = default;
};

/// Random actions until the end or for so many steps.
inline AtariRecord play_atari(AtariPlayer& player, std::uint64_t episode, std::size_t steps) {
  AtariRecord record;
  record.observations.push_back(player.reset(episode));
  RandomStream rng = action_stream(episode);
  for (std::size_t step = 0; step < steps && !record.terminated && !record.truncated; ++step) {
    const StepOutcome outcome = player.random_step(rng);
    record.observations.push_back(player.observation());
    record.rewards.push_back(outcome.reward);
    record.frames.push_back(outcome.frames.value_or(0));
    record.terminated = outcome.terminated;
    record.truncated = outcome.truncated;
  }
  return record;
}

/// The same by hand, for pixels by area, frame_skip 4 and stack 4: an emulator from its making on, every frame written
/// out. `start` are the actions between reset_game and the first decision.
inline AtariRecord play_by_hand(AtariEmulator emulator, const std::vector<AtariAction>& start, std::uint64_t episode,
                                std::size_t steps, double sticky = 0.0, bool no_op_drawn = true) {
  AtariRecord record;
  AtariAction held = AtariAction::noop;
  for (const AtariAction action : start) emulator.act(held = action);
  RandomStream frames_rng = episode_stream(episode);
  if (no_op_drawn) frames_rng.below(30);
  RandomStream rng = action_stream(episode);
  PlaneMaker planes(Resize::area, emulator.height(), GreyTable(emulator.grey_palette()));
  Bytes plane(kPlaneSize);
  std::vector<Bytes> stack;
  const auto see = [&](const std::vector<Bytes>& screens) {
    const Bytes& last = screens.back();
    planes.make(screens.size() > 1 ? screens[screens.size() - 2].data() : last.data(), last.data(), plane.data());
    stack.push_back(plane);
    while (stack.size() < 4) stack.push_back(plane);
    if (stack.size() > 4) stack.erase(stack.begin());
    Bytes observation;
    for (std::size_t pixel = 0; pixel < kPlaneSize; ++pixel) {
      for (const Bytes& frame : stack) observation.push_back(frame[pixel]);
    }
    record.observations.push_back(observation);
  };
  see({bytes_of(emulator.screen())});
  const std::vector<AtariAction> actions = emulator.minimal_actions();
  while (record.rewards.size() < steps && !record.terminated) {
    const AtariAction wanted = actions[rng.below(static_cast<std::uint32_t>(actions.size()))];
    std::vector<Bytes> screens;
    int points = 0;
    for (int frame = 0; frame < 4 && !emulator.game_over(); ++frame) {
      if (sticky == 0.0 || frames_rng.uniform() >= sticky) held = wanted;
      points += emulator.act(held);
      screens.push_back(bytes_of(emulator.screen()));
    }
    see(screens);
    record.rewards.push_back(points);
    record.frames.push_back(static_cast<std::uint32_t>(screens.size()));
    record.terminated = emulator.game_over();
  }
  return record;
}

}  // namespace clade::testing

/// Ends a test case where the emulator's games are not there.
#define CLADE_NEED_ATARI() \
  if (const std::string reason = clade::testing::atari_missing(); !reason.empty()) CLADE_SKIP(reason)
