#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/noise.hpp"
#include "core/options.hpp"
#include "experiments/elitist_options.hpp"
#include "experiments/run_settings.hpp"
#include "experiments/run_task.hpp"
#include "ga/deep_ga.hpp"

namespace clade {

/// Settings of clade-ga.
struct GaExperiment {
  static constexpr const char* kProgram = "clade-ga";

  RunSettings run;
  ElitistSettings elitist;
  std::uint64_t parents = 20;
  std::string power = "0.002";
  std::string parent_selection = "truncation";
  std::uint64_t tournament_size = 2;
  std::string crossover = "none";
  double crossover_rate = 0.5;
  std::string parent_cache = "auto";

  void add_options(Options& options);
  /// Throws Error where the command line sets what the others make meaningless. Values of a config file may: a printed
  /// one names all.
  void check_options(const Options& options) const;
  /// Throws Error where a parameter is out of range. `noise` outlives the strategy.
  std::unique_ptr<DeepGa> make_strategy(const RunTask& task, const NoiseSource& noise) const;
};

/// Bytes of "none" or a number of megabytes (10^6 bytes). Throws Error where it is neither, below one parameter vector
/// of the task's network, or more than is available.
std::size_t parse_parent_cache(const std::string& text, const RunTask& task);

/// "parents' weights (--parent-cache): 98.5% of 1,234 look-ups found them in memory, 20 were computed anew by replaying
/// 45 mutations"
std::string cache_text(const ParentCacheUse& use);

}  // namespace clade
