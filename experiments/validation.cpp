#include "experiments/validation.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "core/error.hpp"

namespace clade {

namespace {

/// Returns of the candidate at `place`.
std::vector<double> candidate_returns(const Validation& validation, std::size_t place) {
  std::vector<double> returns;
  const std::size_t episodes = validation.episodes_per_candidate;
  for (std::size_t index = place * episodes; index < (place + 1) * episodes; ++index) {
    const bool failed = validation.status[index] == static_cast<std::uint8_t>(EpisodeStatus::failed);
    returns.push_back(failed ? std::numeric_limits<double>::quiet_NaN() : validation.returns[index]);
  }
  return returns;
}

}  // namespace

Validation record_validation(std::span<const Individual> candidates, const EvaluationResults& results) {
  CLADE_CHECK(candidates.size() * results.episodes_per_member == results.episodes.size());
  Validation validation;
  validation.episodes_per_candidate = results.episodes_per_member;
  validation.candidates.assign(candidates.begin(), candidates.end());
  for (const EpisodeResult& episode : results.episodes) {
    validation.returns.push_back(episode.episode_return);
    validation.steps.push_back(episode.steps);
    validation.frames.push_back(episode.frames);
    validation.status.push_back(static_cast<std::uint8_t>(episode.status));
  }
  return validation;
}

std::vector<double> validation_means(const Validation& validation) {
  std::vector<double> means;
  for (std::size_t place = 0; place < validation.candidates.size(); ++place) {
    double sum = 0.0;
    for (const double value : candidate_returns(validation, place)) sum += value;
    means.push_back(sum / static_cast<double>(validation.episodes_per_candidate));
  }
  return means;
}

std::vector<double> elite_returns(const Validation& validation) {
  if (validation.elites.empty()) return {};
  const auto place = std::ranges::find(validation.candidates, validation.elites.front());
  if (place == validation.candidates.end()) return {};
  return candidate_returns(validation, static_cast<std::size_t>(place - validation.candidates.begin()));
}

}  // namespace clade
