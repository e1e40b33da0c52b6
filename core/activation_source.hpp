#pragma once

// Activations over arrays: included by the kernels' sources, one for each instruction set.

#include <cstddef>

#include "core/math.hpp"
#include "core/network.hpp"
#include "core/simd.hpp"

namespace clade::kernels {
inline namespace CLADE_SIMD_NAMESPACE {

/// values[i] = operation(values[i]) for i < size, a vector at a time.
template <class Operation>
CLADE_SIMD void apply(float* values, std::size_t size, Operation operation) {
  std::size_t i = 0;
  for (; i + simd::kLanes <= size; i += simd::kLanes) simd::store(values + i, operation(simd::load(values + i)));
  if (i < size) simd::store(values + i, operation(simd::load(values + i, size - i)), size - i);
}

inline void activate(Activation activation, float* values, std::size_t size) {
  using simd::Floats;
  switch (activation) {
    case Activation::identity:
      break;
    case Activation::tanh:
      apply(values, size, [](Floats x) { return math::tanh(x); });
      break;
    case Activation::relu:
      apply(values, size, [](Floats x) { return math::relu(x); });
      break;
    case Activation::elu:
      apply(values, size, [](Floats x) { return math::elu(x); });
      break;
    case Activation::sigmoid:
      apply(values, size, [](Floats x) { return math::sigmoid(x); });
      break;
  }
}

}  // namespace CLADE_SIMD_NAMESPACE
}  // namespace clade::kernels
