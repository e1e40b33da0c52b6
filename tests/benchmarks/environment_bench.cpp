#include "tests/benchmarks/environment_bench.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "tests/benchmarks/bare_loop.hpp"

namespace clade::bench {
namespace {

constexpr double kRecordedSeconds = 0.25;  // length of a piece that is played again
constexpr int kStepsBetweenLooks = 32;     // at the clock

RandomStream episode_stream(std::uint64_t thread, std::uint64_t episode) {
  return RandomStream(RandomKey{.purpose = Purpose::benchmark, .generation = episode, .member = thread});
}

/// One thread's environment, stepped with random actions for ever. Aligned so that no two threads share a cache line.
class alignas(64) Stepper {
 public:
  Stepper(std::unique_ptr<Environment> environment, const ActionBank& actions, std::uint64_t thread)
      : environment_(std::move(environment)), actions_(&actions), thread_(thread), observation_(observation_bytes()) {
    restart();
  }
  void advance(int steps) {
    for (int step = 0; step < steps; ++step) {
      const StepOutcome outcome = environment_->step(actions_->at(next_action_++), row());
      const bool ended = outcome.terminated || outcome.truncated || outcome.failure != nullptr;
      if (ended || ++length_ == environment_->spec().max_steps) restart();
    }
  }

 private:
  std::size_t observation_bytes() const { return environment_->spec().observation.bytes(); }
  ObservationRow row() { return {observation_.data(), environment_->spec().observation}; }
  void restart() {
    RandomStream stream = episode_stream(thread_, episode_++);
    environment_->reset(stream, row());
    length_ = 0;
  }

