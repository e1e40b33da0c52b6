#pragma once

#include <cstddef>
#include <cstdint>

#include "core/network.hpp"
#include "core/weight_panels.hpp"

namespace clade {

enum class InstructionSet;

/// Filters of a panel of weights.
inline constexpr std::size_t kPanelFilters = 32;

/// The layout of a convolution's weights for the kernels.
constexpr PanelLayout panel_layout(const ConvolutionLayer& layer) {
  return {layer.kernel * layer.kernel * layer.input_channels, layer.filters, kPanelFilters};
}

/// One member's weights of a convolution as the kernels read them. `layer` outlives it.
struct PackedConvolution {
  const ConvolutionLayer* layer = nullptr;  ///< sizes; its offsets, bias and activation are not looked at
  const float* weights = nullptr;           ///< panel_layout(layer), fp32; or null and
  const std::uint32_t* words = nullptr;     ///< the same as bf16
  const float* bias = nullptr;              ///< [filters padded to 16]; null: chains start from 0
  Activation activation = Activation::relu;
};

/// The inner loops of convolutional networks, one table for each instruction set; all give the same bits. No function
/// allocates or throws; any alignment will do (64 bytes are fastest). Images are [height, width, channels]. A network
/// is fastest image by image, so that one image's activations stay in the second-level cache between layers.
struct ConvolutionKernels {
  /// output[i] = float(bytes[i] / 255.0)
  void (*convert)(const std::uint8_t* bytes, std::size_t size, float* output);
  /// As stated at ConvolutionLayer (core/network.hpp): one chain of fused multiply-adds an output, in the order
  /// (ky, kx, c), from the bias, over the places inside the image alone. Output [height, width, filters], unpadded.
  void (*forward)(const PackedConvolution& convolution, const float* input, float* output);
  /// Virtual batch normalisation in place: x[p, c] = activation(fma(x[p, c] - mean[c], inverse_deviation[c], bias[c]))
  /// for places p and channels c.
  void (*normalise)(float* values, std::size_t places, std::size_t channels, const float* mean,
                    const float* inverse_deviation, const float* bias, Activation activation);
};

/// For an instruction set that is available.
const ConvolutionKernels& convolution_kernels(InstructionSet set);

/// For the preferred instruction set, which is looked up once. Throws Error where CLADE_ISA names none.
const ConvolutionKernels& convolution_kernels();

}  // namespace clade
