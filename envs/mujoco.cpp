#include "envs/mujoco.hpp"

#include <memory>
#include <utility>

#include "core/error.hpp"
#include "envs/mujoco_environment.hpp"
#include "envs/mujoco_listing.hpp"
#include "envs/sha256.hpp"

namespace clade {
namespace {

std::unique_ptr<Environment> make_slot(const std::shared_ptr<const MujocoSetup>& setup) {
  switch (setup->task.kind) {
    case MujocoTaskKind::half_cheetah:
    case MujocoTaskKind::hopper:
    case MujocoTaskKind::walker2d:
    case MujocoTaskKind::swimmer:
    case MujocoTaskKind::ant:
      return make_locomotion_environment(setup);
    case MujocoTaskKind::humanoid:
    case MujocoTaskKind::humanoid_standup:
      return make_humanoid_environment(setup);
    case MujocoTaskKind::reacher:
    case MujocoTaskKind::pusher:
      return make_manipulation_environment(setup);
    case MujocoTaskKind::inverted_pendulum:
    case MujocoTaskKind::inverted_double_pendulum:
      return make_balance_environment(setup);
  }
  CLADE_CHECK(false);
  return nullptr;
}

/// Why no task can be made on this machine, empty where they can.
std::string missing_piece() {
  try {
    load_mujoco_library();
    find_mujoco_model(mujoco_tasks().front().defaults.xml_file);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

std::vector<EnvironmentInfo> mujoco_environments() { return list_mujoco_tasks(missing_piece()); }

EnvironmentFactory make_mujoco_factory(const std::string& name, const EnvironmentOptions& options) {
  auto setup = std::make_shared<MujocoSetup>();
  setup->task = find_mujoco_task(name);
  setup->parameters = resolve_mujoco_parameters(setup->task, options);
  setup->model =
      std::make_shared<const MujocoModel>(load_mujoco_library(), find_mujoco_model(setup->parameters.xml_file));
  // A model that does not suit the task is refused here, not in the first slot.
  make_slot(setup);
  return [setup = std::shared_ptr<const MujocoSetup>(std::move(setup))](std::size_t) { return make_slot(setup); };
}

std::map<std::string, std::string> mujoco_provenance(const std::string& name, const EnvironmentOptions& options) {
  const std::shared_ptr<const MujocoLibrary> library = load_mujoco_library();
  const std::filesystem::path model =
      find_mujoco_model(resolve_mujoco_parameters(find_mujoco_task(name), options).xml_file);
  return {{"mujoco_version", library->version},
          {"mujoco_library_sha256", sha256_of_file(library->path)},
          {"model_file", model.filename().string()},
          {"model_sha256", sha256_of_file(model)}};
}

}  // namespace clade
