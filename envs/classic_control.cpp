#include "envs/classic_control.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <utility>

#include "core/error.hpp"
#include "envs/environment_options.hpp"

namespace clade {
namespace {

constexpr double kPi = std::numbers::pi;

double as_float32(double value) { return static_cast<double>(static_cast<float>(value)); }

/// The options of all classic-control tasks; a task declares those that it has.
struct ClassicOptions {
  bool sutton_barto_reward = false;
  double goal_velocity = 0.0;
  double gravity = 10.0;
  std::size_t action_precision = 0;  ///< index into kPrecisions
};
constexpr std::size_t kFloat32 = 0;
const char* const kPrecisions[] = {"float32", "float64"};

/// What the five tasks share: a state of N numbers, its access, and writing the observation.
template <class Task, std::size_t N>
class ClassicEnvironment : public Environment, public StateAccess {
 public:
  explicit ClassicEnvironment(EnvironmentSpec spec) : spec_(std::move(spec)) {}
  const EnvironmentSpec& spec() const final { return spec_; }

  void reset(RandomStream& rng, ObservationRow observation) final {
    task().start();
    task().draw(rng);
    task().observe(observation.float64());
  }

  std::vector<double> state() const final { return {state_.begin(), state_.end()}; }

  void reset_to(std::span<const double> state, ObservationRow observation) final {
    task().start();
    set_state(state);
    task().observe(observation.float64());
  }

  void set_state(std::span<const double> state) final {
    if (state.size() != N) {
      throw_input_error("a state of " + spec_.name + " has " + std::to_string(N) + " numbers, got " +
                        std::to_string(state.size()));
    }
    std::copy(state.begin(), state.end(), state_.begin());
  }

 protected:
  /// Forgets the episode before.
  void start() {}
  void check_choice(const Action& action) const {
    if (action.choice >= spec_.action.choices) {
      throw_run_time_error(spec_.name + " has actions 0 to " + std::to_string(spec_.action.choices - 1) + ", got " +
                           std::to_string(action.choice));
    }
  }
  double single_action(const Action& action) const {
    if (action.continuous.size() != 1) {
      throw_run_time_error(spec_.name + " takes 1 action component, got " + std::to_string(action.continuous.size()));
    }
    return action.continuous[0];
  }
  void observe_state(std::span<double> row) const {
    for (std::size_t i = 0; i < N; ++i) row[i] = as_float32(state_[i]);
  }

  std::array<double, N> state_{};

 private:
  Task& task() { return static_cast<Task&>(*this); }
  EnvironmentSpec spec_;
};

/// Barto, Sutton and Anderson (1983), with explicit Euler steps: positions move with the velocities of before.
class CartPole final : public ClassicEnvironment<CartPole, 4> {
 public:
  CartPole(EnvironmentSpec spec, const ClassicOptions& options)
      : ClassicEnvironment(std::move(spec)), sutton_barto_reward_(options.sutton_barto_reward) {}

  StepOutcome step(const Action& action, ObservationRow observation) override {
    check_choice(action);
    constexpr double kGravity = 9.8;
    constexpr double kPoleMass = 0.1;
    constexpr double kTotalMass = kPoleMass + 1.0;
    constexpr double kHalfLength = 0.5;
    constexpr double kPoleMassLength = kPoleMass * kHalfLength;
    constexpr double kSeconds = 0.02;
    constexpr double kAngleLimit = 12.0 * 2.0 * kPi / 360.0;
    constexpr double kPositionLimit = 2.4;
    auto& [x, x_velocity, angle, angle_velocity] = state_;
    const double force = action.choice == 1 ? 10.0 : -10.0;
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    const double pull = (force + kPoleMassLength * (angle_velocity * angle_velocity) * sine) / kTotalMass;
    const double angle_acceleration =
        (kGravity * sine - cosine * pull) / (kHalfLength * (4.0 / 3.0 - kPoleMass * (cosine * cosine) / kTotalMass));
    const double x_acceleration = pull - kPoleMassLength * angle_acceleration * cosine / kTotalMass;
    x += kSeconds * x_velocity;
    x_velocity += kSeconds * x_acceleration;
    angle += kSeconds * angle_velocity;
    angle_velocity += kSeconds * angle_acceleration;
    observe(observation.float64());
    StepOutcome outcome;
    outcome.terminated = x < -kPositionLimit || x > kPositionLimit || angle < -kAngleLimit || angle > kAngleLimit;
    if (sutton_barto_reward_) {
      outcome.reward = outcome.terminated ? -1.0 : 0.0;
    } else {
      outcome.reward = 1.0;
    }
    return outcome;
  }

