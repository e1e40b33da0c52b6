#include "tools/trace_replay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/platform.hpp"
#include "envs/atari_games.hpp"
#include "envs/catalog.hpp"
#include "tools/atari_trace.hpp"
#include "tools/resize_trace.hpp"

namespace clade {
namespace {

/// One recorded episode, of either format.
struct Trace {
  std::string name;  ///< "/HalfCheetah-v4/episode0"
  std::vector<double> start;
  std::vector<double> start_observation;  ///< empty where it was not recorded
  std::size_t steps = 0;
  std::vector<double> states;  ///< [steps, start.size()], after each step
  GoldenArray<double> actions;
  std::vector<double> rewards;
  std::vector<std::uint8_t> terminated;
  std::vector<std::uint8_t> truncated;
  std::vector<std::int64_t> observed_steps;  ///< increasing
  GoldenArray<double> observations;          ///< of those steps
  EnvironmentOptions options;

  std::span<const double> state_after(std::size_t step) const {
    return std::span(states).subspan(step * start.size(), start.size());
  }
};

[[noreturn]] void refuse_shape(const std::string& place) {
  throw_input_error("recorded trace '" + place + "' has datasets of different lengths");
}

void check_shapes(const Trace& trace) {
  const bool consistent = trace.states.size() == trace.steps * trace.start.size() &&
                          trace.actions.rows() == trace.steps && trace.rewards.size() == trace.steps &&
                          trace.terminated.size() == trace.steps && trace.truncated.size() == trace.steps &&
                          trace.observations.rows() == trace.observed_steps.size();
  if (!consistent) refuse_shape(trace.name);
}

void read_ends(const GoldenFile& file, Trace& trace) {
  trace.rewards = file.read<double>(trace.name + "/reward").values;
  trace.steps = trace.rewards.size();
  trace.terminated = file.read<std::uint8_t>(trace.name + "/terminated").values;
  trace.truncated = file.read<std::uint8_t>(trace.name + "/truncated").values;
  trace.actions = file.read<double>(trace.name + "/actions");
  trace.observations = file.read<double>(trace.name + "/obs");
}

Trace read_mujoco_trace(const GoldenFile& file, const std::string& name) {
  Trace trace;
  trace.name = name;
  read_ends(file, trace);
  trace.start = file.read<double>(name + "/init_qpos").values;
  const std::vector<double> velocities = file.read<double>(name + "/init_qvel").values;
  const std::size_t positions = trace.start.size();
  trace.start.insert(trace.start.end(), velocities.begin(), velocities.end());
  trace.start_observation = file.read<double>(name + "/init_obs").values;
  const GoldenArray<double> qpos = file.read<double>(name + "/qpos");
  const GoldenArray<double> qvel = file.read<double>(name + "/qvel");
  if (qpos.rows() != trace.steps || qvel.rows() != trace.steps || qpos.row_size() != positions ||
      qvel.row_size() != velocities.size()) {
    refuse_shape(name);
  }
  for (std::size_t step = 0; step < trace.steps; ++step) {
    trace.states.insert(trace.states.end(), qpos.row(step), qpos.row(step) + positions);
    trace.states.insert(trace.states.end(), qvel.row(step), qvel.row(step) + velocities.size());
  }
  trace.observed_steps = file.read<std::int64_t>(name + "/obs_steps").values;
  check_shapes(trace);
  return trace;
}

Trace read_classic_trace(const GoldenFile& file, const std::string& name, const EnvironmentInfo& info) {
  Trace trace;
  trace.name = name;
  read_ends(file, trace);
  trace.start = file.read<double>(name + "/init_state").values;
  if (file.has(name + "/init_obs")) trace.start_observation = file.read<double>(name + "/init_obs").values;
  trace.states = file.read<double>(name + "/state").values;
  for (std::size_t step = 0; step < trace.steps; ++step) {
    trace.observed_steps.push_back(static_cast<std::int64_t>(step));
  }
  const std::string precision = file.text_attribute(name, "action_dtype");
  const bool has_precision = std::any_of(info.options.begin(), info.options.end(),
                                         [](const auto& option) { return option.name == "action_precision"; });
  if (has_precision) trace.options.emplace_back("action_precision", precision);
  check_shapes(trace);
  return trace;
}

void deviate(double& largest, double ours, double recorded) {
  if (ours == recorded || (std::isnan(ours) && std::isnan(recorded))) return;
  const double difference = std::abs(ours - recorded) / std::max(1.0, std::abs(recorded));
  // A NaN on one side is a deviation like no other.
  largest = std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::max(largest, difference);
}

void deviate(double& largest, std::span<const double> ours, std::span<const double> recorded,
             const std::string& place) {
  if (ours.size() != recorded.size()) {
    throw_input_error("recorded trace '" + place + "' has " + std::to_string(recorded.size()) +
                      " numbers a row, our environment " + std::to_string(ours.size()));
  }
  for (std::size_t i = 0; i < ours.size(); ++i) deviate(largest, ours[i], recorded[i]);
}

/// An environment, its state's access and a row for its observations.
class Player {
 public:
  explicit Player(std::unique_ptr<Environment> environment)
      : environment_(std::move(environment)),
        access_(dynamic_cast<StateAccess*>(environment_.get())),
        row_(environment_->spec().observation.size()) {
    if (access_ == nullptr) throw_input_error("the state of '" + environment_->spec().name + "' cannot be set");
  }

