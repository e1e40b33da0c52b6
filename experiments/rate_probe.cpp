#include "experiments/rate_probe.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <memory>
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
/// Environment and network take turns so often: what slows the machine for a while slows both.
constexpr int kRounds = 5;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Processor time of the calling thread, in seconds: it does not pass while other programs have the core.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  constexpr double kNanosecond = 1e-9;
  return static_cast<double>(now.tv_sec) + kNanosecond * static_cast<double>(now.tv_nsec);
}

/// Work done, and the processor time that it took.
struct Tally {
  std::uint64_t count = 0;
  double seconds = 0.0;
  double rate() const { return seconds > 0.0 ? static_cast<double>(count) / seconds : 0.0; }
};

/// What one thread measures with.
class Worker {
 public:
  Worker(const RateProbe& probe, std::size_t number)
      : probe_(probe),
        number_(number),
        environment_(probe.task.environments(number)),
        engine_(make_cpu_inference(probe.task.policy, probe.noise, 1)),
        actions_(environment_->spec().action, {probe.seed, Purpose::rate_probe, 0, kActions, number}),
        observations_(kKept * probe.task.environment.observation.bytes()),
        continuous_(probe.task.environment.action.size) {}

  void measure(const std::function<bool()>& stop) {
    while (episodes_ < kStarts && !stop()) reset(observation(0));
    engine_->begin_generation(probe_.population, probe_.normalizer);
    engine_->prepare(0, number_ % probe_.population.members.size());
    EpisodeIdentity identity;
    identity.seed = probe_.seed;
    engine_->begin_episode(0, 0, identity, {});
    for (int round = 0; round < kRounds; ++round) {
      slice(environment, stop, [this] { step(); });
      slice(inference, stop, [this] { pass(); });
    }
  }

  Tally environment;
  Tally inference;

 private:
  template <class Work>
  void slice(Tally& tally, const std::function<bool()>& stop, const Work& work) {
    const Clock::time_point start = Clock::now();
    const double before = processor_seconds();
    while (seconds_since(start) < probe_.seconds / kRounds && !stop()) {
      work();
      ++tally.count;
    }
    tally.seconds += processor_seconds() - before;
  }

  std::byte* observation(std::uint64_t place) {
    return observations_.data() + place % kKept * probe_.task.environment.observation.bytes();
  }

  void reset(std::byte* place) {
    RandomStream rng(RandomKey{probe_.seed, Purpose::rate_probe, episodes_++ % kStarts, kStartStates, number_});
    environment_->reset(rng, ObservationRow(place, probe_.task.environment.observation));
    episode_steps_ = 0;
    ended_ = false;
  }

  void step() {
    std::byte* const place = observation(environment.count);
    if (ended_) reset(place);
    const ObservationRow row(place, probe_.task.environment.observation);
    const StepOutcome outcome = environment_->step(actions_.draw(), row);
    ended_ = outcome.terminated || outcome.truncated || outcome.failure != nullptr ||
             ++episode_steps_ >= environment_->spec().max_steps;
  }

  void pass() {
    InferenceRow row;
    row.action.continuous = continuous_;
    row.observation = observation(inference.count);
    engine_->infer(0, {&row, 1});
  }

  const RateProbe& probe_;
  std::size_t number_ = 0;
  std::unique_ptr<Environment> environment_;
  std::unique_ptr<InferenceEngine> engine_;
  RandomActions actions_;
  std::vector<std::byte> observations_;  // [kKept, ObservationSpec::bytes()]
  std::vector<double> continuous_;       // [ActionSpec::size]
  std::uint64_t episodes_ = 0;
  std::uint32_t episode_steps_ = 0;
  bool ended_ = true;
};

}  // namespace

double Rates::limit() const {
  return environment > 0.0 && inference > 0.0 ? 1.0 / (1.0 / environment + 1.0 / inference) : 0.0;
}

Rates measure_rates(const RateProbe& probe, const std::function<bool()>& stop) {
  const auto threads = static_cast<std::size_t>(probe.threads);
  std::vector<std::unique_ptr<Worker>> workers(threads);
  parallel_for(threads, probe.threads,
               [&](std::size_t number, int) { workers[number] = std::make_unique<Worker>(probe, number); });
  // Each thread measures while all others do: they share caches and memory as they do in the run.
  parallel_for(threads, probe.threads, [&](std::size_t number, int) { workers[number]->measure(stop); });
  if (stop()) return {};
  // A thread's rate is that of a core of its own; more threads than cores do no more work than these.
  const double cores = std::min(1.0, static_cast<double>(available_cores()) / probe.threads);
  Rates rates;
  for (const std::unique_ptr<Worker>& worker : workers) {
    rates.environment += cores * worker->environment.rate();
    rates.inference += cores * worker->inference.rate();
  }
  return rates;
}

}  // namespace clade
