#include "envs/mujoco_listing.hpp"

#include "core/error.hpp"

namespace clade {

std::vector<EnvironmentInfo> list_mujoco_tasks(const std::string& reason) {
  std::vector<EnvironmentInfo> infos;
  for (const MujocoTask& task : mujoco_tasks()) {
    MujocoParameters parameters = task.defaults;
    EnvironmentOptionSet set(task.name);
    declare_mujoco_options(task, set, parameters);
    infos.push_back({task.name, "MuJoCo",
                     std::to_string(task.observations) + " observations, " + std::to_string(task.actions) +
                         (task.actions == 1 ? " continuous action, " : " continuous actions, ") +
                         std::to_string(task.max_steps) + " steps",
                     set.infos(), task.refusal.empty() ? reason : task.refusal});
  }
  return infos;
}

MujocoTask find_mujoco_task(const std::string& name) {
  for (const MujocoTask& task : mujoco_tasks()) {
    if (task.name != name) continue;
    if (!task.refusal.empty()) throw_input_error("environment '" + name + "' is not available: " + task.refusal);
    return task;
  }
  CLADE_CHECK(false);
  return {};
}

MujocoParameters resolve_mujoco_parameters(const MujocoTask& task, const EnvironmentOptions& options) {
  MujocoParameters parameters = task.defaults;
  EnvironmentOptionSet set(task.name);
  declare_mujoco_options(task, set, parameters);
  set.apply(options);
  return parameters;
}

}  // namespace clade
