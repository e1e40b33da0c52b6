#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/noise.hpp"
#include "core/options.hpp"
#include "core/strategy.hpp"
#include "es/ars.hpp"
#include "experiments/run_settings.hpp"

namespace clade {

/// Settings of clade-ars.
struct ArsExperiment {
  static constexpr const char* kProgram = "clade-ars";

  RunSettings run;
  ArsConfig ars;
  std::uint64_t top = 0;

  void add_options(Options& options);
  /// Throws Error where a parameter is out of range. `noise` outlives the strategy.
  std::unique_ptr<Strategy> make_strategy(std::span<const double> initial, const NoiseSource& noise, int threads);
};

}  // namespace clade
