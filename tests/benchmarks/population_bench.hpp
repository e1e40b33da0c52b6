#pragma once

#include <cstdint>
#include <string>

#include "tests/benchmarks/environment_bench.hpp"

namespace clade::bench {

struct PopulationSettings {
  EnvironmentSettings environment;
  std::string network = "linear:nobias";
  std::string head = "raw";
  std::string normalize = "ars";
  std::string noise = "counter";
  double sigma = 0.03;
  std::uint64_t population = 64;  ///< members, mirrored pairs
  std::uint64_t lanes = 1;
  bool replay = false;  ///< also the environments alone, replaying the same actions
};

/// `clade-bench population`: steps a second of evaluating a population (perturbation, normalisation, network,
/// environments, bookkeeping), the same one again and again. Linear networks start from zero, others from normc, as
/// the papers do. Prints `population`, and with `replay` also `replay` and `population_over_replay`.
void bench_population(const PopulationSettings& settings, Report& report);

/// `clade-bench scaling`: population evaluation and the bare loop on one and on `threads` threads, in turn. Prints
/// `population_scaling`, `bare_scaling` and `scaling_over_target`, the first over the smaller of .95 threads and the
/// second.
void bench_scaling(const PopulationSettings& settings, Report& report);

}  // namespace clade::bench
