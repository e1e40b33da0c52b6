#pragma once

// The source of the pixel kernels: included by one file per instruction set, whose flags choose the vectors of
// core/simd.hpp. Raw pointers only, for the reason stated there.

#include <cstddef>
#include <cstdint>

#include "core/simd.hpp"
#include "envs/pixel_kernels.hpp"

namespace clade::pixels {
inline namespace CLADE_SIMD_NAMESPACE {

/// Pixels of a plane's row that are made at once. The last block of a row overlaps the one before it.
constexpr std::size_t kBlock = simd::kLanes;
static_assert(kPlaneSide >= kBlock);

// What an instruction set brings of its own:
//
//   Bytes, kBytes     so many bytes: load(p), store(p, v), maximum, same(a, b), all_even, look_up_even
//   Columns<taps>     of the kBlock plane pixels from `first` on, the source pixels of each tap: after read(line),
//                     tap(t) has them as floats. Reads no byte beyond the line's kScreenWidth.
//   store_rounded     kBlock floats in [0, 255.5) as bytes, halves to even

#if defined(__AVX512F__)

constexpr std::size_t kBytes = 64;
struct Bytes {
  __m512i lanes;
};
CLADE_SIMD Bytes load_bytes(const std::uint8_t* source) { return {_mm512_loadu_si512(source)}; }
CLADE_SIMD void store_bytes(std::uint8_t* target, Bytes a) { _mm512_storeu_si512(target, a.lanes); }
CLADE_SIMD Bytes maximum(Bytes a, Bytes b) { return {_mm512_max_epu8(a.lanes, b.lanes)}; }
CLADE_SIMD bool same(Bytes a, Bytes b) { return _mm512_cmpneq_epu8_mask(a.lanes, b.lanes) == 0; }
CLADE_SIMD bool all_even(Bytes a, Bytes b) {
  return _mm512_test_epi8_mask(_mm512_or_si512(a.lanes, b.lanes), _mm512_set1_epi8(1)) == 0;
}

struct EvenSteps {
  __m512i steps[8];
  CLADE_SIMD explicit EvenSteps(const GreyTable& table) {
    CLADE_UNROLL
    for (std::size_t step = 0; step < 8; ++step) {
      steps[step] = _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(table.even_steps[step])));
    }
  }
  /// Of bytes that are even. The half of a colour, less 16 per step, is negative once its own step has passed, and
  /// a negative byte looks up 0: what is left is the exclusive-or of the steps up to its own.
  CLADE_SIMD Bytes look_up(Bytes colours) const {
    const __m512i sixteen = _mm512_set1_epi8(16);
    __m512i place = _mm512_srli_epi16(colours.lanes, 1);  // no bit comes over from the other byte: it was even
    __m512i grey = _mm512_shuffle_epi8(steps[0], place);
    CLADE_UNROLL
    for (std::size_t step = 1; step < 8; ++step) {
      place = _mm512_sub_epi8(place, sixteen);
      grey = _mm512_xor_si512(grey, _mm512_shuffle_epi8(steps[step], place));
    }
    return {grey};
  }
};

template <std::size_t taps>
class Columns {
 public:
  /// Pixels of a line within which all taps of a block lie: 16 * 160 / 84 is less by more than one.
  static constexpr std::size_t kWindow = 32;

  CLADE_SIMD Columns(const std::uint32_t (*columns)[kPlaneSide], std::size_t first) {
    base_ = columns[0][first] < kScreenWidth - kWindow ? columns[0][first] : kScreenWidth - kWindow;
    CLADE_UNROLL
    for (std::size_t t = 0; t < taps; ++t) {
      places_[t] = _mm512_sub_epi32(_mm512_loadu_si512(columns[t] + first), _mm512_set1_epi32(static_cast<int>(base_)));
    }
  }
  CLADE_SIMD void read(const std::uint8_t* line) {
    const __m256i window = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(line + base_));
    low_ = _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm256_castsi256_si128(window)));
    high_ = _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm256_extracti128_si256(window, 1)));
  }
  CLADE_SIMD simd::Floats tap(std::size_t t) const {
    return simd::Floats(_mm512_permutex2var_ps(low_, places_[t], high_));
  }

 private:
  std::size_t base_;
  __m512i places_[taps];
  __m512 low_;
  __m512 high_;
};

