#include "experiments/stored_run.hpp"

#include <string>

#include "core/cpu_inference.hpp"
#include "core/run_file.hpp"
#include "experiments/ars_experiment.hpp"
#include "experiments/es_experiment.hpp"
#include "experiments/replay.hpp"
#include "experiments/run_summary.hpp"

namespace clade {

namespace {

/// The experiment's settings as stored, and its strategy made from them.
template <class Experiment>
struct Revived {
  Experiment experiment;
  explicit Revived(const RunRecord& record) {
    Options options(Experiment::kProgram, "");
    experiment.add_options(options);
    options.apply_stored(record.configuration);
  }
};

}  // namespace

StoredRun::StoredRun(const std::filesystem::path& path, std::uint64_t threads) : record_(load_run_file(path)) {
  const auto revive = [&](auto revived) {
    settings_ = revived.experiment.run;
    settings_.threads = threads;
    threads_ = resolve_threads(settings_);
    task_ = std::make_unique<RunTask>(make_run_task(settings_));
    noise_ = make_noise(settings_.noise, threads_);
    const std::vector<double> zeros(task_->policy.network.parameter_count());
    strategy_ = revived.experiment.make_strategy(zeros, *noise_, threads_);
  };
  if (record_.program == EsExperiment::kProgram) {
    revive(Revived<EsExperiment>(record_));
  } else if (record_.program == ArsExperiment::kProgram) {
    revive(Revived<ArsExperiment>(record_));
  } else {
    throw_input_error(path.string() + ": made by " + record_.program + ", which this version of Clade does not know");
  }
  const EngineFactory engines = [this](std::size_t lanes) { return make_cpu_inference(task_->policy, *noise_, lanes); };
  scheduler_ =
      std::make_unique<EpisodeScheduler>(SchedulerSettings{threads_, settings_.lanes}, task_->environments, engines);
}

std::uint64_t StoredRun::best_generation() const {
  const GenerationRecord* best = best_evaluation(record_);
  if (best == nullptr)
    throw_input_error("the run played no evaluation, so none of its solutions is known to be the best");
  return best->generation + 1;
}

Population StoredRun::solution(std::uint64_t generation) {
  replay_to(*strategy_, record_, settings_.reward_shift, generation);
  Population population;
  population.generation = generation;
  const std::span<const double> solution = strategy_->solution();
  population.bases.push_back(std::make_shared<const std::vector<float>>(solution.begin(), solution.end()));
  population.members.push_back({});
  return population;
}

Population StoredRun::member(std::uint64_t generation, std::uint32_t member) {
  if (generation >= generations()) {
    throw_input_error("generation " + std::to_string(generation) + " has no members in the run file; " +
                      (generations() == 0 ? std::string("it holds no generation yet")
                                          : "it holds generations 0 to " + std::to_string(generations() - 1)));
  }
  const std::size_t members = record_.generations[generation].members.size();
  if (member >= members) {
    throw_input_error("member " + std::to_string(member) + " is not in generation " + std::to_string(generation) +
                      ", which has " + std::to_string(members) + " members, counted from 0");
  }
  replay_to(*strategy_, record_, settings_.reward_shift, generation);
  return strategy_->ask(member, 1);
}

NormalizerSnapshot StoredRun::normalizer(std::uint64_t generation) const {
  if (generation < generations()) return record_.generations[generation].normalizer;
  ObservationNormalizer normalizer(parse_normalization(settings_.normalize), task_->environment.observation.size());
  normalizer.load(record_.state);
  return normalizer.snapshot();
}

EvaluationResults StoredRun::play(const Population& population, const NormalizerSnapshot& normalizer,
                                  const EvaluationPlan& plan) {
  return scheduler_->evaluate(population, normalizer, plan);
}

}  // namespace clade
