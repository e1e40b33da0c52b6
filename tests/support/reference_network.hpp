#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/math.hpp"
#include "core/network.hpp"
#include "core/observation_normalizer.hpp"

namespace clade::testing {

/// The activations, one number at a time.
inline float reference_activation(Activation activation, float x) {
  switch (activation) {
    case Activation::identity:
      return x;
    case Activation::tanh:
      return math::tanh(x);
    case Activation::relu:
      return math::relu(x);
    case Activation::elu:
      return math::elu(x);
    case Activation::sigmoid:
      return math::sigmoid(x);
  }
  return x;
}

/// Virtual batch normalisation of one layer: statistics over the reference batch.
struct ReferenceStatistics {
  std::vector<float> mean;
  std::vector<float> inverse_deviation;  ///< 1 / sqrt(population variance + 1e-3)
};

/// A network one number at a time, in the order that defines the bits (core/network.hpp).
class ReferenceNetwork {
 public:
  /// Both outlive it.
  ReferenceNetwork(const Network& network, std::span<const float> parameters)
      : network_(network), parameters_(parameters) {}

  /// Before run(), where the network has virtual batch normalisation: the reference batch, or what is known of it.
  void measure(std::vector<std::vector<float>> images) {
    statistics_.clear();
    for (std::size_t layer = 0; layer + 1 < layers(); ++layer) {
      for (std::vector<float>& image : images) image = sums(layer, image);
      statistics_.push_back(statistics_of(images, channels(layer)));
      for (std::vector<float>& image : images) finish(layer, image);
    }
  }
  void use(std::vector<ReferenceStatistics> statistics) { statistics_ = std::move(statistics); }

  /// Convolutions first, then the dense layers.
  std::size_t layers() const { return network_.convolutions().size() + network_.layers().size(); }
  /// Of the hidden layers, where the network has virtual batch normalisation.
  std::span<const ReferenceStatistics> statistics() const { return statistics_; }

  /// The outputs of every layer.
  std::vector<std::vector<float>> run(std::vector<float> input) const {
    std::vector<std::vector<float>> activations;
    for (std::size_t layer = 0; layer < layers(); ++layer) {
      input = sums(layer, input);
      finish(layer, input);
      activations.push_back(input);
    }
    return activations;
  }

 private:
  bool normalised(std::size_t layer) const { return network_.spec().virtual_batch_norm && layer + 1 < layers(); }
  const DenseLayer& dense(std::size_t layer) const { return network_.layers()[layer - network_.convolutions().size()]; }
  std::size_t channels(std::size_t layer) const {
    return layer < network_.convolutions().size() ? network_.convolutions()[layer].filters : dense(layer).outputs;
  }
  /// The layer's bias, 0 without.
  float bias(std::size_t layer, std::size_t channel) const {
    if (!network_.spec().bias) return 0.0F;
    const std::size_t offset =
        layer < network_.convolutions().size() ? network_.convolutions()[layer].bias_offset : dense(layer).bias_offset;
    return parameters_[offset + channel];
  }
  float start(std::size_t layer, std::size_t channel) const { return normalised(layer) ? 0.0F : bias(layer, channel); }

  std::vector<float> sums(std::size_t layer, const std::vector<float>& input) const {
    return layer < network_.convolutions().size() ? convolved(layer, input) : multiplied(layer, input);
  }

  std::vector<float> convolved(std::size_t index, const std::vector<float>& input) const {
    const ConvolutionLayer& layer = network_.convolutions()[index];
    std::vector<float> output;
    for (std::size_t y = 0; y < layer.output_height; ++y) {
      for (std::size_t x = 0; x < layer.output_width; ++x) {
        for (std::size_t f = 0; f < layer.filters; ++f) {
          float sum = start(index, f);
          for (std::size_t ky = 0; ky < layer.kernel; ++ky) {
            for (std::size_t kx = 0; kx < layer.kernel; ++kx) {
              const std::size_t row = y * layer.stride + ky;  // of the image with its border
              const std::size_t column = x * layer.stride + kx;
              if (row < layer.pad_y || row - layer.pad_y >= layer.input_height) continue;
              if (column < layer.pad_x || column - layer.pad_x >= layer.input_width) continue;
              const std::size_t place =
                  ((row - layer.pad_y) * layer.input_width + column - layer.pad_x) * layer.input_channels;
              for (std::size_t c = 0; c < layer.input_channels; ++c) {
                const std::size_t weight = ((ky * layer.kernel + kx) * layer.input_channels + c) * layer.filters + f;
                sum = std::fma(input[place + c], parameters_[layer.weight_offset + weight], sum);
              }
            }
          }
          output.push_back(sum);
        }
      }
    }
    return output;
  }

