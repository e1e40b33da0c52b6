#include "envs/mujoco_tasks.hpp"

namespace clade {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Kind = MujocoTaskKind;

bool runs_forward(Kind kind) {
  return kind == Kind::half_cheetah || kind == Kind::hopper || kind == Kind::walker2d || kind == Kind::swimmer;
}

/// Gymnasium's defaults of one task, of its version 4 where the versions differ.
MujocoTask base_task(Kind kind) {
  MujocoTask task{kind, "", 4, 1000, std::nullopt, 0, 0, {}, ""};
  MujocoParameters& defaults = task.defaults;
  switch (kind) {
    case Kind::half_cheetah:
      task.name = "HalfCheetah";
      task.reward_threshold = 4800.0;
      task.observations = 17;
      task.actions = 6;
      defaults.xml_file = "half_cheetah.xml";
      defaults.frame_skip = 5;
      defaults.ctrl_cost_weight = 0.1;
      defaults.reset_noise_scale = 0.1;
      break;
    case Kind::hopper:
      task.name = "Hopper";
      task.reward_threshold = 3800.0;
      task.observations = 11;
      task.actions = 3;
      defaults.xml_file = "hopper.xml";
      defaults.frame_skip = 4;
      defaults.ctrl_cost_weight = 1e-3;
      defaults.healthy_reward = 1.0;
      defaults.healthy_state_range = {-100.0, 100.0};
      defaults.healthy_z_range = {0.7, kInfinity};
      defaults.healthy_angle_range = {-0.2, 0.2};
      defaults.reset_noise_scale = 5e-3;
      break;
    case Kind::walker2d:
      task.name = "Walker2d";
      task.observations = 17;
      task.actions = 6;
      defaults.xml_file = "walker2d.xml";
      defaults.frame_skip = 4;
      defaults.ctrl_cost_weight = 1e-3;
      defaults.healthy_reward = 1.0;
      defaults.healthy_z_range = {0.8, 2.0};
      defaults.healthy_angle_range = {-1.0, 1.0};
      defaults.reset_noise_scale = 5e-3;
      break;
    case Kind::swimmer:
      task.name = "Swimmer";
      task.reward_threshold = 360.0;
      task.observations = 8;
      task.actions = 2;
      defaults.xml_file = "swimmer.xml";
      defaults.frame_skip = 4;
      defaults.ctrl_cost_weight = 1e-4;
      defaults.reset_noise_scale = 0.1;
      break;
    case Kind::ant:
      task.name = "Ant";
      task.reward_threshold = 6000.0;
      task.observations = 27;
      task.actions = 8;
      defaults.xml_file = "ant.xml";
      defaults.frame_skip = 5;
      defaults.ctrl_cost_weight = 0.5;
      defaults.healthy_reward = 1.0;
      defaults.healthy_z_range = {0.2, 1.0};
      defaults.reset_noise_scale = 0.1;
      break;
    case Kind::humanoid:
      task.name = "Humanoid";
      task.observations = 376;
      task.actions = 17;
      defaults.xml_file = "humanoid.xml";
      defaults.frame_skip = 5;
      defaults.forward_reward_weight = 1.25;
      defaults.ctrl_cost_weight = 0.1;
      defaults.contact_cost_weight = 5e-7;
      defaults.healthy_reward = 5.0;
      defaults.healthy_z_range = {1.0, 2.0};
      defaults.reset_noise_scale = 0.01;
      break;
    case Kind::humanoid_standup:
      task.name = "HumanoidStandup";
      task.observations = 376;
      task.actions = 17;
      defaults.xml_file = "humanoidstandup.xml";
      defaults.frame_skip = 5;
      defaults.ctrl_cost_weight = 0.1;
      defaults.reset_noise_scale = 0.01;
      break;
    case Kind::reacher:
      task.name = "Reacher";
      task.max_steps = 50;
      task.reward_threshold = -3.75;
      task.observations = 11;
      task.actions = 2;
      defaults.xml_file = "reacher.xml";
      defaults.frame_skip = 2;
      break;
    case Kind::pusher:
      task.name = "Pusher";
      task.max_steps = 100;
      task.reward_threshold = 0.0;
      task.observations = 23;
      task.actions = 7;
      defaults.xml_file = "pusher.xml";
      defaults.frame_skip = 5;
      defaults.reward_control_weight = 0.1;
      task.refusal =
          "Gymnasium supports Pusher-v4 only with MuJoCo before 3.0, from which on its nearly weightless object "
          "behaves otherwise (Gymnasium's issue 950); use Pusher-v5";
      break;
    case Kind::inverted_pendulum:
      task.name = "InvertedPendulum";
      task.reward_threshold = 950.0;
      task.observations = 4;
      task.actions = 1;
      defaults.xml_file = "inverted_pendulum.xml";
      defaults.frame_skip = 2;
      defaults.healthy_reward = 1.0;
      defaults.reset_noise_scale = 0.01;
      break;
    case Kind::inverted_double_pendulum:
      task.name = "InvertedDoublePendulum";
      task.reward_threshold = 9100.0;
      task.observations = 11;
      task.actions = 1;
      defaults.xml_file = "inverted_double_pendulum.xml";
      defaults.frame_skip = 5;
      defaults.healthy_reward = 10.0;
      defaults.reset_noise_scale = 0.1;
      break;
  }
  task.name += "-v4";
  return task;
}

/// What version 5 changes.
MujocoTask fifth_version(MujocoTask task) {
  task.version = 5;
  task.name.back() = '5';
  task.refusal.clear();
  switch (task.kind) {
    case Kind::walker2d:
      task.defaults.xml_file = "walker2d_v5.xml";
      break;
    case Kind::ant:
      task.observations = 105;
      task.defaults.main_body = "1";
      break;
    case Kind::humanoid:
    case Kind::humanoid_standup:
      task.observations = 348;
      break;
    case Kind::reacher:
      task.observations = 10;
      break;
    case Kind::pusher:
      task.defaults.xml_file = "pusher_v5.xml";
      break;
    case Kind::inverted_double_pendulum:
      task.observations = 9;
      break;
    default:
      break;
  }
  return task;
}

}  // namespace

