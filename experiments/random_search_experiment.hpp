#pragma once

#include <memory>

#include "core/noise.hpp"
#include "core/options.hpp"
#include "experiments/elitist_options.hpp"
#include "experiments/run_settings.hpp"
#include "experiments/run_task.hpp"
#include "ga/random_search.hpp"

namespace clade {

/// Settings of clade-rs.
struct RandomSearchExperiment {
  static constexpr const char* kProgram = "clade-rs";

  RunSettings run;
  ElitistSettings elitist;

  void add_options(Options& options);
  /// Throws Error where a parameter is out of range. `noise` outlives the strategy.
  std::unique_ptr<RandomSearch> make_strategy(const RunTask& task, const NoiseSource& noise) const;
};

}  // namespace clade
