#include "core/cpu_network.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"

namespace clade {

namespace {

/// Added to a channel's variance (Salimans et al. 2016, as in Uber's ModelVirtualBN).
constexpr double kVarianceFloor = 1e-3;
constexpr double kLargestByte = 255.0;

}  // namespace

ObservationReader::ObservationReader(const ObservationSpec& spec, InstructionSet set)
    : type_(spec.type), size_(spec.size()), dense_(dense_kernels(set)), convolution_(convolution_kernels(set)) {
  if (type_ == ObservationType::uint8) wide_.resize(size_);
}

void ObservationReader::read(const std::byte* observation, float* input) {
  const bool plain = normalizer_ == nullptr || normalizer_->mean.empty();
  const auto* values = reinterpret_cast<const double*>(observation);
  if (type_ == ObservationType::uint8) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(observation);
    if (plain) {
      convolution_.convert(bytes, size_, input);
      return;
    }
    for (std::size_t i = 0; i < size_; ++i) wide_[i] = static_cast<double>(bytes[i]) / kLargestByte;
    values = wide_.data();
  }
  if (plain) {
    dense_.convert(values, size_, input);
  } else {
    dense_.normalise(values, normalizer_->mean.data(), normalizer_->inverse_std.data(), normalizer_->clip, size_,
                     input);
  }
}

ChannelStatistics::ChannelStatistics(std::size_t channels)
    : sums_(channels), squares_(channels), mean_(channels), inverse_deviation_(channels) {}

void ChannelStatistics::measure(const float* values, std::size_t rows) {
  const std::size_t channels = sums_.size();
  std::fill(sums_.begin(), sums_.end(), 0.0);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < channels; ++c) sums_[c] += static_cast<double>(values[row * channels + c]);
  }
  for (double& sum : sums_) sum /= static_cast<double>(rows);
  std::fill(squares_.begin(), squares_.end(), 0.0);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < channels; ++c) {
      const double deviation = static_cast<double>(values[row * channels + c]) - sums_[c];
      squares_[c] += deviation * deviation;
    }
  }
  for (std::size_t c = 0; c < channels; ++c) {
    const double variance = squares_[c] / static_cast<double>(rows);
    mean_[c] = static_cast<float>(sums_[c]);
    inverse_deviation_[c] = static_cast<float>(1.0 / std::sqrt(variance + kVarianceFloor));
  }
}

CpuNetwork::CpuNetwork(const Network& network, Precision precision, std::size_t rows, std::size_t reference_rows,
                       InstructionSet set)
    : dense_kernels_(dense_kernels(set)),
      convolution_kernels_(convolution_kernels(set)),
      normalised_(network.spec().virtual_batch_norm),
      reference_rows_(reference_rows) {
  CLADE_CHECK(!normalised_ || reference_rows > 0);
  const std::size_t hidden = network.convolutions().size() + network.layers().size() - 1;
  std::array<std::size_t, 2> image_size{};
  std::array<std::size_t, 2> reference_size{};
  std::size_t index = 0;
  const auto make_room = [&](std::size_t size) {
    if (normalised_ && index < hidden) reference_size[index % 2] = std::max(reference_size[index % 2], size);
    ++index;
  };
  for (const ConvolutionLayer& layer : network.convolutions()) {
    const PanelLayout layout = panel_layout(layer);
    convolutions_.push_back({&layer,
                             {layout, {layer.weight_offset, layer.bias_offset, layer.bias}, precision},
                             ChannelStatistics(normalised_ ? layer.filters : 0)});
    const std::size_t input = layer.input_height * layer.input_width * layer.input_channels;
    image_size[index % 2] = std::max(image_size[index % 2], input);
    make_room(layer.output_size());
  }
  std::size_t widest_bias = 0;
  for (const DenseLayer& layer : network.layers()) {
    const PanelLayout layout = panel_layout(layer);
    const bool normalised = normalised_ && index < hidden;
    const bool skip_zeros = index > 0 && network.spec().activation == Activation::relu;
    layers_.push_back({&layer,
                       {layout, {layer.weight_offset, layer.bias_offset, layer.bias}, precision},
                       ChannelStatistics(normalised ? layout.padded_columns() : 0),
                       normalised,
                       skip_zeros});
    stride_ = std::max({stride_, padded_outputs(layer.inputs), layout.padded_columns()});
    if (normalised) widest_bias = std::max(widest_bias, layout.padded_columns());
    make_room(layout.padded_columns());
  }
  no_bias_.resize(widest_bias);
  for (std::size_t i = 0; i < 2; ++i) {
    activations_[i].resize(rows * stride_);
    images_[i].resize(image_size[i]);
    reference_[i].resize(reference_rows * reference_size[i]);
  }
}

