#include "ga/deep_ga.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/number_text.hpp"

namespace clade {
namespace {

constexpr std::size_t kLargestPopulation = std::numeric_limits<std::uint32_t>::max();

/// A population's bases: parents out of the genealogy of the moment.
class ParentSupply final : public BaseSupply {
 public:
  ParentSupply(std::shared_ptr<const Genealogy> genealogy, std::shared_ptr<ParentCache> cache,
               std::vector<Individual> parents)
      : genealogy_(std::move(genealogy)), cache_(std::move(cache)), parents_(std::move(parents)) {}

  std::shared_ptr<const std::vector<float>> base(std::uint32_t index) const override {
    CLADE_CHECK(index < parents_.size());
    return cache_->weights(*genealogy_, parents_[index]);
  }

 private:
  std::shared_ptr<const Genealogy> genealogy_;
  std::shared_ptr<ParentCache> cache_;
  std::vector<Individual> parents_;
};

std::string within(std::size_t largest) { return " is outside [1, " + std::to_string(largest) + "]"; }

std::uint32_t place_of(const std::vector<Individual>& individuals, const Individual& individual) {
  const auto found = std::find(individuals.begin(), individuals.end(), individual);
  CLADE_CHECK(found != individuals.end());
  return static_cast<std::uint32_t>(found - individuals.begin());
}

}  // namespace

void DeepGaConfig::validate() const {
  if (population < 1 || population > kLargestPopulation) {
    throw_input_error("population " + std::to_string(population) + within(kLargestPopulation));
  }
  if (parents < 1 || parents > population) {
    throw_input_error("number of parents " + std::to_string(parents) + within(population) + ", the population");
  }
  if (elites < 1 || elites > parents) {
    throw_input_error("number of elites " + std::to_string(elites) + within(parents) +
                      ", the number of parents, which they are counted among");
  }
  EliteSelection(elites, candidates);
  power.validate();
  if (selection == ParentSelection::tournament && tournament_size < 1) {
    throw_input_error("tournament size " + std::to_string(tournament_size) + " must be at least 1");
  }
  if (crossover != Crossover::none && !(crossover_rate > 0.0 && crossover_rate <= 1.0)) {
    throw_input_error("crossover rate " + number_text(crossover_rate) +
                      " is outside (0, 1], the share of children with two parents");
  }
}

std::size_t automatic_parent_cache(const DeepGaConfig& config, std::size_t parameter_count) {
  const std::size_t vectors = config.crossover == Crossover::none ? config.parents + 1 : 2 * config.parents + 1;
  const double vector_bytes = static_cast<double>(parameter_count) * sizeof(float);
  const double wanted = static_cast<double>(vectors) * vector_bytes;
  const std::optional<double> available = available_memory();
  const double granted = available ? std::min(wanted, *available / 2.0) : wanted;
  return static_cast<std::size_t>(std::max(granted, vector_bytes));
}

DeepGa::DeepGa(const DeepGaConfig& config, const GenomeLayout& layout, std::uint64_t seed, const NoiseSource& noise)
    : config_(config),
      layout_(layout),
      seed_(seed),
      noise_(noise),
      elites_(config.elites, config.candidates),
      genealogy_(std::make_shared<Genealogy>()) {
  config.validate();
  CLADE_CHECK(layout.parameter_count > 0 && layout.initial_scales != nullptr);
  if (config.crossover == Crossover::one_point && layout.layer_starts.empty()) {
    throw_input_error("one-point crossover cuts between layers, and the network has one only: choose uniform");
  }
  cache_ =
      std::make_shared<ParentCache>(layout.parameter_count, config.parent_cache_bytes, layout.initial_scales, noise);
}

DeepGa::DeepGa(const DeepGaConfig& config, const Network& network, Initialisation initialisation, std::uint64_t seed,
               const NoiseSource& noise)
    : DeepGa(config, genome_layout(network, initialisation), seed, noise) {}

Member DeepGa::recipe(std::size_t member) const {
  Member result;
  result.pair = static_cast<std::uint32_t>(member);
  if (parents_.empty()) {
    result.form = PerturbationForm::initial;
    result.key = pack({seed_, Purpose::initialisation, generation_, member, 0});
    return result;
  }
  RandomStream draws({seed_, Purpose::selection, generation_, member, 0});
  const std::size_t parent = draw_parent(config_.selection, parents_.size(), config_.tournament_size, draws);
  result.base = static_cast<std::uint32_t>(parent);
  result.form = PerturbationForm::dense;
  result.key = pack({seed_, Purpose::perturbation, generation_, member, 0});
  result.scale = static_cast<float>(config_.power.at(generation_));

  if (config_.crossover == Crossover::none || parents_.size() < 2) return result;
  if (draws.uniform() >= config_.crossover_rate) return result;
  const std::size_t mate = draw_parent(config_.selection, parents_.size() - 1, config_.tournament_size, draws);
  result.crossover = config_.crossover;
  result.mate = static_cast<std::uint32_t>(mate < parent ? mate : mate + 1);
  result.crossover_key = pack({seed_, Purpose::crossover, generation_, member, 0});
  if (config_.crossover == Crossover::one_point) {
    const auto cuts = static_cast<std::uint32_t>(layout_.layer_starts.size());
    result.crossover_point = layout_.layer_starts[RandomStream(result.crossover_key).below(cuts)];
  }
  return result;
}

Population DeepGa::family() const {
  Population population;
  population.generation = generation_;
  population.parameter_count = layout_.parameter_count;
  population.initial_scales = layout_.initial_scales;
  population.ancestors = parents_;
  if (!parents_.empty()) population.supply = std::make_shared<ParentSupply>(genealogy_, cache_, parents_);
  return population;
}

Population DeepGa::ask(std::size_t first_member, std::size_t count) const {
  CLADE_CHECK(count <= kLargestPopulation && first_member <= kLargestPopulation - count);
  Population population = family();
  population.first_member = first_member;
  population.members.reserve(count);
  for (std::size_t i = 0; i < count; ++i) population.members.push_back(recipe(first_member + i));
  return population;
}

Population DeepGa::candidates(std::span<const double> fitness, std::vector<Individual>& individuals) const {
  Population population = family();
  individuals.clear();
  for (const Candidate& candidate : elites_.candidates(generation_, fitness)) {
    Member member;
    if (candidate.elite) {
      member.base = place_of(parents_, candidate.who);
    } else {
      member = recipe(candidate.who.member);
    }
    member.pair = static_cast<std::uint32_t>(population.members.size());
    population.members.push_back(member);
    individuals.push_back(candidate.who);
  }
  return population;
}

void DeepGa::validated(std::span<const double> means) { elites_.validated(means); }

void DeepGa::tell(std::span<const double> fitness) {
  if (elites_.choose(generation_, fitness)) {
    const std::vector<Individual>& kept = elites_.elites();
    std::vector<Individual> parents = kept;
    for (std::size_t place : best_places(fitness, config_.parents)) {
      const Individual individual{generation_, static_cast<std::uint32_t>(place)};
      if (parents.size() == config_.parents || std::isnan(fitness[place])) break;
      if (std::find(kept.begin(), kept.end(), individual) == kept.end()) parents.push_back(individual);
    }
    const auto genealogy = std::make_shared<Genealogy>(*genealogy_);
    for (const Individual& parent : parents) {
      if (parent.generation == generation_) genealogy->add(parent, birth_of(recipe(parent.member), parents_));
    }
    genealogy->prune(parents);
    parents_ = std::move(parents);
    genealogy_ = genealogy;
    cache_->retain(genealogy_, parents_);
  }
  ++generation_;
  solution_.reset();
}

std::span<const double> DeepGa::solution() const {
  if (!solution_) {
    if (elites().empty()) {
      std::vector<float> weights(layout_.parameter_count);
      materialise(family(), recipe(0), noise_, 0, weights);
      solution_.emplace(weights.begin(), weights.end());
    } else {
      const auto weights = cache_->weights(*genealogy_, elites().front());
      solution_.emplace(weights->begin(), weights->end());
    }
  }
  return *solution_;
}

State DeepGa::save() const {
  State state;
  state.set("generation", std::vector<std::uint64_t>{generation_});
  layout_.save(state);
  elites_.save(state);
  save_individuals(state, "parents", parents_);
  genealogy_->save(state);
  return state;
}

void DeepGa::load(const State& state) {
  const std::uint64_t generation = state.array<std::uint64_t>("generation", 1).front();
  layout_.check_saved(state);
  EliteSelection elites = elites_;
  elites.load(state);
  std::vector<Individual> parents = load_individuals(state, "parents");
  const std::vector<Individual>& first = elites.elites();
  if (parents.size() > config_.parents || parents.size() < first.size() ||
      !std::equal(first.begin(), first.end(), parents.begin())) {
    throw_input_error("saved state has " + std::to_string(parents.size()) + " parents, expected at most " +
                      std::to_string(config_.parents) + " that begin with the " + std::to_string(first.size()) +
                      " elites");
  }
  auto genealogy = std::make_shared<Genealogy>();
  genealogy->load(state);
  for (const Individual& parent : parents) {
    genealogy->birth(parent);
    if (parent.generation >= generation) {
      throw_input_error("saved state of generation " + std::to_string(generation) + " has the parent " +
                        individual_text(parent));
    }
  }
  // Another history may have other individuals under the same names.
  auto cache = std::make_shared<ParentCache>(layout_.parameter_count, config_.parent_cache_bytes,
                                             layout_.initial_scales, noise_);
  cache->retain(genealogy, parents);
  generation_ = generation;
  elites_ = std::move(elites);
  parents_ = std::move(parents);
  genealogy_ = std::move(genealogy);
  cache_ = std::move(cache);
  solution_.reset();
}

}  // namespace clade
