#pragma once

#include <map>
#include <string>
#include <vector>

#include "envs/catalog.hpp"

namespace clade {

/// Gymnasium's eleven MuJoCo tasks in versions 4 and 5. Those that cannot be made say why in `unavailable`: the build
/// is without MuJoCo, the library or the models are not found, or Gymnasium itself refuses (Pusher-v4).
std::vector<EnvironmentInfo> mujoco_environments();

/// `name` is one of the above. Loads the library and the model, which the factory's slots share. Throws Error.
EnvironmentFactory make_mujoco_factory(const std::string& name, const EnvironmentOptions& options);

/// Version and SHA-256 of the library, name and SHA-256 of the model file. Throws Error as make_mujoco_factory.
std::map<std::string, std::string> mujoco_provenance(const std::string& name, const EnvironmentOptions& options);

}  // namespace clade
