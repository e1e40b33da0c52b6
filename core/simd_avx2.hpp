#pragma once

// Part of core/simd.hpp: the contract is there. Sixteen lanes in two 256-bit registers.

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace clade::simd {
inline namespace avx2 {

inline constexpr std::size_t kLanes = 16;

struct Mask {
  __m256 low;
  __m256 high;
};

struct Floats {
  __m256 low;   ///< lanes 0 to 7
  __m256 high;  ///< lanes 8 to 15
  Floats() = default;
  CLADE_SIMD explicit Floats(float value) : low(_mm256_set1_ps(value)), high(_mm256_set1_ps(value)) {}
  CLADE_SIMD Floats(__m256 low_lanes, __m256 high_lanes) : low(low_lanes), high(high_lanes) {}
};

struct Words {
  __m256i low;
  __m256i high;
  Words() = default;
  CLADE_SIMD explicit Words(std::uint32_t value)
      : low(_mm256_set1_epi32(static_cast<int>(value))), high(_mm256_set1_epi32(static_cast<int>(value))) {}
  CLADE_SIMD Words(__m256i low_lanes, __m256i high_lanes) : low(low_lanes), high(high_lanes) {}
};

/// Even and odd lanes apart, each in the lower half of a 64-bit lane.
struct WideWords {
  __m256i low_even;
  __m256i low_odd;
  __m256i high_even;
  __m256i high_odd;
};

struct Doubles {
  __m256d first;   ///< lanes 0 to 3
  __m256d second;  ///< and so on
  __m256d third;
  __m256d fourth;
  Doubles() = default;
  CLADE_SIMD explicit Doubles(double value)
      : first(_mm256_set1_pd(value)), second(first), third(first), fourth(first) {}
  CLADE_SIMD Doubles(__m256d a, __m256d b, __m256d c, __m256d d) : first(a), second(b), third(c), fourth(d) {}
};

// Memory

CLADE_SIMD Floats load(const float* source) { return Floats(_mm256_loadu_ps(source), _mm256_loadu_ps(source + 8)); }
CLADE_SIMD Floats load(const float* source, std::size_t count) {
  float lanes[kLanes] = {};
  for (std::size_t i = 0; i < count && i < kLanes; ++i) lanes[i] = source[i];
  return load(lanes);
}
CLADE_SIMD void store(float* target, Floats a) {
  _mm256_storeu_ps(target, a.low);
  _mm256_storeu_ps(target + 8, a.high);
}
CLADE_SIMD void store(float* target, Floats a, std::size_t count) {
  float lanes[kLanes];
  store(lanes, a);
  for (std::size_t i = 0; i < count && i < kLanes; ++i) target[i] = lanes[i];
}
CLADE_SIMD Words load(const std::uint32_t* source) {
  return Words(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(source)),
               _mm256_loadu_si256(reinterpret_cast<const __m256i*>(source + 8)));
}
CLADE_SIMD Words load_bytes(const std::uint8_t* source) {
  return Words(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(source))),
               _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(source + 8))));
}
CLADE_SIMD void store(std::uint32_t* target, Words a) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(target), a.low);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(target + 8), a.high);
}
CLADE_SIMD Doubles load(const double* source) {
  return Doubles(_mm256_loadu_pd(source), _mm256_loadu_pd(source + 4), _mm256_loadu_pd(source + 8),
                 _mm256_loadu_pd(source + 12));
}
CLADE_SIMD Doubles load(const double* source, std::size_t count) {
  double lanes[kLanes] = {};
  for (std::size_t i = 0; i < count && i < kLanes; ++i) lanes[i] = source[i];
  return load(lanes);
}
CLADE_SIMD void store(double* target, Doubles a) {
  _mm256_storeu_pd(target, a.first);
  _mm256_storeu_pd(target + 4, a.second);
  _mm256_storeu_pd(target + 8, a.third);
  _mm256_storeu_pd(target + 12, a.fourth);
}
CLADE_SIMD void store(double* target, Doubles a, std::size_t count) {
  double lanes[kLanes];
  store(lanes, a);
  for (std::size_t i = 0; i < count && i < kLanes; ++i) target[i] = lanes[i];
}

