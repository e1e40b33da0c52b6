#pragma once

#include <string>
#include <vector>

#include "envs/catalog.hpp"
#include "envs/mujoco_tasks.hpp"

namespace clade {

/// The catalogue's entries of all MuJoCo tasks; `reason` says why none can be made, empty where they can. Needs no
/// MuJoCo.
std::vector<EnvironmentInfo> list_mujoco_tasks(const std::string& reason);

/// The task of that name; throws Error (input) where it is refused altogether (Pusher-v4).
MujocoTask find_mujoco_task(const std::string& name);

/// The task's parameters with the options applied. Throws Error.
MujocoParameters resolve_mujoco_parameters(const MujocoTask& task, const EnvironmentOptions& options);

}  // namespace clade
