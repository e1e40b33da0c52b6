// Humanoid and HumanoidStandup: the same body, observed in full.
#include <algorithm>
#include <utility>

#include "envs/mujoco_environment.hpp"

namespace clade {
namespace {

/// Observation: positions (without x and y), velocities, inertias, velocities of bodies, actuator forces, contact
/// forces. Version 5 leaves out the world body's and the root joint's numbers, which are always zero.
class HumanoidBody : public MujocoEnvironment {
 protected:
  explicit HumanoidBody(std::shared_ptr<const MujocoSetup> setup)
      : MujocoEnvironment(std::move(setup)),
        skipped_(parameters().exclude_current_positions_from_observation ? 2 : 0),
        first_body_(task().version == 5 ? 1 : 0),
        first_force_(task().version == 5 ? 6 : 0) {
    require(3, 6, 2);
    const std::size_t observed = bodies() - first_body_;
    std::size_t size = positions() - skipped_ + velocities();
    if (parameters().include_cinert_in_observation) size += 10 * observed;
    if (parameters().include_cvel_in_observation) size += 6 * observed;
    if (parameters().include_qfrc_actuator_in_observation) size += velocities() - first_force_;
    if (parameters().include_cfrc_ext_in_observation) size += 6 * observed;
    set_observation_size(size);
  }

  void write_observation(std::span<double> row) const {
    const MujocoParameters& options = parameters();
    auto out = std::copy(qpos().begin() + static_cast<std::ptrdiff_t>(skipped_), qpos().end(), row.begin());
    out = std::copy(qvel().begin(), qvel().end(), out);
    if (options.include_cinert_in_observation) {
      out = std::copy(data_.cinert + 10 * first_body_, data_.cinert + 10 * bodies(), out);
    }
    if (options.include_cvel_in_observation) {
      out = std::copy(data_.cvel + 6 * first_body_, data_.cvel + 6 * bodies(), out);
    }
    if (options.include_qfrc_actuator_in_observation) {
      out = std::copy(data_.qfrc_actuator + first_force_, data_.qfrc_actuator + velocities(), out);
    }
    if (options.include_cfrc_ext_in_observation) {
      std::copy(data_.cfrc_ext + 6 * first_body_, data_.cfrc_ext + 6 * bodies(), out);
    }
  }

  double squared_controls() const { return sum_of_squares({data_.ctrl, static_cast<std::size_t>(model_.nu)}); }
  double squared_contact_forces() const { return sum_of_squares({data_.cfrc_ext, 6 * bodies()}); }

 private:
  std::size_t skipped_;
  std::size_t first_body_;
  std::size_t first_force_;
};

class Humanoid final : public HumanoidBody {
 public:
  explicit Humanoid(std::shared_ptr<const MujocoSetup> setup)
      : HumanoidBody(std::move(setup)), pays_contacts_(task().version == 5) {
    if (pays_contacts_ || parameters().include_cfrc_ext_in_observation) need_contact_forces();
    for (std::size_t body = 0; body < bodies(); ++body) mass_ += model_.body_mass[body];
  }

  StepOutcome step(const Action& action, ObservationRow observation) override {
    const MujocoParameters& options = parameters();
    const double before = centre_of_mass();
    StepOutcome outcome;
    outcome.failure = simulate(action);
    write_observation(observation.float64());
    const double velocity = (centre_of_mass() - before) / step_seconds();
    const bool healthy = options.healthy_z_range.low < data_.qpos[2] && data_.qpos[2] < options.healthy_z_range.high;
    outcome.terminated = !healthy && options.terminate_when_unhealthy;
    // Version 4 pays for health on the last, unhealthy step too.
    const bool paid = healthy || (task().version == 4 && options.terminate_when_unhealthy);
    const double rewards = options.forward_reward_weight * velocity + (paid ? options.healthy_reward : 0.0);
    double costs = options.ctrl_cost_weight * squared_controls();
    if (pays_contacts_) {
      costs += std::clamp(options.contact_cost_weight * squared_contact_forces(), options.contact_cost_range.low,
                          options.contact_cost_range.high);
    }
    outcome.reward = rewards - costs;
    return outcome;
  }

 protected:
  void observe(std::span<double> row) const override { write_observation(row); }

 private:
  /// Forward coordinate, in m.
  double centre_of_mass() const {
    double sum = 0.0;
    for (std::size_t body = 0; body < bodies(); ++body) sum += model_.body_mass[body] * data_.xipos[3 * body];
    return sum / mass_;
  }

  bool pays_contacts_;
  double mass_ = 0.0;
};

class HumanoidStandup final : public HumanoidBody {
 public:
  explicit HumanoidStandup(std::shared_ptr<const MujocoSetup> setup) : HumanoidBody(std::move(setup)) {
    need_contact_forces();
  }

  StepOutcome step(const Action& action, ObservationRow observation) override {
    const MujocoParameters& options = parameters();
    StepOutcome outcome;
    outcome.failure = simulate(action);
    write_observation(observation.float64());
    const double height = options.uph_cost_weight * (data_.qpos[2] / model_.opt.timestep);
    const double control = options.ctrl_cost_weight * squared_controls();
    const double impact = std::clamp(options.impact_cost_weight * squared_contact_forces(),
                                     options.impact_cost_range.low, options.impact_cost_range.high);
    outcome.reward = height - control - impact + 1.0;
    return outcome;
  }

 protected:
  void observe(std::span<double> row) const override { write_observation(row); }
};

}  // namespace

std::unique_ptr<Environment> make_humanoid_environment(const std::shared_ptr<const MujocoSetup>& setup) {
  if (setup->task.kind == MujocoTaskKind::humanoid) return std::make_unique<Humanoid>(setup);
  return std::make_unique<HumanoidStandup>(setup);
}

}  // namespace clade
