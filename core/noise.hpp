#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/random.hpp"

namespace clade {

/// One summand of a weighted noise sum: weight * noise(key).
struct NoiseTerm {
  PhiloxKey key;
  double weight = 0.0;
};

/// An endless supply of standard normal float vectors, one per key: entry i of noise(key) is a pure function of
/// (key, i). Immutable and thread-safe.
class NoiseSource {
 public:
  virtual ~NoiseSource() = default;

  /// output[i] = fma(scale, noise(key)[first + i], base[i]). `base` may alias `output`; an empty base is zeros.
  /// Same bits for any split of a vector into ranges.
  virtual void perturb(const PhiloxKey& key, float scale, std::size_t first, std::span<const float> base,
                       std::span<float> output) const = 0;

  /// output[i] = sum over terms, in their order, of weight * noise(key)[first + i], in float64, each product added
  /// by one fused multiply-add. Same bits for any split of a vector into ranges.
  virtual void weighted_sum(std::span<const NoiseTerm> terms, std::size_t first, std::span<double> output) const = 0;

  /// "counter" or "table:250000000": what the run file records.
  virtual std::string description() const = 0;
};

/// Noise computed where it is needed from Philox4x32-10 and Box-Muller with our own polynomials.
std::unique_ptr<NoiseSource> make_counter_noise();

/// The published shared noise table (Salimans et al. 2017): `size` floats drawn once, a key names a place in it. The
/// table's contents follow from `seed` alone. Throws Error, with the size, where it does not fit in memory.
std::unique_ptr<NoiseSource> make_table_noise(std::size_t size, std::uint64_t seed, int threads);

/// Parses "counter", "table", "table:SIZE" (floats; default 250,000,000).
std::unique_ptr<NoiseSource> make_noise(const std::string& description, int threads);

/// `weighted_sum` over the whole vector, parameter ranges in parallel, terms in order: the same bits for any number
/// of threads.
void parallel_weighted_sum(const NoiseSource& source, std::span<const NoiseTerm> terms, std::span<double> output,
                           int threads);

}  // namespace clade
