#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "envs/mujoco_model.hpp"
#include "envs/mujoco_tasks.hpp"

namespace clade {

/// What the slots of a factory share: immutable.
struct MujocoSetup {
  std::shared_ptr<const MujocoModel> model;
  MujocoTask task;
  MujocoParameters parameters;
};

/// What all MuJoCo tasks share: the slot's mjData, stepping, start states and their access. A task's final class gives
/// step(), observe() and, where it is not noise about the model's start state, draw_start().
class MujocoEnvironment : public Environment, public StateAccess {
 public:
  ~MujocoEnvironment() override;
  MujocoEnvironment(const MujocoEnvironment&) = delete;
  MujocoEnvironment& operator=(const MujocoEnvironment&) = delete;

  const EnvironmentSpec& spec() const final { return spec_; }
  void reset(RandomStream& rng, ObservationRow observation) final;

  /// qpos, then qvel.
  std::vector<double> state() const final;
  void reset_to(std::span<const double> state, ObservationRow observation) final;
  void set_state(std::span<const double> state) final;

 protected:
  explicit MujocoEnvironment(std::shared_ptr<const MujocoSetup> setup);
  /// Ends a constructor: fixes the observation's size.
  void set_observation_size(std::size_t size) { spec_.observation = {ObservationType::float64, {size}}; }
  /// Throws Error where the model has fewer positions, velocities, bodies or sites than the task reads.
  void require(int positions, int velocities, int bodies = 0, int sites = 0) const;
  /// For tasks that read mjData::cfrc_ext. Elsewhere mj_rnePostConstraint is left out: nothing else depends on it.
  void need_contact_forces() { contact_forces_ = true; }
  /// Start velocities are normal instead of uniform.
  void draw_normal_velocities() { normal_velocities_ = true; }

  /// Applies the action for frame_skip physics steps. Returns why the simulation broke, or nullptr.
  const char* simulate(const Action& action);
  /// Writes the start state into data_.qpos and data_.qvel, which hold the model's: noise of reset_noise_scale.
  virtual void draw_start(RandomStream& rng);
  virtual void observe(std::span<double> row) const = 0;

  const MujocoParameters& parameters() const { return setup_->parameters; }
  const MujocoTask& task() const { return setup_->task; }
  const MujocoModel& model_file() const { return *setup_->model; }
  std::size_t positions() const { return static_cast<std::size_t>(model_.nq); }
  std::size_t velocities() const { return static_cast<std::size_t>(model_.nv); }
  std::size_t bodies() const { return static_cast<std::size_t>(model_.nbody); }
  std::span<const double> qpos() const { return {data_.qpos, positions()}; }
  std::span<const double> qvel() const { return {data_.qvel, velocities()}; }
  /// Seconds of one step.
  double step_seconds() const { return step_seconds_; }

 private:
  std::shared_ptr<const MujocoSetup> setup_;

 protected:
  const mjModel& model_;
  mjData& data_;

 private:
  EnvironmentSpec spec_;
  double step_seconds_;
  std::size_t frame_skip_;
  bool contact_forces_ = false;
  bool normal_velocities_ = false;
};

/// Sum of squares in the order NumPy adds (eight partial sums up to 128 numbers), so that rewards agree to the bit.
double sum_of_squares(std::span<const double> values);

/// Makes a slot of the setup's task. Throws Error where the model does not suit it.
std::unique_ptr<Environment> make_locomotion_environment(const std::shared_ptr<const MujocoSetup>& setup);
std::unique_ptr<Environment> make_humanoid_environment(const std::shared_ptr<const MujocoSetup>& setup);
std::unique_ptr<Environment> make_manipulation_environment(const std::shared_ptr<const MujocoSetup>& setup);
std::unique_ptr<Environment> make_balance_environment(const std::shared_ptr<const MujocoSetup>& setup);

}  // namespace clade
