#pragma once

// The inner loops of core/noise.cpp, compiled once per instruction set; all give the same bits. Raw pointers only, for
// the reason stated in core/simd.hpp.

#include <cstddef>
#include <cstdint>

namespace clade {

enum class InstructionSet;

/// PhiloxKey as plain words: the cipher's key, then the upper three words of the counter.
struct NoiseKey {
  std::uint32_t key[2];
  std::uint32_t counter[3];
};

/// Terms that NoiseKernels::accumulate_from adds between loading and storing a sum.
inline constexpr std::size_t kTermsOfPass = 8;

/// Ranges may begin anywhere and have any length; entries are numbered as counter noise is (core/noise.hpp).
struct NoiseKernels {
  /// output[i] = noise(key)[first + i]
  void (*generate)(const NoiseKey& key, std::size_t first, float* output, std::size_t count);
  /// output[i] = fma(scale, noise(key)[first + i], base[i]); base may be output, or null for zeros.
  void (*perturb)(const NoiseKey& key, float scale, std::size_t first, const float* base, float* output,
                  std::size_t count);
  /// sum[i] = fma(noise(key)[first + i], weight, sum[i])
  void (*accumulate)(const NoiseKey& key, double weight, std::size_t first, double* sum, std::size_t count);
  /// output[i] = fma(scale, noise[i], base[i]); base may be output, or null for zeros.
  void (*perturb_from)(const float* noise, float scale, const float* base, float* output, std::size_t count);
  /// sum[i] = fma(noise[t][i], weights[t], sum[i]) for t = 0, 1, ..., terms - 1 in this order. Fastest where `terms` is
  /// a multiple of kTermsOfPass: so many are added while a sum stays in its register.
  void (*accumulate_from)(const float* const* noise, const double* weights, std::size_t terms, double* sum,
                          std::size_t count);
};

/// For an instruction set that is available.
const NoiseKernels& noise_kernels(InstructionSet set);

}  // namespace clade
