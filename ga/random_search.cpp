#include "ga/random_search.hpp"

#include <limits>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "ga/genealogy.hpp"

namespace clade {
namespace {

constexpr std::size_t kLargestPopulation = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void RandomSearchConfig::validate() const {
  if (population < 1 || population > kLargestPopulation) {
    throw_input_error("population " + std::to_string(population) + " is outside [1, " +
                      std::to_string(kLargestPopulation) + "]");
  }
  if (elites > population) {
    throw_input_error("number of elites " + std::to_string(elites) + " is outside [1, " + std::to_string(population) +
                      "], the population");
  }
  EliteSelection(elites, candidates);
}

RandomSearch::RandomSearch(const RandomSearchConfig& config, const GenomeLayout& layout, std::uint64_t seed,
                           const NoiseSource& noise)
    : layout_(layout), seed_(seed), noise_(noise), elites_(config.elites, config.candidates) {
  config.validate();
  CLADE_CHECK(layout.parameter_count > 0 && layout.initial_scales != nullptr);
}

RandomSearch::RandomSearch(const RandomSearchConfig& config, const Network& network, Initialisation initialisation,
                           std::uint64_t seed, const NoiseSource& noise)
    : RandomSearch(config, genome_layout(network, initialisation), seed, noise) {}

Member RandomSearch::recipe(const Individual& individual) const {
  Member member;
  member.form = PerturbationForm::initial;
  member.key = pack({seed_, Purpose::initialisation, individual.generation, individual.member, 0});
  member.pair = individual.member;
  return member;
}

Population RandomSearch::fresh() const {
  Population population;
  population.generation = generation_;
  population.parameter_count = layout_.parameter_count;
  population.initial_scales = layout_.initial_scales;
  return population;
}

Population RandomSearch::ask(std::size_t first_member, std::size_t count) const {
  CLADE_CHECK(count <= kLargestPopulation && first_member <= kLargestPopulation - count);
  Population population = fresh();
  population.first_member = first_member;
  population.members.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    population.members.push_back(recipe({generation_, static_cast<std::uint32_t>(first_member + i)}));
  }
  return population;
}

Population RandomSearch::candidates(std::span<const double> fitness, std::vector<Individual>& individuals) const {
  Population population = fresh();
  individuals.clear();
  for (const Candidate& candidate : elites_.candidates(generation_, fitness)) {
    population.members.push_back(recipe(candidate.who));
    population.members.back().pair = static_cast<std::uint32_t>(individuals.size());
    individuals.push_back(candidate.who);
  }
  return population;
}

void RandomSearch::validated(std::span<const double> means) { elites_.validated(means); }

void RandomSearch::tell(std::span<const double> fitness) {
  elites_.choose(generation_, fitness);
  ++generation_;
  solution_.reset();
}

std::span<const double> RandomSearch::solution() const {
  if (!solution_) {
    std::vector<float> weights(layout_.parameter_count);
    const Individual best = elites().empty() ? Individual{generation_, 0} : elites().front();
    materialise(fresh(), recipe(best), noise_, 0, weights);
    solution_.emplace(weights.begin(), weights.end());
  }
  return *solution_;
}

State RandomSearch::save() const {
  State state;
  state.set("generation", std::vector<std::uint64_t>{generation_});
  layout_.save(state);
  elites_.save(state);
  return state;
}

void RandomSearch::load(const State& state) {
  const std::uint64_t generation = state.array<std::uint64_t>("generation", 1).front();
  layout_.check_saved(state);
  EliteSelection elites = elites_;
  elites.load(state);
  for (const Individual& elite : elites.elites()) {
    if (elite.generation >= generation) {
      throw_input_error("saved state of generation " + std::to_string(generation) + " has the elite " +
                        individual_text(elite));
    }
  }
  generation_ = generation;
  elites_ = std::move(elites);
  solution_.reset();
}

}  // namespace clade
