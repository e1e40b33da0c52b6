#pragma once

// Part of core/simd.hpp: the contract is there. Sixteen lanes in one 512-bit register.

// GCC 12 takes the deliberately undefined operands of its own intrinsics for a mistake.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#include <cstddef>
#include <cstdint>

namespace clade::simd {
inline namespace avx512 {

inline constexpr std::size_t kLanes = 16;

struct Mask {
  __mmask16 bits;
};

struct Floats {
  __m512 lanes;
  Floats() = default;
  CLADE_SIMD explicit Floats(float value) : lanes(_mm512_set1_ps(value)) {}
  CLADE_SIMD explicit Floats(__m512 value) : lanes(value) {}
};

struct Words {
  __m512i lanes;
  Words() = default;
  CLADE_SIMD explicit Words(std::uint32_t value) : lanes(_mm512_set1_epi32(static_cast<int>(value))) {}
  CLADE_SIMD explicit Words(__m512i value) : lanes(value) {}
};

/// Even and odd lanes apart, each in the lower half of a 64-bit lane.
struct WideWords {
  __m512i even;
  __m512i odd;
};

struct Doubles {
  __m512d low;   ///< lanes 0 to 7
  __m512d high;  ///< lanes 8 to 15
  Doubles() = default;
  CLADE_SIMD explicit Doubles(double value) : low(_mm512_set1_pd(value)), high(_mm512_set1_pd(value)) {}
  CLADE_SIMD Doubles(__m512d low_lanes, __m512d high_lanes) : low(low_lanes), high(high_lanes) {}
};

CLADE_SIMD __mmask16 first_lanes(std::size_t count) {
  return count >= kLanes ? static_cast<__mmask16>(0xffff) : static_cast<__mmask16>((1U << count) - 1U);
}

// Memory

CLADE_SIMD Floats load(const float* source) { return Floats(_mm512_loadu_ps(source)); }
CLADE_SIMD Floats load(const float* source, std::size_t count) {
  return Floats(_mm512_maskz_loadu_ps(first_lanes(count), source));
}
CLADE_SIMD void store(float* target, Floats a) { _mm512_storeu_ps(target, a.lanes); }
CLADE_SIMD void store(float* target, Floats a, std::size_t count) {
  _mm512_mask_storeu_ps(target, first_lanes(count), a.lanes);
}
CLADE_SIMD Words load(const std::uint32_t* source) { return Words(_mm512_loadu_si512(source)); }
CLADE_SIMD Words load_bytes(const std::uint8_t* source) {
  return Words(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(source))));
}
CLADE_SIMD void store(std::uint32_t* target, Words a) { _mm512_storeu_si512(target, a.lanes); }
CLADE_SIMD Doubles load(const double* source) { return Doubles(_mm512_loadu_pd(source), _mm512_loadu_pd(source + 8)); }
CLADE_SIMD Doubles load(const double* source, std::size_t count) {
  const __mmask16 mask = first_lanes(count);
  return Doubles(_mm512_maskz_loadu_pd(static_cast<__mmask8>(mask), source),
                 _mm512_maskz_loadu_pd(static_cast<__mmask8>(mask >> 8), source + 8));
}
CLADE_SIMD void store(double* target, Doubles a) {
  _mm512_storeu_pd(target, a.low);
  _mm512_storeu_pd(target + 8, a.high);
}
CLADE_SIMD void store(double* target, Doubles a, std::size_t count) {
  const __mmask16 mask = first_lanes(count);
  _mm512_mask_storeu_pd(target, static_cast<__mmask8>(mask), a.low);
  _mm512_mask_storeu_pd(target + 8, static_cast<__mmask8>(mask >> 8), a.high);
}

// Floats