// Floats

CLADE_SIMD Floats operator+(Floats a, Floats b) {
  return Floats(_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high));
}
CLADE_SIMD Floats operator-(Floats a, Floats b) {
  return Floats(_mm256_sub_ps(a.low, b.low), _mm256_sub_ps(a.high, b.high));
}
CLADE_SIMD Floats operator*(Floats a, Floats b) {
  return Floats(_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high));
}
CLADE_SIMD Floats operator/(Floats a, Floats b) {
  return Floats(_mm256_div_ps(a.low, b.low), _mm256_div_ps(a.high, b.high));
}
CLADE_SIMD Floats fma(Floats a, Floats b, Floats c) {
  return Floats(_mm256_fmadd_ps(a.low, b.low, c.low), _mm256_fmadd_ps(a.high, b.high, c.high));
}
CLADE_SIMD Floats sqrt(Floats a) { return Floats(_mm256_sqrt_ps(a.low), _mm256_sqrt_ps(a.high)); }
CLADE_SIMD Floats minimum(Floats a, Floats b) {
  return Floats(_mm256_min_ps(a.low, b.low), _mm256_min_ps(a.high, b.high));
}
CLADE_SIMD Floats maximum(Floats a, Floats b) {
  return Floats(_mm256_max_ps(a.low, b.low), _mm256_max_ps(a.high, b.high));
}
CLADE_SIMD Mask less(Floats a, Floats b) {
  return {_mm256_cmp_ps(a.low, b.low, _CMP_LT_OQ), _mm256_cmp_ps(a.high, b.high, _CMP_LT_OQ)};
}
CLADE_SIMD Mask less_equal(Floats a, Floats b) {
  return {_mm256_cmp_ps(a.low, b.low, _CMP_LE_OQ), _mm256_cmp_ps(a.high, b.high, _CMP_LE_OQ)};
}
CLADE_SIMD Mask equal(Floats a, Floats b) {
  return {_mm256_cmp_ps(a.low, b.low, _CMP_EQ_OQ), _mm256_cmp_ps(a.high, b.high, _CMP_EQ_OQ)};
}
CLADE_SIMD Floats select(Mask mask, Floats if_true, Floats if_false) {
  return Floats(_mm256_blendv_ps(if_false.low, if_true.low, mask.low),
                _mm256_blendv_ps(if_false.high, if_true.high, mask.high));
}
CLADE_SIMD Floats fma_where(Mask mask, Floats a, Floats b, Floats c) {
  // Elsewhere -0 * 0 + c, which is c for every c.
  const Floats factor = select(mask, a, Floats(-0.0F));
  return fma(factor, Floats(_mm256_and_ps(mask.low, b.low), _mm256_and_ps(mask.high, b.high)), c);
}

// Masks

CLADE_SIMD Mask operator&(Mask a, Mask b) { return {_mm256_and_ps(a.low, b.low), _mm256_and_ps(a.high, b.high)}; }
CLADE_SIMD Mask operator|(Mask a, Mask b) { return {_mm256_or_ps(a.low, b.low), _mm256_or_ps(a.high, b.high)}; }
CLADE_SIMD Mask operator!(Mask a) {
  const __m256 ones = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
  return {_mm256_xor_ps(a.low, ones), _mm256_xor_ps(a.high, ones)};
}
CLADE_SIMD bool any(Mask a) { return (_mm256_movemask_ps(a.low) | _mm256_movemask_ps(a.high)) != 0; }

// Words

