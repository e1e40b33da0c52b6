#include "experiments/validation.hpp"

#include <cmath>
#include <vector>

#include "tests/support/catch.hpp"

namespace clade {
namespace {

EvaluationResults results_of(const std::vector<double>& returns, std::uint32_t episodes) {
  EvaluationResults results;
  results.episodes_per_member = episodes;
  for (const double value : returns) {
    EpisodeResult episode;
    episode.episode_return = value;
    episode.steps = 10;
    episode.frames = 38;
    episode.status = EpisodeStatus::terminated;
    results.episodes.push_back(episode);
  }
  return results;
}

TEST_CASE("a validation keeps every episode of every candidate") {
  const std::vector<Individual> candidates = {{0, 4}, {2, 1}};
  const Validation validation = record_validation(candidates, results_of({1.0, 2.0, 3.0, 5.0}, 2));
  CHECK(validation.candidates == candidates);
  CHECK(validation.episodes_per_candidate == 2);
  CHECK(validation.returns == std::vector<double>{1.0, 2.0, 3.0, 5.0});
  CHECK(validation.steps == std::vector<std::uint32_t>(4, 10));
  CHECK(validation.frames == std::vector<std::uint32_t>(4, 38));
  CHECK(validation.status == std::vector<std::uint8_t>(4, 1));
  CHECK(validation.elites.empty());
  CHECK(validation_means(validation) == std::vector<double>{1.5, 4.0});
  CHECK(elite_returns(validation).empty());
}

TEST_CASE("a candidate with a failed episode is worth NaN, and an elite's failed episode is one") {
  EvaluationResults results = results_of({1.0, 2.0, 3.0, 5.0}, 2);
  results.episodes[3].status = EpisodeStatus::failed;
  Validation validation = record_validation(std::vector<Individual>{{0, 4}, {2, 1}}, results);
  CHECK(validation_means(validation)[0] == 1.5);
  CHECK(std::isnan(validation_means(validation)[1]));
  validation.elites = {{2, 1}, {0, 4}};
  const std::vector<double> returns = elite_returns(validation);
  REQUIRE(returns.size() == 2);
  CHECK(returns[0] == 3.0);
  CHECK(std::isnan(returns[1]));
  validation.elites = {{1, 1}};  // chosen without a validation
  CHECK(elite_returns(validation).empty());
}

}  // namespace
}  // namespace clade
