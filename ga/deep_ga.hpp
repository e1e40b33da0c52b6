#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/network.hpp"
#include "core/noise.hpp"
#include "ga/elite_selection.hpp"
#include "ga/elitist_strategy.hpp"
#include "ga/genealogy.hpp"
#include "ga/genome_layout.hpp"
#include "ga/parent_cache.hpp"
#include "ga/power_schedule.hpp"
#include "ga/selection.hpp"

namespace clade {

struct DeepGaConfig {
  std::size_t population = 1000;  ///< members evaluated in a generation; elites are not evaluated again as members
  std::size_t parents = 20;       ///< truncation: the best so many, elites among them, have children; <= population
  std::size_t elites = 1;       ///< the best by validation stay parents, unmodified; 1 <= elites <= candidates, parents
  std::size_t candidates = 10;  ///< validated in a generation: the elites of before and the best of the generation
  PowerSchedule power;
  ParentSelection selection = ParentSelection::truncation;
  std::size_t tournament_size = 2;        ///< of tournament selection
  Crossover crossover = Crossover::none;  ///< none: children have one parent
  double crossover_rate = 0.5;            ///< share of children that have a second parent, in (0, 1]
  std::size_t parent_cache_bytes = 0;     ///< limit of the parents' weights in memory; never alters results
  /// Throws Error naming the value and its limit.
  void validate() const;
};

/// A limit that makes every parent one birth away from a held one, in bytes: room for a generation's parents and one
/// more (with crossover for two generations' parents), at most half of the memory that is available, at least one
/// vector.
std::size_t automatic_parent_cache(const DeepGaConfig& config, std::size_t parameter_count);

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
/// Options of ours: tournament selection, and crossover, where the mutation is added to a mix of two different parents.
/// Members whose evaluation failed (NaN) become neither elites nor parents; there are fewer where too few are left. A
/// generation that failed as a whole changes nothing but the generation's number; as long as there are no parents, all
/// members are initial, under keys of their own generation.
///
/// Keys of member i of generation g: {initialisation, g, i} of an initial one; {perturbation, g, i} of a mutation;
/// {selection, g, i} the stream that draws the parent, then whether there is a mate, then the mate;
/// {crossover, g, i} of a uniform crossover's noise, or the stream that draws a one-point crossover's layer.
class DeepGa final : public ElitistStrategy {
 public:
  /// `noise` outlives the strategy and its populations. Throws Error, also for a one-point crossover of a single layer.
  DeepGa(const DeepGaConfig& config, const GenomeLayout& layout, std::uint64_t seed, const NoiseSource& noise);
  DeepGa(const DeepGaConfig& config, const Network& network, Initialisation initialisation, std::uint64_t seed,
         const NoiseSource& noise);

  /// The population stays valid, and its bases the same, after tell and load.
  Population ask(std::size_t first_member, std::size_t count) const override;
  Population candidates(std::span<const double> fitness, std::vector<Individual>& individuals) const override;
  void validated(std::span<const double> means) override;
  void tell(std::span<const double> fitness) override;
  /// Weights of the first elite; where there is none yet those of the generation's member 0. Built when it is called,
  /// and valid until tell or load: not thread-safe, unlike the other const members.
  std::span<const double> solution() const override;
  State save() const override;
  void load(const State& state) override;

  std::uint64_t generation() const { return generation_; }
  const std::vector<Individual>& parents() const { return parents_; }  ///< best first, elites before others
  const std::vector<Individual>& elites() const override { return elites_.elites(); }
  const Genealogy& genealogy() const { return *genealogy_; }  ///< of the parents
  ParentCacheUse cache_use() const { return cache_->use(); }  ///< since the start or the last load

 private:
  Member recipe(std::size_t member) const;
  Population family() const;

  DeepGaConfig config_;
  GenomeLayout layout_;
  std::uint64_t seed_;
  const NoiseSource& noise_;
  std::uint64_t generation_ = 0;
  EliteSelection elites_;
  std::vector<Individual> parents_;
  std::shared_ptr<const Genealogy> genealogy_;  ///< replaced, never altered: populations hold it
  std::shared_ptr<ParentCache> cache_;
  mutable std::optional<std::vector<double>> solution_;
};

}  // namespace clade
