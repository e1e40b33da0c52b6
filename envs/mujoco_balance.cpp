// InvertedPendulum and InvertedDoublePendulum: poles on a cart.
#include <algorithm>
#include <cmath>
#include <utility>

#include "envs/mujoco_environment.hpp"

namespace clade {
namespace {

class InvertedPendulum final : public MujocoEnvironment {
 public:
  explicit InvertedPendulum(std::shared_ptr<const MujocoSetup> setup) : MujocoEnvironment(std::move(setup)) {
    require(2, 2);
    set_observation_size(positions() + velocities());
  }

  StepOutcome step(const Action& action, ObservationRow observation) override {
    StepOutcome outcome;
    outcome.failure = simulate(action);
    const std::span<double> row = observation.float64();
    observe(row);
    const bool finite = std::all_of(row.begin(), row.end(), [](double value) { return std::isfinite(value); });
    outcome.terminated = !finite || std::abs(row[1]) > 0.2;
    outcome.reward = outcome.terminated && task().version == 5 ? 0.0 : 1.0;
    return outcome;
  }

 protected:
  void observe(std::span<double> row) const override {
    std::copy(qvel().begin(), qvel().end(), std::copy(qpos().begin(), qpos().end(), row.begin()));
  }
};

class InvertedDoublePendulum final : public MujocoEnvironment {
 public:
  explicit InvertedDoublePendulum(std::shared_ptr<const MujocoSetup> setup)
      : MujocoEnvironment(std::move(setup)), observed_forces_(task().version == 5 ? 1 : velocities()) {
    require(3, 3, 0, 1);
    draw_normal_velocities();
    set_observation_size(1 + 2 * (positions() - 1) + velocities() + observed_forces_);
  }

  StepOutcome step(const Action& action, ObservationRow observation) override {
    StepOutcome outcome;
    outcome.failure = simulate(action);
    observe(observation.float64());
    const double x = data_.site_xpos[0];
    const double height = data_.site_xpos[2];
    const double velocity1 = data_.qvel[1];
    const double velocity2 = data_.qvel[2];
    outcome.terminated = height <= 1.0;
    const double distance_penalty = 0.01 * (x * x) + (height - 2.0) * (height - 2.0);
    const double velocity_penalty = 1e-3 * (velocity1 * velocity1) + 5e-3 * (velocity2 * velocity2);
    const bool paid = !outcome.terminated || task().version == 4;
    outcome.reward = (paid ? parameters().healthy_reward : 0.0) - distance_penalty - velocity_penalty;
    return outcome;
  }

 protected:
  /// Position of the cart, sines and cosines of the angles, velocities and constraint forces clipped to +-10.
  void observe(std::span<double> row) const override {
    const auto clipped = [](double value) { return std::clamp(value, -10.0, 10.0); };
    auto out = row.begin();
    *out++ = data_.qpos[0];
    for (std::size_t i = 1; i < positions(); ++i) *out++ = std::sin(data_.qpos[i]);
    for (std::size_t i = 1; i < positions(); ++i) *out++ = std::cos(data_.qpos[i]);
    out = std::transform(qvel().begin(), qvel().end(), out, clipped);
    std::transform(data_.qfrc_constraint, data_.qfrc_constraint + observed_forces_, out, clipped);
  }

 private:
  std::size_t observed_forces_;
};

}  // namespace

std::unique_ptr<Environment> make_balance_environment(const std::shared_ptr<const MujocoSetup>& setup) {
  if (setup->task.kind == MujocoTaskKind::inverted_pendulum) return std::make_unique<InvertedPendulum>(setup);
  return std::make_unique<InvertedDoublePendulum>(setup);
}

}  // namespace clade
