#include "ga/elite_selection.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/fitness.hpp"
#include "ga/genealogy.hpp"
#include "ga/selection.hpp"

namespace clade {

EliteSelection::EliteSelection(std::size_t elites, std::size_t candidates)
    : elite_count_(elites), candidate_count_(candidates) {
  if (candidates < 1) throw_input_error("number of validation candidates 0 must be at least 1");
  if (elites < 1 || elites > candidates) {
    throw_input_error("number of elites " + std::to_string(elites) + " is outside [1, " + std::to_string(candidates) +
                      "], the number of validation candidates that they are chosen from");
  }
}

std::vector<Candidate> EliteSelection::candidates(std::uint64_t generation, std::span<const double> fitness) const {
  std::vector<Candidate> candidates;
  if (all_failed(fitness)) return candidates;
  CLADE_CHECK(fitness.size() <= std::numeric_limits<std::uint32_t>::max());
  for (std::size_t i = 0; i < elites_.size(); ++i) candidates.push_back({elites_[i], elite_fitness_[i], true});
  const std::size_t left = candidate_count_ - candidates.size();
  for (std::size_t place : best_places(fitness, left)) {
    if (std::isnan(fitness[place])) break;
    candidates.push_back({{generation, static_cast<std::uint32_t>(place)}, fitness[place], false});
  }
  return candidates;
}

void EliteSelection::validated(std::span<const double> means) { validation_means_.emplace(means.begin(), means.end()); }

bool EliteSelection::choose(std::uint64_t generation, std::span<const double> fitness) {
  const std::optional<std::vector<double>> validation = std::exchange(validation_means_, std::nullopt);
  const std::vector<Candidate> all = candidates(generation, fitness);
  CLADE_CHECK(!validation || validation->size() == all.size());
  if (all.empty()) return false;
  std::vector<double> scores;
  for (const Candidate& candidate : all) scores.push_back(candidate.fitness);
  if (validation) scores = *validation;
  elites_.clear();
  elite_fitness_.clear();
  for (std::size_t place : best_places(scores, elite_count_)) {
    elites_.push_back(all[place].who);
    elite_fitness_.push_back(all[place].fitness);
  }
  return true;
}

void EliteSelection::save(State& state) const {
  save_individuals(state, "elites", elites_);
  state.set("elites/fitness", elite_fitness_);
}

void EliteSelection::load(const State& state) {
  std::vector<Individual> elites = load_individuals(state, "elites");
  if (elites.size() > elite_count_) {
    throw_input_error("saved state has " + std::to_string(elites.size()) + " elites, expected at most " +
                      std::to_string(elite_count_));
  }
  elite_fitness_ = state.array<double>("elites/fitness", elites.size());
  elites_ = std::move(elites);
  validation_means_.reset();
}

}  // namespace clade
