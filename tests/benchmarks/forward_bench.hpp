#pragma once

#include <cstdint>
#include <string>

#include "tests/benchmarks/bench_report.hpp"

namespace clade::bench {

struct ForwardSettings {
  std::string network = "large_model";  ///< with convolutions; its input is 84 x 84 x 4 bytes
  std::uint64_t members = 24;           ///< networks that take turns, each with weights of its own
  std::uint64_t rows = 1;               ///< observations of a member that share a pass
  std::string zeros = "half";           ///< of what the dense layers read: "none" or "half"
  std::string precision = "fp32";       ///< or "bf16"
  double seconds = 3.0;
};

/// `clade-bench forward`: an Atari network's forward pass on one thread beside what the core can do, by processor time.
/// Works alternate; ratios are medians over the rounds. Prints
///   forward            observations answered a second, bytes to outputs
///   pass               seconds of a pass (that many rows)
///   onednn             the same network by oneDNN: observations a second; and forward_over_onednn
///   peak, read         the core's multiply-adds (FLOP/s), and bytes a second of reading the first dense layer's
///   weights convolutionN       FLOP/s of places inside the image, and convolutionN_over_peak dense              bytes
///   a second of weights that the first dense layer needs, and dense_over_read child              seconds of a member's
///   weights: a parent's vector and one perturbation, packed
void bench_forward(const ForwardSettings& settings, Report& report);

}  // namespace clade::bench
