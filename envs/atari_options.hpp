#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "envs/atari_games.hpp"
#include "envs/catalog.hpp"

namespace clade {

/// How an Atari game is played: protocols give the defaults, options override them one by one.
///
///   dqn      Mnih et al. 2015, "Human-level control through deep reinforcement learning"
///   machado  sticky actions as in Machado et al. 2018, "Revisiting the Arcade Learning Environment"
///   uber     Such et al. 2017, "Deep Neuroevolution", as in the authors' published code
enum class AtariProtocol : std::size_t { dqn, machado, uber };
enum class AtariObservation : std::size_t { pixels, ram, rgb };

/// A step is one decision, a frame one frame of the emulator.
struct AtariParameters {
  AtariProtocol protocol = AtariProtocol::dqn;
  std::uint64_t frame_skip = 4;  ///< frames of a step
  /// Each frame the joystick stays with this probability where it was in the frame before.
  double repeat_action_probability = 0.0;
  bool noop_start = true;  ///< an episode starts after U{1, ..., noop_max} frames without action
  std::uint64_t noop_max = 30;
  std::optional<bool> fire_reset{};   ///< the button is pressed after those; open: where it is a minimal action
  bool episodic_life = false;         ///< the loss of a life ends the episode
  bool clip_rewards = false;          ///< a step's reward is its sign
  std::uint64_t max_frames = 108000;  ///< an episode is cut there
  std::uint64_t stack = 4;            ///< frames of an observation
  bool bilinear = false;              ///< how a screen becomes 84 x 84: bilinear, or by area
  bool full_action_space = false;
  std::optional<std::uint64_t> mode{};
  std::optional<std::uint64_t> difficulty{};
  AtariObservation observation = AtariObservation::pixels;
  std::string rom_dir = "default";

  /// The start presses the button.
  bool fires(const AtariGame& game) const { return fire_reset.value_or(game.minimal_fire); }
  /// Frames of the start's button: one; uber: the steps of Such et al.'s code, the button and then action 2 of the
  /// minimal ones.
  std::uint64_t fire_frames(const AtariGame& game) const;
  /// Whether max_frames counts the frames of the start, as the Arcade Learning Environment does; Such et al.'s code
  /// counts from the first decision on.
  bool limit_counts_start() const { return protocol != AtariProtocol::uber; }
  std::size_t actions(const AtariGame& game) const;
  std::vector<std::size_t> observation_shape(const AtariGame& game) const;
  /// No episode has more decisions: max_frames ends it at or before the last.
  std::uint32_t max_steps() const;
  /// Name and value of what results depend on, for run files.
  std::map<std::string, std::string> description(const AtariGame& game) const;
};

/// The options as listed, at the defaults of protocol dqn.
std::vector<EnvironmentOptionInfo> atari_option_infos(const AtariGame& game);

/// Throws Error (input) for a wrong option or value, and for options that contradict each other or the game.
AtariParameters resolve_atari_parameters(const AtariGame& game, const EnvironmentOptions& options);

/// The game's ROM: in rom_dir, or where it is "default" in the folder that the environment variable CLADE_ATARI_ROMS
/// names (and then no other place), the build's own folder, the installation's. The path where it should be if there is
/// none.
std::filesystem::path find_atari_rom(const AtariGame& game, const std::string& rom_dir);

}  // namespace clade