CLADE_SIMD void store_rounded(std::uint8_t* target, simd::Floats a) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(target), _mm512_cvtusepi32_epi8(_mm512_cvtps_epi32(a.lanes)));
}

#elif defined(__AVX2__)

constexpr std::size_t kBytes = 32;
struct Bytes {
  __m256i lanes;
};
CLADE_SIMD Bytes load_bytes(const std::uint8_t* source) {
  return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(source))};
}
CLADE_SIMD void store_bytes(std::uint8_t* target, Bytes a) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(target), a.lanes);
}
CLADE_SIMD Bytes maximum(Bytes a, Bytes b) { return {_mm256_max_epu8(a.lanes, b.lanes)}; }
CLADE_SIMD bool same(Bytes a, Bytes b) {
  const __m256i different = _mm256_xor_si256(a.lanes, b.lanes);
  return _mm256_testz_si256(different, different) != 0;
}
CLADE_SIMD bool all_even(Bytes a, Bytes b) {
  return _mm256_testz_si256(_mm256_or_si256(a.lanes, b.lanes), _mm256_set1_epi8(1)) != 0;
}

struct EvenSteps {
  __m256i steps[8];
  CLADE_SIMD explicit EvenSteps(const GreyTable& table) {
    CLADE_UNROLL
    for (std::size_t step = 0; step < 8; ++step) {
      steps[step] =
          _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(table.even_steps[step])));
    }
  }
  /// Of bytes that are even. The half of a colour, less 16 per step, is negative once its own step has passed, and
  /// a negative byte looks up 0: what is left is the exclusive-or of the steps up to its own.
  CLADE_SIMD Bytes look_up(Bytes colours) const {
    const __m256i sixteen = _mm256_set1_epi8(16);
    __m256i place = _mm256_srli_epi16(colours.lanes, 1);  // no bit comes over from the other byte: it was even
    __m256i grey = _mm256_shuffle_epi8(steps[0], place);
    CLADE_UNROLL
    for (std::size_t step = 1; step < 8; ++step) {
      place = _mm256_sub_epi8(place, sixteen);
      grey = _mm256_xor_si256(grey, _mm256_shuffle_epi8(steps[step], place));
    }
    return {grey};
  }
};

template <std::size_t taps>
class Columns {
 public:
  /// Pixels of a line within which one tap of half a block lies.
  static constexpr std::size_t kWindow = 16;

  CLADE_SIMD Columns(const std::uint32_t (*columns)[kPlaneSide], std::size_t first) {
    CLADE_UNROLL
    for (std::size_t t = 0; t < taps; ++t) {
      CLADE_UNROLL
      for (std::size_t half = 0; half < 2; ++half) {
        const std::uint32_t* places = columns[t] + first + 8 * half;
        const std::size_t base = places[0] < kScreenWidth - kWindow ? places[0] : kScreenWidth - kWindow;
        bases_[t][half] = base;
        // A shuffle's byte that is negative gives 0: the three upper ones of each float to be.
        shuffles_[t][half] =
            _mm256_or_si256(_mm256_sub_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(places)),
                                             _mm256_set1_epi32(static_cast<int>(base))),
                            _mm256_set1_epi32(static_cast<int>(0xffffff00U)));
      }
    }
  }
  CLADE_SIMD void read(const std::uint8_t* line) { line_ = line; }
  CLADE_SIMD simd::Floats tap(std::size_t t) const { return simd::Floats(half_tap(t, 0), half_tap(t, 1)); }

 private:
  CLADE_SIMD __m256 half_tap(std::size_t t, std::size_t half) const {
    const __m256i window =
        _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(line_ + bases_[t][half])));
    return _mm256_cvtepi32_ps(_mm256_shuffle_epi8(window, shuffles_[t][half]));
  }

  const std::uint8_t* line_;
  std::size_t bases_[taps][2];
  __m256i shuffles_[taps][2];
};

