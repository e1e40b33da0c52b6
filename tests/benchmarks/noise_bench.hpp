#pragma once

#include <cstdint>
#include <string>

#include "tests/benchmarks/bench_report.hpp"

namespace clade::bench {

/// `clade-bench noise`: standard normal floats a second, `threads` cores each filling a block of 256 kB. Prints
/// `noise`.
void bench_noise(int threads, double seconds, Report& report);

struct GradientSettings {
  std::string source = "counter";  ///< "counter" or "table"
  std::uint64_t members = 1000;    ///< terms of the sum
  std::uint64_t parameters = 1'000'000;
  std::uint64_t table = 250'000'000;  ///< floats
  int threads = 1;
  double seconds = 3.0;
};

/// `clade-bench gradient`: one weighted sum of noise vectors. Prints
///   gradient                 seconds of one estimate
///   limit                    the least it could take: from the counter, drawing the numbers; from the table, reading
///                            them from memory; measured in turn with it
///   limit_over_gradient      the part of that limit which is reached
///   peak_megabytes           memory that the estimate takes at most, beyond the table
///   memory_limit_over_peak   300 MB over that
void bench_gradient(const GradientSettings& settings, Report& report);

}  // namespace clade::bench
