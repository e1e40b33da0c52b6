#pragma once

#include <cstdint>
#include <string>

#include "tests/benchmarks/bench_report.hpp"

namespace clade::bench {

struct SaveSettings {
  std::string history = "es";      ///< whose: "es" (OpenAI-ES with Adam), "ga" (deep GA), "ga-crossover"
  std::uint64_t parameters = 102;  ///< of the network; Adam keeps two more vectors of the size, a GA none
  std::uint64_t members = 0;       ///< of each generation of the history
  std::uint64_t generations = 0;
  std::string folder = ".";  ///< where the file is written, and removed afterwards
  double seconds = 3.0;
};

/// `clade-bench save`: replacing a run file that holds a run of that size, flushing to the disk included. Prints
/// `save` (seconds), `bytes`, and `interval` (seconds between saves for them to take 1% of the wall time).
void bench_save(const SaveSettings& settings, Report& report);

}  // namespace clade::bench
