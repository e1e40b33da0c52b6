#pragma once

#include <cstdint>
#include <string>

#include "tests/benchmarks/bench_report.hpp"

namespace clade::bench {

struct InferenceSettings {
  std::string network = "linear:nobias";
  std::uint64_t observations = 17;  ///< numbers of an observation
  std::uint64_t actions = 6;        ///< components of an action
  std::uint64_t lanes = 1;          ///< episodes of a member that share a pass
  double seconds = 3.0;
};

/// `clade-bench inference`: the CPU engine alone on one thread, normalisation and head included. Prints
///   inference   steps a second, a step being one observation answered
///   arithmetic  floating-point operations a second of that, two for each weight and step
///   prepare     members a second whose perturbed weights are made
///   moments     observations a second added to the statistics
void bench_inference(const InferenceSettings& settings, Report& report);

}  // namespace clade::bench
