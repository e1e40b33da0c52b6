#pragma once

// Part of core/simd.hpp: the contract is there. Sixteen lanes in plain arrays, each handled by the operation on one
// number, for any processor.

#include <cstddef>
#include <cstdint>

namespace clade::simd {
inline namespace generic {

inline constexpr std::size_t kLanes = 16;

template <class Value>
struct Array {
  Value lanes[kLanes];
  Array() = default;
  CLADE_SIMD explicit Array(Value value) {
    for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = value;
  }
};

using Mask = Array<bool>;
using Floats = Array<float>;
using Words = Array<std::uint32_t>;
using WideWords = Array<std::uint64_t>;
using Doubles = Array<double>;

/// result[i] = operation(a[i], ...)
template <class Result, class Operation, class... Arguments>
CLADE_SIMD Array<Result> map(Operation operation, Arguments... arguments) {
  Array<Result> result;
  for (std::size_t i = 0; i < kLanes; ++i) result.lanes[i] = operation(arguments.lanes[i]...);
  return result;
}

// Memory

template <class Value>
CLADE_SIMD Array<Value> load(const Value* source) {
  Array<Value> result;
  for (std::size_t i = 0; i < kLanes; ++i) result.lanes[i] = source[i];
  return result;
}
template <class Value>
CLADE_SIMD Array<Value> load(const Value* source, std::size_t count) {
  Array<Value> result(Value{0});
  for (std::size_t i = 0; i < count && i < kLanes; ++i) result.lanes[i] = source[i];
  return result;
}
template <class Value>
CLADE_SIMD void store(Value* target, const Array<Value>& a) {
  for (std::size_t i = 0; i < kLanes; ++i) target[i] = a.lanes[i];
}
template <class Value>
CLADE_SIMD void store(Value* target, const Array<Value>& a, std::size_t count) {
  for (std::size_t i = 0; i < count && i < kLanes; ++i) target[i] = a.lanes[i];
}

CLADE_SIMD Words load_bytes(const std::uint8_t* source) {
  Words result;
  for (std::size_t i = 0; i < kLanes; ++i) result.lanes[i] = source[i];
  return result;
}

// Arithmetic

template <class Value>
CLADE_SIMD Array<Value> operator+(const Array<Value>& a, const Array<Value>& b) {
  return map<Value>([](Value x, Value y) { return static_cast<Value>(x + y); }, a, b);
}
template <class Value>
CLADE_SIMD Array<Value> operator-(const Array<Value>& a, const Array<Value>& b) {
  return map<Value>([](Value x, Value y) { return static_cast<Value>(x - y); }, a, b);
}
template <class Value>
CLADE_SIMD Array<Value> operator*(const Array<Value>& a, const Array<Value>& b) {
  return map<Value>([](Value x, Value y) { return static_cast<Value>(x * y); }, a, b);
}
CLADE_SIMD Floats operator/(const Floats& a, const Floats& b) {
  return map<float>([](float x, float y) { return x / y; }, a, b);
}
CLADE_SIMD Floats fma(const Floats& a, const Floats& b, const Floats& c) {
  return map<float>([](float x, float y, float z) { return __builtin_fmaf(x, y, z); }, a, b, c);
}
CLADE_SIMD Doubles fma(const Doubles& a, const Doubles& b, const Doubles& c) {
  return map<double>([](double x, double y, double z) { return __builtin_fma(x, y, z); }, a, b, c);
}
CLADE_SIMD Floats sqrt(const Floats& a) {
  return map<float>([](float x) { return __builtin_sqrtf(x); }, a);
}
CLADE_SIMD Floats minimum(const Floats& a, const Floats& b) {
  return map<float>([](float x, float y) { return x < y ? x : y; }, a, b);
}
CLADE_SIMD Floats maximum(const Floats& a, const Floats& b) {
  return map<float>([](float x, float y) { return x > y ? x : y; }, a, b);
}

// Comparisons and masks

CLADE_SIMD Mask less(const Floats& a, const Floats& b) {
  return map<bool>([](float x, float y) { return x < y; }, a, b);
}
CLADE_SIMD Mask less_equal(const Floats& a, const Floats& b) {
  return map<bool>([](float x, float y) { return x <= y; }, a, b);
}
template <class Value>
CLADE_SIMD Mask equal(const Array<Value>& a, const Array<Value>& b) {
  return map<bool>([](Value x, Value y) { return x == y; }, a, b);
}
CLADE_SIMD Mask any_bit(const Words& a, const Words& bits) {
  return map<bool>([](std::uint32_t x, std::uint32_t y) { return (x & y) != 0; }, a, bits);
}
template <class Value>
CLADE_SIMD Array<Value> select(const Mask& mask, const Array<Value>& if_true, const Array<Value>& if_false) {
  return map<Value>([](bool choice, Value x, Value y) { return choice ? x : y; }, mask, if_true, if_false);
}
CLADE_SIMD Floats fma_where(const Mask& mask, const Floats& a, const Floats& b, const Floats& c) {
  return select(mask, fma(a, b, c), c);
}
template <class Value>
CLADE_SIMD Array<Value> operator&(const Array<Value>& a, const Array<Value>& b) {
  return map<Value>([](Value x, Value y) { return static_cast<Value>(x & y); }, a, b);
}
template <class Value>
CLADE_SIMD Array<Value> operator|(const Array<Value>& a, const Array<Value>& b) {
  return map<Value>([](Value x, Value y) { return static_cast<Value>(x | y); }, a, b);
}
CLADE_SIMD Mask operator!(const Mask& a) {
  return map<bool>([](bool x) { return !x; }, a);
}
CLADE_SIMD bool any(const Mask& a) {
  bool result = false;
  for (std::size_t i = 0; i < kLanes; ++i) result |= a.lanes[i];
  return result;
}

// Words

CLADE_SIMD Words operator^(const Words& a, const Words& b) {
  return map<std::uint32_t>([](std::uint32_t x, std::uint32_t y) { return x ^ y; }, a, b);
}
template <int kBits>
CLADE_SIMD Words shift_left(const Words& a) {
  return map<std::uint32_t>([](std::uint32_t x) { return x << kBits; }, a);
}
template <int kBits>
CLADE_SIMD Words shift_right(const Words& a) {
  return map<std::uint32_t>([](std::uint32_t x) { return x >> kBits; }, a);
}
template <int kBits>
CLADE_SIMD Words shift_right_signed(const Words& a) {
  return map<std::uint32_t>(
      [](std::uint32_t x) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(x) >> kBits); }, a);
}

