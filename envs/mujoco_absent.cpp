// In place of mujoco.cpp in a build without MuJoCo: the tasks are listed, and refused.
#include "core/error.hpp"
#include "envs/mujoco.hpp"
#include "envs/mujoco_listing.hpp"

namespace clade {
namespace {

constexpr const char* kReason = "this build is without MuJoCo; configure with -DCLADE_MUJOCO=ON";

}  // namespace

std::vector<EnvironmentInfo> mujoco_environments() { return list_mujoco_tasks(kReason); }

EnvironmentFactory make_mujoco_factory(const std::string& name, const EnvironmentOptions&) {
  throw_input_error("environment '" + find_mujoco_task(name).name + "' is not available: " + kReason);
}

std::map<std::string, std::string> mujoco_provenance(const std::string& name, const EnvironmentOptions&) {
  throw_input_error("environment '" + find_mujoco_task(name).name + "' is not available: " + kReason);
}

}  // namespace clade
