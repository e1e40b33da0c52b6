#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/conv_kernels.hpp"
#include "core/dense_kernels.hpp"
#include "core/environment.hpp"
#include "core/inference_engine.hpp"
#include "core/instruction_set.hpp"
#include "core/observation_normalizer.hpp"
#include "core/packed_weights.hpp"

namespace clade {

/// Observations as the network reads them: float(x); of bytes float(b / 255.0). Where they are normalised,
/// float(clip((x - mean) * inverse_std)) of the same numbers in float64.
class ObservationReader {
 public:
  ObservationReader(const ObservationSpec& spec, InstructionSet set);
  /// `normalizer` holds until the next call.
  void normalise_by(const NormalizerSnapshot& normalizer) { normalizer_ = &normalizer; }
  void read(const std::byte* observation, float* input);

 private:
  ObservationType type_;
  std::size_t size_;
  const DenseKernels& dense_;
  const ConvolutionKernels& convolution_;
  const NormalizerSnapshot* normalizer_ = nullptr;
  std::vector<double> wide_;  // bytes as numbers, for the normaliser
};

/// What virtual batch normalisation keeps of one layer.
class ChannelStatistics {
 public:
  explicit ChannelStatistics(std::size_t channels);
  /// Of values [rows, channels] one after the other: mean and population variance of each channel, in float64, summed
  /// in the order of the rows.
  void measure(const float* values, std::size_t rows);
  const float* mean() const { return mean_.data(); }
  const float* inverse_deviation() const { return inverse_deviation_.data(); }  ///< 1 / sqrt(variance + 1e-3)

 private:
  std::vector<double> sums_;
  std::vector<double> squares_;
  KernelBuffer<float> mean_;
  KernelBuffer<float> inverse_deviation_;
};

/// One member's network on the CPU: weights packed for the kernels, and the forward pass. Images go through the
/// convolutions one by one, so that an image's activations stay in the second-level cache; rows share the dense layers.
/// All memory is taken when it is made: the weights, activations of `rows` rows and two images, and for virtual batch
/// normalisation the reference batch's activations of two neighbouring layers (128 images of Uber's ModelVirtualBN:
/// 5.6 MB). `network` outlives it. One thread drives an object.
class CpuNetwork {
 public:
  CpuNetwork(const Network& network, Precision precision, std::size_t rows, std::size_t reference_rows,
             InstructionSet set);

  /// Takes over a member's weights.
  void load(const MemberWeights& member);
  /// Measures what virtual batch normalisation needs: runs the reference batch through the weights layer by layer, each
  /// layer normalised by its own statistics. As many observations as reference_rows.
  void measure(ObservationReader& reader, std::span<const std::byte* const> observations);
  /// The outputs of `observations`, rows' worth at most: [Network::outputs()] at output(row) until the next call.
  void forward(ObservationReader& reader, std::span<const std::byte* const> observations);
  const float* output(std::size_t row) const { return output_ + row * stride_; }
  /// What measure() kept of hidden layer `layer`, convolutions first.
  const ChannelStatistics& statistics(std::size_t layer) const {
    return layer < convolutions_.size() ? convolutions_[layer].statistics
                                        : layers_.at(layer - convolutions_.size()).statistics;
  }

 private:
  struct ConvolutionStage {
    const ConvolutionLayer* layer;
    PackedWeights weights;
    ChannelStatistics statistics;
  };
  struct DenseStage {
    const DenseLayer* layer;
    PackedWeights weights;
    ChannelStatistics statistics;
    bool normalised;
    bool skip_zeros;
  };

  void convolve(const ConvolutionStage& stage, const float* input, float* output) const;
  void normalise(const ConvolutionStage& stage, float* image) const;
  void multiply(const DenseStage& stage, const float* input, std::size_t input_stride, float* output,
                std::size_t output_stride, std::size_t rows) const;
  void normalise(const DenseStage& stage, float* output, std::size_t output_stride, std::size_t rows) const;

  const DenseKernels& dense_kernels_;
  const ConvolutionKernels& convolution_kernels_;
  bool normalised_;
  std::size_t reference_rows_;
  std::vector<ConvolutionStage> convolutions_;
  std::vector<DenseStage> layers_;
  std::size_t stride_ = 0;                          // floats between rows of a dense layer's activations
  std::array<KernelBuffer<float>, 2> activations_;  // [rows, stride]: a layer reads one and writes the other
  std::array<KernelBuffer<float>, 2> images_;       // the same for one image between convolutions
  std::array<KernelBuffer<float>, 2> reference_;    // the same for the reference batch
  KernelBuffer<float> no_bias_;                     // zeros
  const float* output_ = nullptr;
};

}  // namespace clade