CLADE_SIMD void store_rounded(std::uint8_t* target, simd::Floats a) {
  const __m256i words = _mm256_packus_epi32(_mm256_cvtps_epi32(a.low), _mm256_cvtps_epi32(a.high));
  const __m256i ordered = _mm256_permute4x64_epi64(words, 0xd8);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(target),
                   _mm_packus_epi16(_mm256_castsi256_si128(ordered), _mm256_extracti128_si256(ordered, 1)));
}

#else

template <std::size_t taps>
class Columns {
 public:
  CLADE_SIMD Columns(const std::uint32_t (*columns)[kPlaneSide], std::size_t first)
      : columns_(columns), first_(first) {}
  CLADE_SIMD void read(const std::uint8_t* line) { line_ = line; }
  CLADE_SIMD simd::Floats tap(std::size_t t) const {
    simd::Floats pixels;
    for (std::size_t i = 0; i < kBlock; ++i) pixels.lanes[i] = static_cast<float>(line_[columns_[t][first_ + i]]);
    return pixels;
  }

 private:
  const std::uint32_t (*columns_)[kPlaneSide];
  std::size_t first_;
  const std::uint8_t* line_;
};

CLADE_SIMD void store_rounded(std::uint8_t* target, simd::Floats a) {
  // From 2^23 on a float has no fraction: the sum is rounded to a whole number, halves to even, in its lowest bits.
  constexpr float kWhole = 8388608.0F;
  const simd::Words words = simd::as_words(a + simd::Floats(kWhole)) - simd::as_words(simd::Floats(kWhole));
  for (std::size_t i = 0; i < kBlock; ++i) target[i] = static_cast<std::uint8_t>(words.lanes[i]);
}

#endif

CLADE_SIMD std::uint8_t larger_grey(const GreyTable& table, std::uint8_t first, std::uint8_t second) {
  const std::uint8_t a = table.grey[first];
  const std::uint8_t b = table.grey[second];
  return a > b ? a : b;
}

inline void grey_maximum(const GreyTable& table, const std::uint8_t* first, const std::uint8_t* second,
                         std::size_t size, std::uint8_t* grey) {
  std::size_t i = 0;
#if defined(__AVX2__)
  const EvenSteps steps(table);
  for (; i + kBytes <= size; i += kBytes) {
    const Bytes a = load_bytes(first + i);
    const Bytes b = load_bytes(second + i);
    if (!all_even(a, b)) {
      for (std::size_t j = i; j < i + kBytes; ++j) grey[j] = larger_grey(table, first[j], second[j]);
      continue;
    }
    Bytes larger = steps.look_up(a);
    // Little moves between two frames.
    if (!same(a, b)) larger = maximum(larger, steps.look_up(b));
    store_bytes(grey + i, larger);
  }
#endif
  for (; i < size; ++i) grey[i] = larger_grey(table, first[i], second[i]);
}

/// `make(first)` for the first pixel of each block of a plane's row.
template <class Make>
CLADE_SIMD void for_each_block(Make make) {
  for (std::size_t first = 0; first + kBlock <= kPlaneSide; first += kBlock) make(first);
  if constexpr (kPlaneSide % kBlock != 0) make(kPlaneSide - kBlock);
}

