#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "core/environment.hpp"

namespace clade::test {

/// How a ToyEnvironment misbehaves, for tests of failures.
struct ToyFaults {
  double throw_probability = 0.0;  ///< of an episode that throws in its third step
  double nan_probability = 0.0;    ///< of an episode whose third reward is NaN
  bool throw_in_reset = false;
};

/// A task of unequal episode lengths that a policy can learn: the observation is two numbers drawn at random each
/// step, the reward -(action - (observation 0 - observation 1))^2; an episode ends after 3 to 40 steps, as its key
/// says.
class ToyEnvironment final : public Environment {
 public:
  explicit ToyEnvironment(const ToyFaults& faults = {}) : faults_(faults) {
    spec_.name = "Toy";
    spec_.observation.shape = {2};
    spec_.action.size = 1;
    spec_.action.low = {-1.0};
    spec_.action.high = {1.0};
    spec_.max_steps = 30;
  }
  const EnvironmentSpec& spec() const override { return spec_; }
  void reset(RandomStream& rng, ObservationRow observation) override {
    if (faults_.throw_in_reset) throw std::runtime_error("toy reset fault");
    length_ = 3 + rng.below(38);
    throws_ = rng.uniform() < faults_.throw_probability;
    gives_nan_ = rng.uniform() < faults_.nan_probability;
    state_ = rng.next_u64();
    step_ = 0;
    observe(observation);
  }
  StepOutcome step(const Action& action, ObservationRow observation) override {
    ++step_;
    if (throws_ && step_ == 3) throw std::runtime_error("toy step fault");
    const double error = action.continuous[0] - (current_[0] - current_[1]);
    StepOutcome outcome;
    outcome.reward = gives_nan_ && step_ == 3 ? std::numeric_limits<double>::quiet_NaN() : -error * error;
    outcome.terminated = step_ >= length_;
    observe(observation);
    return outcome;
  }

 private:
  void observe(ObservationRow row) {
    for (std::size_t index = 0; index < 2; ++index) {
      state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
      current_[index] = static_cast<double>(state_ >> 40) / 16777216.0 - 0.5;
      row.float64()[index] = current_[index];
    }
  }

  EnvironmentSpec spec_;
  ToyFaults faults_;
  std::uint32_t length_ = 0;
  std::uint32_t step_ = 0;
  std::uint64_t state_ = 0;
  double current_[2] = {0.0, 0.0};
  bool throws_ = false;
  bool gives_nan_ = false;
};

inline EnvironmentFactory toy_factory(const ToyFaults& faults = {}) {
  return [faults](std::size_t) { return std::make_unique<ToyEnvironment>(faults); };
}

}  // namespace clade::test
