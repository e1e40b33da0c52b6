#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/population.hpp"
#include "core/state.hpp"

namespace clade {

/// "12:345", generation and member, as messages and command lines have it.
std::string individual_text(const Individual& individual);

/// How an individual was made from its parents: a genome is the chain of these back to an initial one (Such et al.
/// 2017: an initial key and a list of mutation keys with their powers; with crossover the chain becomes a graph).
struct Birth {
  PerturbationForm form = PerturbationForm::initial;  ///< initial, dense (mutated) or none (an unmodified copy)
  PhiloxKey key{};                                    ///< of the initial draw or the mutation
  float power = 0.0F;                                 ///< of the mutation
  std::optional<Individual> parent{};                 ///< empty exactly where the form is initial
  Crossover crossover = Crossover::none;
  std::optional<Individual> mate{};  ///< second parent; empty exactly where there is no crossover
  PhiloxKey crossover_key{};
  std::uint64_t crossover_point = 0;
  bool operator==(const Birth&) const = default;
};

/// The births of individuals that became parents, and of all their ancestors: every parent stands in it, and is of an
/// earlier generation than its child. Chains may be as long as memory holds. Not thread-safe while it is changed.
class Genealogy {
 public:
  /// Adding one again with the same birth is allowed. Throws Error, and adds nothing, where the birth names a form or a
  /// crossover that is none, a power that is not finite, a parent that is not here or not of an earlier generation, or
  /// where another birth of the individual is here.
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

  /// Parallel arrays under "genealogy/", oldest individual first.
  void save(State& state) const;
  /// Throws Error, and changes nothing, where arrays are missing or of different lengths, and for all that add()
  /// refuses.
  void load(const State& state);
  bool operator==(const Genealogy&) const = default;

 private:
  std::map<Individual, Birth> births_;
};

/// The birth of a population's member, from its recipe and the population's ancestors.
Birth birth_of(const Member& member, std::span<const Individual> ancestors);
Birth birth_of(const Population& population, const Member& member);

/// The genealogy of one individual, from births that are looked up one by one (in a run file), each once.
Genealogy trace_genealogy(const Individual& individual, const std::function<Birth(const Individual&)>& birth);

/// Individuals as two arrays, `name`/generation and `name`/member.
void save_individuals(State& state, const std::string& name, std::span<const Individual> individuals);
/// Throws Error where the arrays are missing, of different lengths, or a member's number has more than 32 bits.
std::vector<Individual> load_individuals(const State& state, const std::string& name);

}  // namespace clade
