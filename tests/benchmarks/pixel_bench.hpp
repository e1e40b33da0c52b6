#pragma once

#include "tests/benchmarks/bench_report.hpp"
#include "tests/benchmarks/environment_bench.hpp"

namespace clade::bench {

/// `clade-bench pixels`: seconds of one Atari decision's preprocessing on one thread: two screens as the game draws
/// them under random actions made grey, their maximum, resized, pushed on a stack of four, copied to an observation.
/// Prints `pixels` and `limit_over_pixels`, 25 us over it. Throws Error where `settings.env` is no game, or this build
/// is without them.
void bench_pixels(const EnvironmentSettings& settings, Report& report);

}  // namespace clade::bench
