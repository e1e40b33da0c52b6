#pragma once

// Included by one file per instruction set, whose flags choose the vectors of core/simd.hpp.

#include "core/simd.hpp"
#include "tests/benchmarks/machine_limits.hpp"

namespace clade::bench {
inline namespace CLADE_SIMD_NAMESPACE {

// Chains of whole vectors: 2 registers each with AVX2, of which there are 16.
#if defined(__AVX512F__)
constexpr std::size_t kChains = 16;
#elif defined(__AVX2__)
constexpr std::size_t kChains = 6;
#else
constexpr std::size_t kChains = 1;
#endif

/// Keeps the compiler from seeing through a value.
template <class Value>
CLADE_SIMD void hide(Value& value) {
#if defined(__AVX512F__)
  asm volatile("" : "+v"(value.lanes));
#elif defined(__AVX2__)
  asm volatile("" : "+x"(value.low), "+x"(value.high));
#else
  asm volatile("" : "+m"(value));
#endif
}

inline double multiply() {
  constexpr std::size_t kTurns = 2048;
  simd::Floats sums[kChains];
  CLADE_UNROLL
  for (std::size_t chain = 0; chain < kChains; ++chain) sums[chain] = simd::Floats(1.0F);
  const simd::Floats factor(0.999F);
  const simd::Floats term(0.001F);
  for (std::size_t turn = 0; turn < kTurns; ++turn) {
    CLADE_UNROLL
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      sums[chain] = simd::fma(sums[chain], factor, term);
      hide(sums[chain]);
    }
  }
  return 2.0 * simd::kLanes * kChains * kTurns;
}

inline float read(const float* memory, std::size_t size) {
  constexpr std::size_t kVectors = 256 / simd::kLanes;
  simd::Words sums[4];
  for (simd::Words& sum : sums) sum = simd::Words(0U);
  for (std::size_t i = 0; i < size; i += kVectors * simd::kLanes) {
    CLADE_UNROLL
    for (std::size_t v = 0; v < kVectors; ++v) {
      sums[v % 4] = sums[v % 4] ^ simd::as_words(simd::load(memory + i + v * simd::kLanes));
    }
  }
  float lanes[simd::kLanes];
  simd::store(lanes, simd::as_floats((sums[0] ^ sums[1]) ^ (sums[2] ^ sums[3])));
  return lanes[0] + lanes[7] + lanes[15];
}

constexpr MachineLimits kLimits{&multiply, &read};

}  // namespace CLADE_SIMD_NAMESPACE
}  // namespace clade::bench