  void draw(RandomStream& rng) {
    for (double& value : state_) value = rng.uniform(-0.05, 0.05);
  }
  void observe(std::span<double> row) const { observe_state(row); }

 private:
  bool sutton_barto_reward_;
};

/// Sutton and Barto's two-link pendulum ("book" equations), one Runge-Kutta step of 0.2 s per decision.
class Acrobot final : public ClassicEnvironment<Acrobot, 4> {
 public:
  Acrobot(EnvironmentSpec spec, const ClassicOptions&) : ClassicEnvironment(std::move(spec)) {}

  StepOutcome step(const Action& action, ObservationRow observation) override {
    check_choice(action);
    const double torque = static_cast<double>(action.choice) - 1.0;
    constexpr double kSeconds = 0.2;
    const Vector k1 = derivative(state_, torque);
    const Vector k2 = derivative(moved(kSeconds / 2.0, k1), torque);
    const Vector k3 = derivative(moved(kSeconds / 2.0, k2), torque);
    const Vector k4 = derivative(moved(kSeconds, k3), torque);
    for (std::size_t i = 0; i < 4; ++i) {
      state_[i] += kSeconds / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    // Beyond, a turn is no longer a whole number of units in the last place (and the wrap below would not end).
    constexpr double kLargestAngle = 1e6;
    if (!(std::abs(state_[0]) < kLargestAngle && std::abs(state_[1]) < kLargestAngle)) {
      return {.failure = "the state diverged: an angle beyond 1e6"};
    }
    state_[0] = wrapped(state_[0]);
    state_[1] = wrapped(state_[1]);
    state_[2] = std::clamp(state_[2], -4.0 * kPi, 4.0 * kPi);
    state_[3] = std::clamp(state_[3], -9.0 * kPi, 9.0 * kPi);
    observe(observation.float64());
    StepOutcome outcome;
    outcome.terminated = -std::cos(state_[0]) - std::cos(state_[1] + state_[0]) > 1.0;
    outcome.reward = outcome.terminated ? 0.0 : -1.0;
    return outcome;
  }

  void draw(RandomStream& rng) {
    for (double& value : state_) value = as_float32(rng.uniform(-0.1, 0.1));
  }
  void observe(std::span<double> row) const {
    row[0] = as_float32(std::cos(state_[0]));
    row[1] = as_float32(std::sin(state_[0]));
    row[2] = as_float32(std::cos(state_[1]));
    row[3] = as_float32(std::sin(state_[1]));
    row[4] = as_float32(state_[2]);
    row[5] = as_float32(state_[3]);
  }

 private:
  using Vector = std::array<double, 4>;

  Vector moved(double seconds, const Vector& slope) const {
    Vector result;
    for (std::size_t i = 0; i < 4; ++i) result[i] = state_[i] + seconds * slope[i];
    return result;
  }

  /// Masses and lengths 1, centres of mass at 0.5, moments of inertia 1.
  static Vector derivative(const Vector& state, double torque) {
    constexpr double kGravity = 9.8;
    constexpr double kCentre = 0.5;
    const auto& [angle1, angle2, velocity1, velocity2] = state;
    const double cosine2 = std::cos(angle2);
    const double sine2 = std::sin(angle2);
    const double d1 = kCentre * kCentre + (1.0 + kCentre * kCentre + 2.0 * kCentre * cosine2) + 1.0 + 1.0;
    const double d2 = (kCentre * kCentre + kCentre * cosine2) + 1.0;
    const double phi2 = kCentre * kGravity * std::cos(angle1 + angle2 - kPi / 2.0);
    const double phi1 = -kCentre * (velocity2 * velocity2) * sine2 - 2.0 * kCentre * velocity2 * velocity1 * sine2 +
                        (kCentre + 1.0) * kGravity * std::cos(angle1 - kPi / 2.0) + phi2;
    const double acceleration2 = (torque + d2 / d1 * phi1 - kCentre * (velocity1 * velocity1) * sine2 - phi2) /
                                 (kCentre * kCentre + 1.0 - d2 * d2 / d1);
    const double acceleration1 = -(d2 * acceleration2 + phi1) / d1;
    return {velocity1, velocity2, acceleration1, acceleration2};
  }

  static double wrapped(double angle) {
    constexpr double kTurn = 2.0 * kPi;
    while (angle > kPi) angle -= kTurn;
    while (angle < -kPi) angle += kTurn;
    return angle;
  }
};

constexpr double kCarLeft = -1.2;
constexpr double kCarRight = 0.6;
constexpr double kCarSpeed = 0.07;

/// Moore (1990), discrete pushes.
class MountainCar final : public ClassicEnvironment<MountainCar, 2> {
 public:
  MountainCar(EnvironmentSpec spec, const ClassicOptions& options)
      : ClassicEnvironment(std::move(spec)), goal_velocity_(options.goal_velocity) {}