std::vector<MujocoTask> mujoco_tasks() {
  std::vector<MujocoTask> tasks;
  for (const Kind kind :
       {Kind::half_cheetah, Kind::hopper, Kind::walker2d, Kind::swimmer, Kind::ant, Kind::humanoid,
        Kind::humanoid_standup, Kind::reacher, Kind::pusher, Kind::inverted_pendulum, Kind::inverted_double_pendulum}) {
    tasks.push_back(base_task(kind));
    tasks.push_back(fifth_version(tasks.back()));
  }
  return tasks;
}

void declare_mujoco_options(const MujocoTask& task, EnvironmentOptionSet& set, MujocoParameters& parameters) {
  const Kind kind = task.kind;
  const bool fifth = task.version == 5;
  const bool humanoid_body = kind == Kind::humanoid || kind == Kind::humanoid_standup;
  const bool walks = runs_forward(kind) || kind == Kind::ant || kind == Kind::humanoid;
  const bool has_health = kind == Kind::hopper || kind == Kind::walker2d || kind == Kind::ant || kind == Kind::humanoid;

  if (fifth || kind == Kind::ant) {
    set.add("xml_file", parameters.xml_file, "model: a file of Gymnasium's, or a path that starts with / ./ or ~/");
  }
  if (fifth) set.add("frame_skip", parameters.frame_skip, "physics steps of one step", 1, 1000);
  if (walks && (fifth || kind != Kind::ant)) {
    set.add("forward_reward_weight", parameters.forward_reward_weight, "weight of the forward velocity, in m/s");
  }
  if (kind == Kind::humanoid_standup && fifth) {
    set.add("uph_cost_weight", parameters.uph_cost_weight,
            "weight of the height over the time step (Gymnasium 1.4.0 accepts and ignores it)");
  }
  if (walks || (kind == Kind::humanoid_standup && fifth)) {
    set.add("ctrl_cost_weight", parameters.ctrl_cost_weight, "weight of the squared action");
  }
  if (kind == Kind::ant && !fifth) {
    set.add("use_contact_forces", parameters.use_contact_forces, "contact forces in observation and cost");
  }
  if (kind == Kind::ant || (kind == Kind::humanoid && fifth)) {
    set.add("contact_cost_weight", parameters.contact_cost_weight, "weight of the squared contact forces");
  }
  if (kind == Kind::ant) {
    set.add("contact_force_range", parameters.contact_force_range, "contact forces are clipped to it");
  }
  if (kind == Kind::humanoid && fifth) {
    set.add("contact_cost_range", parameters.contact_cost_range, "the contact cost is clipped to it");
  }
  if (kind == Kind::humanoid_standup && fifth) {
    set.add("impact_cost_weight", parameters.impact_cost_weight, "weight of the squared contact forces");
    set.add("impact_cost_range", parameters.impact_cost_range, "the impact cost is clipped to it");
  }
  if (has_health || (kind == Kind::inverted_double_pendulum && fifth)) {
    set.add("healthy_reward", parameters.healthy_reward, "what a step pays while healthy");
  }
  if (has_health) {
    set.add("terminate_when_unhealthy", parameters.terminate_when_unhealthy, "end the episode when unhealthy");
    set.add("healthy_z_range", parameters.healthy_z_range, "heights that are healthy, in m");
  }
  if (kind == Kind::hopper || kind == Kind::walker2d) {
    set.add("healthy_angle_range", parameters.healthy_angle_range, "torso angles that are healthy, in rad");
  }
  if (kind == Kind::hopper) {
    set.add("healthy_state_range", parameters.healthy_state_range, "values of the other states that are healthy");
  }
  if (kind == Kind::ant && fifth) {
    set.add("main_body", parameters.main_body, "body, by name or number, whose velocity is rewarded");
  }
  if (walks || (fifth && kind != Kind::reacher && kind != Kind::pusher)) {
    set.add("reset_noise_scale", parameters.reset_noise_scale, "scale of the start state's noise", 0.0);
  }
  if (walks || (kind == Kind::humanoid_standup && fifth)) {
    set.add("exclude_current_positions_from_observation", parameters.exclude_current_positions_from_observation,
            "leave the horizontal position out of the observation");
  }
  if (humanoid_body && fifth) {
    set.add("include_cinert_in_observation", parameters.include_cinert_in_observation, "observe inertias");
    set.add("include_cvel_in_observation", parameters.include_cvel_in_observation, "observe velocities of bodies");
    set.add("include_qfrc_actuator_in_observation", parameters.include_qfrc_actuator_in_observation,
            "observe actuator forces");
  }
  if ((humanoid_body || kind == Kind::ant) && fifth) {
    set.add("include_cfrc_ext_in_observation", parameters.include_cfrc_ext_in_observation, "observe contact forces");
  }
  if (kind == Kind::pusher && fifth) {
    set.add("reward_near_weight", parameters.reward_near_weight, "weight of the tip's distance to the object");
  }
  if ((kind == Kind::reacher || kind == Kind::pusher) && fifth) {
    set.add("reward_dist_weight", parameters.reward_dist_weight, "weight of the distance to the goal");
    set.add("reward_control_weight", parameters.reward_control_weight, "weight of the squared action");
  }
}

}  // namespace clade
