#pragma once

#include <cstddef>
#include <memory>

#include "tests/benchmarks/environment_bench.hpp"

namespace clade::bench {

/// Random episodes played by a bare loop on the engine's own interface, without ours: the limit of stepping.
class BareLoop {
 public:
  virtual ~BareLoop() = default;
  /// Plays a thread's recording; thread-safe for different threads.
  virtual void play(std::size_t thread, const Recording& recording) = 0;
  /// Whether the thread's engine is where `environment` is, after both played the same recording.
  virtual bool agrees(std::size_t thread, const Environment& environment) const = 0;
};

/// The settings with the options that the comparison needs: an Atari game's episodes start from one state, that of the
/// game's reset, unless the settings say otherwise.
EnvironmentSettings bare_settings(EnvironmentSettings settings);

/// One engine state a thread. `actions` must outlive it. Throws Error where the task is neither MuJoCo's nor a game of
/// the Arcade Learning Environment, has options that the loop does not know, or this build is without its engine.
std::unique_ptr<BareLoop> make_bare_loop(const EnvironmentSettings& settings, const ActionBank& actions);

/// The engines' own, behind make_bare_loop.
std::unique_ptr<BareLoop> make_bare_mujoco_loop(const EnvironmentSettings& settings, const ActionBank& actions);
std::unique_ptr<BareLoop> make_bare_atari_loop(const EnvironmentSettings& settings, const ActionBank& actions);

}  // namespace clade::bench
