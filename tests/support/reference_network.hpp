#pragma once

#include <cmath>
#include <cstddef>
#include <span>
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

/// The outputs of every layer, in the order that defines the bits: one chain of fused multiply-adds per output, in
/// input order, starting from the bias.
inline std::vector<std::vector<float>> reference_layers(const Network& network, std::span<const float> parameters,
                                                        std::vector<float> input) {
  std::vector<std::vector<float>> activations;
  for (const DenseLayer& layer : network.layers()) {
    std::vector<float> output(layer.outputs);
    for (std::size_t j = 0; j < layer.outputs; ++j) {
      float sum = layer.bias ? parameters[layer.bias_offset + j] : 0.0F;
      for (std::size_t i = 0; i < layer.inputs; ++i) {
        sum = std::fma(input[i], parameters[layer.weight_offset + i * layer.outputs + j], sum);
      }
      output[j] = reference_activation(layer.activation, sum);
    }
    activations.push_back(output);
    input = std::move(output);
  }
  return activations;
}

/// What the network reads: ((x - mean) * inverse_std) clipped, in float64, then rounded to float32.
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

}  // namespace clade::testing
