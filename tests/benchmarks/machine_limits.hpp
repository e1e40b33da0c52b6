#pragma once

#include <cstddef>

namespace clade {

enum class InstructionSet;

namespace bench {

/// What one core can do at most, by loops that do nothing else.
struct MachineLimits {
  /// Fused multiply-adds in as many independent chains as hide their latency; returns the floating-point operations
  /// done, two each: about a million.
  double (*multiply)();
  /// Reads `size` floats in order, a multiple of 256, and returns something that depends on all of them.
  float (*read)(const float* memory, std::size_t size);
};

/// For an instruction set that is available.
const MachineLimits& machine_limits(InstructionSet set);

}  // namespace bench
}  // namespace clade
