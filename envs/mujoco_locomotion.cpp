// HalfCheetah, Hopper, Walker2d, Swimmer and Ant: what moves forward is paid.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "envs/mujoco_environment.hpp"

namespace clade {
namespace {

bool strictly_within(double value, const Range& range) { return range.low < value && value < range.high; }

/// What a step pays for health: version 4 pays it on the last, unhealthy step too.
double healthy_reward(const MujocoTask& task, const MujocoParameters& parameters, bool healthy) {
  const bool paid = healthy || (task.version == 4 && parameters.terminate_when_unhealthy);
  return paid ? parameters.healthy_reward : 0.0;
}

/// The four whose velocity is that of their first coordinate. Observation: positions without the horizontal ones, then
/// velocities.
class Runner final : public MujocoEnvironment {
 public:
  explicit Runner(std::shared_ptr<const MujocoSetup> setup)
      : MujocoEnvironment(std::move(setup)),
        has_health_(task().kind == MujocoTaskKind::hopper || task().kind == MujocoTaskKind::walker2d),
        checks_state_(task().kind == MujocoTaskKind::hopper),
        clips_velocities_(has_health_),
        skipped_(!parameters().exclude_current_positions_from_observation ? 0
                 : task().kind == MujocoTaskKind::swimmer                 ? 2
                                                                          : 1) {
    require(3, 3);
    if (task().kind == MujocoTaskKind::half_cheetah) draw_normal_velocities();
    set_observation_size(positions() - skipped_ + velocities());
  }

  StepOutcome step(const Action& action, ObservationRow observation) override {
    const double before = data_.qpos[0];
    StepOutcome outcome;
    outcome.failure = simulate(action);
    observe(observation.float64());
    const double velocity = (data_.qpos[0] - before) / step_seconds();
    double rewards = parameters().forward_reward_weight * velocity;
    if (has_health_) {
      const bool healthy = is_healthy();
      rewards += healthy_reward(task(), parameters(), healthy);
      outcome.terminated = !healthy && parameters().terminate_when_unhealthy;
    }
    outcome.reward = rewards - parameters().ctrl_cost_weight * sum_of_squares(action.continuous);
    return outcome;
  }

 protected:
  void observe(std::span<double> row) const override {
    auto out = std::copy(qpos().begin() + static_cast<std::ptrdiff_t>(skipped_), qpos().end(), row.begin());
    if (clips_velocities_) {
      std::transform(qvel().begin(), qvel().end(), out, [](double v) { return std::clamp(v, -10.0, 10.0); });
    } else {
      std::copy(qvel().begin(), qvel().end(), out);
    }
  }

 private:
  bool is_healthy() const {
    const MujocoParameters& limits = parameters();
    if (!strictly_within(data_.qpos[1], limits.healthy_z_range)) return false;
    if (!strictly_within(data_.qpos[2], limits.healthy_angle_range)) return false;
    if (!checks_state_) return true;
    const auto inside = [&](double value) { return strictly_within(value, limits.healthy_state_range); };
    return std::all_of(qpos().begin() + 2, qpos().end(), inside) && std::all_of(qvel().begin(), qvel().end(), inside);
  }

  bool has_health_;
  bool checks_state_;
  bool clips_velocities_;
  std::size_t skipped_;
};

class Ant final : public MujocoEnvironment {
 public:
  explicit Ant(std::shared_ptr<const MujocoSetup> setup)
      : MujocoEnvironment(std::move(setup)),
        main_body_(find_main_body()),
        skipped_(parameters().exclude_current_positions_from_observation ? 2 : 0),
        pays_contacts_(task().version == 5 || parameters().use_contact_forces),
        observes_contacts_(task().version == 5 ? parameters().include_cfrc_ext_in_observation
                                               : parameters().use_contact_forces),
        first_observed_body_(task().version == 5 ? 1 : 0),
        forces_(6 * bodies()) {
    require(3, 3);
    draw_normal_velocities();
    if (pays_contacts_ || observes_contacts_) need_contact_forces();
    const std::size_t contacts = observes_contacts_ ? 6 * (bodies() - first_observed_body_) : 0;
    set_observation_size(positions() - skipped_ + velocities() + contacts);
  }

  StepOutcome step(const Action& action, ObservationRow observation) override {
    const double before = data_.xpos[3 * main_body_];
    StepOutcome outcome;
    outcome.failure = simulate(action);
    observe(observation.float64());
    const double velocity = (data_.xpos[3 * main_body_] - before) / step_seconds();
    const bool healthy = is_healthy();
    outcome.terminated = !healthy && parameters().terminate_when_unhealthy;
    const double rewards =
        parameters().forward_reward_weight * velocity + healthy_reward(task(), parameters(), healthy);
    double costs = parameters().ctrl_cost_weight * sum_of_squares(action.continuous);
    if (pays_contacts_) {
      clip_forces(forces_);
      costs += parameters().contact_cost_weight * sum_of_squares(forces_);
    }
    outcome.reward = rewards - costs;
    return outcome;
  }

 protected:
  void observe(std::span<double> row) const override {
    auto out = std::copy(qpos().begin() + static_cast<std::ptrdiff_t>(skipped_), qpos().end(), row.begin());
    out = std::copy(qvel().begin(), qvel().end(), out);
    if (observes_contacts_) clip_forces({out, row.end()});
  }

 private:
  std::size_t find_main_body() const {
    const std::string& name = parameters().main_body;
    std::size_t number = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size()) {
      return static_cast<std::size_t>(model_file().body(name.c_str()));
    }
    if (number >= bodies()) {
      throw_input_error("main_body=" + name + " of " + task().name + ": the model has bodies 0 to " +
                        std::to_string(bodies() - 1));
    }
    return number;
  }

  /// The last bodies' external contact forces, as many as fit.
  void clip_forces(std::span<double> forces) const {
    const Range& range = parameters().contact_force_range;
    const double* source = data_.cfrc_ext + (6 * bodies() - forces.size());
    for (std::size_t i = 0; i < forces.size(); ++i) forces[i] = std::clamp(source[i], range.low, range.high);
  }

  bool is_healthy() const {
    const auto finite = [](double value) { return std::isfinite(value); };
    const Range& heights = parameters().healthy_z_range;
    return heights.low <= data_.qpos[2] && data_.qpos[2] <= heights.high &&
           std::all_of(qpos().begin(), qpos().end(), finite) && std::all_of(qvel().begin(), qvel().end(), finite);
  }

  std::size_t main_body_;
  std::size_t skipped_;
  bool pays_contacts_;
  bool observes_contacts_;
  std::size_t first_observed_body_;
  std::vector<double> forces_;  ///< clipped, all bodies
};

}  // namespace

std::unique_ptr<Environment> make_locomotion_environment(const std::shared_ptr<const MujocoSetup>& setup) {
  if (setup->task.kind == MujocoTaskKind::ant) return std::make_unique<Ant>(setup);
  return std::make_unique<Runner>(setup);
}

}  // namespace clade