  StepOutcome step(const Action& action, ObservationRow observation) override {
    check_choice(action);
    auto& [position, velocity] = state_;
    velocity += (static_cast<double>(action.choice) - 1.0) * 0.001 + std::cos(3.0 * position) * -0.0025;
    velocity = std::clamp(velocity, -kCarSpeed, kCarSpeed);
    position = std::clamp(position + velocity, kCarLeft, kCarRight);
    if (position == kCarLeft && velocity < 0.0) velocity = 0.0;
    observe(observation.float64());
    return {.reward = -1.0, .terminated = position >= 0.5 && velocity >= goal_velocity_};
  }

  void draw(RandomStream& rng) { state_ = {rng.uniform(-0.6, -0.4), 0.0}; }
  void observe(std::span<double> row) const { observe_state(row); }

 private:
  double goal_velocity_;
};

/// The same car with a continuous push. Gymnasium keeps its state in float32 from the first step on, and which sums
/// are rounded depends on the action's precision and on whether it was clipped: NumPy's promotion rules (NEP 50),
/// reproduced here to the bit.
class MountainCarContinuous final : public ClassicEnvironment<MountainCarContinuous, 2> {
 public:
  MountainCarContinuous(EnvironmentSpec spec, const ClassicOptions& options)
      : ClassicEnvironment(std::move(spec)),
        goal_velocity_(options.goal_velocity),
        float32_action_(options.action_precision == kFloat32) {}

  void start() { first_step_ = true; }

