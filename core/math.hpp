#pragma once

// Elementary functions as fixed sequences of exactly rounded operations: no libm, hence the same bits on every
// processor. Each is a template over simd::Floats and float, and a lane's bits are those of the same call on that
// number alone (the bits of a NaN excepted). A NaN gives NaN. Errors below are against the exact value, over the whole
// range; polynomials are minimax (Remez exchange in 30 digits) for the relative error of the result.
//
//   exp      error < 1 ulp, subnormal results rounded, 0 below -104, infinity above 88.73
//   expm1    error < 2 ulp, for x < 60 only; -1 for large negative x
//   log      error < 1 ulp, subnormal arguments included; log(0) = -infinity, NaN below 0
//   tanh     error < 3 ulp and < 1e-7, odd, exactly +-1 from 9.1 on; tanh(-0) = -0
//   sigmoid  error < 3 ulp, 1 / (1 + exp(-x)); 0 and 1 in the limits
//   elu      x where x > 0, otherwise expm1(x) (alpha = 1)
//   relu     x where x > 0, NaN where NaN, otherwise 0 (-0 for -0)
//   sine_cosine_of_turns  sin and cos of 2 pi u, error < 1.5e-7

#include <cstdint>

#include "core/simd.hpp"

namespace clade::math {
inline namespace CLADE_SIMD_NAMESPACE {

template <class F>
struct SineCosine {
  F sine;
  F cosine;
};

namespace detail {

/// Adding and subtracting it rounds |x| < 2^22 to an integer, whose value is then the sum's bits above this one's.
inline constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23
inline constexpr std::uint32_t kRounderBits = 0x4b400000U;
inline constexpr std::uint32_t kExponentBias = 127;

/// exp's argument as n ln 2 + r, |r| <= ln(2)/2; n an integer in two's complement.
template <class F>
struct Reduced {
  F r;
  simd::WordsOf<F> n;
};

template <class F>
CLADE_SIMD Reduced<F> reduce_exponent(F x) {
  using W = simd::WordsOf<F>;
  const F rounded = simd::fma(x, F(1.44269502F), F(kRounder));
  const F n = rounded - F(kRounder);
  const F partly = simd::fma(n, F(-0.693145752F), x);  // 17 bits of ln 2: the product with n is exact
  return {simd::fma(n, F(-1.42860677e-6F), partly), simd::as_words(rounded) - W(kRounderBits)};
}

/// exp(r) - 1 for |r| <= ln(2)/2: r + r^2 P(r), relative error of 1 + that 3.1e-9.
template <class F>
CLADE_SIMD F expm1_of_reduced(F r) {
  F p = simd::fma(F(0.00138145941F), r, F(0.00836871658F));
  p = simd::fma(p, r, F(0.041668389F));
  p = simd::fma(p, r, F(0.166665211F));
  p = simd::fma(p, r, F(0.49999994F));
  return simd::fma(r * r, p, r);
}

/// 2^n for n in [-126, 127].
template <class W>
CLADE_SIMD auto power_of_two(W n) {
  return simd::as_floats(simd::shift_left<23>(n + W(kExponentBias)));
}

template <class F>
CLADE_SIMD F absolute(F x) {
  return simd::as_floats(simd::as_words(x) & simd::WordsOf<F>(0x7fffffffU));
}

/// |magnitude| with the sign of `sign`, for a magnitude that is not negative.
template <class F>
CLADE_SIMD F with_sign_of(F magnitude, F sign) {
  using W = simd::WordsOf<F>;
  return simd::as_floats(simd::as_words(magnitude) | (simd::as_words(sign) & W(0x80000000U)));
}

/// x = 2^exponent (1 + f) for a positive normal x, 1 + f in [sqrt(1/2), sqrt(2)).
template <class F>
struct Logarithmic {
  F f;
  F exponent;
};

template <class F>
CLADE_SIMD Logarithmic<F> split_for_log(F x) {
  using W = simd::WordsOf<F>;
  const W bits = simd::as_words(x);
  const W e = simd::shift_right_signed<23>(bits - W(0x3f3504f3U));  // the bits of sqrt(1/2)
  return {simd::as_floats(bits - simd::shift_left<23>(e)) - F(1.0F), simd::float_of_signed(e)};
}

/// ln(1 + f) = f - f^2/2 + f^3 P(f), relative error 5.8e-9, plus exponent ln 2.
template <class F>
CLADE_SIMD F log_of_split(Logarithmic<F> x) {
  const F f = x.f;
  F p = simd::fma(F(-0.0763419792F), f, F(0.127613872F));
  p = simd::fma(p, f, F(-0.131602049F));
  p = simd::fma(p, f, F(0.142017871F));
  p = simd::fma(p, f, F(-0.166233584F));
  p = simd::fma(p, f, F(0.200012252F));
  p = simd::fma(p, f, F(-0.250008196F));
  p = simd::fma(p, f, F(0.333333313F));
  const F square = f * f;
  F tail = simd::fma(x.exponent, F(-2.12194442e-4F), (square * f) * p);
  tail = simd::fma(square, F(-0.5F), tail);
  return simd::fma(x.exponent, F(0.693359375F), f + tail);  // 10 bits of ln 2: exact with any exponent
}

/// sin and cos of x + quarters pi/2, |x| <= pi/4; only the lower two bits of `quarters` count. x + x^3 S(x^2), relative
/// error 3.6e-9, and 1 - x^2/2 + x^4 C(x^2), relative error 1.2e-10.
template <class F>
CLADE_SIMD SineCosine<F> sine_cosine(F x, simd::WordsOf<F> quarters) {
  using W = simd::WordsOf<F>;
  const F z = x * x;
  F s = simd::fma(F(-0.000195172979F), z, F(0.008332178F));
  s = simd::fma(s, z, F(-0.166666552F));
  const F sine = simd::fma(z * x, s, x);
  F c = simd::fma(F(2.44331568e-05F), z, F(-0.00138873165F));
  c = simd::fma(c, z, F(0.0416666456F));
  c = simd::fma(c, z, F(-0.5F));
  const F cosine = simd::fma(c, z, F(1.0F));
  const auto swapped = simd::any_bit(quarters, W(1U));
  const W sine_sign = simd::shift_left<30>(quarters & W(2U));
  const W cosine_sign = simd::shift_left<30>((quarters + W(1U)) & W(2U));
  return {simd::as_floats(simd::as_words(simd::select(swapped, cosine, sine)) ^ sine_sign),
          simd::as_floats(simd::as_words(simd::select(swapped, sine, cosine)) ^ cosine_sign)};
}

}  // namespace detail

template <class F>
CLADE_SIMD F exp(F x) {
  using W = simd::WordsOf<F>;
  // Beyond the bounds the result stays 0 or infinity. A NaN is the second operand and passes.
  x = simd::minimum(F(90.0F), simd::maximum(F(-105.0F), x));
  const detail::Reduced<F> reduced = detail::reduce_exponent(x);
  const F mantissa = F(1.0F) + detail::expm1_of_reduced(reduced.r);
  // In two steps, so that results above 2^127 and below 2^-126 come out: only the second one rounds.
  const W half = simd::shift_right_signed<1>(reduced.n);
  return mantissa * detail::power_of_two(half) * detail::power_of_two(reduced.n - half);
}

template <class F>
CLADE_SIMD F expm1(F x) {
  x = simd::maximum(F(-60.0F), x);
  const detail::Reduced<F> reduced = detail::reduce_exponent(x);
  const F scale = detail::power_of_two(reduced.n);
  return simd::fma(scale, detail::expm1_of_reduced(reduced.r), scale - F(1.0F));
}

template <class F>
CLADE_SIMD F log(F x) {
  const auto subnormal = simd::less(x, F(0x1p-126F));
  const F scaled = simd::select(subnormal, x * F(0x1p23F), x);
  detail::Logarithmic<F> split = detail::split_for_log(scaled);
  split.exponent = split.exponent + simd::select(subnormal, F(-23.0F), F(0.0F));
  F result = detail::log_of_split(split);
  // Infinity and NaN give themselves; 0 gives -infinity, what is below 0 gives NaN.
  result = simd::select(simd::less(x, F(__builtin_inff())), result, x);
  result = simd::select(simd::equal(x, F(0.0F)), F(-__builtin_inff()), result);
  return simd::select(simd::less(x, F(0.0F)), F(__builtin_nanf("")), result);
}

/// em / (em + 2) with em = exp(2 |x|) - 1, no cancellation; from |x| = 5/8 on as 1 - 2 / (em + 2), which rises with x
/// and becomes exactly 1.
template <class F>
CLADE_SIMD F tanh(F x) {
  const F magnitude = simd::minimum(F(10.0F), detail::absolute(x));
  const auto large = simd::less_equal(F(0.625F), magnitude);
  const F em = math::expm1(magnitude + magnitude);
  const F ratio = simd::select(large, F(2.0F), em) / (em + F(2.0F));
  return detail::with_sign_of(simd::select(large, F(1.0F) - ratio, ratio), x);
}

template <class F>
CLADE_SIMD F sigmoid(F x) {
  const F t = math::exp(F(0.0F) - detail::absolute(x));  // in (0, 1]: no overflow on either side
  return simd::select(simd::less(x, F(0.0F)), t, F(1.0F)) / (F(1.0F) + t);
}

template <class F>
CLADE_SIMD F elu(F x) {
  return simd::select(simd::less(F(0.0F), x), x, math::expm1(simd::minimum(F(0.0F), x)));
}

template <class F>
CLADE_SIMD F relu(F x) {
  return simd::maximum(F(0.0F), x);
}

/// sin and cos of 2 pi turns, |turns| < 2^20. The quarter turns are taken off exactly.
template <class F>
CLADE_SIMD SineCosine<F> sine_cosine_of_turns(F turns) {
  using W = simd::WordsOf<F>;
  const F rounded = simd::fma(turns, F(4.0F), F(detail::kRounder));
  const F rest = simd::fma(rounded - F(detail::kRounder), F(-0.25F), turns);
  return detail::sine_cosine(rest * F(6.28318548F), simd::as_words(rounded) - W(detail::kRounderBits));
}

/// sin and cos of 2 pi w / 2^32. The rest within a quarter turn, 30 bits with sign, is rounded once.
template <class W>
CLADE_SIMD auto sine_cosine_of_word(W w) {
  using F = decltype(simd::as_floats(w));
  const F x = simd::float_of_signed(simd::shift_left<2>(w)) * F(3.6572953e-10F);  // (pi / 2) / 2^32
  return detail::sine_cosine(x, simd::shift_right<30>(w + W(0x20000000U)));
}

/// ln x for a positive normal x: without the cases that log() handles.
template <class F>
CLADE_SIMD F log_of_positive_normal(F x) {
  return detail::log_of_split(detail::split_for_log(x));
}

}  // namespace CLADE_SIMD_NAMESPACE
}  // namespace clade::math