  std::vector<float> multiplied(std::size_t index, const std::vector<float>& input) const {
    const DenseLayer& layer = dense(index);
    const bool skip_zeros = index > 0 && network_.spec().activation == Activation::relu;
    std::vector<float> output;
    for (std::size_t j = 0; j < layer.outputs; ++j) {
      float sum = start(index, j);
      for (std::size_t i = 0; i < layer.inputs; ++i) {
        if (skip_zeros && input[i] == 0.0F) continue;
        sum = std::fma(input[i], parameters_[layer.weight_offset + i * layer.outputs + j], sum);
      }
      output.push_back(sum);
    }
    return output;
  }

  /// What follows the sums: normalisation and activation.
  void finish(std::size_t layer, std::vector<float>& values) const {
    const std::size_t width = channels(layer);
    const Activation activation =
        layer < network_.convolutions().size() ? network_.convolutions()[layer].activation : dense(layer).activation;
    for (std::size_t i = 0; i < values.size(); ++i) {
      float value = values[i];
      if (normalised(layer)) {
        const ReferenceStatistics& statistics = statistics_[layer];
        value = std::fma(value - statistics.mean[i % width], statistics.inverse_deviation[i % width],
                         bias(layer, i % width));
      }
      values[i] = reference_activation(activation, value);
    }
  }

  static ReferenceStatistics statistics_of(const std::vector<std::vector<float>>& images, std::size_t channels) {
    ReferenceStatistics statistics;
    for (std::size_t c = 0; c < channels; ++c) {
      double sum = 0.0;
      double squares = 0.0;
      double count = 0.0;
      for (const std::vector<float>& image : images) {
        for (std::size_t i = c; i < image.size(); i += channels) {
          sum += static_cast<double>(image[i]);
          count += 1.0;
        }
      }
      const double mean = sum / count;
      for (const std::vector<float>& image : images) {
        for (std::size_t i = c; i < image.size(); i += channels) {
          const double deviation = static_cast<double>(image[i]) - mean;
          squares += deviation * deviation;
        }
      }
      statistics.mean.push_back(static_cast<float>(mean));
      statistics.inverse_deviation.push_back(static_cast<float>(1.0 / std::sqrt(squares / count + 1e-3)));
    }
    return statistics;
  }

  const Network& network_;
  std::span<const float> parameters_;
  std::vector<ReferenceStatistics> statistics_;
};

/// The outputs of every layer of a network without virtual batch normalisation.
inline std::vector<std::vector<float>> reference_layers(const Network& network, std::span<const float> parameters,
                                                        std::vector<float> input) {
  return ReferenceNetwork(network, parameters).run(std::move(input));
}

/// What the network reads of numbers: ((x - mean) * inverse_std) clipped, in float64, then rounded to float32.
inline std::vector<float> reference_normalised(const NormalizerSnapshot& normalizer,
                                               std::span<const double> observation) {
  std::vector<float> input(observation.size());
  for (std::size_t i = 0; i < observation.size(); ++i) {
    double value = observation[i];
    if (!normalizer.mean.empty()) {
      value = (value - normalizer.mean[i]) * normalizer.inverse_std[i];
      if (value < -normalizer.clip) value = -normalizer.clip;
      if (value > normalizer.clip) value = normalizer.clip;
    }
    input[i] = static_cast<float>(value);
  }
  return input;
}

/// The numbers that bytes stand for.
inline std::vector<double> reference_numbers(std::span<const std::uint8_t> bytes) {
  std::vector<double> numbers(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) numbers[i] = static_cast<double>(bytes[i]) / 255.0;
  return numbers;
}

}  // namespace clade::testing
