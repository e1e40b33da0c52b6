#include "core/episode_scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "core/sampled_stopwatch.hpp"

namespace clade {

namespace {

/// A member's episodes [first, first + count), played by one worker.
struct Task {
  std::size_t member = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

constexpr std::int64_t kNoMoments = -1;

/// Pieces that a member's episodes are split into: one where members alone keep the workers evenly busy, else as many
/// as that takes, of at least `lanes` episodes unless workers would stay idle. A piece costs its worker the member's
/// weights anew.
std::uint32_t pieces_of_member(std::size_t members, std::uint32_t episodes, std::size_t lanes, int threads) {
  const auto workers = static_cast<std::size_t>(threads);
  const auto rounded_up = [](std::size_t count, std::size_t by) { return (count + by - 1) / by; };
  constexpr std::size_t kTasksOfWorker = 16;
  const std::size_t even = rounded_up(kTasksOfWorker * workers, members);
  const std::size_t full_lanes = std::min(even, rounded_up(episodes, lanes));
  const std::size_t busy = rounded_up(2 * workers, members);
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(std::max(full_lanes, busy), 1, episodes));
}

std::vector<Task> make_tasks(std::size_t members, const EvaluationPlan& plan, std::size_t lanes, int threads) {
  std::vector<Task> tasks;
  if (members == 0) return tasks;
  const std::uint32_t episodes = plan.episodes_per_member;
  const std::uint32_t pieces = pieces_of_member(members, episodes, lanes, threads);
  for (std::size_t member = 0; member < members; ++member) {
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
      const auto bound = [&](std::uint32_t index) {
        return static_cast<std::uint32_t>(std::uint64_t{episodes} * index / pieces);
      };
      tasks.push_back({member, bound(piece), bound(piece + 1) - bound(piece)});
    }
  }
  if (!plan.expected_steps.empty()) {
    std::stable_sort(tasks.begin(), tasks.end(), [&](const Task& a, const Task& b) {
      return plan.expected_steps[a.member] * a.count > plan.expected_steps[b.member] * b.count;
    });
  }
  return tasks;
}

/// What all workers share during one evaluation: read, or written at places of their own.
struct Evaluation {
  const Population& population;
  const EvaluationPlan& plan;
  std::size_t lanes;
  EvaluationResults& results;
  std::vector<std::int64_t> moments_of;  // per episode: its place in results.moments, or kNoMoments
  const std::function<bool()>& stop;
  std::atomic<bool> stopped{false};

  std::uint32_t identity_of(std::size_t member) const {
    return static_cast<std::uint32_t>(population.first_member + member);
  }
  std::uint32_t environment_member_of(std::size_t member) const {
    if (plan.same_for_all) return 0;
    return plan.common_random_numbers ? population.members[member].pair : identity_of(member);
  }
};

}  // namespace

/// What one OpenMP worker owns: an engine, the episodes in flight and their rows.
struct EpisodeScheduler::Worker {
  std::unique_ptr<InferenceEngine> engine;
  std::vector<Episode> episodes;   // [lanes]
  std::vector<double> actions;     // [lanes, action_size]
  std::vector<InferenceRow> rows;  // [lanes], those of the episodes in flight first
  std::size_t action_size = 0;
  std::vector<EpisodeFailure> failures;
  std::uint64_t environment_nanoseconds = 0;
  SampledStopwatch inference_time;

  void add_lane(std::unique_ptr<Environment> environment);
  void play(const Task& task, Evaluation& evaluation);

 private:
  bool start(std::size_t lane, const Task& task, std::uint32_t& next, Evaluation& evaluation);
  void finish(const Episode& episode, const Task& task, Evaluation& evaluation);
  void fill_row(std::size_t row, std::size_t lane);
};

void EpisodeScheduler::Worker::add_lane(std::unique_ptr<Environment> environment) {
  episodes.emplace_back(std::move(environment));
  action_size = episodes.front().environment().spec().action.size;
  actions.resize(episodes.size() * action_size);
  rows.resize(episodes.size());
}

