#include "tests/benchmarks/population_bench.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/cpu_inference.hpp"
#include "core/episode_scheduler.hpp"
#include "core/head.hpp"
#include "core/network.hpp"
#include "core/noise.hpp"
#include "core/observation_normalizer.hpp"
#include "core/parallel.hpp"
#include "core/population.hpp"
#include "tests/benchmarks/bare_loop.hpp"

namespace clade::bench {
namespace {

constexpr double kRecordedSeconds = 0.25;
constexpr double kScalingTarget = 0.95;  // of the number of threads

/// An episode that a policy played: the stream its reset got, and its actions in order.
struct PolicyEpisode {
  RandomStream start;
  std::vector<double> actions;       // [steps, action size]
  std::vector<std::size_t> choices;  // [steps], of a discrete action
  std::size_t steps = 0;
};

/// Passes everything on and writes down what was played; a slot has a log of its own.
class RecordingEnvironment final : public Environment {
 public:
  RecordingEnvironment(std::unique_ptr<Environment> inner, std::vector<PolicyEpisode>& log)
      : inner_(std::move(inner)), log_(log) {}
  const EnvironmentSpec& spec() const override { return inner_->spec(); }
  void reset(RandomStream& rng, ObservationRow observation) override {
    log_.push_back({.start = rng, .actions = {}, .choices = {}});
    inner_->reset(rng, observation);
  }
  StepOutcome step(const Action& action, ObservationRow observation) override {
    PolicyEpisode& episode = log_.back();
    episode.actions.insert(episode.actions.end(), action.continuous.begin(), action.continuous.end());
    episode.choices.push_back(action.choice);
    ++episode.steps;
    return inner_->step(action, observation);
  }

 private:
  std::unique_ptr<Environment> inner_;
  std::vector<PolicyEpisode>& log_;
};

/// A population on a task, and all that evaluating it takes.
class Evaluation {
 public:
  explicit Evaluation(const PopulationSettings& settings)
      : settings_(settings),
        factory_(environment_factory(settings.environment)),
        spec_(factory_(0)->spec()),
        policy_(make_policy()),
        noise_(make_noise(settings.noise, settings.environment.threads)),
        population_(make_population()) {
    plan_.episode.max_steps = spec_.max_steps;
    const NormalizationKind kind = parse_normalization(settings.normalize);
    ObservationNormalizer normalizer(kind, spec_.observation.size());
    if (kind != NormalizationKind::none) {
      plan_.collects_moments = [](std::uint32_t, std::uint32_t) { return true; };
      // What the first generation saw, as the later ones of a run would have it.
      const EvaluationResults first = evaluate(*scheduler(settings.environment.threads));
      normalizer.update(first.moments);
      normalizer_ = normalizer.snapshot();
    }
    const EvaluationResults played = evaluate(*scheduler(settings.environment.threads));
    for (const EpisodeResult& episode : played.episodes) plan_.expected_steps.push_back(episode.steps);
  }

  std::unique_ptr<EpisodeScheduler> scheduler(int threads) const { return scheduler(threads, factory_); }
  std::unique_ptr<EpisodeScheduler> scheduler(int threads, const EnvironmentFactory& factory) const {
    return std::make_unique<EpisodeScheduler>(
        SchedulerSettings{.threads = threads, .lanes = settings_.lanes}, factory,
        [this](std::size_t lanes) { return make_cpu_inference(policy_, *noise_, lanes); });
  }
  EvaluationResults evaluate(EpisodeScheduler& scheduler) const {
    return scheduler.evaluate(population_, normalizer_, plan_);
  }
  Work work(EpisodeScheduler& scheduler) const {
    return [this, &scheduler] { return static_cast<double>(evaluate(scheduler).steps()); };
  }
  /// All episodes of the population, longest first.
  std::vector<PolicyEpisode> record() const {
    const auto threads = settings_.environment.threads;
    std::vector<std::vector<PolicyEpisode>> logs(static_cast<std::size_t>(threads) * settings_.lanes);
    const auto recorder = scheduler(threads, [&](std::size_t slot) {
      return std::make_unique<RecordingEnvironment>(factory_(slot), logs.at(slot));
    });
    evaluate(*recorder);
    std::vector<PolicyEpisode> episodes;
    for (std::vector<PolicyEpisode>& log : logs) {
      for (PolicyEpisode& episode : log) episodes.push_back(std::move(episode));
    }
    std::stable_sort(episodes.begin(), episodes.end(),
                     [](const PolicyEpisode& a, const PolicyEpisode& b) { return a.steps > b.steps; });
    return episodes;
  }
  const EnvironmentFactory& factory() const { return factory_; }
  const EnvironmentSpec& spec() const { return spec_; }
  std::size_t parameters() const { return policy_.network.parameter_count(); }

