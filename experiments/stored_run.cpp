#include "experiments/stored_run.hpp"

#include <string>

#include "core/cpu_inference.hpp"
#include "core/run_file.hpp"
#include "experiments/ars_experiment.hpp"
#include "experiments/es_experiment.hpp"
#include "experiments/ga_experiment.hpp"
#include "experiments/random_search_experiment.hpp"
#include "experiments/replay.hpp"
#include "experiments/run_plans.hpp"
#include "experiments/run_summary.hpp"
#include "experiments/stored_genomes.hpp"
#include "ga/elitist_strategy.hpp"

namespace clade {

namespace {

std::unique_ptr<Strategy> make_strategy(EsExperiment& experiment, const RunTask& task, const NoiseSource& noise,
                                        int threads) {
  return experiment.make_strategy(std::vector<double>(task.policy.network.parameter_count()), noise, threads);
}

std::unique_ptr<Strategy> make_strategy(ArsExperiment& experiment, const RunTask& task, const NoiseSource& noise,
                                        int threads) {
  return experiment.make_strategy(std::vector<double>(task.policy.network.parameter_count()), noise, threads);
}

std::unique_ptr<Strategy> make_strategy(GaExperiment& experiment, const RunTask& task, const NoiseSource& noise,
                                        int /*threads*/) {
  experiment.parent_cache = "none";
  return experiment.make_strategy(task, noise);
}

std::unique_ptr<Strategy> make_strategy(RandomSearchExperiment& experiment, const RunTask& task,
                                        const NoiseSource& noise, int /*threads*/) {
  return experiment.make_strategy(task, noise);
}

}  // namespace

/// Makes task and strategy from the experiment's settings as stored.
template <class Experiment>
void StoredRun::revive(std::uint64_t threads) {
  Experiment experiment;
  Options options(Experiment::kProgram, "");
  experiment.add_options(options);
  options.apply_stored(record_.configuration);
  settings_ = experiment.run;
  settings_.threads = threads;
  threads_ = resolve_threads(settings_);
  task_ = std::make_unique<RunTask>(make_run_task(settings_));
  noise_ = make_noise(settings_.noise, threads_);
  strategy_ = make_strategy(experiment, *task_, *noise_, threads_);
  if (dynamic_cast<const ElitistStrategy*>(strategy_.get()) != nullptr) {
    layout_ = genome_layout(task_->policy.network, parse_initialisation(settings_.initialisation));
  }
}

StoredRun::StoredRun(const std::filesystem::path& path, std::uint64_t threads) : record_(load_run_file(path)) {
  const std::string& program = record_.program;
  if (program == EsExperiment::kProgram) {
    revive<EsExperiment>(threads);
  } else if (program == ArsExperiment::kProgram) {
    revive<ArsExperiment>(threads);
  } else if (program == GaExperiment::kProgram) {
    revive<GaExperiment>(threads);
  } else if (program == RandomSearchExperiment::kProgram) {
    revive<RandomSearchExperiment>(threads);
  } else {
    throw_input_error(path.string() + ": made by " + program + ", which this version of Clade does not know");
  }
  const EngineFactory engines = [this](std::size_t lanes) { return make_cpu_inference(task_->policy, *noise_, lanes); };
  scheduler_ = std::make_unique<EpisodeScheduler>(SchedulerSettings{threads_, evaluation_lanes(settings_, *task_)},
                                                  task_->environments, engines);
}

std::uint64_t StoredRun::best_generation() const {
  const GenerationRecord* best = best_evaluation(record_);
  if (best == nullptr)
    throw_input_error("the run played no evaluation, so none of its solutions is known to be the best");
  return best->generation + 1;
}

Population StoredRun::individual(const Individual& who) const {
  Population population;
  population.generation = who.generation;
  population.first_member = who.member;
  population.bases.push_back(recorded_weights(record_, who, *layout_, *noise_));
  population.members.push_back({});
  population.members.back().pair = record_.generations[who.generation].members[who.member].pair;
  return population;
}

Population StoredRun::solution(std::uint64_t generation) {
  if (has_genomes() && generation <= generations()) {
    const std::optional<Individual> elite = elite_after(record_, generation);
    // Before the first elite it is what the generation's first member would be.
    if (!elite && generation == generations()) strategy_->load(record_.state.extract("strategy"));
    Population population = elite                        ? individual(*elite)
                            : generation < generations() ? individual({generation, 0})
                                                         : strategy_->ask(0, 1);
    population.generation = generation;
    population.first_member = 0;
    population.members.front().pair = 0;
    return population;
  }
  replay_to(*strategy_, record_, settings_.reward_shift, generation);
  Population population;
  population.generation = generation;
  const std::span<const double> solution = strategy_->solution();
  population.bases.push_back(std::make_shared<const std::vector<float>>(solution.begin(), solution.end()));
  population.members.push_back({});
  return population;
}

void StoredRun::require_generation(std::uint64_t generation) const {
  if (generation < generations()) return;
  throw_input_error("generation " + std::to_string(generation) + " has no members in the run file; " +
                    (generations() == 0 ? std::string("it holds no generation yet")
                                        : "it holds generations 0 to " + std::to_string(generations() - 1)));
}

Population StoredRun::member(std::uint64_t generation, std::uint32_t member) {
  require_generation(generation);
  const std::size_t members = record_.generations[generation].members.size();
  if (member >= members) {
    throw_input_error("member " + std::to_string(member) + " is not in generation " + std::to_string(generation) +
                      ", which has " + std::to_string(members) + " members, counted from 0");
  }
  if (has_genomes()) return individual({generation, member});
  replay_to(*strategy_, record_, settings_.reward_shift, generation);
  return strategy_->ask(member, 1);
}

EvaluationPlan StoredRun::recorded_plan(std::uint64_t generation) const {
  require_generation(generation);
  const GenerationRecord& recorded = record_.generations[generation];
  EvaluationPlan plan = training_plan(settings_, generation, recorded.max_steps);
  plan.episodes_per_member = recorded.episodes_per_member;
  plan.collects_moments = {};
  return plan;
}

NormalizerSnapshot StoredRun::normalizer(std::uint64_t generation) const {
  if (generation < generations()) return record_.generations[generation].normalizer;
  ObservationNormalizer normalizer = make_normalizer(settings_, *task_);
  normalizer.load(record_.state);
  return normalizer.snapshot();
}

EvaluationResults StoredRun::play(const Population& population, const NormalizerSnapshot& normalizer,
                                  const EvaluationPlan& plan) {
  return scheduler_->evaluate(population, normalizer, plan);
}

}  // namespace clade