void CpuNetwork::load(const MemberWeights& member) {
  for (ConvolutionStage& stage : convolutions_) stage.weights.fill(member);
  for (DenseStage& stage : layers_) stage.weights.fill(member);
}

void CpuNetwork::convolve(const ConvolutionStage& stage, const float* input, float* output) const {
  PackedConvolution packed;
  packed.layer = stage.layer;
  packed.weights = stage.weights.floats();
  packed.words = stage.weights.words();
  packed.bias = normalised_ ? nullptr : stage.weights.bias();
  packed.activation = normalised_ ? Activation::identity : stage.layer->activation;
  convolution_kernels_.forward(packed, input, output);
}

void CpuNetwork::normalise(const ConvolutionStage& stage, float* image) const {
  const ConvolutionLayer& layer = *stage.layer;
  convolution_kernels_.normalise(image, layer.output_height * layer.output_width, layer.filters,
                                 stage.statistics.mean(), stage.statistics.inverse_deviation(), stage.weights.bias(),
                                 layer.activation);
}

void CpuNetwork::multiply(const DenseStage& stage, const float* input, std::size_t input_stride, float* output,
                          std::size_t output_stride, std::size_t rows) const {
  PackedDense packed;
  packed.weights = stage.weights.floats();
  packed.words = stage.weights.words();
  packed.bias = stage.normalised ? no_bias_.data() : stage.weights.bias();
  packed.inputs = stage.layer->inputs;
  packed.outputs = padded_outputs(stage.layer->outputs);
  packed.activation = stage.normalised ? Activation::identity : stage.layer->activation;
  packed.skip_zeros = stage.skip_zeros;
  dense_kernels_.forward(packed, input, input_stride, output, output_stride, rows);
}

void CpuNetwork::normalise(const DenseStage& stage, float* output, std::size_t output_stride, std::size_t rows) const {
  for (std::size_t row = 0; row < rows; ++row) {
    convolution_kernels_.normalise(output + row * output_stride, 1, padded_outputs(stage.layer->outputs),
                                   stage.statistics.mean(), stage.statistics.inverse_deviation(), stage.weights.bias(),
                                   stage.layer->activation);
  }
}

void CpuNetwork::measure(ObservationReader& reader, std::span<const std::byte* const> observations) {
  CLADE_CHECK(normalised_ && observations.size() == reference_rows_);
  const std::size_t rows = reference_rows_;
  std::size_t layer_index = 0;
  const float* input = nullptr;  // [rows, input_stride]: what the layer before gave; null before the first
  std::size_t input_stride = 0;

  for (ConvolutionStage& stage : convolutions_) {
    const std::size_t size = stage.layer->output_size();
    float* const output = reference_[layer_index++ % 2].data();
    for (std::size_t row = 0; row < rows; ++row) {
      if (input == nullptr) reader.read(observations[row], images_[0].data());
      convolve(stage, input == nullptr ? images_[0].data() : input + row * input_stride, output + row * size);
    }
    stage.statistics.measure(output, rows * stage.layer->output_height * stage.layer->output_width);
    for (std::size_t row = 0; row < rows; ++row) normalise(stage, output + row * size);
    input = output;
    input_stride = size;
  }
  for (DenseStage& stage : layers_) {
    if (!stage.normalised) break;  // the output layer
    const std::size_t size = padded_outputs(stage.layer->outputs);
    float* const output = reference_[layer_index++ % 2].data();
    if (input == nullptr) {
      for (std::size_t row = 0; row < rows; ++row) {
        reader.read(observations[row], activations_[0].data());
        multiply(stage, activations_[0].data(), stride_, output + row * size, size, 1);
      }
    } else {
      multiply(stage, input, input_stride, output, size, rows);
    }
    stage.statistics.measure(output, rows);
    normalise(stage, output, size, rows);
    input = output;
    input_stride = size;
  }
}

void CpuNetwork::forward(ObservationReader& reader, std::span<const std::byte* const> observations) {
  const std::size_t rows = observations.size();
  float* input = activations_[0].data();
  float* output = activations_[1].data();
  for (std::size_t row = 0; row < rows; ++row) {
    float* const flat = input + row * stride_;
    if (convolutions_.empty()) {
      reader.read(observations[row], flat);
      continue;
    }
    reader.read(observations[row], images_[0].data());
    for (std::size_t index = 0; index < convolutions_.size(); ++index) {
      const ConvolutionStage& stage = convolutions_[index];
      float* const image = index + 1 == convolutions_.size() ? flat : images_[(index + 1) % 2].data();
      convolve(stage, images_[index % 2].data(), image);
      if (normalised_) normalise(stage, image);
    }
  }
  for (const DenseStage& stage : layers_) {
    multiply(stage, input, stride_, output, stride_, rows);
    if (stage.normalised) normalise(stage, output, stride_, rows);
    std::swap(input, output);
  }
  output_ = input;
}

}  // namespace clade
