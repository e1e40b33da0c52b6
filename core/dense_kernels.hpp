#pragma once

#include <cstddef>
#include <cstdint>

#include "core/network.hpp"
#include "core/weight_panels.hpp"

namespace clade {

enum class InstructionSet;

/// Outputs are padded to a multiple of this, with weights and biases of 0.
inline constexpr std::size_t kDenseLanes = kPanelLanes;
/// Outputs of a panel of weights. Where a panel's weights are read from memory or the last-level cache, wide panels are
/// faster: more of a counted input's weights lie together. In nearer caches narrow ones are: several rows' tiles read
/// straight through them. Always inlined, for the reason stated in core/simd.hpp.
[[gnu::always_inline]] constexpr std::size_t panel_outputs(std::size_t inputs) { return inputs > 1024 ? 256 : 128; }

constexpr std::size_t padded_outputs(std::size_t outputs) {
  return (outputs + kDenseLanes - 1) / kDenseLanes * kDenseLanes;
}

/// The layout of a dense layer's weights for the kernels.
constexpr PanelLayout panel_layout(const DenseLayer& layer) {
  return {layer.inputs, layer.outputs, panel_outputs(layer.inputs)};
}

/// One member's weights of a dense layer as the kernels read them.
struct PackedDense {
  const float* weights = nullptr;  ///< panel_layout(layer), fp32; or null and `words`
  const float* bias = nullptr;     ///< [padded outputs]
  std::size_t inputs = 0;
  std::size_t outputs = 0;  ///< padded
  Activation activation = Activation::identity;
  const std::uint32_t* words = nullptr;  ///< panel_layout(layer) as bf16, instead of weights
  bool skip_zeros = false;               ///< inputs that are 0 are left out of the chains: behind a rectifier
};

/// The inner loops of inference, one table for each instruction set; all give the same bits. No function allocates or
/// throws; any alignment will do.
struct DenseKernels {
  /// output[r, j] = activation(bias[j] + sum_i input[r, i] weights[i, j]) for r < rows: each output one chain of fused
  /// multiply-adds in input order, starting from the bias; with skip_zeros each row leaves out its own zeros (of either
  /// sign), so that a row's bits never depend on the others. Strides are in floats between rows.
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
