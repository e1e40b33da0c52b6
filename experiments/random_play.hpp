#pragma once

#include <vector>

#include "core/environment.hpp"
#include "core/random.hpp"

namespace clade {

/// Actions drawn uniformly: one of the choices of a discrete action, or each component of a continuous one between its
/// bounds (-1 and 1 where those are infinite).
class RandomActions {
 public:
  RandomActions(const ActionSpec& spec, const RandomKey& key) : spec_(spec), rng_(key), components_(spec.size) {}
  /// The next action; its components hold until the one after.
  Action draw();

 private:
  const ActionSpec& spec_;
  RandomStream rng_;
  std::vector<double> components_;
};

}  // namespace clade
