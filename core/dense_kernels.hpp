#pragma once

#include <cstddef>

#include "core/network.hpp"

namespace clade {

enum class InstructionSet;

/// Outputs are padded to a multiple of this, with weights and biases of 0.
inline constexpr std::size_t kDenseLanes = 16;
/// Weights lie in panels of so many outputs (the last one narrower), each panel [inputs, width] row-major and
/// contiguous, so that a pass reads memory straight through.
inline constexpr std::size_t kPanelOutputs = 128;

constexpr std::size_t padded_outputs(std::size_t outputs) {
  return (outputs + kDenseLanes - 1) / kDenseLanes * kDenseLanes;
}

/// One member's weights of a dense layer as the kernels read them.
struct PackedDense {
  const float* weights = nullptr;  ///< [inputs * padded outputs], in panels
  const float* bias = nullptr;     ///< [padded outputs]
  std::size_t inputs = 0;
  std::size_t outputs = 0;  ///< padded
  Activation activation = Activation::identity;
};

/// The inner loops of inference, one table for each instruction set; all give the same bits. No function allocates or
/// throws; any alignment will do.
struct DenseKernels {
  /// output[r, j] = activation(bias[j] + sum_i input[r, i] weights[i, j]) for r < rows: each output one chain of fused
  /// multiply-adds in input order, starting from the bias. Strides are in floats between rows.
  void (*forward)(const PackedDense& layer, const float* input, std::size_t input_stride, float* output,
                  std::size_t output_stride, std::size_t rows);
  /// output[i] = float(clip((x[i] - mean[i]) * inverse_std[i], -clip, clip)), in float64 before the cast.
  void (*normalise)(const double* x, const double* mean, const double* inverse_std, double clip, std::size_t size,
                    float* output);
  /// output[i] = float(x[i])
  void (*convert)(const double* x, std::size_t size, float* output);
  /// Welford's update by one observation x, inverse_count = 1 / (the count with it):
  /// d = x[i] - mean[i]; mean[i] += d * inverse_count; squares[i] += d * (x[i] - mean[i]).
  void (*add_moments)(const double* x, std::size_t size, double inverse_count, double* mean, double* squares);
};

/// For an instruction set that is available.
const DenseKernels& dense_kernels(InstructionSet set);

/// For the preferred instruction set, which is looked up once. Throws Error where CLADE_ISA names none.
const DenseKernels& dense_kernels();

}  // namespace clade
