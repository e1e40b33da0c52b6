#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/network.hpp"
#include "core/noise.hpp"
#include "ga/elite_selection.hpp"
#include "ga/elitist_strategy.hpp"
#include "ga/genome_layout.hpp"

namespace clade {

struct RandomSearchConfig {
  std::size_t population = 1000;  ///< members evaluated in a generation
  std::size_t elites = 1;         ///< the best by validation so far, <= candidates, population
  std::size_t candidates = 10;    ///< validated in a generation: the elites of before and the best of the generation
  /// Throws Error naming the value and its limit.
  void validate() const;
};

/// Random search, the control experiment of Such et al. 2017: every member of every generation is a fresh network,
/// under the key {initialisation, generation, member}, and the best by validation so far is kept. Generation 0 is that
/// of DeepGa.
class RandomSearch final : public ElitistStrategy {
 public:
  /// `noise` outlives the strategy. Throws Error.
  RandomSearch(const RandomSearchConfig& config, const GenomeLayout& layout, std::uint64_t seed,
               const NoiseSource& noise);
  RandomSearch(const RandomSearchConfig& config, const Network& network, Initialisation initialisation,
               std::uint64_t seed, const NoiseSource& noise);

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
  const std::vector<Individual>& elites() const override { return elites_.elites(); }

 private:
  Member recipe(const Individual& individual) const;
  Population fresh() const;

  GenomeLayout layout_;
  std::uint64_t seed_;
  const NoiseSource& noise_;
  std::uint64_t generation_ = 0;
  EliteSelection elites_;
  mutable std::optional<std::vector<double>> solution_;
};

}  // namespace clade