/// A block of columns at a time, so that its coefficients stay in registers down the whole screen.
inline void resize_area(const ResizeTable& table, const std::uint8_t* grey, std::uint8_t* plane) {
  for_each_block([&](std::size_t first) {
    Columns<3> columns(table.columns, first);
    const simd::Floats weights[3] = {simd::load(table.weights[0] + first), simd::load(table.weights[1] + first),
                                     simd::load(table.weights[2] + first)};
    const ResizeTable::Row* row = table.rows;
    std::uint32_t read = 0;
    simd::Floats along_x;
    const auto sum_along_x = [&](std::uint32_t source) {
      columns.read(grey + source * kScreenWidth);
      along_x = columns.tap(0) * weights[0] + columns.tap(1) * weights[1];
      along_x = along_x + columns.tap(2) * weights[2];
      read = source;
    };
    sum_along_x(row->source);
    for (std::size_t y = 0; y < kPlaneSide; ++y) {
      const ResizeTable::Row* const end = table.rows + table.first_row[y + 1];
      // A line that two rows share is their last and their first.
      if (row->source != read) sum_along_x(row->source);
      simd::Floats sum = along_x * simd::Floats(row->weight);
      for (++row; row < end; ++row) {
        sum_along_x(row->source);
        sum = sum + along_x * simd::Floats(row->weight);
      }
      store_rounded(plane + y * kPlaneSide + first, sum);
    }
  });
}

inline void resize_bilinear(const ResizeTable& table, const std::uint8_t* grey, std::uint8_t* plane) {
  for_each_block([&](std::size_t first) {
    Columns<2> columns(table.columns, first);
    const simd::Floats weight = simd::load(table.weights[1] + first);
    const auto along_x = [&](std::uint32_t source) {
      columns.read(grey + source * kScreenWidth);
      const simd::Floats left = columns.tap(0);
      return left + (columns.tap(1) - left) * weight;
    };
    for (std::size_t y = 0; y < kPlaneSide; ++y) {
      const ResizeTable::Row* const rows = table.rows + table.first_row[y];
      const simd::Floats top = along_x(rows[0].source);
      const simd::Floats bottom = along_x(rows[1].source);
      store_rounded(plane + y * kPlaneSide + first, top + (bottom - top) * simd::Floats(rows[1].weight));
    }
  });
}

inline void resize(const ResizeTable& table, const std::uint8_t* grey, std::uint8_t* plane) {
  if (table.method == Resize::area) {
    resize_area(table, grey, plane);
  } else {
    resize_bilinear(table, grey, plane);
  }
}

/// The frames of a pixel are one word: the oldest its lowest byte, in memory order.
CLADE_SIMD std::uint32_t pushed(std::uint32_t frames, std::uint8_t newest) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return frames >> 8 | static_cast<std::uint32_t>(newest) << 24;
#else
  return frames << 8 | newest;
#endif
}

/// Every pixel's four frames. Inlined where it is known whether `from` is `to`, so that it is one vector loop.
CLADE_SIMD void push_four(const std::uint8_t* from, const std::uint8_t* plane, std::uint8_t* to) {
  for (std::size_t i = 0; i < kPlaneSize; ++i) {
    std::uint32_t frames;
    __builtin_memcpy(&frames, from + 4 * i, sizeof frames);
    frames = pushed(frames, plane[i]);
    __builtin_memcpy(to + 4 * i, &frames, sizeof frames);
  }
}

inline void push(const std::uint8_t* before, const std::uint8_t* plane, std::size_t stack, std::uint8_t* after) {
  if (stack == 4) {
    if (before == after) {
      push_four(after, plane, after);
    } else {
      push_four(before, plane, after);
    }
    return;
  }
  for (std::size_t i = 0; i < kPlaneSize; ++i) {
    for (std::size_t frame = 0; frame + 1 < stack; ++frame) after[stack * i + frame] = before[stack * i + frame + 1];
    after[stack * i + stack - 1] = plane[i];
  }
}

inline void fill(const std::uint8_t* plane, std::size_t stack, std::uint8_t* after) {
  for (std::size_t i = 0; i < kPlaneSize; ++i) {
    for (std::size_t frame = 0; frame < stack; ++frame) after[stack * i + frame] = plane[i];
  }
}

constexpr PixelKernels kTable{&grey_maximum, &resize, &push, &fill};

}  // namespace CLADE_SIMD_NAMESPACE
}  // namespace clade::pixels
