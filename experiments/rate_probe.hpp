#pragma once

#include <cstdint>
#include <functional>

#include "core/noise.hpp"
#include "core/observation_normalizer.hpp"
#include "core/population.hpp"
#include "experiments/run_task.hpp"

namespace clade {

/// How fast a task's parts are alone, in steps a second of all threads together, each on a core of its own: by the
/// processor time that the threads used, so that other programs on the machine do not lower them.
struct Rates {
  double environment = 0.0;  ///< random actions, resets included
  double inference = 0.0;    ///< the network's passes, one observation each
  /// R*, the rate that no loop which shares the cores between the two exceeds: 1 / (1/environment + 1/inference). 0
  /// where one of them was not measured.
  double limit() const;
};

struct RateProbe {
  const RunTask& task;
  const NoiseSource& noise;
  const Population& population;  ///< each thread passes observations through a member of its own
  const NormalizerSnapshot& normalizer;
  std::uint64_t seed = 0;  ///< start states and actions are keyed by it and Purpose::rate_probe
  int threads = 1;
  double seconds = 1.0;  ///< wall time of each of the two, which take turns in short slices
};

/// Measures; 0 each where `stop` says true meanwhile.
Rates measure_rates(const RateProbe& probe, const std::function<bool()>& stop);

}  // namespace clade
