#pragma once

// Calls into core/simd.hpp and core/math.hpp as each instruction set compiles them, so that one test can compare them.

#include <cstddef>
#include <cstdint>

namespace clade {

enum class InstructionSet;

namespace testing {

/// A function of core/math.hpp.
enum class Function { exp, expm1, log, tanh, sigmoid, elu, relu, sine, cosine, word_sine, word_cosine };

inline constexpr std::size_t kProbeLanes = 16;
inline constexpr std::size_t kProbeSlots = 64;

/// Operands and results of every operation, 16 lanes each; doubles take two rows, masks are 0 or 1.
struct ProbeInput {
  float a[kProbeLanes];
  float b[kProbeLanes];
  float c[kProbeLanes];
  std::uint32_t v[kProbeLanes];
  std::uint32_t w[kProbeLanes];
  std::size_t count;     ///< lanes of the partial loads and stores
  std::uint32_t factor;  ///< the same number in all lanes
};
struct ProbeOutput {
  std::uint32_t rows[kProbeSlots][kProbeLanes];
  bool is_float[kProbeSlots];  ///< where NaNs count as equal
  std::size_t used;
};

struct SimdProbe {
  /// output[i] = function(input[i]), `count` a multiple of 16, by vectors and by numbers.
  void (*by_vectors)(Function function, const float* input, float* output, std::size_t count);
  void (*by_numbers)(Function function, const float* input, float* output, std::size_t count);
  void (*operations)(const ProbeInput& input, ProbeOutput& output);
};

/// For an available instruction set.
const SimdProbe& simd_probe(InstructionSet set);

}  // namespace testing
}  // namespace clade
