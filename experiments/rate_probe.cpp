#include "experiments/rate_probe.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <numeric>
#include <vector>

#include "core/cpu_inference.hpp"
#include "core/parallel.hpp"
#include "experiments/random_play.hpp"

namespace clade {

namespace {

using Clock = std::chrono::steady_clock;

/// Member fields of the keys; the episode field is the thread's.
constexpr std::uint64_t kStartStates = 0;
constexpr std::uint64_t kActions = 1;
/// Start states that a thread plays from, again and again. Each is met once before the clock starts: an environment may
/// make it at first and restore it later, as it does in a run's long course.
constexpr std::uint64_t kStarts = 8;
/// Observations that a thread keeps of its play, for the network's turn.
constexpr std::size_t kKept = 64;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// What one thread measures with.
struct Worker {
  std::unique_ptr<Environment> environment;
  std::unique_ptr<InferenceEngine> engine;
  std::vector<std::byte> observations;  // [kKept, ObservationSpec::bytes()]
  std::vector<double> continuous;       // [ActionSpec::size]
};

double environment_rate(const RateProbe& probe, Worker& worker, std::uint64_t number,
                        const std::function<bool()>& stop) {
  const EnvironmentSpec& spec = worker.environment->spec();
  const std::size_t bytes = spec.observation.bytes();
  RandomActions actions(spec.action, {probe.seed, Purpose::rate_probe, 0, kActions, number});
  std::uint64_t steps = 0;
  std::uint64_t episodes = 0;
  const auto reset = [&](ObservationRow row) {
    RandomStream rng(RandomKey{probe.seed, Purpose::rate_probe, episodes++ % kStarts, kStartStates, number});
    worker.environment->reset(rng, row);
  };
  while (episodes < kStarts && !stop()) reset(ObservationRow(worker.observations.data(), spec.observation));
  std::uint32_t episode_steps = 0;
  bool ended = true;
  const Clock::time_point start = Clock::now();
  while (seconds_since(start) < probe.seconds && !stop()) {
    const ObservationRow row(worker.observations.data() + steps % kKept * bytes, spec.observation);
    if (ended) {
      reset(row);
      episode_steps = 0;
    }
    const StepOutcome outcome = worker.environment->step(actions.draw(), row);
    ++steps;
    ended = outcome.terminated || outcome.truncated || outcome.failure != nullptr || ++episode_steps >= spec.max_steps;
  }
  return static_cast<double>(steps) / seconds_since(start);
}

double inference_rate(const RateProbe& probe, Worker& worker, std::size_t number, const std::function<bool()>& stop) {
  worker.engine->begin_generation(probe.population, probe.normalizer);
  worker.engine->prepare(0, number % probe.population.members.size());
  EpisodeIdentity identity;
  identity.seed = probe.seed;
  worker.engine->begin_episode(0, 0, identity, {});
  InferenceRow row;
  row.action.continuous = worker.continuous;
  std::uint64_t passes = 0;
  const Clock::time_point start = Clock::now();
  while (seconds_since(start) < probe.seconds && !stop()) {
    row.observation = worker.observations.data() + passes % kKept * probe.task.environment.observation.bytes();
    worker.engine->infer(0, {&row, 1});
    ++passes;
  }
  return static_cast<double>(passes) / seconds_since(start);
}

}  // namespace

double Rates::limit() const {
  return environment > 0.0 && inference > 0.0 ? 1.0 / (1.0 / environment + 1.0 / inference) : 0.0;
}

Rates measure_rates(const RateProbe& probe, const std::function<bool()>& stop) {
  const auto threads = static_cast<std::size_t>(probe.threads);
  std::vector<Worker> workers(threads);
  parallel_for(threads, probe.threads, [&](std::size_t number, int) {
    Worker& worker = workers[number];
    worker.environment = probe.task.environments(number);
    worker.engine = make_cpu_inference(probe.task.policy, probe.noise, 1);
    worker.observations.resize(kKept * probe.task.environment.observation.bytes());
    worker.continuous.resize(probe.task.environment.action.size);
  });
  // Each thread measures while all others do: they share caches and memory as they do in the run.
  const auto total = [&](const auto& rate_of) {
    std::vector<double> rates(threads);
    parallel_for(threads, probe.threads, [&](std::size_t number, int) { rates[number] = rate_of(number); });
    return std::accumulate(rates.begin(), rates.end(), 0.0);
  };
  Rates rates;
  rates.environment = total([&](std::size_t number) { return environment_rate(probe, workers[number], number, stop); });
  rates.inference = total([&](std::size_t number) { return inference_rate(probe, workers[number], number, stop); });
  return stop() ? Rates{} : rates;
}

}  // namespace clade
