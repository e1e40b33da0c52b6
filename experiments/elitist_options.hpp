#pragma once

#include <cstdint>

#include "core/options.hpp"
#include "experiments/run_settings.hpp"

namespace clade {

/// How elites are chosen, in all programs whose solution is an individual.
struct ElitistSettings {
  std::uint64_t elites = 1;
  std::uint64_t candidates = 10;
};

/// Sets the defaults of such programs (one initial scale per layer, no evaluation beside the validation, a long final
/// test) and declares the run's options, then those of validation under `title`.
void add_elitist_options(Options& options, RunSettings& run, ElitistSettings& settings, const std::string& title);

}  // namespace clade
