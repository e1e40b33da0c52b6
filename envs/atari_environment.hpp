#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/environment.hpp"
#include "envs/atari_emulator.hpp"
#include "envs/atari_options.hpp"
#include "envs/pixel_kernels.hpp"

namespace clade {

/// What the slots of a factory share: immutable.
struct AtariSetup {
  AtariGame game;
  AtariParameters parameters;
  std::filesystem::path rom;
  std::vector<AtariSnapshot> starts;            ///< by number of no-ops, from 0 or, with no-op starts, from 1
  AtariAction last_action = AtariAction::noop;  ///< where the joystick stands after a start
};

/// Loads the ROM and plays all start states: a new emulator, one reset, the no-ops, the button. Each is the same as if
/// it were made alone. Throws Error (input) for a wrong ROM, switches that the game does not have, and where the game
/// is over before its start is.
std::shared_ptr<const AtariSetup> make_atari_setup(const AtariGame& game, const AtariParameters& parameters,
                                                   const std::filesystem::path& rom);

/// A game as policies play it. An episode is a function of its key: a number of no-ops, and with sticky actions the
/// frames that repeat. Every episode starts from a start state, with episodic_life too.
///
/// A step presses one joystick position for frame_skip frames, fewer where the game or the limit of frames ends. Its
/// reward is the points of its frames. Pixels: the grey values of the last two frames of the step (one where there was
/// but one), their maximum, resized to 84 x 84, pushed on the stack [84, 84, stack], oldest first; at the start the
/// screen fills the stack. RAM and colours are those of the last frame.
///
/// `terminated` is the game's end (and with episodic_life a step that ends with fewer lives than it began); `truncated`
/// the limit of frames, where the game has not ended itself.
class AtariEnvironment final : public Environment, public ScreenAccess {
 public:
  explicit AtariEnvironment(std::shared_ptr<const AtariSetup> setup);
  const EnvironmentSpec& spec() const override { return spec_; }
  void reset(RandomStream& rng, ObservationRow observation) override;
  StepOutcome step(const Action& action, ObservationRow observation) override;
  Screen screen() const override;

  const AtariEmulator& emulator() const { return emulator_; }

 private:
  bool at_frame_limit() const;
  void observe(const std::uint8_t* earlier, const std::uint8_t* later, bool start, ObservationRow observation);

  std::shared_ptr<const AtariSetup> setup_;
  EnvironmentSpec spec_;
  AtariEmulator emulator_;
  std::vector<AtariAction> actions_;
  PlaneMaker planes_;
  std::vector<std::uint8_t> earlier_screen_;  // of the frame before the last
  std::vector<std::uint8_t> plane_;
  std::vector<std::uint8_t> stack_;
  RandomStream sticky_rng_;
  AtariAction held_ = AtariAction::noop;
  int lives_ = 0;
  std::int64_t first_frame_ = 0;  // the emulator's number from which the limit counts
};

}  // namespace clade