/// Plays a task's episodes, at most `lanes` at a time; a lane is refilled as soon as its episode ends.
void EpisodeScheduler::Worker::play(const Task& task, Evaluation& evaluation) {
  inference_time.measure_each([&] { engine->prepare(0, task.member); });
  std::uint32_t next = task.first;
  std::size_t active = 0;
  for (std::size_t lane = 0; lane < evaluation.lanes && start(lane, task, next, evaluation); ++lane) {
    fill_row(active++, lane);
  }
  while (active > 0) {
    if (evaluation.stop && evaluation.stop()) {
      evaluation.stopped = true;
      return;
    }
    inference_time.measure([&] { engine->infer(0, {rows.data(), active}); });
    std::size_t kept = 0;
    for (std::size_t row = 0; row < active; ++row) {
      const std::size_t lane = rows[row].lane;
      Episode& episode = episodes[lane];
      episode.step({rows[row].action.continuous, rows[row].action.choice});
      if (episode.ended()) {
        finish(episode, task, evaluation);
        if (!start(lane, task, next, evaluation)) continue;
      }
      fill_row(kept++, lane);
    }
    active = kept;
  }
}

/// Begins the task's next episode in `lane`; false where none is left.
bool EpisodeScheduler::Worker::start(std::size_t lane, const Task& task, std::uint32_t& next, Evaluation& evaluation) {
  const EvaluationPlan& plan = evaluation.plan;
  Episode& episode = episodes[lane];
  while (next < task.first + task.count) {
    const std::uint32_t number = next++;
    EpisodeIdentity identity;
    identity.seed = plan.seed;
    identity.environment_purpose = plan.environment_purpose;
    identity.generation = evaluation.population.generation;
    identity.member = evaluation.identity_of(task.member);
    identity.environment_member = evaluation.environment_member_of(task.member);
    identity.episode = number;
    const std::int64_t moments = evaluation.moments_of[task.member * plan.episodes_per_member + number];
    episode.begin(identity, plan.episode,
                  moments == kNoMoments ? nullptr : &evaluation.results.moments[static_cast<std::size_t>(moments)]);
    if (!episode.ended()) {
      engine->begin_episode(0, lane, identity, plan.episode);
      return true;
    }
    finish(episode, task, evaluation);
  }
  return false;
}

void EpisodeScheduler::Worker::finish(const Episode& episode, const Task& task, Evaluation& evaluation) {
  const std::size_t index = task.member * evaluation.plan.episodes_per_member + episode.identity().episode;
  evaluation.results.episodes[index] = episode.result();
  environment_nanoseconds += episode.environment_nanoseconds();
  if (episode.result().status == EpisodeStatus::failed) {
    failures.push_back({episode.identity(), episode.result().steps, episode.failure()});
  }
}

void EpisodeScheduler::Worker::fill_row(std::size_t row, std::size_t lane) {
  rows[row].lane = lane;
  rows[row].step = episodes[lane].result().steps;
  rows[row].observation = episodes[lane].observation();
  rows[row].action.continuous = {actions.data() + lane * action_size, action_size};
}

std::uint64_t EvaluationResults::steps() const {
  std::uint64_t sum = 0;
  for (const EpisodeResult& episode : episodes) sum += episode.steps;
  return sum;
}

std::uint64_t EvaluationResults::frames() const {
  std::uint64_t sum = 0;
  for (const EpisodeResult& episode : episodes) sum += episode.frames;
  return sum;
}

void EvaluationResults::append(EvaluationResults&& piece) {
  CLADE_CHECK(piece.episodes_per_member == episodes_per_member);
  episodes.insert(episodes.end(), piece.episodes.begin(), piece.episodes.end());
  std::move(piece.moments.begin(), piece.moments.end(), std::back_inserter(moments));
  std::move(piece.failures.begin(), piece.failures.end(), std::back_inserter(failures));
  complete = complete && piece.complete;
  wall_seconds += piece.wall_seconds;
  environment_seconds += piece.environment_seconds;
  inference_seconds += piece.inference_seconds;
}

