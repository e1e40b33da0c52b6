#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/population.hpp"
#include "core/state.hpp"

namespace clade {

/// One that may become an elite.
struct Candidate {
  Individual who;
  double fitness = 0.0;  ///< of the generation it was born in
  bool elite = false;    ///< an elite of before; otherwise a member of the generation
};

/// Who is kept unmodified. The candidates of a generation are the elites of before, best first, then the generation's
/// best by fitness, so many in all; the elites are the best of them by the mean of their validation episodes, of equal
/// ones the earlier candidate, NaN last. Members whose evaluation failed (NaN) are no candidates. A generation that
/// failed as a whole has no candidates, and its elites are those of before.
///
/// A generation that nothing was validated in chooses by the fitness that each had in the generation it was born in:
/// right for test functions only, since an episode's return may be luck.
class EliteSelection {
 public:
  /// Throws Error where `elites` is 0 or above `candidates`.
  EliteSelection(std::size_t elites, std::size_t candidates);

  std::vector<Candidate> candidates(std::uint64_t generation, std::span<const double> fitness) const;
  /// Validation means of those candidates, in their order; for the next choose().
  void validated(std::span<const double> means);
  /// Ends a generation. False, and no change but that the validation is forgotten, where it failed as a whole.
  bool choose(std::uint64_t generation, std::span<const double> fitness);
  const std::vector<Individual>& elites() const { return elites_; }  ///< best first

  void save(State& state) const;  ///< under "elites/"
  /// Throws Error, and changes nothing, where arrays are missing or do not fit.
  void load(const State& state);

 private:
  std::size_t elite_count_;
  std::size_t candidate_count_;
  std::vector<Individual> elites_;
  std::vector<double> elite_fitness_;
  std::optional<std::vector<double>> validation_means_;
};

}  // namespace clade
