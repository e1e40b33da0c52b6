#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "envs/catalog.hpp"
#include "tests/benchmarks/bench_report.hpp"

namespace clade::bench {

struct EnvironmentSettings {
  std::string env = "HalfCheetah-v4";
  std::vector<std::string> env_options;  ///< "key=value"
  int threads = 1;
  double seconds = 3.0;
};

/// Throws Error where an option is not key=value.
EnvironmentOptions parse_options(const EnvironmentSettings& settings);

/// The factory that the settings name. Throws Error.
EnvironmentFactory environment_factory(const EnvironmentSettings& settings);

/// Uniform actions within the task's bounds ([-1, 1] where it has none), drawn beforehand and used in turn.
class ActionBank {
 public:
  explicit ActionBank(const ActionSpec& spec);
  Action at(std::size_t index) const;

 private:
  static constexpr std::size_t kActions = 4096;
  std::size_t size_;
  std::vector<double> continuous_;    // [kActions, size]
  std::vector<std::size_t> choices_;  // [kActions]
};

/// An episode as it was played, so that it can be played again: its reset's stream, its start, its actions' place.
struct PlayedEpisode {
  RandomStream start;         ///< as the reset got it
  std::vector<double> state;  ///< right after the reset; empty where the environment has no StateAccess
  std::size_t first_action = 0;
  std::uint32_t steps = 0;
};

/// Random episodes of one thread, recorded from `environment` until about `seconds` have passed, the last one cut.
struct Recording {
  std::vector<PlayedEpisode> episodes;
  std::uint64_t steps = 0;
  std::uint64_t frames = 0;  ///< of an emulator; 0 where a step has always the same number
};
Recording record_random_episodes(Environment& environment, const ActionBank& actions, std::uint64_t thread,
                                 double seconds);

/// `clade-bench environment`: steps a second through the Environment interface under uniform random actions, each
/// episode followed by a reset. Prints `environment`.
void bench_environment(const EnvironmentSettings& settings, Report& report);

/// `clade-bench bare`: the same episodes through the interface and by a bare loop on the engine's own interface, in
/// turn (bare_settings). Checks that both reach the same states. Prints `environment`, `bare`, `environment_over_bare`,
/// and for Atari games `bare_frames`.
void bench_bare(const EnvironmentSettings& settings, Report& report);

}  // namespace clade::bench
