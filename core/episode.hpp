#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/observation_normalizer.hpp"
#include "core/random.hpp"
#include "core/sampled_stopwatch.hpp"

namespace clade {

/// Who an episode is. Its start state and all its randomness follow from this and the run's seed.
struct EpisodeIdentity {
  std::uint64_t seed = 0;  ///< the run's
  Purpose environment_purpose = Purpose::environment;
  std::uint64_t generation = 0;
  std::uint32_t member = 0;              ///< index of the member that plays
  std::uint32_t environment_member = 0;  ///< member field of the environment's key: the pair's where a pair shares it
  std::uint32_t episode = 0;             ///< number among the member's episodes of this generation
  RandomKey environment_key() const { return {seed, environment_purpose, generation, environment_member, episode}; }
  RandomKey policy_key(Purpose purpose) const { return {seed, purpose, generation, member, episode}; }
};

enum class EpisodeStatus : std::uint8_t {
  pending = 0,     ///< not played (an interrupted generation)
  terminated = 1,  ///< the task ended it
  truncated = 2,   ///< a limit of steps or frames ended it
  failed = 3       ///< diverged physics, a NaN, an exception
};

/// What holds for all episodes of a generation.
struct EpisodeSettings {
  std::uint32_t max_steps = 1000;
  std::optional<std::uint64_t> max_frames{};  ///< ends an episode once so many frames were emulated
  bool action_noise = true;                   ///< evaluation episodes play without
};

struct EpisodeResult {
  double episode_return = 0.0;  ///< the task's own rewards, summed in step order; where it failed, those before
  std::uint32_t steps = 0;      ///< decisions of the policy
  std::uint32_t frames = 0;     ///< emulated since the first decision; those of the start (no-ops) are not counted
  EpisodeStatus status = EpisodeStatus::pending;
  /// What it is worth: NaN where it failed.
  double valid_return() const {
    return status == EpisodeStatus::failed ? std::numeric_limits<double>::quiet_NaN() : episode_return;
  }
};

/// One episode in flight: a state machine that both drivers run.
///   begin() -> needs an action -> step(action) -> ... -> ended()
/// It never throws for what the environment does: an exception, a non-finite reward or observation and a broken
/// simulation end it as failed, with a message.
class Episode {
 public:
  explicit Episode(std::unique_ptr<Environment> environment);
  /// Adds the observations that want an action to `moments`, which outlive the episode, unless nullptr.
  void begin(const EpisodeIdentity& identity, const EpisodeSettings& settings, ObservationMoments* moments);
  bool ended() const { return result_.status != EpisodeStatus::pending; }
  /// The row that wants an action while !ended().
  const std::byte* observation() const { return observation_.data(); }
  void step(const Action& action);
  const EpisodeResult& result() const { return result_; }
  const EpisodeIdentity& identity() const { return identity_; }
  /// Why it failed, empty otherwise.
  const std::string& failure() const { return failure_; }
  Environment& environment() { return *environment_; }
  /// Time spent inside the environment's reset and step in this episode.
  std::uint64_t environment_nanoseconds() const { return environment_time_.nanoseconds(); }

 private:
  void fail(const std::string& reason);
  void observe();

  std::unique_ptr<Environment> environment_;
  std::vector<std::byte> observation_;
  EpisodeIdentity identity_;
  EpisodeSettings settings_;
  ObservationMoments* moments_ = nullptr;
  EpisodeResult result_;
  std::string failure_;
  SampledStopwatch environment_time_;
};

}  // namespace clade