 private:
  Policy make_policy() const {
    HeadSpec head = parse_head(settings_.head);
    const std::size_t outputs = head_outputs(head, spec_.action);
    return {Network(parse_network(settings_.network), spec_.observation.size(), outputs), head, spec_.observation,
            spec_.action};
  }
  Population make_population() const {
    const Network& network = policy_.network;
    std::vector<double> start(network.parameter_count(), 0.0);
    const bool linear = network.layers().size() == 1;
    initialise(network, linear ? Initialisation::zero : Initialisation::normc, RandomKey{.purpose = Purpose::benchmark},
               start);
    Population population;
    population.bases.push_back(std::make_shared<const std::vector<float>>(start.begin(), start.end()));
    for (std::uint32_t member = 0; member < settings_.population; ++member) {
      const std::uint32_t pair = member / 2;
      const auto sigma = static_cast<float>(settings_.sigma);
      population.members.push_back({.base = 0,
                                    .form = PerturbationForm::dense,
                                    .key = pack(RandomKey{.purpose = Purpose::benchmark, .member = pair}),
                                    .scale = member % 2 == 0 ? sigma : -sigma,
                                    .pair = pair});
    }
    return population;
  }

  const PopulationSettings& settings_;
  EnvironmentFactory factory_;
  EnvironmentSpec spec_;
  Policy policy_;
  std::unique_ptr<NoiseSource> noise_;
  Population population_;
  NormalizerSnapshot normalizer_;
  EvaluationPlan plan_;
};

Details details_of(const PopulationSettings& settings, const Evaluation& evaluation) {
  return {{"env", settings.environment.env},
          {"network", settings.network},
          {"parameters", std::to_string(evaluation.parameters())},
          {"members", std::to_string(settings.population)},
          {"threads", std::to_string(settings.environment.threads)}};
}

/// The environments alone, playing `episodes` again: returns a work that counts steps.
class Replay {
 public:
  Replay(const Evaluation& evaluation, std::vector<PolicyEpisode> episodes, int threads)
      : episodes_(std::move(episodes)), threads_(threads), action_size_(evaluation.spec().action.size) {
    for (std::size_t worker = 0; worker < static_cast<std::size_t>(threads); ++worker) {
      environments_.push_back(evaluation.factory()(worker));
      observations_.emplace_back(evaluation.spec().observation.bytes());
    }
  }
  double operator()() {
    parallel_for(episodes_.size(), threads_, [this](std::size_t index, int worker) {
      const PolicyEpisode& episode = episodes_[index];
      Environment& environment = *environments_[static_cast<std::size_t>(worker)];
      const ObservationRow row(observations_[static_cast<std::size_t>(worker)].data(), environment.spec().observation);
      RandomStream stream = episode.start;
      environment.reset(stream, row);
      for (std::size_t step = 0; step < episode.steps; ++step) {
        environment.step({{episode.actions.data() + step * action_size_, action_size_}, episode.choices[step]}, row);
      }
    });
    double steps = 0.0;
    for (const PolicyEpisode& episode : episodes_) steps += static_cast<double>(episode.steps);
    return steps;
  }

 private:
  std::vector<PolicyEpisode> episodes_;
  int threads_;
  std::size_t action_size_;
  std::vector<std::unique_ptr<Environment>> environments_;
  std::vector<std::vector<std::byte>> observations_;
};

}  // namespace

void bench_population(const PopulationSettings& settings, Report& report) {
  const Evaluation evaluation(settings);
  const int threads = settings.environment.threads;
  const std::unique_ptr<EpisodeScheduler> scheduler = evaluation.scheduler(threads);
  const Details details = details_of(settings, evaluation);
  if (!settings.replay) {
    report.value("population", rate(settings.environment.seconds, evaluation.work(*scheduler)), "steps/s", details);
    return;
  }
  Replay replay(evaluation, evaluation.record(), threads);
  const Alternation measured(settings.environment.seconds, {evaluation.work(*scheduler), [&] { return replay(); }});
  report.value("population", measured.rate(0), "steps/s", details);
  report.value("replay", measured.rate(1), "steps/s", details);
  report.value("population_over_replay", measured.ratio(0, 1), "", details);
}

void bench_scaling(const PopulationSettings& settings, Report& report) {
  const Evaluation evaluation(settings);
  const int threads = settings.environment.threads;
  const std::unique_ptr<EpisodeScheduler> one = evaluation.scheduler(1);
  const std::unique_ptr<EpisodeScheduler> many = evaluation.scheduler(threads);

  const ActionBank actions(evaluation.spec().action);
  const std::unique_ptr<BareLoop> bare = make_bare_loop(settings.environment, actions);
  std::vector<Recording> recordings;
  for (std::size_t thread = 0; thread < static_cast<std::size_t>(threads); ++thread) {
    recordings.push_back(record_random_episodes(*evaluation.factory()(thread), actions, thread, kRecordedSeconds));
  }
  const auto bare_on = [&](int workers) -> Work {
    return [&, workers] {
      double steps = 0.0;
      for (int thread = 0; thread < workers; ++thread) {
        steps += static_cast<double>(recordings[static_cast<std::size_t>(thread)].steps);
      }
      parallel_for(static_cast<std::size_t>(workers), workers,
                   [&](std::size_t thread, int) { bare->play(thread, recordings[thread]); });
      return steps;
    };
  };
  const Alternation measured(settings.environment.seconds,
                             {evaluation.work(*one), evaluation.work(*many), bare_on(1), bare_on(threads)});
  const Details details = details_of(settings, evaluation);
  const double population_scaling = measured.ratio(1, 0);
  const double bare_scaling = measured.ratio(3, 2);
  report.value("population_scaling", population_scaling, "", details);
  report.value("bare_scaling", bare_scaling, "", details);
  report.value("scaling_over_target", population_scaling / std::min(kScalingTarget * threads, bare_scaling), "",
               details);
}

}  // namespace clade::bench
