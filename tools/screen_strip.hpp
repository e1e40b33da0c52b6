#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/environment.hpp"

namespace clade {

/// Steps of an episode of `steps` steps after which `pictures` screens are taken, evenly from its start (0) to its end:
/// as many, or one after each step where the episode is shorter. `pictures` >= 2.
std::vector<std::uint32_t> strip_steps(std::uint32_t steps, std::size_t pictures);

/// Pictures in their order, row by row with black gaps between them: as few rows as hold at most eight each, all of the
/// same length but the last. `pictures` are not empty and of one size.
ScreenAccess::Screen strip_of(std::span<const ScreenAccess::Screen> pictures);

/// "3 screens of episode 0, at steps 0, 10, 20; 80 frames": after which steps screens were taken, and the frames of the
/// whole episode.
std::string strip_text(std::span<const std::uint32_t> steps, std::uint32_t frames);

/// Plays as the environment within, and takes its screen after the given steps of every episode.
class ScreenRecorder final : public Environment {
 public:
  /// `steps` rise. `screens` outlives the recorder; an episode's reset empties it. Throws Error where the environment
  /// shows no screen.
  ScreenRecorder(std::unique_ptr<Environment> environment, std::vector<std::uint32_t> steps,
                 std::vector<ScreenAccess::Screen>& screens);
  const EnvironmentSpec& spec() const override { return environment_->spec(); }
  void reset(RandomStream& rng, ObservationRow observation) override;
  StepOutcome step(const Action& action, ObservationRow observation) override;

 private:
  void take();

  std::unique_ptr<Environment> environment_;
  const ScreenAccess* access_;
  std::vector<std::uint32_t> steps_;
  std::vector<ScreenAccess::Screen>& screens_;
  std::uint32_t step_ = 0;
};

/// Throws Error where the environment shows no screen.
const ScreenAccess& require_screen(const Environment& environment);

}  // namespace clade
