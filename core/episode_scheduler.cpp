#include "core/episode_scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"

namespace clade {

namespace {

/// A member's episodes [first, first + count), played by one worker.
struct Task {
  std::size_t member = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

constexpr std::int64_t kNoMoments = -1;

/// Whole members while there are plenty of them; pieces of `lanes` episodes where a few members play many.
std::vector<Task> make_tasks(std::size_t members, const EvaluationPlan& plan, const SchedulerSettings& settings) {
  const std::size_t plenty = 4 * static_cast<std::size_t>(settings.threads);
  const std::uint32_t piece =
      members >= plenty ? plan.episodes_per_member
                        : static_cast<std::uint32_t>(std::min<std::size_t>(settings.lanes, plan.episodes_per_member));
  std::vector<Task> tasks;
  for (std::size_t member = 0; member < members; ++member) {
    for (std::uint32_t first = 0; first < plan.episodes_per_member; first += piece) {
      tasks.push_back({member, first, std::min(piece, plan.episodes_per_member - first)});
    }
  }
  if (!plan.expected_steps.empty()) {
    std::stable_sort(tasks.begin(), tasks.end(), [&](const Task& a, const Task& b) {
      return plan.expected_steps[a.member] * a.count > plan.expected_steps[b.member] * b.count;
    });
  }
  return tasks;
}

}  // namespace

/// What one OpenMP worker owns: an engine, the episodes in flight and their rows.
struct EpisodeScheduler::Worker {
  std::unique_ptr<InferenceEngine> engine;
  std::vector<Episode> episodes;   // [lanes]
  std::vector<double> actions;     // [lanes, action size]
  std::vector<InferenceRow> rows;  // [lanes], the first `active` of them in use
  std::vector<EpisodeFailure> failures;
  std::uint64_t environment_nanoseconds = 0;
};

std::uint64_t EvaluationResults::steps() const {
  std::uint64_t sum = 0;
  for (const EpisodeResult& episode : episodes) sum += episode.steps;
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
}

EpisodeScheduler::EpisodeScheduler(const SchedulerSettings& settings, const EnvironmentFactory& environments,
                                   const EngineFactory& engines)
    : settings_(settings) {
  CLADE_CHECK(settings.threads >= 1 && settings.lanes >= 1);
  std::size_t slot = 0;
  for (int thread = 0; thread < settings.threads; ++thread) {
    auto worker = std::make_unique<Worker>();
    worker->engine = engines(settings.lanes);
    for (std::size_t lane = 0; lane < settings.lanes; ++lane) worker->episodes.emplace_back(environments(slot++));
    const std::size_t action_size = worker->episodes.front().environment().spec().action.size;
    worker->actions.resize(settings.lanes * action_size);
    worker->rows.resize(settings.lanes);
    workers_.push_back(std::move(worker));
  }
}

EpisodeScheduler::~EpisodeScheduler() = default;

EvaluationResults EpisodeScheduler::evaluate(const Population& population, const NormalizerSnapshot& normalizer,
                                             const EvaluationPlan& plan, const std::function<bool()>& stop) {
  const auto started = std::chrono::steady_clock::now();
  const std::size_t members = population.members.size();
  const std::size_t observation_size = workers_.front()->episodes.front().environment().spec().observation.size();
  CLADE_CHECK(plan.episodes_per_member >= 1);
  CLADE_CHECK(plan.expected_steps.empty() || plan.expected_steps.size() == members);

  EvaluationResults results;
  results.episodes_per_member = plan.episodes_per_member;
  results.episodes.resize(members * plan.episodes_per_member);
  const auto member_identity = [&](std::size_t member) {
    return static_cast<std::uint32_t>(population.first_member + member);
  };

  // Each collecting episode has moments of its own, merged by the caller in identity order.
  std::vector<std::int64_t> moments_of(results.episodes.size(), kNoMoments);
  if (plan.collects_moments) {
    for (std::size_t index = 0; index < moments_of.size(); ++index) {
      const auto episode = static_cast<std::uint32_t>(index % plan.episodes_per_member);
      if (!plan.collects_moments(member_identity(index / plan.episodes_per_member), plan.first_episode + episode))
        continue;
      moments_of[index] = static_cast<std::int64_t>(results.moments.size());
      results.moments.emplace_back(observation_size);
    }
  }

  for (const auto& worker : workers_) {
    worker->engine->begin_generation(population, normalizer);
    worker->failures.clear();
    worker->environment_nanoseconds = 0;
  }

  const std::vector<Task> tasks = make_tasks(members, plan, settings_);
  std::atomic<bool> stopped{false};

  const auto play = [&](std::size_t task_index, int worker_index) {
    const Task& task = tasks[task_index];
    Worker& worker = *workers_[static_cast<std::size_t>(worker_index)];
    const std::size_t action_size = worker.actions.size() / settings_.lanes;
    const std::size_t base = task.member * plan.episodes_per_member;
    worker.engine->prepare(0, task.member);

    std::uint32_t next = task.first;
    std::size_t active = 0;
    const auto finish = [&](Episode& episode) {
      const std::uint32_t number = episode.identity().episode - plan.first_episode;
      results.episodes[base + number] = episode.result();
      worker.environment_nanoseconds += episode.environment_nanoseconds();
      if (episode.result().status == EpisodeStatus::failed) {
        worker.failures.push_back({episode.identity(), episode.result().steps, episode.failure()});
      }
    };
    // Starts the task's next episode in `lane`; false where none is left.
    const auto start = [&](std::size_t lane) {
      while (next < task.first + task.count) {
        const std::uint32_t number = next++;
        EpisodeIdentity identity;
        identity.seed = plan.seed;
        identity.environment_purpose = plan.environment_purpose;
        identity.generation = population.generation;
        identity.member = member_identity(task.member);
        identity.environment_member =
            plan.common_random_numbers ? population.members[task.member].pair : identity.member;
        identity.episode = plan.first_episode + number;
        const std::int64_t moments = moments_of[base + number];
        Episode& episode = worker.episodes[lane];
        episode.begin(identity, plan.episode,
                      moments == kNoMoments ? nullptr : &results.moments[static_cast<std::size_t>(moments)]);
        if (episode.ended()) {
          finish(episode);
          continue;
        }
        worker.engine->begin_episode(0, lane, identity, plan.episode);
        return true;
      }
      return false;
    };
    const auto fill_row = [&](std::size_t row, std::size_t lane) {
      worker.rows[row].lane = lane;
      worker.rows[row].observation = worker.episodes[lane].observation();
      worker.rows[row].action.continuous = {worker.actions.data() + lane * action_size, action_size};
    };

    for (std::size_t lane = 0; lane < settings_.lanes && start(lane); ++lane) fill_row(active++, lane);
    while (active > 0) {
      if (stop && stop()) {
        stopped = true;
        return;
      }
      for (std::size_t row = 0; row < active; ++row) {
        worker.rows[row].step = worker.episodes[worker.rows[row].lane].result().steps;
      }
      worker.engine->infer(0, {worker.rows.data(), active});
      std::size_t kept = 0;
      for (std::size_t row = 0; row < active; ++row) {
        const std::size_t lane = worker.rows[row].lane;
        Episode& episode = worker.episodes[lane];
        episode.step({worker.rows[row].action.continuous, worker.rows[row].action.choice});
        if (episode.ended()) {
          finish(episode);
          if (!start(lane)) continue;
        }
        fill_row(kept++, lane);
      }
      active = kept;
    }
  };
  parallel_for(tasks.size(), settings_.threads, play, stop);

  results.complete =
      !stopped && std::none_of(results.episodes.begin(), results.episodes.end(),
                               [](const EpisodeResult& episode) { return episode.status == EpisodeStatus::pending; });
  for (const auto& worker : workers_) {
    results.failures.insert(results.failures.end(), worker->failures.begin(), worker->failures.end());
    results.environment_seconds += 1e-9 * static_cast<double>(worker->environment_nanoseconds);
  }
  std::sort(results.failures.begin(), results.failures.end(), [](const EpisodeFailure& a, const EpisodeFailure& b) {
    return std::pair(a.identity.member, a.identity.episode) < std::pair(b.identity.member, b.identity.episode);
  });
  results.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return results;
}

}  // namespace clade
