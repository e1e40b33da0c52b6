#pragma once

// The source of the inference kernels: included by one file per instruction set, whose flags choose the vectors of
// core/simd.hpp. Raw pointers only, for the reason stated there.

#include <cstddef>

#include "core/activation_source.hpp"
#include "core/dense_kernels.hpp"
#include "core/simd.hpp"

namespace clade::dense {
inline namespace CLADE_SIMD_NAMESPACE {

static_assert(simd::kLanes == kDenseLanes);

constexpr std::size_t kTileRows = 4;

/// Widest tile, in vectors, of 1, 2, 3 and 4 rows: its sums, one input a row and a weight stay in registers, and there
/// are chains enough to hide a multiply-add's latency.
#if defined(__AVX512F__)
constexpr std::size_t kTileVectors[kTileRows] = {8, 8, 8, 4};
#elif defined(__AVX2__)
constexpr std::size_t kTileVectors[kTileRows] = {4, 2, 2, 1};
#else
constexpr std::size_t kTileVectors[kTileRows] = {1, 1, 1, 1};
#endif

/// One tile of outputs: `rows` x `vectors` sums held in registers over all inputs.
struct TileArguments {
  const float* weights;
  std::size_t weight_stride;
  const float* bias;
  const float* input;
  std::size_t input_stride;
  std::size_t inputs;
  float* output;
  std::size_t output_stride;
};

template <std::size_t rows, std::size_t vectors>
void tile(const TileArguments& arguments) {
  simd::Floats sums[rows][vectors];
  CLADE_UNROLL
  for (std::size_t v = 0; v < vectors; ++v) {
    const simd::Floats bias = simd::load(arguments.bias + v * kDenseLanes);
    CLADE_UNROLL
    for (std::size_t r = 0; r < rows; ++r) sums[r][v] = bias;
  }
  const float* weights = arguments.weights;
  const float* input = arguments.input;
  for (std::size_t i = 0; i < arguments.inputs; ++i) {
    simd::Floats values[rows];
    CLADE_UNROLL
    for (std::size_t r = 0; r < rows; ++r) values[r] = simd::Floats(input[r * arguments.input_stride]);
    CLADE_UNROLL
    for (std::size_t v = 0; v < vectors; ++v) {
      const simd::Floats weight = simd::load(weights + v * kDenseLanes);
      CLADE_UNROLL
      for (std::size_t r = 0; r < rows; ++r) sums[r][v] = simd::fma(values[r], weight, sums[r][v]);
    }
    weights += arguments.weight_stride;
    ++input;
  }
  CLADE_UNROLL
  for (std::size_t r = 0; r < rows; ++r) {
    CLADE_UNROLL
    for (std::size_t v = 0; v < vectors; ++v) {
      simd::store(arguments.output + r * arguments.output_stride + v * kDenseLanes, sums[r][v]);
    }
  }
}

/// `width` vectors of outputs for `rows` rows, in the widest tiles there are.
template <std::size_t rows, std::size_t vectors = kTileVectors[rows - 1]>
void tiles(TileArguments arguments, std::size_t width) {
  while (width >= vectors) {
    tile<rows, vectors>(arguments);
    arguments.weights += vectors * kDenseLanes;
    arguments.bias += vectors * kDenseLanes;
    arguments.output += vectors * kDenseLanes;
    width -= vectors;
  }
  if constexpr (vectors > 1) {
    if (width > 0) tiles<rows, vectors - 1>(arguments, width);
  }
}

inline void forward(const PackedDense& layer, const float* input, std::size_t input_stride, float* output,
                    std::size_t output_stride, std::size_t rows) {
  for (std::size_t first = 0; first < layer.outputs; first += kPanelOutputs) {
    const std::size_t left = layer.outputs - first;
    const std::size_t width = left < kPanelOutputs ? left : kPanelOutputs;
    TileArguments arguments;
    arguments.weights = layer.weights + first * layer.inputs;
    arguments.weight_stride = width;
    arguments.bias = layer.bias + first;
    arguments.input_stride = input_stride;
    arguments.inputs = layer.inputs;
    arguments.output_stride = output_stride;
    for (std::size_t row = 0; row < rows; row += kTileRows) {
      arguments.input = input + row * input_stride;
      arguments.output = output + row * output_stride + first;
      switch (rows - row) {
        case 1:
          tiles<1>(arguments, width / kDenseLanes);
          break;
        case 2:
          tiles<2>(arguments, width / kDenseLanes);
          break;
        case 3:
          tiles<3>(arguments, width / kDenseLanes);
          break;
        default:
          tiles<4>(arguments, width / kDenseLanes);
          break;
      }
    }
  }
  for (std::size_t row = 0; row < rows; ++row) {
    kernels::activate(layer.activation, output + row * output_stride, layer.outputs);
  }
}

inline void normalise(const double* __restrict x, const double* __restrict mean, const double* __restrict inverse_std,
                      double clip, std::size_t size, float* __restrict output) {
  for (std::size_t i = 0; i < size; ++i) {
    double value = (x[i] - mean[i]) * inverse_std[i];
    value = value < -clip ? -clip : value;
    value = value > clip ? clip : value;
    output[i] = static_cast<float>(value);
  }
}

inline void convert(const double* __restrict x, std::size_t size, float* __restrict output) {
  for (std::size_t i = 0; i < size; ++i) output[i] = static_cast<float>(x[i]);
}

inline void add_moments(const double* __restrict x, std::size_t size, double inverse_count, double* __restrict mean,
                        double* __restrict squares) {
  for (std::size_t i = 0; i < size; ++i) {
    const double before = x[i] - mean[i];
    mean[i] += before * inverse_count;
    squares[i] += before * (x[i] - mean[i]);
  }
}

constexpr DenseKernels kTable{&forward, &normalise, &convert, &add_moments};

}  // namespace CLADE_SIMD_NAMESPACE
}  // namespace clade::dense
