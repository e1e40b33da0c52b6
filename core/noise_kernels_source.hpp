#pragma once

// The source of the noise kernels: included by one file per instruction set.

#include "core/math.hpp"
#include "core/noise_kernels.hpp"
#include "core/simd.hpp"

namespace clade::noise {
inline namespace CLADE_SIMD_NAMESPACE {

using simd::Doubles;
using simd::Floats;
using simd::kLanes;
using simd::WideWords;
using simd::Words;

inline constexpr std::size_t kWordsOfBlock = 4;
inline constexpr std::size_t kGroup = kLanes * kWordsOfBlock;  ///< entries made at once, from kLanes blocks

// Philox4x32-10 (Salmon et al. 2011): multipliers and key increments.
inline constexpr std::uint32_t kMultiplier0 = 0xd2511f53U;
inline constexpr std::uint32_t kMultiplier1 = 0xcd9e8d57U;
inline constexpr std::uint32_t kIncrement0 = 0x9e3779b9U;
inline constexpr std::uint32_t kIncrement1 = 0xbb67ae85U;
inline constexpr int kRounds = 10;

/// Vectors of 16 sums that stay in registers while terms of a table pass by: as many as leave registers for weights.
#if defined(__AVX512F__)
inline constexpr std::size_t kSumVectors = 4;
#elif defined(__AVX2__)
inline constexpr std::size_t kSumVectors = 2;
#else
inline constexpr std::size_t kSumVectors = 1;
#endif

/// What a key determines before the block number is known: the round keys, and the part of the first three rounds
/// where all blocks of the stream agree, folded into the words that those rounds exclusive-or.
struct Schedule {
  std::uint32_t round_key0[kRounds];
  std::uint32_t round_key1[kRounds];
  std::uint32_t first_word2;
  std::uint32_t second_word0;
  std::uint32_t second_word2;
  std::uint32_t third_word2;
};

CLADE_SIMD Schedule schedule_of(const NoiseKey& key) {
  Schedule schedule;
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    schedule.round_key0[round] = key.key[0] + round * kIncrement0;
    schedule.round_key1[round] = key.key[1] + round * kIncrement1;
  }
  const std::uint64_t first = std::uint64_t{key.counter[1]} * kMultiplier1;
  const std::uint32_t word0 = static_cast<std::uint32_t>(first >> 32) ^ key.counter[0] ^ schedule.round_key0[0];
  const std::uint64_t second = std::uint64_t{word0} * kMultiplier0;
  schedule.first_word2 = key.counter[2] ^ schedule.round_key1[0];
  schedule.second_word0 = static_cast<std::uint32_t>(first) ^ schedule.round_key0[1];
  schedule.second_word2 = static_cast<std::uint32_t>(second >> 32) ^ schedule.round_key1[1];
  schedule.third_word2 = static_cast<std::uint32_t>(second) ^ schedule.round_key1[2];
  return schedule;
}

/// Word w of blocks first_block to first_block + 15 in words[w].
struct Blocks {
  Words words[kWordsOfBlock];
};

CLADE_SIMD Blocks philox(const Schedule& schedule, std::uint32_t first_block) {
  alignas(64) static constexpr std::uint32_t kLaneNumbers[kLanes] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                                     8, 9, 10, 11, 12, 13, 14, 15};
  const Words multiplier0(kMultiplier0);
  const Words multiplier1(kMultiplier1);
  // Only the lower half of a wide word counts: a product stands for its own lower half.
  const WideWords counter = simd::widen(simd::load(kLaneNumbers) + Words(first_block));
  const WideWords a = simd::multiply_wide(counter, multiplier0);
  const WideWords b =
      simd::multiply_wide(simd::exclusive_or(simd::high_half(a), Words(schedule.first_word2)), multiplier1);
  const WideWords c =
      simd::multiply_wide(simd::exclusive_or(simd::high_half(b), Words(schedule.second_word0)), multiplier0);
  const WideWords d = simd::multiply_wide(simd::exclusive_or(a, Words(schedule.second_word2)), multiplier1);
  WideWords word0 = simd::exclusive_or(simd::high_half(d), b, Words(schedule.round_key0[2]));
  WideWords word1 = d;
  WideWords word2 = simd::exclusive_or(simd::high_half(c), Words(schedule.third_word2));
  WideWords word3 = c;
  for (int round = 3; round < kRounds; ++round) {
    const WideWords product0 = simd::multiply_wide(word0, multiplier0);
    const WideWords product1 = simd::multiply_wide(word2, multiplier1);
    word0 = simd::exclusive_or(simd::high_half(product1), word1, Words(schedule.round_key0[round]));
    word1 = product1;
    word2 = simd::exclusive_or(simd::high_half(product0), word3, Words(schedule.round_key1[round]));
    word3 = product0;
  }
  return {{simd::narrow(word0), simd::narrow(word1), simd::narrow(word2), simd::narrow(word3)}};
}

