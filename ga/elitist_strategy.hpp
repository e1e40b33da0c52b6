#pragma once

#include <span>
#include <vector>

#include "core/population.hpp"
#include "core/strategy.hpp"

namespace clade {

/// A strategy whose solution is one of its individuals, chosen by further episodes of a generation's best. A generation
/// is: ask, evaluate, candidates, evaluate those on validation episodes, validated, tell. One loop runs them all,
/// hence an interface.
class ElitistStrategy : public Strategy {
 public:
  /// Whom to validate, given the fitness of the generation asked last: a population whose members are the candidates
  /// (recipes of the generation's members, elites of before), and who they are, as EliteSelection says: nobody where
  /// the whole generation failed. Changes nothing.
  virtual Population candidates(std::span<const double> fitness, std::vector<Individual>& individuals) const = 0;
  /// Validation means of those candidates, in their order; holds for the next tell.
  virtual void validated(std::span<const double> means) = 0;
  /// Best first; empty before the first generation in which a member did not fail.
  virtual const std::vector<Individual>& elites() const = 0;
};

}  // namespace clade