  StepOutcome step(const Action& action, ObservationRow observation) override {
    const double given = single_action(action);
    const double push = float32_action_ ? as_float32(given) : given;
    constexpr double kPower = 0.0015;
    constexpr double kSlope = 0.0025;
    auto& [position, velocity] = state_;
    const double cosine = std::cos(first_step_ ? 3.0 * position : as_float32(3.0 * position));
    const bool clipped = push < -1.0 || push > 1.0;
    bool float64_velocity = first_step_;
    if (clipped) {
      const double change = std::clamp(push, -1.0, 1.0) * kPower - kSlope * cosine;
      velocity = first_step_ ? velocity + change : as_float32(velocity + as_float32(change));
    } else if (float32_action_) {
      const double change = as_float32(as_float32(push * as_float32(kPower)) - as_float32(kSlope * cosine));
      velocity = first_step_ ? velocity + change : as_float32(velocity + change);
    } else {
      velocity = velocity + (push * kPower - kSlope * cosine);
      float64_velocity = true;
    }
    // A speed at its limit is a plain number again, and takes the position's precision.
    if (velocity > kCarSpeed || velocity < -kCarSpeed) {
      velocity = velocity > 0.0 ? kCarSpeed : -kCarSpeed;
      float64_velocity = first_step_;
      if (!first_step_) velocity = as_float32(velocity);
    }
    const bool float64_position = float64_velocity;
    position = float64_position ? position + velocity : as_float32(position + velocity);
    position = std::clamp(position, kCarLeft, kCarRight);
    if (position == kCarLeft && velocity < 0.0) velocity = 0.0;
    // float32 values are compared with limits rounded to float32.
    const double goal = float64_position ? kGoal : as_float32(kGoal);
    const double goal_velocity = float64_velocity ? goal_velocity_ : as_float32(goal_velocity_);
    StepOutcome outcome;
    outcome.terminated = position >= goal && velocity >= goal_velocity;
    outcome.reward = (outcome.terminated ? 100.0 : 0.0) - push * push * 0.1;
    position = as_float32(position);
    velocity = as_float32(velocity);
    first_step_ = false;
    observe(observation.float64());
    return outcome;
  }

  void draw(RandomStream& rng) { state_ = {rng.uniform(-0.6, -0.4), 0.0}; }
  void observe(std::span<double> row) const { observe_state(row); }

 private:
  static constexpr double kGoal = 0.45;
  double goal_velocity_;
  bool float32_action_;
  bool first_step_ = true;
};

/// Swing-up of a rod. The cost is of the state before the step and of the clipped torque.
class Pendulum final : public ClassicEnvironment<Pendulum, 2> {
 public:
  Pendulum(EnvironmentSpec spec, const ClassicOptions& options)
      : ClassicEnvironment(std::move(spec)),
        gravity_(options.gravity),
        float32_action_(options.action_precision == kFloat32) {}

  StepOutcome step(const Action& action, ObservationRow observation) override {
    constexpr double kSeconds = 0.05;
    constexpr double kSpeedLimit = 8.0;
    const double given = single_action(action);
    const double torque = std::clamp(float32_action_ ? as_float32(given) : given, -2.0, 2.0);
    auto& [angle, velocity] = state_;
    const double normalised = normalised_angle(angle);
    // NumPy keeps products of a float32 action with plain numbers in float32.
    const double torque_cost =
        float32_action_ ? as_float32(as_float32(0.001) * as_float32(torque * torque)) : 0.001 * (torque * torque);
    const double torque_term = float32_action_ ? as_float32(3.0 * torque) : 3.0 * torque;
    const double cost = normalised * normalised + 0.1 * (velocity * velocity) + torque_cost;
    const double acceleration = 3.0 * gravity_ / 2.0 * std::sin(angle) + torque_term;
    velocity = std::clamp(velocity + acceleration * kSeconds, -kSpeedLimit, kSpeedLimit);
    angle += velocity * kSeconds;
    observe(observation.float64());
    return {.reward = -cost};
  }

  void draw(RandomStream& rng) {
    state_[0] = rng.uniform(-kPi, kPi);
    state_[1] = rng.uniform(-1.0, 1.0);
  }
  void observe(std::span<double> row) const {
    row[0] = as_float32(std::cos(state_[0]));
    row[1] = as_float32(std::sin(state_[0]));
    row[2] = as_float32(state_[1]);
  }

 private:
  /// Into [-pi, pi) by a floored division.
  static double normalised_angle(double angle) {
    constexpr double kTurn = 2.0 * kPi;
    double rest = std::fmod(angle + kPi, kTurn);
    if (rest < 0.0) rest += kTurn;
    return rest - kPi;
  }

