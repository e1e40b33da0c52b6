#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "envs/environment_options.hpp"

namespace clade {

enum class MujocoTaskKind {
  half_cheetah,
  hopper,
  walker2d,
  swimmer,
  ant,
  humanoid,
  humanoid_standup,
  reacher,
  pusher,
  inverted_pendulum,
  inverted_double_pendulum
};

/// Gymnasium's constructor parameters of all MuJoCo tasks, under its names; a task uses those that it declares.
/// Weights are factors of terms of the reward, ranges are in metres, radians and newtons.
struct MujocoParameters {
  std::string xml_file;
  std::uint64_t frame_skip = 1;
  double forward_reward_weight = 1.0;
  double ctrl_cost_weight = 0.0;
  double contact_cost_weight = 5e-4;
  double healthy_reward = 0.0;
  double uph_cost_weight = 1.0;
  double impact_cost_weight = 5e-7;
  double reward_near_weight = 0.5;
  double reward_dist_weight = 1.0;
  double reward_control_weight = 1.0;
  double reset_noise_scale = 0.0;
  bool terminate_when_unhealthy = true;
  bool exclude_current_positions_from_observation = true;
  bool use_contact_forces = false;
  bool include_cinert_in_observation = true;
  bool include_cvel_in_observation = true;
  bool include_qfrc_actuator_in_observation = true;
  bool include_cfrc_ext_in_observation = true;
  Range healthy_state_range;
  Range healthy_z_range;
  Range healthy_angle_range;
  Range contact_force_range{-1.0, 1.0};
  Range contact_cost_range{-std::numeric_limits<double>::infinity(), 10.0};
  Range impact_cost_range{-std::numeric_limits<double>::infinity(), 10.0};
  std::string main_body = "torso";
};

/// A task in one of Gymnasium's versions.
struct MujocoTask {
  MujocoTaskKind kind;
  std::string name;  ///< "HalfCheetah-v4"
  int version;       ///< 4 or 5
  std::uint32_t max_steps = 1000;
  std::optional<double> reward_threshold{};  ///< of Gymnasium's registry
  std::size_t observations = 0;              ///< with the default options
  std::size_t actions = 0;
  MujocoParameters defaults{};
  std::string refusal{};  ///< why it is not offered at all, empty where it is
};

/// The eleven tasks in both versions. Needs no MuJoCo.
std::vector<MujocoTask> mujoco_tasks();

/// Declares the options that Gymnasium's constructor of this task and version has.
void declare_mujoco_options(const MujocoTask& task, EnvironmentOptionSet& set, MujocoParameters& parameters);

}  // namespace clade