CLADE_SIMD Floats operator+(Floats a, Floats b) { return Floats(_mm512_add_ps(a.lanes, b.lanes)); }
CLADE_SIMD Floats operator-(Floats a, Floats b) { return Floats(_mm512_sub_ps(a.lanes, b.lanes)); }
CLADE_SIMD Floats operator*(Floats a, Floats b) { return Floats(_mm512_mul_ps(a.lanes, b.lanes)); }
CLADE_SIMD Floats operator/(Floats a, Floats b) { return Floats(_mm512_div_ps(a.lanes, b.lanes)); }
CLADE_SIMD Floats fma(Floats a, Floats b, Floats c) { return Floats(_mm512_fmadd_ps(a.lanes, b.lanes, c.lanes)); }
CLADE_SIMD Floats fma_where(Mask mask, Floats a, Floats b, Floats c) {
  return Floats(_mm512_mask3_fmadd_ps(a.lanes, b.lanes, c.lanes, mask.bits));
}
CLADE_SIMD Floats sqrt(Floats a) { return Floats(_mm512_sqrt_ps(a.lanes)); }
CLADE_SIMD Floats minimum(Floats a, Floats b) { return Floats(_mm512_min_ps(a.lanes, b.lanes)); }
CLADE_SIMD Floats maximum(Floats a, Floats b) { return Floats(_mm512_max_ps(a.lanes, b.lanes)); }
CLADE_SIMD Mask less(Floats a, Floats b) { return {_mm512_cmp_ps_mask(a.lanes, b.lanes, _CMP_LT_OQ)}; }
CLADE_SIMD Mask less_equal(Floats a, Floats b) { return {_mm512_cmp_ps_mask(a.lanes, b.lanes, _CMP_LE_OQ)}; }
CLADE_SIMD Mask equal(Floats a, Floats b) { return {_mm512_cmp_ps_mask(a.lanes, b.lanes, _CMP_EQ_OQ)}; }
CLADE_SIMD Floats select(Mask mask, Floats if_true, Floats if_false) {
  return Floats(_mm512_mask_blend_ps(mask.bits, if_false.lanes, if_true.lanes));
}

// Masks

CLADE_SIMD Mask operator&(Mask a, Mask b) { return {static_cast<__mmask16>(a.bits & b.bits)}; }
CLADE_SIMD Mask operator|(Mask a, Mask b) { return {static_cast<__mmask16>(a.bits | b.bits)}; }
CLADE_SIMD Mask operator!(Mask a) { return {static_cast<__mmask16>(~a.bits)}; }
CLADE_SIMD bool any(Mask a) { return a.bits != 0; }

// Words

CLADE_SIMD Words operator+(Words a, Words b) { return Words(_mm512_add_epi32(a.lanes, b.lanes)); }
CLADE_SIMD Words operator-(Words a, Words b) { return Words(_mm512_sub_epi32(a.lanes, b.lanes)); }
CLADE_SIMD Words operator*(Words a, Words b) { return Words(_mm512_mullo_epi32(a.lanes, b.lanes)); }
CLADE_SIMD Words operator&(Words a, Words b) { return Words(_mm512_and_si512(a.lanes, b.lanes)); }
CLADE_SIMD Words operator|(Words a, Words b) { return Words(_mm512_or_si512(a.lanes, b.lanes)); }
CLADE_SIMD Words operator^(Words a, Words b) { return Words(_mm512_xor_si512(a.lanes, b.lanes)); }
template <int kBits>
CLADE_SIMD Words shift_left(Words a) {
  return Words(_mm512_slli_epi32(a.lanes, kBits));
}
template <int kBits>
CLADE_SIMD Words shift_right(Words a) {
  return Words(_mm512_srli_epi32(a.lanes, kBits));
}
template <int kBits>
CLADE_SIMD Words shift_right_signed(Words a) {
  return Words(_mm512_srai_epi32(a.lanes, kBits));
}
CLADE_SIMD Mask any_bit(Words a, Words bits) { return {_mm512_test_epi32_mask(a.lanes, bits.lanes)}; }
CLADE_SIMD Mask equal(Words a, Words b) { return {_mm512_cmpeq_epi32_mask(a.lanes, b.lanes)}; }
CLADE_SIMD Words select(Mask mask, Words if_true, Words if_false) {
  return Words(_mm512_mask_blend_epi32(mask.bits, if_false.lanes, if_true.lanes));
}

