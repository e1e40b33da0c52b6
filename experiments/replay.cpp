#include "experiments/replay.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

#include "core/error.hpp"

namespace clade {

GenerationRecord record_generation(const Population& population, const EvaluationResults& results,
                                   const NormalizerSnapshot& normalizer, std::uint32_t max_steps) {
  GenerationRecord record;
  record.generation = population.generation;
  record.max_steps = max_steps;
  record.episodes_per_member = results.episodes_per_member;
  record.members = population.members;
  record.ancestors = population.ancestors;
  record.normalizer = normalizer;
  record.returns.reserve(results.episodes.size());
  for (const EpisodeResult& episode : results.episodes) {
    record.returns.push_back(episode.episode_return);
    record.steps.push_back(episode.steps);
    record.frames.push_back(episode.frames);
    record.status.push_back(static_cast<std::uint8_t>(episode.status));
  }
  return record;
}

void append_returns(const EvaluationResults& results, std::vector<double>& returns, std::vector<std::uint32_t>& steps,
                    std::vector<std::uint32_t>& frames) {
  for (const EpisodeResult& episode : results.episodes) {
    returns.push_back(episode.valid_return());
    steps.push_back(episode.steps);
    frames.push_back(episode.frames);
  }
}

void add_costs(const EvaluationResults& results, GenerationRecord& generation) {
  generation.total_episodes += results.episodes.size();
  generation.total_steps += results.steps();
  generation.total_frames += results.frames();
  generation.evaluate_seconds += results.wall_seconds;
  generation.environment_seconds += results.environment_seconds;
  generation.inference_seconds += results.inference_seconds;
}

std::vector<double> member_fitness(const GenerationRecord& record, double reward_shift) {
  std::vector<double> fitness;
  fitness.reserve(record.members.size());
  const std::size_t episodes = record.episodes_per_member;
  for (std::size_t member = 0; member < record.members.size(); ++member) {
    double sum = 0.0;
    for (std::size_t index = member * episodes; index < (member + 1) * episodes; ++index) {
      const bool failed = record.status[index] == static_cast<std::uint8_t>(EpisodeStatus::failed);
      sum += failed ? std::numeric_limits<double>::quiet_NaN()
                    : record.returns[index] - reward_shift * static_cast<double>(record.steps[index]);
    }
    fitness.push_back(sum / static_cast<double>(episodes));
  }
  return fitness;
}

void replay_to(Strategy& strategy, const RunRecord& record, double reward_shift, std::uint64_t generation) {
  if (generation > record.generations.size()) {
    throw_input_error("generation " + std::to_string(generation) + " is not in the run file; it holds the solutions " +
                      "after 0 to " + std::to_string(record.generations.size()) + " generations");
  }
  if (generation == record.generations.size()) {
    strategy.load(record.state.extract("strategy"));
    return;
  }
  const auto later = std::find_if(record.keyframes.begin(), record.keyframes.end(),
                                  [&](const Keyframe& keyframe) { return keyframe.generation > generation; });
  if (later == record.keyframes.begin())
    throw_input_error("the run file holds no keyframe to rebuild its members from");
  const Keyframe& keyframe = *std::prev(later);
  strategy.load(keyframe.state);
  for (std::uint64_t step = keyframe.generation; step < generation; ++step) {
    strategy.tell(member_fitness(record.generations[step], reward_shift));
  }
}

}  // namespace clade