CLADE_SIMD std::size_t store_where(std::uint32_t* target, const Mask& mask, const Words& a) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < kLanes; ++i) {
    target[count] = a.lanes[i];
    count += mask.lanes[i] ? 1 : 0;
  }
  return count;
}

// Wide words

CLADE_SIMD WideWords widen(const Words& a) {
  return map<std::uint64_t>([](std::uint32_t x) { return std::uint64_t{x}; }, a);
}
CLADE_SIMD Words narrow(const WideWords& a) {
  return map<std::uint32_t>([](std::uint64_t x) { return static_cast<std::uint32_t>(x); }, a);
}
CLADE_SIMD WideWords multiply_wide(const WideWords& a, const Words& b) {
  return map<std::uint64_t>([](std::uint64_t x, std::uint32_t y) { return (x & 0xffffffffU) * y; }, a, b);
}
CLADE_SIMD WideWords high_half(const WideWords& a) {
  return map<std::uint64_t>([](std::uint64_t x) { return x >> 32; }, a);
}
CLADE_SIMD WideWords exclusive_or(const WideWords& a, const WideWords& b, const Words& c) {
  return map<std::uint64_t>([](std::uint64_t x, std::uint64_t y, std::uint32_t z) { return x ^ y ^ z; }, a, b, c);
}

CLADE_SIMD WideWords exclusive_or(const WideWords& a, const Words& b) {
  return map<std::uint64_t>([](std::uint64_t x, std::uint32_t y) { return x ^ y; }, a, b);
}

// Conversions

CLADE_SIMD Words as_words(const Floats& a) {
  return map<std::uint32_t>([](float x) { return __builtin_bit_cast(std::uint32_t, x); }, a);
}
CLADE_SIMD Floats as_floats(const Words& a) {
  return map<float>([](std::uint32_t x) { return __builtin_bit_cast(float, x); }, a);
}
CLADE_SIMD Floats float_of_signed(const Words& a) {
  return map<float>([](std::uint32_t x) { return static_cast<float>(static_cast<std::int32_t>(x)); }, a);
}
CLADE_SIMD Floats float_of_unsigned(const Words& a) {
  return map<float>([](std::uint32_t x) { return static_cast<float>(x); }, a);
}
CLADE_SIMD Doubles to_doubles(const Floats& a) {
  return map<double>([](float x) { return static_cast<double>(x); }, a);
}
CLADE_SIMD Doubles load_doubles(const float* source) { return to_doubles(load(source)); }
CLADE_SIMD Floats to_floats(const Doubles& a) {
  return map<float>([](double x) { return static_cast<float>(x); }, a);
}

}  // namespace generic
}  // namespace clade::simd