  TraceDeviation start(const Trace& trace) {
    access_->reset_to(trace.start, observation());
    TraceDeviation deviation;
    deviate(deviation.state, access_->state(), trace.start, trace.name + "/start");
    if (!trace.start_observation.empty()) {
      deviate(deviation.observation, row_, trace.start_observation, trace.name + "/init_obs");
    }
    return deviation;
  }

  /// The whole trace from the present state; `follow` sets the recorded state before every step.
  TraceDeviation play(const Trace& trace, bool follow) {
    TraceDeviation deviation;
    std::size_t observed = 0;
    for (std::size_t step = 0; step < trace.steps; ++step) {
      if (follow && step > 0) access_->set_state(trace.state_after(step - 1));
      const StepOutcome outcome = environment_->step(action(trace, step), observation());
      deviate(deviation.state, access_->state(), trace.state_after(step), trace.name);
      deviate(deviation.reward, outcome.reward, trace.rewards[step]);
      deviation.terminated += outcome.terminated != (trace.terminated[step] != 0) ? 1 : 0;
      const bool truncated = step + 1 >= environment_->spec().max_steps && !outcome.terminated;
      // Gymnasium sets both where the last step terminates.
      const bool same =
          truncated == (trace.truncated[step] != 0) || (outcome.terminated && trace.terminated[step] != 0);
      deviation.truncated += same ? 0 : 1;
      if (outcome.failure != nullptr && deviation.failure.empty()) {
        deviation.failure = trace.name + " step " + std::to_string(step) + ": " + outcome.failure;
      }
      if (observed < trace.observed_steps.size() && trace.observed_steps[observed] == static_cast<std::int64_t>(step)) {
        deviate(deviation.observation, row_, {trace.observations.row(observed), trace.observations.row_size()},
                trace.name + "/obs");
        ++observed;
      }
    }
    if (observed != trace.observed_steps.size()) refuse_shape(trace.name + "/obs_steps");
    return deviation;
  }

 private:
  ObservationRow observation() { return {reinterpret_cast<std::byte*>(row_.data()), environment_->spec().observation}; }

  Action action(const Trace& trace, std::size_t step) const {
    const double* row = trace.actions.row(step);
    if (environment_->spec().action.discrete()) return {{}, static_cast<std::size_t>(row[0])};
    return {{row, trace.actions.row_size()}, 0};
  }