  double gravity_;
  bool float32_action_;
};

/// One row of the table below.
struct ClassicTask {
  EnvironmentSpec spec;
  void (*declare)(EnvironmentOptionSet& set, ClassicOptions& options);
  std::unique_ptr<Environment> (*make)(const EnvironmentSpec& spec, const ClassicOptions& options);
};

template <class Task>
std::unique_ptr<Environment> make(const EnvironmentSpec& spec, const ClassicOptions& options) {
  return std::make_unique<Task>(spec, options);
}

ActionSpec discrete(std::size_t choices) { return {0, choices, {}, {}}; }
ActionSpec single(double bound) { return {1, 0, {-bound}, {bound}}; }

void declare_nothing(EnvironmentOptionSet&, ClassicOptions&) {}

void declare_sutton_barto(EnvironmentOptionSet& set, ClassicOptions& options) {
  set.add("sutton_barto_reward", options.sutton_barto_reward,
          "pay 0 per step and -1 for the fall, in place of 1 per step");
}

void declare_goal_velocity(EnvironmentOptionSet& set, ClassicOptions& options) {
  set.add("goal_velocity", options.goal_velocity, "least speed at the goal, in units of length per step");
}

void declare_precision(EnvironmentOptionSet& set, ClassicOptions& options) {
  set.add_choice("action_precision", options.action_precision, {std::begin(kPrecisions), std::end(kPrecisions)},
                 "precision in which the action arrives, which decides Gymnasium's rounding");
}

std::vector<ClassicTask> classic_tasks() {
  const auto observations = [](std::size_t size) { return ObservationSpec{ObservationType::float64, {size}}; };
  return {
      {{"CartPole-v1", observations(4), discrete(2), 500, 1, std::nullopt, 475.0},
       declare_sutton_barto,
       make<CartPole>},
      {{"Acrobot-v1", observations(6), discrete(3), 500, 1, std::nullopt, -100.0}, declare_nothing, make<Acrobot>},
      {{"MountainCar-v0", observations(2), discrete(3), 200, 1, std::nullopt, -110.0},
       declare_goal_velocity,
       make<MountainCar>},
      {{"MountainCarContinuous-v0", observations(2), single(1.0), 999, 1, std::nullopt, 90.0},
       [](EnvironmentOptionSet& set, ClassicOptions& options) {
         declare_goal_velocity(set, options);
         declare_precision(set, options);
       },
       make<MountainCarContinuous>},
      {{"Pendulum-v1", observations(3), single(2.0), 200, 1, std::nullopt, std::nullopt},
       [](EnvironmentOptionSet& set, ClassicOptions& options) {
         set.add("g", options.gravity, "gravity, in m/s^2");
         declare_precision(set, options);
       },
       make<Pendulum>},
  };
}

std::string summary_of(const EnvironmentSpec& spec) {
  const std::string actions = spec.action.discrete() ? std::to_string(spec.action.choices) + " discrete actions"
                                                     : std::to_string(spec.action.size) + " continuous action";
  return std::to_string(spec.observation.size()) + " observations, " + actions + ", " + std::to_string(spec.max_steps) +
         " steps";
}

}  // namespace

std::vector<EnvironmentInfo> classic_control_environments() {
  std::vector<EnvironmentInfo> infos;
  for (const ClassicTask& task : classic_tasks()) {
    ClassicOptions options;
    EnvironmentOptionSet set(task.spec.name);
    task.declare(set, options);
    infos.push_back({task.spec.name, "classic control", summary_of(task.spec), set.infos(), ""});
  }
  return infos;
}

EnvironmentFactory make_classic_control_factory(const std::string& name, const EnvironmentOptions& given) {
  for (const ClassicTask& task : classic_tasks()) {
    if (task.spec.name != name) continue;
    ClassicOptions options;
    EnvironmentOptionSet set(name);
    task.declare(set, options);
    set.apply(given);
    return [spec = task.spec, options, make = task.make](std::size_t) { return make(spec, options); };
  }
  CLADE_CHECK(false);
  return {};
}

}  // namespace clade
