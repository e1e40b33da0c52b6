#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/environment.hpp"
#include "core/random.hpp"

namespace clade::testing {

/// An environment with a row of its own, stepped by drawn actions.
class RolloutPlayer {
 public:
  explicit RolloutPlayer(std::unique_ptr<Environment> environment)
      : environment_(std::move(environment)), row_(environment_->spec().observation.size()) {}

  Environment& environment() { return *environment_; }
  StateAccess* access() { return dynamic_cast<StateAccess*>(environment_.get()); }
  ObservationRow row() { return {reinterpret_cast<std::byte*>(row_.data()), environment_->spec().observation}; }
  const std::vector<double>& observation() const { return row_; }

  void reset(std::uint64_t episode) {
    RandomStream rng(RandomKey{.seed = 7, .purpose = Purpose::test, .generation = 1, .episode = episode});
    environment_->reset(rng, row());
  }

  /// A step with an action drawn uniformly from the bounds.
  StepOutcome step(RandomStream& rng) {
    const ActionSpec& spec = environment_->spec().action;
    if (spec.discrete()) return environment_->step({{}, rng.below(static_cast<std::uint32_t>(spec.choices))}, row());
    action_.resize(spec.size);
    for (std::size_t i = 0; i < spec.size; ++i) action_[i] = rng.uniform(spec.low[i], spec.high[i]);
    return environment_->step({action_, 0}, row());
  }

  StepOutcome step_with(std::span<const double> action) { return environment_->step({action, 0}, row()); }

 private:
  std::unique_ptr<Environment> environment_;
  std::vector<double> row_;
  std::vector<double> action_;
};

/// Everything an episode showed: observations, rewards and ends, in step order.
inline std::vector<double> continue_rollout(RolloutPlayer& player, std::uint64_t episode, std::uint32_t steps) {
  RandomStream rng(RandomKey{.seed = 7, .purpose = Purpose::test, .generation = 2, .episode = episode});
  std::vector<double> seen = player.observation();
  for (std::uint32_t step = 0; step < std::min(steps, player.environment().spec().max_steps); ++step) {
    const StepOutcome outcome = player.step(rng);
    seen.insert(seen.end(), player.observation().begin(), player.observation().end());
    seen.push_back(outcome.reward);
    seen.push_back(outcome.terminated ? 1.0 : 0.0);
    seen.push_back(outcome.failure != nullptr ? 1.0 : 0.0);
    if (outcome.terminated || outcome.failure != nullptr) break;
  }
  return seen;
}

inline std::vector<double> rollout(RolloutPlayer& player, std::uint64_t episode, std::uint32_t steps) {
  player.reset(episode);
  return continue_rollout(player, episode, steps);
}

}  // namespace clade::testing