CLADE_SIMD Words operator+(Words a, Words b) {
  return Words(_mm256_add_epi32(a.low, b.low), _mm256_add_epi32(a.high, b.high));
}
CLADE_SIMD Words operator-(Words a, Words b) {
  return Words(_mm256_sub_epi32(a.low, b.low), _mm256_sub_epi32(a.high, b.high));
}
CLADE_SIMD Words operator*(Words a, Words b) {
  return Words(_mm256_mullo_epi32(a.low, b.low), _mm256_mullo_epi32(a.high, b.high));
}
CLADE_SIMD Words operator&(Words a, Words b) {
  return Words(_mm256_and_si256(a.low, b.low), _mm256_and_si256(a.high, b.high));
}
CLADE_SIMD Words operator|(Words a, Words b) {
  return Words(_mm256_or_si256(a.low, b.low), _mm256_or_si256(a.high, b.high));
}
CLADE_SIMD Words operator^(Words a, Words b) {
  return Words(_mm256_xor_si256(a.low, b.low), _mm256_xor_si256(a.high, b.high));
}
template <int kBits>
CLADE_SIMD Words shift_left(Words a) {
  return Words(_mm256_slli_epi32(a.low, kBits), _mm256_slli_epi32(a.high, kBits));
}
template <int kBits>
CLADE_SIMD Words shift_right(Words a) {
  return Words(_mm256_srli_epi32(a.low, kBits), _mm256_srli_epi32(a.high, kBits));
}
template <int kBits>
CLADE_SIMD Words shift_right_signed(Words a) {
  return Words(_mm256_srai_epi32(a.low, kBits), _mm256_srai_epi32(a.high, kBits));
}
CLADE_SIMD Mask equal(Words a, Words b) {
  return {_mm256_castsi256_ps(_mm256_cmpeq_epi32(a.low, b.low)),
          _mm256_castsi256_ps(_mm256_cmpeq_epi32(a.high, b.high))};
}
CLADE_SIMD Mask any_bit(Words a, Words bits) { return !equal(a & bits, Words(0U)); }
CLADE_SIMD Words select(Mask mask, Words if_true, Words if_false) {
  return Words(_mm256_blendv_epi8(if_false.low, if_true.low, _mm256_castps_si256(mask.low)),
               _mm256_blendv_epi8(if_false.high, if_true.high, _mm256_castps_si256(mask.high)));
}

CLADE_SIMD std::size_t store_where(std::uint32_t* target, Mask mask, Words a) {
  std::uint32_t lanes[kLanes];
  store(lanes, a);
  const unsigned bits =
      static_cast<unsigned>(_mm256_movemask_ps(mask.low)) | static_cast<unsigned>(_mm256_movemask_ps(mask.high)) << 8U;
  std::size_t count = 0;
  for (std::size_t i = 0; i < kLanes; ++i) {
    target[count] = lanes[i];
    count += bits >> i & 1U;
  }
  return count;
}

// Wide words

CLADE_SIMD WideWords widen(Words a) {
  return {a.low, _mm256_srli_epi64(a.low, 32), a.high, _mm256_srli_epi64(a.high, 32)};
}
CLADE_SIMD Words narrow(WideWords a) {
  return Words(_mm256_blend_epi32(a.low_even, _mm256_slli_epi64(a.low_odd, 32), 0xaa),
               _mm256_blend_epi32(a.high_even, _mm256_slli_epi64(a.high_odd, 32), 0xaa));
}
CLADE_SIMD WideWords multiply_wide(WideWords a, Words b) {
  return {_mm256_mul_epu32(a.low_even, b.low), _mm256_mul_epu32(a.low_odd, b.low),
          _mm256_mul_epu32(a.high_even, b.high), _mm256_mul_epu32(a.high_odd, b.high)};
}
CLADE_SIMD WideWords high_half(WideWords a) {
  return {_mm256_srli_epi64(a.low_even, 32), _mm256_srli_epi64(a.low_odd, 32), _mm256_srli_epi64(a.high_even, 32),
          _mm256_srli_epi64(a.high_odd, 32)};
}
CLADE_SIMD WideWords exclusive_or(WideWords a, WideWords b, Words c) {
  return {_mm256_xor_si256(_mm256_xor_si256(a.low_even, b.low_even), c.low),
          _mm256_xor_si256(_mm256_xor_si256(a.low_odd, b.low_odd), c.low),
          _mm256_xor_si256(_mm256_xor_si256(a.high_even, b.high_even), c.high),
          _mm256_xor_si256(_mm256_xor_si256(a.high_odd, b.high_odd), c.high)};
}

