#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/environment.hpp"

namespace clade {

/// Steps of an episode of `steps` steps after which `pictures` screens are taken, evenly from its start (0) to its end:
/// as many, or one after each step where the episode is shorter. `pictures` >= 2.
std::vector<std::uint32_t> strip_steps(std::uint32_t steps, std::size_t pictures);

/// Pictures of equal height, side by side with a black gap between them. `pictures` are not empty and of one size.
ScreenAccess::Screen strip_of(std::span<const ScreenAccess::Screen> pictures);

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