/// Box and Muller (1958). The uniform under the logarithm is in [2^-33, 1]: normals are at most 6.77 in magnitude.
CLADE_SIMD math::SineCosine<Floats> normals(Words radius_word, Words angle_word) {
  const Floats uniform = simd::fma(simd::float_of_unsigned(radius_word), Floats(0x1p-32F), Floats(0x1p-33F));
  const Floats radius = simd::sqrt(Floats(-2.0F) * math::log_of_positive_normal(uniform));
  const math::SineCosine<Floats> angle = math::sine_cosine_of_word(angle_word);
  return {radius * angle.sine, radius * angle.cosine};
}

/// Entries kGroup g to kGroup g + 63.
struct Group {
  Floats entries[kWordsOfBlock];
};

CLADE_SIMD Group make_group(const Schedule& schedule, std::size_t g) {
  const Blocks blocks = philox(schedule, static_cast<std::uint32_t>(g * kLanes));
  const math::SineCosine<Floats> first = normals(blocks.words[0], blocks.words[1]);
  const math::SineCosine<Floats> second = normals(blocks.words[2], blocks.words[3]);
  return {{first.cosine, first.sine, second.cosine, second.sine}};
}

/// Calls full(offset, group) for each group wholly in the range and single(offset, entry) for each entry of a group
/// that is not; offset counts from `first`.
template <class Full, class Single>
CLADE_SIMD void for_each_group(const NoiseKey& key, std::size_t first, std::size_t count, Full full, Single single) {
  const Schedule schedule = schedule_of(key);
  const auto cut_group = [&](std::size_t begin, std::size_t end) {
    const std::size_t start = (first + begin) / kGroup * kGroup;
    const Group group = make_group(schedule, start / kGroup);
    float entries[kGroup];
    for (std::size_t w = 0; w < kWordsOfBlock; ++w) simd::store(entries + w * kLanes, group.entries[w]);
    for (std::size_t i = begin; i < end; ++i) single(i, entries[first + i - start]);
  };
  const std::size_t to_boundary = (kGroup - first % kGroup) % kGroup;
  std::size_t done = to_boundary < count ? to_boundary : count;
  if (done > 0) cut_group(0, done);
  for (; count - done >= kGroup; done += kGroup) full(done, make_group(schedule, (first + done) / kGroup));
  if (done < count) cut_group(done, count);
}

inline void generate(const NoiseKey& key, std::size_t first, float* output, std::size_t count) {
  for_each_group(
      key, first, count,
      [&](std::size_t offset, const Group& group) {
        for (std::size_t w = 0; w < kWordsOfBlock; ++w) simd::store(output + offset + w * kLanes, group.entries[w]);
      },
      [&](std::size_t offset, float entry) { output[offset] = entry; });
}