EpisodeScheduler::EpisodeScheduler(const SchedulerSettings& settings, const EnvironmentFactory& environments,
                                   const EngineFactory& engines)
    : settings_(settings), environments_(environments) {
  CLADE_CHECK(settings.threads >= 1 && settings.lanes >= 1);
  for (int thread = 0; thread < settings.threads; ++thread) {
    workers_.push_back(std::make_unique<Worker>());
    workers_.back()->engine = engines(settings.lanes);
  }
  make_lanes(1);
}

EpisodeScheduler::~EpisodeScheduler() = default;

/// Gives each worker environments for so many lanes, all made side by side: loading a game or a model takes time.
void EpisodeScheduler::make_lanes(std::size_t lanes) {
  const std::size_t have = workers_.front()->episodes.size();
  if (have >= lanes) return;
  std::vector<std::unique_ptr<Environment>> made((lanes - have) * workers_.size());
  parallel_for(made.size(), settings_.threads,
               [&](std::size_t index, int) { made[index] = environments_(have * workers_.size() + index); });
  for (std::size_t index = 0; index < made.size(); ++index) {
    workers_[index % workers_.size()]->add_lane(std::move(made[index]));
  }
}

EvaluationResults EpisodeScheduler::evaluate(const Population& population, const NormalizerSnapshot& normalizer,
                                             const EvaluationPlan& plan, const std::function<bool()>& stop) {
  CLADE_CHECK(plan.episodes_per_member >= 1);
  CLADE_CHECK(plan.expected_steps.empty() || plan.expected_steps.size() == population.members.size());
  const std::size_t wanted = plan.lanes == 0 ? settings_.lanes : plan.lanes;
  const std::size_t lanes = std::min<std::size_t>({wanted, settings_.lanes, plan.episodes_per_member});
  make_lanes(lanes);
  const auto started = std::chrono::steady_clock::now();
  EvaluationResults results;
  results.episodes_per_member = plan.episodes_per_member;
  results.episodes.resize(population.members.size() * plan.episodes_per_member);
  Evaluation evaluation{
      population, plan, lanes, results, std::vector<std::int64_t>(results.episodes.size(), kNoMoments), stop};

  // Each collecting episode has moments of its own, for the caller to merge in identity order.
  if (plan.collects_moments) {
    const std::size_t size = workers_.front()->episodes.front().environment().spec().observation.size();
    for (std::size_t index = 0; index < results.episodes.size(); ++index) {
      const auto episode = static_cast<std::uint32_t>(index % plan.episodes_per_member);
      const std::uint32_t member = evaluation.identity_of(index / plan.episodes_per_member);
      if (!plan.collects_moments(member, episode)) continue;
      evaluation.moments_of[index] = static_cast<std::int64_t>(results.moments.size());
      results.moments.emplace_back(size);
    }
  }

  for (const auto& worker : workers_) {
    worker->engine->begin_generation(population, normalizer);
    worker->failures.clear();
    worker->environment_nanoseconds = 0;
    worker->inference_time.restart();
  }
  const std::vector<Task> tasks = make_tasks(population.members.size(), plan, lanes, settings_.threads);
  parallel_for(
      tasks.size(), settings_.threads,
      [&](std::size_t task, int worker) { workers_[static_cast<std::size_t>(worker)]->play(tasks[task], evaluation); },
      stop);

  const auto pending = [](const EpisodeResult& episode) { return episode.status == EpisodeStatus::pending; };
  results.complete = !evaluation.stopped && std::none_of(results.episodes.begin(), results.episodes.end(), pending);
  for (const auto& worker : workers_) {
    results.failures.insert(results.failures.end(), worker->failures.begin(), worker->failures.end());
    results.environment_seconds += 1e-9 * static_cast<double>(worker->environment_nanoseconds);
    results.inference_seconds += 1e-9 * static_cast<double>(worker->inference_time.nanoseconds());
  }
  std::sort(results.failures.begin(), results.failures.end(), [](const EpisodeFailure& a, const EpisodeFailure& b) {
    return std::pair(a.identity.member, a.identity.episode) < std::pair(b.identity.member, b.identity.episode);
  });
  results.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return results;
}

}  // namespace clade
