#pragma once

// Reading packed weights (core/weight_panels.hpp): included by the kernels' sources, one for each instruction set.

#include <cstddef>
#include <cstdint>

#include "core/simd.hpp"
#include "core/weight_panels.hpp"

namespace clade::kernels {
inline namespace CLADE_SIMD_NAMESPACE {

static_assert(simd::kLanes == kPanelLanes);

CLADE_SIMD simd::Floats lower_halves(simd::Words words) { return simd::as_floats(simd::shift_left<16>(words)); }
CLADE_SIMD simd::Floats upper_halves(simd::Words words) { return simd::as_floats(words & simd::Words(0xffff0000U)); }

/// fp32: one column an entry.
struct FloatWeights {
  using Entry = float;
  static constexpr std::size_t kColumnsOfEntry = 1;

  /// The vectors that begin at `row`.
  template <std::size_t vectors>
  CLADE_SIMD static void load(const float* row, simd::Floats (&weights)[vectors]) {
    CLADE_UNROLL
    for (std::size_t v = 0; v < vectors; ++v) weights[v] = simd::load(row + v * kPanelLanes);
  }
};

/// bf16: two columns an entry. Vectors come in pairs, of which the second may be left out.
struct WordWeights {
  using Entry = std::uint32_t;
  static constexpr std::size_t kColumnsOfEntry = 2;

  template <std::size_t vectors>
  CLADE_SIMD static void load(const std::uint32_t* row, simd::Floats (&weights)[vectors]) {
    static_assert(vectors <= 2);
    const simd::Words words = simd::load(row);
    weights[0] = lower_halves(words);
    if constexpr (vectors > 1) weights[1] = upper_halves(words);
  }
};

/// bf16, the second of a pair alone.
struct UpperWordWeights {
  using Entry = std::uint32_t;
  static constexpr std::size_t kColumnsOfEntry = 2;

  template <std::size_t vectors>
  CLADE_SIMD static void load(const std::uint32_t* row, simd::Floats (&weights)[vectors]) {
    static_assert(vectors == 1);
    weights[0] = upper_halves(simd::load(row));
  }
};

}  // namespace CLADE_SIMD_NAMESPACE
}  // namespace clade::kernels