  std::unique_ptr<Environment> environment_;
  const ActionBank* actions_;
  std::uint64_t thread_;
  std::vector<std::byte> observation_;
  std::uint64_t episode_ = 0;
  std::size_t next_action_ = 0;
  std::uint32_t length_ = 0;
};

void play(Environment& environment, const ActionBank& actions, const Recording& recording,
          std::vector<std::byte>& observation) {
  const ObservationRow row(observation.data(), environment.spec().observation);
  for (const PlayedEpisode& episode : recording.episodes) {
    RandomStream stream = episode.start;
    environment.reset(stream, row);
    for (std::uint32_t step = 0; step < episode.steps; ++step) {
      environment.step(actions.at(episode.first_action + step), row);
    }
  }
}

}  // namespace

EnvironmentOptions parse_options(const EnvironmentSettings& settings) {
  EnvironmentOptions options;
  for (const std::string& option : settings.env_options) options.push_back(parse_environment_option(option));
  return options;
}

EnvironmentFactory environment_factory(const EnvironmentSettings& settings) {
  return make_environment_factory(settings.env, parse_options(settings));
}

ActionBank::ActionBank(const ActionSpec& spec) : size_(spec.size) {
  RandomStream stream(RandomKey{.purpose = Purpose::benchmark});
  if (spec.discrete()) {
    for (std::size_t index = 0; index < kActions; ++index) {
      choices_.push_back(stream.below(static_cast<std::uint32_t>(spec.choices)));
    }
    return;
  }
  choices_.resize(kActions);
  for (std::size_t index = 0; index < kActions; ++index) {
    for (std::size_t component = 0; component < size_; ++component) {
      const double low = spec.low[component];
      const double high = spec.high[component];
      const bool bounded = std::isfinite(low) && std::isfinite(high);
      continuous_.push_back(bounded ? stream.uniform(low, high) : stream.uniform(-1.0, 1.0));
    }
  }
}

Action ActionBank::at(std::size_t index) const {
  const std::size_t place = index % kActions;
  return {{continuous_.data() + place * size_, size_}, choices_[place]};
}

Recording record_random_episodes(Environment& environment, const ActionBank& actions, std::uint64_t thread,
                                 double seconds) {
  std::vector<std::byte> observation(environment.spec().observation.bytes());
  const ObservationRow row(observation.data(), environment.spec().observation);
  const auto* access = dynamic_cast<const StateAccess*>(&environment);
  Recording recording;
  const double end = now() + seconds;
  while (now() < end) {
    const RandomStream start = episode_stream(thread, recording.episodes.size());
    PlayedEpisode episode{.start = start, .state = {}, .first_action = recording.steps};
    RandomStream stream = start;
    environment.reset(stream, row);
    if (access != nullptr) episode.state = access->state();
    bool ended = false;
    while (!ended && episode.steps < environment.spec().max_steps) {
      const StepOutcome outcome = environment.step(actions.at(episode.first_action + episode.steps), row);
      ++episode.steps;
      recording.frames += outcome.frames.value_or(0);
      ended = outcome.terminated || outcome.truncated || outcome.failure != nullptr ||
              (episode.steps % kStepsBetweenLooks == 0 && now() >= end);
    }
    recording.steps += episode.steps;
    recording.episodes.push_back(std::move(episode));
  }
  return recording;
}

void bench_environment(const EnvironmentSettings& settings, Report& report) {
  const EnvironmentFactory factory = environment_factory(settings);
  std::vector<std::unique_ptr<Stepper>> steppers;
  std::unique_ptr<ActionBank> actions;
  for (std::size_t thread = 0; thread < static_cast<std::size_t>(settings.threads); ++thread) {
    std::unique_ptr<Environment> environment = factory(thread);
    if (!actions) actions = std::make_unique<ActionBank>(environment->spec().action);
    steppers.push_back(std::make_unique<Stepper>(std::move(environment), *actions, thread));
  }
  std::vector<std::uint64_t> steps(steppers.size());
  const auto run = [&](double seconds) {
    const double start = now();
    parallel_for(steppers.size(), settings.threads, [&](std::size_t index, int) {
      std::uint64_t count = 0;
      while (now() - start < seconds) {
        steppers[index]->advance(kStepsBetweenLooks);
        count += kStepsBetweenLooks;
      }
      steps[index] = count;
    });
    const double elapsed = now() - start;
    std::uint64_t sum = 0;
    for (const std::uint64_t count : steps) sum += count;
    return static_cast<double>(sum) / elapsed;
  };
  run(std::min(0.3, settings.seconds));
  report.value("environment", run(settings.seconds), "steps/s",
               {{"env", settings.env}, {"threads", std::to_string(settings.threads)}});
}

void bench_bare(const EnvironmentSettings& chosen, Report& report) {
  const EnvironmentSettings settings = bare_settings(chosen);
  const EnvironmentFactory factory = environment_factory(settings);
  const auto threads = static_cast<std::size_t>(settings.threads);
  std::vector<std::unique_ptr<Environment>> environments;
  for (std::size_t thread = 0; thread < threads; ++thread) environments.push_back(factory(thread));
  const EnvironmentSpec& spec = environments.front()->spec();
  const ActionBank actions(spec.action);
  const std::unique_ptr<BareLoop> bare = make_bare_loop(settings, actions);
  std::vector<Recording> recordings;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    recordings.push_back(record_random_episodes(*environments[thread], actions, thread, kRecordedSeconds));
  }
  std::vector<std::vector<std::byte>> observations(threads, std::vector<std::byte>(spec.observation.bytes()));
  double steps = 0.0;
  double frames = 0.0;
  for (const Recording& recording : recordings) {
    steps += static_cast<double>(recording.steps);
    frames += static_cast<double>(recording.frames);
  }

  const Work through_interface = [&] {
    parallel_for(threads, settings.threads, [&](std::size_t thread, int) {
      play(*environments[thread], actions, recordings[thread], observations[thread]);
    });
    return steps;
  };
  const Work by_bare_loop = [&] {
    parallel_for(threads, settings.threads, [&](std::size_t thread, int) { bare->play(thread, recordings[thread]); });
    return steps;
  };
  const Alternation measured(settings.seconds, {through_interface, by_bare_loop});
  for (std::size_t thread = 0; thread < threads; ++thread) {
    if (!bare->agrees(thread, *environments[thread])) {
      throw_run_time_error("the bare loop and " + settings.env + " did not reach the same state: rates not comparable");
    }
  }
  const Details details{{"env", settings.env}, {"threads", std::to_string(settings.threads)}};
  report.value("environment", measured.rate(0), "steps/s", details);
  report.value("bare", measured.rate(1), "steps/s", details);
  report.value("environment_over_bare", measured.ratio(0, 1), "", details);
  if (frames > 0.0) report.value("bare_frames", measured.rate(1) * frames / steps, "frames/s", details);
}

}  // namespace clade::bench
