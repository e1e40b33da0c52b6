#include <mujoco/mujoco.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "envs/mujoco_library.hpp"
#include "envs/mujoco_model.hpp"
#include "envs/mujoco_tasks.hpp"
#include "tests/benchmarks/bare_loop.hpp"

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
  throw_input_error("'" + name + "' is neither a MuJoCo task nor an Atari game; the bare loop plays HalfCheetah-v4, " +
                    "Pong and the like");
}

struct DeleteData {
  const MujocoLibrary* library;
  void operator()(mjData* data) const { library->delete_data(data); }
};

class BareMujocoLoop final : public BareLoop {
 public:
  BareMujocoLoop(const EnvironmentSettings& settings, const ActionBank& actions)
      : task_(find_task(settings.env)),
        model_(load_mujoco_library(), find_mujoco_model(task_.defaults.xml_file)),
        actions_(actions),
        contact_forces_(reads_contact_forces(task_)) {
    const MujocoLibrary& library = model_.library();
    for (int thread = 0; thread < settings.threads; ++thread) {
      data_.emplace_back(library.make_data(&model_.get()), DeleteData{&library});
      if (!data_.back()) throw_run_time_error("MuJoCo could not allocate an mjData: out of memory");
    }
  }

  void play(std::size_t thread, const Recording& recording) override {
    const mjModel* model = &model_.get();
    const MujocoLibrary& mujoco = model_.library();
    mjData* data = data_[thread].get();
    const auto frames = static_cast<int>(task_.defaults.frame_skip);
    const auto positions = model->nq;
    for (const PlayedEpisode& episode : recording.episodes) {
      mujoco.reset_data(model, data);
      std::copy_n(episode.state.data(), positions, data->qpos);
      std::copy_n(episode.state.data() + positions, model->nv, data->qvel);
      mujoco.forward(model, data);
      for (std::uint32_t step = 0; step < episode.steps; ++step) {
        const Action action = actions_.at(episode.first_action + step);
        std::copy(action.continuous.begin(), action.continuous.end(), data->ctrl);
        for (int frame = 0; frame < frames; ++frame) mujoco.step(model, data);
        if (contact_forces_) mujoco.rne_post_constraint(model, data);
      }
    }
  }

  bool agrees(std::size_t thread, const Environment& environment) const override {
    const auto* access = dynamic_cast<const StateAccess*>(&environment);
    const mjModel& model = model_.get();
    const mjData& data = *data_[thread];
    std::vector<double> state(data.qpos, data.qpos + model.nq);
    state.insert(state.end(), data.qvel, data.qvel + model.nv);
    return access != nullptr && access->state() == state;
  }

 private:
  MujocoTask task_;
  MujocoModel model_;
  const ActionBank& actions_;
  bool contact_forces_;
  std::vector<std::unique_ptr<mjData, DeleteData>> data_;
};

}  // namespace

std::unique_ptr<BareLoop> make_bare_mujoco_loop(const EnvironmentSettings& settings, const ActionBank& actions) {
  if (!settings.env_options.empty()) throw_input_error("the bare loop knows no options: leave --env-option out");
  return std::make_unique<BareMujocoLoop>(settings, actions);
}

}  // namespace clade::bench
