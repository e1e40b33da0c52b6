#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/population.hpp"
#include "core/state.hpp"

namespace clade {

/// An evolutionary algorithm behind ask and tell. A pure function of its parameters, its state and what it is told;
/// fitness is maximised, NaN is a failed evaluation and ranks last.
class Strategy {
 public:
  virtual ~Strategy() = default;
  /// Members [first_member, first_member + count) of the current generation (bases included). A generation is usually
  /// asked in one piece; one with a minimum of steps is extended by further pieces. Changes nothing.
  virtual Population ask(std::size_t first_member, std::size_t count) const = 0;
  /// Fitness of all members asked for, by identity; ends the generation.
  virtual void tell(std::span<const double> fitness) = 0;
  /// The solution so far: the search distribution's mean, or the best genome's weights.
  virtual std::span<const double> solution() const = 0;
  /// Everything that `tell` changes. load(save()) goes on to the same bits.
  virtual State save() const = 0;
  virtual void load(const State& state) = 0;
};

}  // namespace clade