inline void perturb(const NoiseKey& key, float scale, std::size_t first, const float* base, float* output,
                    std::size_t count) {
  const Floats scales(scale);
  const bool zeros = base == nullptr;
  for_each_group(
      key, first, count,
      [&](std::size_t offset, const Group& group) {
        for (std::size_t w = 0; w < kWordsOfBlock; ++w) {
          const std::size_t i = offset + w * kLanes;
          const Floats from = zeros ? Floats(0.0F) : simd::load(base + i);
          simd::store(output + i, simd::fma(scales, group.entries[w], from));
        }
      },
      [&](std::size_t i, float entry) { output[i] = simd::fma(scale, entry, zeros ? 0.0F : base[i]); });
}

inline void accumulate(const NoiseKey& key, double weight, std::size_t first, double* sum, std::size_t count) {
  const Doubles weights(weight);
  for_each_group(
      key, first, count,
      [&](std::size_t offset, const Group& group) {
        for (std::size_t w = 0; w < kWordsOfBlock; ++w) {
          double* const target = sum + offset + w * kLanes;
          simd::store(target, simd::fma(simd::to_doubles(group.entries[w]), weights, simd::load(target)));
        }
      },
      [&](std::size_t i, float entry) { sum[i] = simd::fma(static_cast<double>(entry), weight, sum[i]); });
}

inline void perturb_from(const float* noise, float scale, const float* base, float* output, std::size_t count) {
  const Floats scales(scale);
  const bool zeros = base == nullptr;
  std::size_t i = 0;
  for (; count - i >= kLanes; i += kLanes) {
    const Floats from = zeros ? Floats(0.0F) : simd::load(base + i);
    simd::store(output + i, simd::fma(scales, simd::load(noise + i), from));
  }
  for (; i < count; ++i) output[i] = simd::fma(scale, noise[i], zeros ? 0.0F : base[i]);
}

/// Adds `terms` terms to `vectors` vectors of sums at a time, from `done` on; returns the first entry that is left.
template <std::size_t terms, std::size_t vectors>
CLADE_SIMD std::size_t add_terms(const float* const* noise, const double* weights, double* sum, std::size_t done,
                                 std::size_t count) {
  for (; count - done >= vectors * kLanes; done += vectors * kLanes) {
    Doubles sums[vectors];
    CLADE_UNROLL
    for (std::size_t v = 0; v < vectors; ++v) sums[v] = simd::load(sum + done + v * kLanes);
    CLADE_UNROLL
    for (std::size_t t = 0; t < terms; ++t) {
      const Doubles weight(weights[t]);
      CLADE_UNROLL
      for (std::size_t v = 0; v < vectors; ++v) {
        sums[v] = simd::fma(simd::load_doubles(noise[t] + done + v * kLanes), weight, sums[v]);
      }
    }
    CLADE_UNROLL
    for (std::size_t v = 0; v < vectors; ++v) simd::store(sum + done + v * kLanes, sums[v]);
  }
  return done;
}

template <std::size_t terms>
void pass(const float* const* noise, const double* weights, double* sum, std::size_t count) {
  std::size_t i = add_terms<terms, kSumVectors>(noise, weights, sum, 0, count);
  i = add_terms<terms, 1>(noise, weights, sum, i, count);
  for (; i < count; ++i) {
    for (std::size_t t = 0; t < terms; ++t) sum[i] = simd::fma(static_cast<double>(noise[t][i]), weights[t], sum[i]);
  }
}

inline void accumulate_from(const float* const* noise, const double* weights, std::size_t terms, double* sum,
                            std::size_t count) {
  static_assert(kTermsOfPass == 8);
  std::size_t t = 0;
  for (; terms - t >= 8; t += 8) pass<8>(noise + t, weights + t, sum, count);
  if (terms - t >= 4) {
    pass<4>(noise + t, weights + t, sum, count);
    t += 4;
  }
  for (; t < terms; ++t) pass<1>(noise + t, weights + t, sum, count);
}

inline constexpr NoiseKernels kKernels = {generate, perturb, accumulate, perturb_from, accumulate_from};

}  // namespace CLADE_SIMD_NAMESPACE
}  // namespace clade::noise
