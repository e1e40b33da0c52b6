#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/instruction_set.hpp"
#include "core/random.hpp"

namespace clade {

/// One summand of a weighted noise sum: weight * noise(key).
struct NoiseTerm {
  PhiloxKey key;
  double weight = 0.0;
};

/// Floats drawn for the published noise table, and the seed of what "table" names.
inline constexpr std::size_t kPublishedTableSize = 250'000'000;
inline constexpr std::uint64_t kPublishedTableSeed = 123;
inline constexpr std::size_t kSmallestTableSize = 1024;

/// A supply of standard normal float vectors, one per key: entry i of noise(key) is a pure function of (key, i).
/// Immutable and thread-safe. Same bits on every processor.
class NoiseSource {
 public:
  virtual ~NoiseSource() = default;

  /// output[i] = fma(scale, noise(key)[first + i], base[i]). `base` may alias `output`; an empty base is zeros.
  /// Same bits for any split of a vector into ranges.
  virtual void perturb(const PhiloxKey& key, float scale, std::size_t first, std::span<const float> base,
                       std::span<float> output) const = 0;

  /// output[i] = sum over terms of weight * noise(key)[first + i], in float64, each product added by one fused
  /// multiply-add. The terms come in an order of the source's own, which depends on the terms alone: as they are given
  /// for counter noise, by their places in a table. Same bits for any split of a vector into ranges.
  virtual void weighted_sum(std::span<const NoiseTerm> terms, std::size_t first, std::span<double> output) const = 0;

  /// "counter" or "table:250000000" (with ":SEED" where that is not the published one): what the run file records,
  /// and make_noise() understands.
  virtual std::string description() const = 0;

  /// Entries a vector may have; perturb() and weighted_sum() refuse to go beyond. 2^34, or the size of a table.
  virtual std::size_t longest_vector() const { return std::size_t{1} << 34; }

  /// Entries that one call of weighted_sum() should cover where `threads` threads share a vector of `size`, at least 1:
  /// a matter of speed alone. By default several pieces a thread, so that a slower one does not hold up the end.
  virtual std::size_t sum_piece(std::size_t size, int threads) const;
};

/// Noise computed where it is needed: Philox4x32-10, then Box and Muller (1958) through our own polynomials in float.
/// Entries come in groups of 64 from 16 consecutive blocks of the key's stream: entry i, with place p = i mod 64, uses
///   words = philox_block(key, 16 (i / 64) + p mod 16),  u = words[2 (p / 32)],  v = words[2 (p / 32) + 1]
///   r = sqrt(-2 ln(2^-32 u + 2^-33)),  a = 2 pi v / 2^32
/// and is r cos a where p / 16 is even, r sin a where it is odd. Magnitudes end at 6.77.
std::unique_ptr<NoiseSource> make_counter_noise(InstructionSet set = preferred_instruction_set());

/// The published shared noise table (Salimans et al. 2017): `size` floats drawn once, a key names a place in it. The
/// contents are counter noise under RandomKey{seed, Purpose::noise_table}. A key's first entry is drawn uniformly from
/// the whole table by the key's stream under Purpose::table_offset, and a vector that reaches the table's end goes on
/// at its beginning. A weighted sum adds its terms in the order of these places, terms of the same place as they are
/// given: vectors that overlap in the table are read together, and an entry comes from memory once. Throws Error, with
/// the size, where it is too small, or does not fit in memory.
std::unique_ptr<NoiseSource> make_table_noise(std::size_t size, std::uint64_t seed, int threads,
                                              InstructionSet set = preferred_instruction_set());

/// Parses "counter", "table", "table:SIZE" (floats; by default the published size), "table:SIZE:SEED".
std::unique_ptr<NoiseSource> make_noise(const std::string& description, int threads);

/// Throws Error where a vector of `size` floats does not fit in `available` bytes of memory.
void require_table_memory(std::size_t size, double available);

/// `weighted_sum` over the whole vector, parameter ranges in parallel: the same bits for any number of threads.
void parallel_weighted_sum(const NoiseSource& source, std::span<const NoiseTerm> terms, std::span<double> output,
                           int threads);

}  // namespace clade
