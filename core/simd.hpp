#pragma once

// Vectors of a fixed logical width of 16 lanes, whatever the processor: two AVX2 registers, one AVX-512 register, or an
// array. The instruction set is chosen by the flags this translation unit is compiled with. Every operation acts on
// each lane alone and is exactly rounded or exact, so that the same source gives the same bits on all of them, and the
// same bits as the overloads for one number at the end of this file (the bits of a NaN excepted).
//
//   Floats     16 x float       + - * /  fma sqrt minimum maximum less less_equal equal select
//   Words      16 x uint32      + - * (low half)  & | ^  shift_left<k> shift_right<k> shift_right_signed<k>
//                               equal any_bit select
//   WideWords  16 x 32 bits in the lower half of 64, the upper half arbitrary:
//                               widen(Words), narrow, multiply_wide(a, Words): 64-bit products, high_half of such,
//                               exclusive_or(a, b, Words), exclusive_or(a, Words). The operands of type Words of
//                               multiply_wide and exclusive_or hold the same number in all lanes.
//   Doubles    16 x double      + - *  fma
//   Mask       16 x bool        & | ! any
//
//   fma(a, b, c)      a * b + c, rounded once
//   fma_where(mask, a, b, c)          fma(a, b, c) where the mask is true, otherwise c
//   minimum(a, b)     a < b ? a : b, hence b where one is NaN; maximum: a > b ? a : b
//   less(a, b)        false where one is NaN, as are less_equal and equal
//   any_bit(a, bits)  (a & bits) != 0
//   load(p), store(p, v)              any alignment
//   load_bytes(p)                     16 bytes as Words, any alignment
//   load_doubles(p)                   to_doubles(load(p)) of floats
//   load(p, count), store(p, v, n)    the first `count` lanes; others are loaded as 0 and not touched in memory
//   store_where(p, mask, v)           the lanes of Words for which the mask is true, one behind the other, and returns
//                                     their number; what else of the 16 places at p is written is arbitrary
//   as_words, as_floats               the bits
//   float_of_signed, float_of_unsigned, to_doubles, to_floats   rounded to nearest, ties to even
//
// A translation unit compiled with flags beyond the project's baseline must not instantiate inline functions that
// other units instantiate too (std::span, std::vector, std::fma, ...): the linker keeps one copy, and if it is the one
// with the wider instructions, the program dies on an older processor. Everything here is always inlined and lives in
// an inline namespace of its instruction set; kernels take raw pointers.

#define CLADE_SIMD [[gnu::always_inline]] inline

/// Before a loop of at most 16 turns over vectors that have to stay in registers.
#if defined(__clang__)
#define CLADE_UNROLL _Pragma("unroll")
#else
#define CLADE_UNROLL _Pragma("GCC unroll 16")
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define CLADE_SIMD_NAMESPACE avx512
#include "core/simd_avx512.hpp"
#elif defined(__AVX2__) && defined(__FMA__)
#define CLADE_SIMD_NAMESPACE avx2
#include "core/simd_avx2.hpp"
#else
#define CLADE_SIMD_NAMESPACE generic
#include "core/simd_generic.hpp"
#endif

namespace clade::simd {
inline namespace CLADE_SIMD_NAMESPACE {

// The same operations on one number: with these a template over the value type is its own scalar reference.

CLADE_SIMD float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
CLADE_SIMD double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
CLADE_SIMD float sqrt(float a) { return __builtin_sqrtf(a); }
CLADE_SIMD float minimum(float a, float b) { return a < b ? a : b; }
CLADE_SIMD float maximum(float a, float b) { return a > b ? a : b; }
CLADE_SIMD bool less(float a, float b) { return a < b; }
CLADE_SIMD bool less_equal(float a, float b) { return a <= b; }
CLADE_SIMD bool equal(float a, float b) { return a == b; }
CLADE_SIMD float select(bool mask, float if_true, float if_false) { return mask ? if_true : if_false; }
template <int kBits>
CLADE_SIMD std::uint32_t shift_left(std::uint32_t a) {
  return a << kBits;
}
template <int kBits>
CLADE_SIMD std::uint32_t shift_right(std::uint32_t a) {
  return a >> kBits;
}
template <int kBits>
CLADE_SIMD std::uint32_t shift_right_signed(std::uint32_t a) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> kBits);
}
CLADE_SIMD bool any_bit(std::uint32_t a, std::uint32_t bits) { return (a & bits) != 0; }
CLADE_SIMD bool equal(std::uint32_t a, std::uint32_t b) { return a == b; }
CLADE_SIMD std::uint32_t select(bool mask, std::uint32_t if_true, std::uint32_t if_false) {
  return mask ? if_true : if_false;
}
CLADE_SIMD std::uint32_t as_words(float a) { return __builtin_bit_cast(std::uint32_t, a); }
CLADE_SIMD float as_floats(std::uint32_t a) { return __builtin_bit_cast(float, a); }
CLADE_SIMD float float_of_signed(std::uint32_t a) { return static_cast<float>(static_cast<std::int32_t>(a)); }
CLADE_SIMD float float_of_unsigned(std::uint32_t a) { return static_cast<float>(a); }

/// The type of as_words' result: Words for Floats, uint32 for float.
template <class Value>
using WordsOf = decltype(as_words(Value{}));

}  // namespace CLADE_SIMD_NAMESPACE
}  // namespace clade::simd