  std::unique_ptr<Environment> environment_;
  StateAccess* access_;
  std::vector<double> row_;
};

}  // namespace

void TraceDeviation::merge(const TraceDeviation& other) {
  state = std::max(state, other.state);
  observation = std::max(observation, other.observation);
  reward = std::max(reward, other.reward);
  terminated += other.terminated;
  truncated += other.truncated;
  if (failure.empty()) failure = other.failure;
}

double TraceDeviation::largest() const { return std::max({state, observation, reward}); }

TraceReport replay_trace(const GoldenFile& file, const std::string& group) {
  if (is_resize_trace(file, group)) return replay_resize_trace(file, group);
  TraceReport report;
  report.task = group;
  const std::vector<std::string> members = file.groups(group);
  const bool atari = is_atari_trace(file, group);
  const bool mujoco = file.has_attribute(group, "model_file");
  const bool classic = !atari && !mujoco && !members.empty() && file.has(group + "/" + members.front() + "/init_state");
  if (!atari && !mujoco && !classic) {
    report.skipped = kNoTrace;
    return report;
  }
  report.kind = atari ? TraceKind::atari : mujoco ? TraceKind::mujoco : TraceKind::classic;

  const AtariGame* const game = atari ? find_atari_game_by_rom(group) : nullptr;
  const std::string name = game != nullptr ? game->name : group;
  const std::vector<EnvironmentInfo> known = list_environments();
  const auto info = std::find_if(known.begin(), known.end(), [&](const auto& entry) { return entry.name == name; });
  if (info == known.end()) {
    report.skipped = "there is no environment '" + name + "'";
    return report;
  }
  if (!info->unavailable.empty()) {
    report.skipped = info->unavailable;
    return report;
  }
  if (atari) return replay_atari_trace(file, group);
  if (mujoco) {
    const std::map<std::string, std::string> provenance = environment_provenance(group);
    report.model = provenance.at("model_file");
    report.same_model = provenance.at("model_sha256") == file.text_attribute(group, "model_sha256");
    report.same_engine = provenance.at("mujoco_version") == file.text_attribute("/", "version_mujoco");
  }
  for (const std::string& member : members) {
    const std::string place = "/" + group + "/" + member;
    const Trace trace = mujoco ? read_mujoco_trace(file, place) : read_classic_trace(file, place, *info);
    Player player(make_environment_factory(group, trace.options)(0));
    report.start.merge(player.start(trace));
    report.step_by_step.merge(player.play(trace, true));
    player.start(trace);
    report.free_run.merge(player.play(trace, false));
    ++report.episodes;
    report.steps += trace.steps;
  }
  return report;
}

bool recording_platform() {
  // platform_fingerprint()'s digest of glibc 2.36 on x86-64 with its FMA and AVX2 variants in use.
  constexpr const char* kRecordedLibm = "9fe2cab7f0eee866";
  const std::map<std::string, std::string> here = platform_fingerprint();
  const auto libm = here.find("libm");
  return libm != here.end() && libm->second == kRecordedLibm;
}

bool within_tolerance(const TraceReport& report, bool recorded_platform) {
  // One step of MuJoCo from the recorded state: the same libmujoco with another libm stays within 5e-14.
  constexpr double kMujocoStep = 1e-12;
  // One step of the usual formulas in float64: a few roundings of 1e-16.
  constexpr double kClassicStep = 1e-14;
  // A balanced CartPole amplifies the order of rounding to 3e-10 in 300 steps.
  constexpr double kClassicFreeRun = 1e-8;
  // Observations of classic control are float32: one unit in the last place, where a float64 value lies between two.
  constexpr double kFloat32Unit = 2.4e-7;

  if (!report.skipped.empty()) return true;
  if (report.compared_exactly()) return report.same_model && all_equal(report.quantities);
  const bool classic = report.kind == TraceKind::classic;
  const auto close = [&](const TraceDeviation& deviation, double limit) {
    return deviation.state <= limit && deviation.reward <= limit &&
           deviation.observation <= (classic ? std::max(limit, kFloat32Unit) : limit) && deviation.same_ends();
  };
  const double step = classic ? kClassicStep : kMujocoStep;
  if (!report.same_model || !close(report.start, step) || !close(report.step_by_step, step)) return false;
  if (classic) return close(report.free_run, kClassicFreeRun);
  if (!recorded_platform || !report.same_engine) return true;
  return report.free_run.state == 0.0 && close(report.free_run, kMujocoStep);
}

}  // namespace clade
