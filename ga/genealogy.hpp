#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/population.hpp"
#include "core/state.hpp"

namespace clade {

/// How an individual was made from its parents: a genome is the chain of these back to an initial one (Such et al.
/// 2017: an initial key and a list of mutation keys with their powers; with crossover the chain becomes a graph).
struct Birth {
  PerturbationForm form = PerturbationForm::initial;  ///< initial, dense (mutated) or none (an unmodified copy)
  PhiloxKey key{};                                    ///< of the initial draw or the mutation
  float power = 0.0F;                                 ///< of the mutation
  std::optional<Individual> parent{};                 ///< empty exactly where the form is initial
  Crossover crossover = Crossover::none;
  std::optional<Individual> mate{};  ///< second parent of a crossover
  PhiloxKey crossover_key{};
  std::uint64_t crossover_point = 0;
  bool operator==(const Birth&) const = default;
};

/// The births of individuals that became parents, and of all their ancestors. Not thread-safe while it is changed.
class Genealogy {
 public:
  /// An individual whose parents are known already. Adding one again with the same birth is allowed.
  void add(const Individual& individual, const Birth& birth);
  bool has(const Individual& individual) const { return births_.contains(individual); }
  /// Throws Error for one that is not there.
  const Birth& birth(const Individual& individual) const;
  std::size_t size() const { return births_.size(); }
  /// Ancestors and the individual itself, oldest first: parents stand before their children.
  std::vector<Individual> lineage(const Individual& individual) const;
  /// Mutations between an individual and its initial ancestor, along first parents.
  std::size_t chain_length(const Individual& individual) const;
  /// Forgets all but `living` and their ancestors.
  void prune(std::span<const Individual> living);

  void save(State& state) const;  ///< under "genealogy/"
  /// Throws Error where a birth names an unknown form, a missing parent, or a parent younger than its child.
  void load(const State& state);

 private:
  std::map<Individual, Birth> births_;
};

/// The birth of a population's member, from its recipe and the population's ancestors.
Birth birth_of(const Population& population, const Member& member);

}  // namespace clade
