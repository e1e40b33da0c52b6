// Reacher and Pusher: an arm, a goal, and distances as the reward.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "envs/mujoco_environment.hpp"

namespace clade {
namespace {

using Vector3 = std::array<double, 3>;

double length(const Vector3& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/// A named body and where it is.
class Body {
 public:
  Body(const MujocoModel& model, const char* name) : index_(static_cast<std::size_t>(model.body(name))) {}
  const double* position(const mjData& data) const { return data.xpos + 3 * index_; }
  Vector3 from(const Body& other, const mjData& data) const {
    const double* here = position(data);
    const double* there = other.position(data);
    return {here[0] - there[0], here[1] - there[1], here[2] - there[2]};
  }

 private:
  std::size_t index_;
};

/// Noise on the start velocities of both tasks, in m/s and rad/s; what is moved or aimed at starts at rest.
constexpr double kVelocityNoise = 0.005;

class Reacher final : public MujocoEnvironment {
 public:
  explicit Reacher(std::shared_ptr<const MujocoSetup> setup)
      : MujocoEnvironment(std::move(setup)),
        fingertip_(model_file(), "fingertip"),
        target_(model_file(), "target"),
        offset_components_(task().version == 5 ? 2 : 3) {
    require(4, 4);
    set_observation_size(positions() + 4 + offset_components_);
  }

  StepOutcome step(const Action& action, ObservationRow observation) override {
    StepOutcome outcome;
    // Version 4 pays for the state before the step.
    if (task().version == 4) outcome.reward = reward(action);
    outcome.failure = simulate(action);
    observe(observation.float64());
    if (task().version == 5) outcome.reward = reward(action);
    return outcome;
  }

 protected:
  void draw_start(RandomStream& rng) override {
    for (std::size_t i = 0; i < positions(); ++i) data_.qpos[i] += rng.uniform(-0.1, 0.1);
    double* goal = data_.qpos + positions() - 2;
    do {
      goal[0] = rng.uniform(-0.2, 0.2);
      goal[1] = rng.uniform(-0.2, 0.2);
    } while (!(std::sqrt(goal[0] * goal[0] + goal[1] * goal[1]) < 0.2));
    for (std::size_t i = 0; i < velocities(); ++i) data_.qvel[i] += rng.uniform(-kVelocityNoise, kVelocityNoise);
    std::fill_n(data_.qvel + velocities() - 2, 2, 0.0);
  }

  /// Cosines and sines of the two joints, the goal, the joints' velocities, the fingertip from the target.
  void observe(std::span<double> row) const override {
    for (std::size_t i = 0; i < 2; ++i) {
      row[i] = std::cos(data_.qpos[i]);
      row[2 + i] = std::sin(data_.qpos[i]);
    }
    auto out = std::copy(qpos().begin() + 2, qpos().end(), row.begin() + 4);
    out = std::copy_n(qvel().begin(), 2, out);
    const Vector3 offset = fingertip_.from(target_, data_);
    std::copy_n(offset.begin(), offset_components_, out);
  }

 private:
  double reward(const Action& action) const {
    const double distance = -length(fingertip_.from(target_, data_)) * parameters().reward_dist_weight;
    return distance + -sum_of_squares(action.continuous) * parameters().reward_control_weight;
  }

  Body fingertip_;
  Body target_;
  std::size_t offset_components_;
};

class Pusher final : public MujocoEnvironment {
 public:
  explicit Pusher(std::shared_ptr<const MujocoSetup> setup)
      : MujocoEnvironment(std::move(setup)),
        tips_(model_file(), "tips_arm"),
        object_(model_file(), "object"),
        goal_(model_file(), "goal") {
    require(11, 11);
    set_observation_size(23);
  }

  StepOutcome step(const Action& action, ObservationRow observation) override {
    StepOutcome outcome;
    outcome.failure = simulate(action);
    observe(observation.float64());
    const MujocoParameters& weights = parameters();
    const double near = -length(object_.from(tips_, data_)) * weights.reward_near_weight;
    const double distance = -length(object_.from(goal_, data_)) * weights.reward_dist_weight;
    const double control = -sum_of_squares(action.continuous) * weights.reward_control_weight;
    outcome.reward = distance + control + near;
    return outcome;
  }

 protected:
  void draw_start(RandomStream& rng) override {
    double* object = data_.qpos + positions() - 4;
    do {
      object[0] = rng.uniform(-0.3, 0.0);
      object[1] = rng.uniform(-0.2, 0.2);
    } while (!(std::sqrt(object[0] * object[0] + object[1] * object[1]) > 0.17));
    std::fill_n(data_.qpos + positions() - 2, 2, 0.0);
    for (std::size_t i = 0; i < velocities(); ++i) data_.qvel[i] += rng.uniform(-kVelocityNoise, kVelocityNoise);
    std::fill_n(data_.qvel + velocities() - 4, 4, 0.0);
  }

  /// Positions and velocities of the arm's seven joints; where the tips, the object and the goal are.
  void observe(std::span<double> row) const override {
    auto out = std::copy_n(qpos().begin(), 7, row.begin());
    out = std::copy_n(qvel().begin(), 7, out);
    for (const Body* body : {&tips_, &object_, &goal_}) out = std::copy_n(body->position(data_), 3, out);
  }

 private:
  Body tips_;
  Body object_;
  Body goal_;
};

}  // namespace

std::unique_ptr<Environment> make_manipulation_environment(const std::shared_ptr<const MujocoSetup>& setup) {
  if (setup->task.kind == MujocoTaskKind::reacher) return std::make_unique<Reacher>(setup);
  return std::make_unique<Pusher>(setup);
}

}  // namespace clade
