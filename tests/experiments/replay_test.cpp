#include "experiments/replay.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "es/ars.hpp"
#include "es/openai_es.hpp"
#include "tests/support/catch.hpp"

namespace clade {
namespace {

constexpr std::size_t kParameters = 7;
constexpr std::uint64_t kGenerations = 9;
constexpr double kShift = 0.5;

std::unique_ptr<Strategy> make(const std::string& name, const NoiseSource& noise) {
  const std::vector<double> initial(kParameters, 0.25);
  if (name == "ars") {
    ArsConfig config;
    config.directions = 4;
    config.top = 2;
    return std::make_unique<Ars>(config, initial, 3, noise, 1);
  }
  OpenAiEsConfig config;
  config.population = 8;
  return std::make_unique<OpenAiEs>(config, initial, 3, noise, 1);
}

/// A generation whose returns are a made-up function of member and generation, with one failed episode.
EvaluationResults made_up_results(std::size_t members, std::uint64_t generation) {
  EvaluationResults results;
  results.episodes_per_member = 2;
  for (std::size_t index = 0; index < 2 * members; ++index) {
    EpisodeResult episode;
    episode.episode_return = std::sin(static_cast<double>(index * 7 + generation * 13));
    episode.steps = static_cast<std::uint32_t>(5 + index % 3);
    episode.status = index == 3 && generation == 2 ? EpisodeStatus::failed : EpisodeStatus::truncated;
    results.episodes.push_back(episode);
  }
  return results;
}

TEST_CASE("member_fitness is the mean shifted return, NaN where an episode failed") {
  Population population;
  population.members.resize(2);
  const GenerationRecord record = record_generation(population, made_up_results(2, 2), {}, 30);
  CHECK(record.max_steps == 30);
  const std::vector<double> fitness = member_fitness(record, kShift);
  REQUIRE(fitness.size() == 2);
  CHECK(fitness[0] == (std::sin(26.0) - kShift * 5.0 + (std::sin(33.0) - kShift * 6.0)) / 2.0);
  CHECK(std::isnan(fitness[1]));
}

TEST_CASE("replay_to rebuilds the state before any generation, whatever the keyframes") {
  const std::unique_ptr<NoiseSource> noise = make_counter_noise();
  for (const std::string name : {"openai", "ars"}) {
    for (const std::uint64_t keyframe_every : {1U, 4U, 100U}) {
      CAPTURE(name, keyframe_every);
      RunRecord record;
      std::vector<State> states;
      const std::unique_ptr<Strategy> strategy = make(name, *noise);
      for (std::uint64_t generation = 0; generation < kGenerations; ++generation) {
        states.push_back(strategy->save());
        if (generation % keyframe_every == 0) record.keyframes.push_back({generation, strategy->save()});
        const Population population = strategy->ask(0, 8);
        record.generations.push_back(record_generation(population, made_up_results(8, generation), {}, 30));
        strategy->tell(member_fitness(record.generations.back(), kShift));
      }
      states.push_back(strategy->save());
      record.state.insert("strategy", strategy->save());
      record.next_generation = kGenerations;
      for (std::uint64_t generation = 0; generation <= kGenerations; ++generation) {
        const std::unique_ptr<Strategy> rebuilt = make(name, *noise);
        replay_to(*rebuilt, record, kShift, generation);
        CHECK(rebuilt->save() == states[generation]);
      }
      const std::unique_ptr<Strategy> rebuilt = make(name, *noise);
      CHECK_THROWS_WITH(replay_to(*rebuilt, record, kShift, kGenerations + 1),
                        "generation 10 is not in the run file; it holds the solutions after 0 to 9 generations");
    }
  }
}

}  // namespace
}  // namespace clade
