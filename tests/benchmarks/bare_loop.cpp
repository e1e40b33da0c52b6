#include "core/error.hpp"
#include "tests/benchmarks/environment_bench.hpp"

#ifdef CLADE_MUJOCO

#include <mujoco/mujoco.h>

#include <algorithm>

#include "envs/mujoco_library.hpp"
#include "envs/mujoco_model.hpp"
#include "envs/mujoco_tasks.hpp"

namespace clade::bench {
namespace {

/// Whether the task reads external forces, which only mj_rnePostConstraint computes.
bool reads_contact_forces(const MujocoTask& task) {
  return task.kind == MujocoTaskKind::humanoid || task.kind == MujocoTaskKind::humanoid_standup ||
         (task.kind == MujocoTaskKind::ant && (task.version >= 5 || task.defaults.use_contact_forces));
}

MujocoTask find_task(const std::string& name) {
  for (MujocoTask& task : mujoco_tasks()) {
    if (task.name == name) return std::move(task);
  }
  throw_input_error("'" + name + "' is not a MuJoCo task; the bare loop plays HalfCheetah-v4, Ant-v4 and the like");
}

struct DeleteData {
  const MujocoLibrary* library;
  void operator()(mjData* data) const { library->delete_data(data); }
};

}  // namespace

struct BareLoop::Implementation {
  MujocoTask task;
  MujocoModel model;
  const ActionBank& actions;
  bool contact_forces;
  std::vector<std::unique_ptr<mjData, DeleteData>> data;

  Implementation(MujocoTask played, const ActionBank& bank)
      : task(std::move(played)),
        model(load_mujoco_library(), find_mujoco_model(task.defaults.xml_file)),
        actions(bank),
        contact_forces(reads_contact_forces(task)) {}
};

BareLoop::BareLoop(const EnvironmentSettings& settings, const ActionBank& actions) {
  if (!settings.env_options.empty()) throw_input_error("the bare loop knows no options: leave --env-option out");
  implementation_ = std::make_unique<Implementation>(find_task(settings.env), actions);
  const MujocoLibrary& library = implementation_->model.library();
  for (int thread = 0; thread < settings.threads; ++thread) {
    implementation_->data.emplace_back(library.make_data(&implementation_->model.get()), DeleteData{&library});
    if (!implementation_->data.back()) throw_run_time_error("MuJoCo could not allocate an mjData: out of memory");
  }
}

BareLoop::~BareLoop() = default;

void BareLoop::play(std::size_t thread, const Recording& recording) {
  const Implementation& self = *implementation_;
  const mjModel* model = &self.model.get();
  const MujocoLibrary& mujoco = self.model.library();
  mjData* data = self.data[thread].get();
  const auto frames = static_cast<int>(self.task.defaults.frame_skip);
  const auto positions = model->nq;
  for (const PlayedEpisode& episode : recording.episodes) {
    mujoco.reset_data(model, data);
    std::copy_n(episode.state.data(), positions, data->qpos);
    std::copy_n(episode.state.data() + positions, model->nv, data->qvel);
    mujoco.forward(model, data);
    for (std::uint32_t step = 0; step < episode.steps; ++step) {
      const Action action = self.actions.at(episode.first_action + step);
      std::copy(action.continuous.begin(), action.continuous.end(), data->ctrl);
      for (int frame = 0; frame < frames; ++frame) mujoco.step(model, data);
      if (self.contact_forces) mujoco.rne_post_constraint(model, data);
    }
  }
}

std::vector<double> BareLoop::state(std::size_t thread) const {
  const mjModel& model = implementation_->model.get();
  const mjData& data = *implementation_->data[thread];
  std::vector<double> result(data.qpos, data.qpos + model.nq);
  result.insert(result.end(), data.qvel, data.qvel + model.nv);
  return result;
}

}  // namespace clade::bench

#else

namespace clade::bench {

struct BareLoop::Implementation {};

BareLoop::BareLoop(const EnvironmentSettings&, const ActionBank&) {
  throw_input_error("this build is without MuJoCo: configure with -DCLADE_MUJOCO=ON");
}
BareLoop::~BareLoop() = default;
void BareLoop::play(std::size_t, const Recording&) {}
std::vector<double> BareLoop::state(std::size_t) const { return {}; }

}  // namespace clade::bench

#endif
