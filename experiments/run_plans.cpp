#include "experiments/run_plans.hpp"

#include <algorithm>
#include <span>

namespace clade {

namespace {

/// Mean length of a member's episodes; 0 where it is not recorded.
double mean_steps(const RunRecord& record, const Individual& individual) {
  if (individual.generation >= record.generations.size()) return 0.0;
  const GenerationRecord& generation = record.generations[individual.generation];
  const std::size_t episodes = generation.episodes_per_member;
  const std::size_t first = individual.member * episodes;
  if (first + episodes > generation.steps.size()) return 0.0;
  double sum = 0.0;
  for (std::size_t index = first; index < first + episodes; ++index) sum += generation.steps[index];
  return sum / static_cast<double>(episodes);
}

}  // namespace

EvaluationPlan training_plan(const RunSettings& settings, std::uint64_t generation, std::uint32_t max_steps) {
  EvaluationPlan plan;
  plan.seed = settings.seed;
  plan.environment_purpose = Purpose::environment;
  plan.episodes_per_member = static_cast<std::uint32_t>(settings.episodes);
  plan.common_random_numbers = settings.common_random_numbers;
  plan.lanes = settings.lanes;
  plan.episode.max_steps = max_steps;
  plan.episode.max_frames = settings.max_frames;
  if (settings.normalize == "none") return plan;
  plan.collects_moments = [fraction = settings.statistics_fraction, seed = settings.seed, generation](
                              std::uint32_t member, std::uint32_t episode) {
    if (fraction >= 1.0) return true;
    RandomStream rng(RandomKey{seed, Purpose::statistics_sampling, generation, member, episode});
    return rng.uniform() < fraction;
  };
  return plan;
}

EvaluationPlan validation_plan(const RunSettings& settings, const RunTask& task, std::uint32_t max_steps) {
  EvaluationPlan plan;
  plan.seed = settings.seed;
  plan.environment_purpose = Purpose::validation_environment;
  plan.episodes_per_member = static_cast<std::uint32_t>(settings.validation_episodes);
  plan.same_for_all = true;
  plan.lanes = evaluation_lanes(settings, task);
  plan.episode.max_steps = max_steps;
  plan.episode.max_frames = settings.max_frames;
  plan.episode.action_noise = false;
  return plan;
}

EvaluationPlan test_plan(const RunSettings& settings, const RunTask& task, Purpose purpose, std::uint32_t episodes) {
  EvaluationPlan plan;
  plan.seed = settings.seed;
  plan.environment_purpose = purpose;
  plan.episodes_per_member = episodes;
  plan.lanes = evaluation_lanes(settings, task);
  plan.episode.max_steps = task.environment.max_steps;
  plan.episode.action_noise = false;
  return plan;
}

std::vector<double> recorded_steps(const RunRecord& record, std::span<const Individual> individuals) {
  std::vector<double> steps;
  steps.reserve(individuals.size());
  for (const Individual& individual : individuals) steps.push_back(mean_steps(record, individual));
  return steps;
}

std::vector<double> expected_steps(const RunRecord& record, const Population& population) {
  std::vector<double> steps;
  if (record.generations.empty()) return steps;
  const std::uint64_t before = record.generations.size() - 1;
  steps.reserve(population.members.size());
  for (std::size_t index = 0; index < population.members.size(); ++index) {
    const Member& member = population.members[index];
    if (member.form != PerturbationForm::initial && member.base < population.ancestors.size()) {
      steps.push_back(mean_steps(record, population.ancestors[member.base]));
    } else {
      steps.push_back(mean_steps(record, {before, static_cast<std::uint32_t>(population.first_member + index)}));
    }
  }
  return steps;
}

}  // namespace clade
