#pragma once

// Included by one file per instruction set.

#include "core/math.hpp"
#include "core/simd.hpp"
#include "tests/core/simd_probe.hpp"

namespace clade::testing {
inline namespace CLADE_SIMD_NAMESPACE {

using simd::Doubles;
using simd::Floats;
using simd::kLanes;
using simd::Mask;
using simd::WideWords;
using simd::Words;

template <class F>
CLADE_SIMD F evaluate(Function function, F x) {
  switch (function) {
    case Function::exp:
      return math::exp(x);
    case Function::expm1:
      return math::expm1(x);
    case Function::log:
      return math::log(x);
    case Function::tanh:
      return math::tanh(x);
    case Function::sigmoid:
      return math::sigmoid(x);
    case Function::elu:
      return math::elu(x);
    case Function::relu:
      return math::relu(x);
    case Function::sine:
      return math::sine_cosine_of_turns(x).sine;
    case Function::cosine:
      return math::sine_cosine_of_turns(x).cosine;
    case Function::word_sine:
      return math::sine_cosine_of_word(simd::as_words(x)).sine;
    case Function::word_cosine:
      return math::sine_cosine_of_word(simd::as_words(x)).cosine;
  }
  return x;
}

inline void by_vectors(Function function, const float* input, float* output, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kLanes) {
    simd::store(output + i, evaluate(function, simd::load(input + i)));
  }
}

inline void by_numbers(Function function, const float* input, float* output, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) output[i] = evaluate(function, input[i]);
}

/// Appends rows to a ProbeOutput.
struct Recorder {
  ProbeOutput& output;

  CLADE_SIMD std::uint32_t* next(bool is_float) {
    output.is_float[output.used] = is_float;
    return output.rows[output.used++];
  }
  CLADE_SIMD void add(Floats x) { simd::store(next(true), simd::as_words(x)); }
  CLADE_SIMD void add(Words x) { simd::store(next(false), x); }
  CLADE_SIMD void add(Mask x) { add(simd::select(x, Words(1U), Words(0U))); }
  CLADE_SIMD void add(Doubles x) {
    double lanes[kLanes];
    simd::store(lanes, x);
    for (std::size_t half = 0; half < 2; ++half) {
      __builtin_memcpy(next(false), lanes + half * kLanes / 2, sizeof(double) * kLanes / 2);
    }
  }
};

inline void operations(const ProbeInput& input, ProbeOutput& output) {
  output.used = 0;
  Recorder recorder{output};
  const Floats a = simd::load(input.a);
  const Floats b = simd::load(input.b);
  const Floats c = simd::load(input.c);
  const Words v = simd::load(input.v);
  const Words w = simd::load(input.w);

  recorder.add(a + b);
  recorder.add(a - b);
  recorder.add(a * b);
  recorder.add(a / b);
  recorder.add(simd::fma(a, b, c));
  recorder.add(simd::fma_where(simd::less(a, b), a, b, c));
  recorder.add(simd::sqrt(a));
  recorder.add(simd::minimum(a, b));
  recorder.add(simd::maximum(a, b));
  recorder.add(simd::less(a, b));
  recorder.add(simd::less_equal(a, b));
  recorder.add(simd::equal(a, b));
  recorder.add(simd::less(a, b) & simd::less(b, c));
  recorder.add(simd::less(a, b) | simd::less(b, c));
  recorder.add(!simd::less(a, b));
  recorder.add(Words(simd::any(simd::less(a, b)) ? 1U : 0U));
  recorder.add(Words(simd::any(simd::less(a, a)) ? 1U : 0U));
  recorder.add(simd::select(simd::less(a, b), a, c));
  recorder.add(simd::select(simd::less(a, b), v, w));

  recorder.add(v + w);
  recorder.add(v - w);
  recorder.add(v * w);
  recorder.add(v & w);
  recorder.add(v | w);
  recorder.add(v ^ w);
  recorder.add(simd::shift_left<5>(v));
  recorder.add(simd::shift_right<5>(v));
  recorder.add(simd::shift_right_signed<5>(v));
  recorder.add(simd::any_bit(v, w));
  recorder.add(simd::equal(v, w));

  const Words factor(input.factor);
  const WideWords product = simd::multiply_wide(simd::widen(v), factor);
  recorder.add(simd::narrow(product));
  recorder.add(simd::narrow(simd::high_half(product)));
  recorder.add(simd::narrow(simd::exclusive_or(simd::widen(v), simd::widen(w), factor)));
  recorder.add(simd::narrow(simd::exclusive_or(simd::widen(v), factor)));

  recorder.add(simd::float_of_signed(v));
  recorder.add(simd::float_of_unsigned(v));
  const Doubles x = simd::to_doubles(simd::float_of_signed(v));
  const Doubles y = simd::to_doubles(simd::float_of_unsigned(w));
  recorder.add(x + y);
  recorder.add(x - y);
  recorder.add(x * y);
  recorder.add(simd::fma(x, Doubles(1.0 / 3.0), y));
  recorder.add(simd::to_floats(simd::fma(x, Doubles(1.0 / 3.0), y)));

  std::uint32_t words[kLanes];
  simd::store(words, Words(0U));
  const std::size_t stored = simd::store_where(words, simd::less(a, b), v);
  for (std::size_t i = stored; i < kLanes; ++i) words[i] = 0;
  recorder.add(simd::load(words));
  recorder.add(simd::load_bytes(reinterpret_cast<const std::uint8_t*>(input.v)));
  recorder.add(simd::load(input.a, input.count));
  float floats[kLanes];
  simd::store(floats, Floats(-1.0F));
  simd::store(floats, a, input.count);
  recorder.add(simd::load(floats));
  recorder.add(simd::load_doubles(floats));
  double doubles[kLanes];
  simd::store(doubles, Doubles(-1.0));
  simd::store(doubles, x, input.count);
  recorder.add(simd::load(doubles));
  recorder.add(simd::load(doubles, input.count));
}

inline constexpr SimdProbe kProbe = {by_vectors, by_numbers, operations};

}  // namespace CLADE_SIMD_NAMESPACE
}  // namespace clade::testing