CLADE_SIMD WideWords exclusive_or(WideWords a, Words b) {
  return {_mm256_xor_si256(a.low_even, b.low), _mm256_xor_si256(a.low_odd, b.low),
          _mm256_xor_si256(a.high_even, b.high), _mm256_xor_si256(a.high_odd, b.high)};
}

// Conversions

CLADE_SIMD Words as_words(Floats a) { return Words(_mm256_castps_si256(a.low), _mm256_castps_si256(a.high)); }
CLADE_SIMD Floats as_floats(Words a) { return Floats(_mm256_castsi256_ps(a.low), _mm256_castsi256_ps(a.high)); }
CLADE_SIMD Floats float_of_signed(Words a) { return Floats(_mm256_cvtepi32_ps(a.low), _mm256_cvtepi32_ps(a.high)); }
CLADE_SIMD Floats float_of_unsigned(Words a) {
  // Both halves are exact, so that the fused sum rounds once.
  return fma(float_of_signed(shift_right<16>(a)), Floats(65536.0F), float_of_signed(a & Words(0xffffU)));
}
CLADE_SIMD Doubles to_doubles(Floats a) {
  return Doubles(_mm256_cvtps_pd(_mm256_castps256_ps128(a.low)), _mm256_cvtps_pd(_mm256_extractf128_ps(a.low, 1)),
                 _mm256_cvtps_pd(_mm256_castps256_ps128(a.high)), _mm256_cvtps_pd(_mm256_extractf128_ps(a.high, 1)));
}
CLADE_SIMD Doubles load_doubles(const float* source) {
  return Doubles(_mm256_cvtps_pd(_mm_loadu_ps(source)), _mm256_cvtps_pd(_mm_loadu_ps(source + 4)),
                 _mm256_cvtps_pd(_mm_loadu_ps(source + 8)), _mm256_cvtps_pd(_mm_loadu_ps(source + 12)));
}
CLADE_SIMD Floats to_floats(Doubles a) {
  return Floats(_mm256_set_m128(_mm256_cvtpd_ps(a.second), _mm256_cvtpd_ps(a.first)),
                _mm256_set_m128(_mm256_cvtpd_ps(a.fourth), _mm256_cvtpd_ps(a.third)));
}

// Doubles

CLADE_SIMD Doubles operator+(Doubles a, Doubles b) {
  return Doubles(_mm256_add_pd(a.first, b.first), _mm256_add_pd(a.second, b.second), _mm256_add_pd(a.third, b.third),
                 _mm256_add_pd(a.fourth, b.fourth));
}
CLADE_SIMD Doubles operator-(Doubles a, Doubles b) {
  return Doubles(_mm256_sub_pd(a.first, b.first), _mm256_sub_pd(a.second, b.second), _mm256_sub_pd(a.third, b.third),
                 _mm256_sub_pd(a.fourth, b.fourth));
}
CLADE_SIMD Doubles operator*(Doubles a, Doubles b) {
  return Doubles(_mm256_mul_pd(a.first, b.first), _mm256_mul_pd(a.second, b.second), _mm256_mul_pd(a.third, b.third),
                 _mm256_mul_pd(a.fourth, b.fourth));
}
CLADE_SIMD Doubles fma(Doubles a, Doubles b, Doubles c) {
  return Doubles(_mm256_fmadd_pd(a.first, b.first, c.first), _mm256_fmadd_pd(a.second, b.second, c.second),
                 _mm256_fmadd_pd(a.third, b.third, c.third), _mm256_fmadd_pd(a.fourth, b.fourth, c.fourth));
}

}  // namespace avx2
}  // namespace clade::simd