CLADE_SIMD std::size_t store_where(std::uint32_t* target, Mask mask, Words a) {
  _mm512_storeu_si512(target, _mm512_maskz_compress_epi32(mask.bits, a.lanes));
  return static_cast<std::size_t>(__builtin_popcount(mask.bits));
}

// Wide words

CLADE_SIMD WideWords widen(Words a) { return {a.lanes, _mm512_srli_epi64(a.lanes, 32)}; }
CLADE_SIMD Words narrow(WideWords a) {
  return Words(_mm512_mask_blend_epi32(0xaaaa, a.even, _mm512_slli_epi64(a.odd, 32)));
}
CLADE_SIMD WideWords multiply_wide(WideWords a, Words b) {
  return {_mm512_mul_epu32(a.even, b.lanes), _mm512_mul_epu32(a.odd, b.lanes)};
}
CLADE_SIMD WideWords high_half(WideWords a) { return {_mm512_srli_epi64(a.even, 32), _mm512_srli_epi64(a.odd, 32)}; }
CLADE_SIMD WideWords exclusive_or(WideWords a, WideWords b, Words c) {
  return {_mm512_ternarylogic_epi64(a.even, b.even, c.lanes, 0x96),
          _mm512_ternarylogic_epi64(a.odd, b.odd, c.lanes, 0x96)};
}

CLADE_SIMD WideWords exclusive_or(WideWords a, Words b) {
  return {_mm512_xor_si512(a.even, b.lanes), _mm512_xor_si512(a.odd, b.lanes)};
}

// Conversions

CLADE_SIMD Words as_words(Floats a) { return Words(_mm512_castps_si512(a.lanes)); }
CLADE_SIMD Floats as_floats(Words a) { return Floats(_mm512_castsi512_ps(a.lanes)); }
CLADE_SIMD Floats float_of_signed(Words a) { return Floats(_mm512_cvtepi32_ps(a.lanes)); }
CLADE_SIMD Floats float_of_unsigned(Words a) { return Floats(_mm512_cvtepu32_ps(a.lanes)); }
CLADE_SIMD Doubles to_doubles(Floats a) {
  return Doubles(_mm512_cvtps_pd(_mm512_castps512_ps256(a.lanes)), _mm512_cvtps_pd(_mm512_extractf32x8_ps(a.lanes, 1)));
}
CLADE_SIMD Doubles load_doubles(const float* source) {
  return Doubles(_mm512_cvtps_pd(_mm256_loadu_ps(source)), _mm512_cvtps_pd(_mm256_loadu_ps(source + 8)));
}
CLADE_SIMD Floats to_floats(Doubles a) {
  return Floats(_mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(a.low)), _mm512_cvtpd_ps(a.high), 1));
}

// Doubles

CLADE_SIMD Doubles operator+(Doubles a, Doubles b) {
  return Doubles(_mm512_add_pd(a.low, b.low), _mm512_add_pd(a.high, b.high));
}
CLADE_SIMD Doubles operator-(Doubles a, Doubles b) {
  return Doubles(_mm512_sub_pd(a.low, b.low), _mm512_sub_pd(a.high, b.high));
}
CLADE_SIMD Doubles operator*(Doubles a, Doubles b) {
  return Doubles(_mm512_mul_pd(a.low, b.low), _mm512_mul_pd(a.high, b.high));
}
CLADE_SIMD Doubles fma(Doubles a, Doubles b, Doubles c) {
  return Doubles(_mm512_fmadd_pd(a.low, b.low, c.low), _mm512_fmadd_pd(a.high, b.high, c.high));
}

}  // namespace avx512
}  // namespace clade::simd
