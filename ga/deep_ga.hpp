#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/network.hpp"
#include "core/noise.hpp"
#include "core/strategy.hpp"
#include "ga/genealogy.hpp"
#include "ga/parent_cache.hpp"
#include "ga/selection.hpp"

namespace clade {

/// Mutation power by generation: "0.002" constant; "linear:0.01,0.001,200" from the first to the second value over so
/// many generations, then constant; "exponential:0.01,0.001,200" the same, geometrically.
struct PowerSchedule {
  enum class Kind { constant, linear, exponential };
  Kind kind = Kind::constant;
  double first = 0.002;
  double last = 0.002;
  std::uint64_t generations = 1;
  double at(std::uint64_t generation) const;
  std::string description() const;
};
PowerSchedule parse_power_schedule(const std::string& text);  ///< throws Error

struct DeepGaConfig {
  std::size_t population = 1000;  ///< members evaluated in a generation; elites are not evaluated again as members
  std::size_t parents = 20;       ///< truncation: the best so many, elites among them, have children; <= population
  std::size_t elites = 1;       ///< the best by validation stay parents, unmodified; 1 <= elites <= candidates, parents
  std::size_t candidates = 10;  ///< validated in a generation: the elites of before and the best of the generation
  PowerSchedule power;
  ParentSelection selection = ParentSelection::truncation;
  std::size_t tournament_size = 2;
  double crossover_rate = 0.0;  ///< share of children that have a second parent
  Crossover crossover = Crossover::uniform;
  std::size_t parent_cache_bytes = 0;  ///< limit of the parents' weights in memory; never alters results
  /// Throws Error naming the value and its limit.
  void validate() const;
};

/// The deep genetic algorithm of Such, Madhavan, Conti, Lehman, Stanley, Clune 2017, "Deep Neuroevolution: Genetic
/// Algorithms Are a Competitive Alternative for Training Deep Neural Networks for Reinforcement Learning", Algorithm 1,
/// with the elite chosen by validation as in the authors' code.
///
///   generation 0   theta_i = initial(key_i)
///   later          theta_i = theta_parent + power * noise(key_i), the parent drawn uniformly from the parents
///   candidates     the elites of before, then the generation's best by fitness: `candidates` in all
///   elites         the best of the candidates by the mean of their validation episodes
///   parents        the elites, then the generation's best that are none: `parents` in all
///
/// With parents = 0 in `RandomSearch`... see make_random_search: every member of every generation is initial.
class DeepGa final : public Strategy {
 public:
  /// `noise` outlives the strategy. `network` gives the layers at whose boundaries a one-point crossover cuts.
  DeepGa(const DeepGaConfig& config, const Network& network, Initialisation initialisation, std::uint64_t seed,
         const NoiseSource& noise);

  Population ask(std::size_t first_member, std::size_t count) const override;
  /// Whom to validate, given the fitness of the generation asked last: a population whose members are the candidates
  /// (recipes of generation members, or copies of elites), and who they are. Changes nothing.
  Population candidates(std::span<const double> fitness, std::vector<Individual>& individuals) const;
  /// Validation means of those candidates, in their order; holds for the next tell. Without it the elites are chosen by
  /// fitness alone.
  void validated(std::span<const double> means);
  void tell(std::span<const double> fitness) override;
  /// Weights of the first elite, as float64; before the first tell those of member 0.
  std::span<const double> solution() const override;
  State save() const override;
  void load(const State& state) override;

  std::uint64_t generation() const { return generation_; }
  const std::vector<Individual>& parents() const { return parents_; }  ///< best first; empty in generation 0
  const std::vector<Individual>& elites() const { return elites_; }    ///< best first
  const Genealogy& genealogy() const { return *genealogy_; }
  ParentCacheUse cache_use() const;

 private:
  DeepGaConfig config_;
  std::uint64_t seed_;
  std::uint64_t generation_ = 0;
  std::vector<Individual> parents_;
  std::vector<Individual> elites_;
  std::optional<std::vector<double>> validation_means_;
  std::shared_ptr<Genealogy> genealogy_;
  std::shared_ptr<ParentCache> cache_;
};

}  // namespace clade
