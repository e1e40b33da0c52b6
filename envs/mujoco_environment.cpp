#include "envs/mujoco_environment.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"

namespace clade {
namespace {

mjData& make_data(const MujocoModel& model) {
  mjData* data = nullptr;
  guarded([&] { data = model.library().make_data(&model.get()); });
  if (data == nullptr) {
    throw_run_time_error("no memory for the simulation state of '" + model.path().string() + "'; use fewer slots");
  }
  return *data;
}

/// What MuJoCo did in silence: it resets the state where a number is not finite or huge.
const char* divergence(const mjData& data) {
  if (data.warning[mjWARN_BADQPOS].number > 0) return "the simulation diverged: bad position (mjWARN_BADQPOS)";
  if (data.warning[mjWARN_BADQVEL].number > 0) return "the simulation diverged: bad velocity (mjWARN_BADQVEL)";
  if (data.warning[mjWARN_BADQACC].number > 0) return "the simulation diverged: bad acceleration (mjWARN_BADQACC)";
  if (data.warning[mjWARN_BADCTRL].number > 0) return "the action is not finite (mjWARN_BADCTRL)";
  return nullptr;
}

/// What a step pays for being alive, where ARS subtracts it (Mania 2018).
std::optional<double> alive_bonus(const MujocoTask& task, const MujocoParameters& parameters) {
  switch (task.kind) {
    case MujocoTaskKind::half_cheetah:
    case MujocoTaskKind::swimmer:
      return 0.0;
    case MujocoTaskKind::hopper:
    case MujocoTaskKind::walker2d:
    case MujocoTaskKind::ant:
    case MujocoTaskKind::humanoid:
      return parameters.healthy_reward;
    default:
      return std::nullopt;
  }
}

ActionSpec actuators(const MujocoModel& model) {
  ActionSpec spec;
  spec.size = static_cast<std::size_t>(model.get().nu);
  for (std::size_t i = 0; i < spec.size; ++i) {
    if (model.get().actuator_ctrllimited[i] == 0) {
      throw_input_error("actuator " + std::to_string(i) + " of the model '" + model.path().string() +
                        "' has no bounds; give it a ctrlrange");
    }
    spec.low.push_back(model.get().actuator_ctrlrange[2 * i]);
    spec.high.push_back(model.get().actuator_ctrlrange[2 * i + 1]);
  }
  if (spec.size == 0) throw_input_error("the model '" + model.path().string() + "' has no actuators");
  return spec;
}

}  // namespace

MujocoEnvironment::MujocoEnvironment(std::shared_ptr<const MujocoSetup> setup)
    : setup_(std::move(setup)),
      model_(setup_->model->get()),
      data_(make_data(*setup_->model)),
      step_seconds_(model_.opt.timestep * static_cast<double>(setup_->parameters.frame_skip)),
      frame_skip_(static_cast<std::size_t>(setup_->parameters.frame_skip)) {
  spec_.name = setup_->task.name;
  spec_.max_steps = setup_->task.max_steps;
  spec_.frames_per_step = static_cast<std::uint32_t>(frame_skip_);
  spec_.alive_bonus = alive_bonus(setup_->task, setup_->parameters);
  spec_.reward_threshold = setup_->task.reward_threshold;
  try {
    spec_.action = actuators(*setup_->model);
  } catch (...) {
    setup_->model->library().delete_data(&data_);
    throw;
  }
}

MujocoEnvironment::~MujocoEnvironment() { setup_->model->library().delete_data(&data_); }

void MujocoEnvironment::require(int least_positions, int least_velocities, int least_bodies, int least_sites) const {
  const auto check = [&](const char* what, int found, int least) {
    if (found >= least) return;
    throw_input_error("the model '" + model_file().path().string() + "' has " + std::to_string(found) + " " + what +
                      ", " + spec_.name + " reads " + std::to_string(least));
  };
  check("positions", static_cast<int>(model_.nq), least_positions);
  check("velocities", static_cast<int>(model_.nv), least_velocities);
  check("bodies", static_cast<int>(model_.nbody), least_bodies);
  check("sites", static_cast<int>(model_.nsite), least_sites);
}

const char* MujocoEnvironment::simulate(const Action& action) {
  if (action.continuous.size() != spec_.action.size) {
    throw_run_time_error(spec_.name + " takes " + std::to_string(spec_.action.size) + " action components, got " +
                         std::to_string(action.continuous.size()));
  }
  std::copy(action.continuous.begin(), action.continuous.end(), data_.ctrl);
  const MujocoLibrary& library = setup_->model->library();
  guarded([&] {
    for (std::size_t i = 0; i < frame_skip_; ++i) library.step(&model_, &data_);
    if (contact_forces_) library.rne_post_constraint(&model_, &data_);
  });
  return divergence(data_);
}

void MujocoEnvironment::draw_start(RandomStream& rng) {
  const double scale = parameters().reset_noise_scale;
  for (std::size_t i = 0; i < positions(); ++i) data_.qpos[i] += rng.uniform(-scale, scale);
  for (std::size_t i = 0; i < velocities(); ++i) {
    data_.qvel[i] += normal_velocities_ ? scale * rng.normal() : rng.uniform(-scale, scale);
  }
}

void MujocoEnvironment::reset(RandomStream& rng, ObservationRow observation) {
  const MujocoLibrary& library = setup_->model->library();
  guarded([&] { library.reset_data(&model_, &data_); });
  draw_start(rng);
  guarded([&] { library.forward(&model_, &data_); });
  observe(observation.float64());
}

std::vector<double> MujocoEnvironment::state() const {
  std::vector<double> state(qpos().begin(), qpos().end());
  state.insert(state.end(), qvel().begin(), qvel().end());
  return state;
}

void MujocoEnvironment::set_state(std::span<const double> state) {
  if (state.size() != positions() + velocities()) {
    throw_input_error("a state of " + spec_.name + " has " + std::to_string(positions() + velocities()) +
                      " numbers, got " + std::to_string(state.size()));
  }
  std::copy_n(state.begin(), positions(), data_.qpos);
  std::copy_n(state.begin() + static_cast<std::ptrdiff_t>(positions()), velocities(), data_.qvel);
}

void MujocoEnvironment::reset_to(std::span<const double> state, ObservationRow observation) {
  const MujocoLibrary& library = setup_->model->library();
  guarded([&] { library.reset_data(&model_, &data_); });
  set_state(state);
  guarded([&] { library.forward(&model_, &data_); });
  observe(observation.float64());
}

double sum_of_squares(std::span<const double> values) {
  double sum = 0.0;
  std::size_t i = 0;
  if (values.size() >= 8) {
    std::array<double, 8> partial{};
    for (std::size_t lane = 0; lane < 8; ++lane) partial[lane] = values[lane] * values[lane];
    for (i = 8; i + 8 <= values.size(); i += 8) {
      for (std::size_t lane = 0; lane < 8; ++lane) partial[lane] += values[i + lane] * values[i + lane];
    }
    sum = ((partial[0] + partial[1]) + (partial[2] + partial[3])) +
          ((partial[4] + partial[5]) + (partial[6] + partial[7]));
  }
  for (; i < values.size(); ++i) sum += values[i] * values[i];
  return sum;
}

}  // namespace clade
