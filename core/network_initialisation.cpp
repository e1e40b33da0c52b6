#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "core/network.hpp"

namespace clade {

namespace {

/// A layer of either kind as an initialisation sees it: weights [fan_in, outputs] row-major, then biases.
struct LayerArrays {
  std::size_t weight_offset = 0;
  std::size_t fan_in = 0;
  std::size_t outputs = 0;
  std::size_t bias_offset = 0;
  bool bias = true;
  bool last = false;

  std::size_t weights() const { return fan_in * outputs; }
  double scale() const { return 1.0 / std::sqrt(static_cast<double>(std::max<std::size_t>(fan_in, 1))); }
};

/// Convolutions first, then the dense layers.
std::vector<LayerArrays> layer_arrays(const Network& network) {
  std::vector<LayerArrays> layers;
  for (const ConvolutionLayer& layer : network.convolutions()) {
    layers.push_back({layer.weight_offset, layer.kernel * layer.kernel * layer.input_channels, layer.filters,
                      layer.bias_offset, layer.bias, false});
  }
  for (const DenseLayer& layer : network.layers()) {
    layers.push_back({layer.weight_offset, layer.inputs, layer.outputs, layer.bias_offset, layer.bias, false});
  }
  layers.back().last = true;
  return layers;
}

/// Each output's incoming weights: standard normals scaled to Euclidean norm `norm`.
void draw_normalised_columns(const LayerArrays& layer, double norm, RandomStream& rng, std::span<double> weights) {
  std::vector<double> squares(layer.outputs, 0.0);
  for (std::size_t input = 0; input < layer.fan_in; ++input) {
    for (std::size_t output = 0; output < layer.outputs; ++output) {
      const double value = rng.normal();
      weights[input * layer.outputs + output] = value;
      squares[output] += value * value;
    }
  }
  for (double& square : squares) square = square > 0.0 ? norm / std::sqrt(square) : 0.0;
  for (std::size_t input = 0; input < layer.fan_in; ++input) {
    for (std::size_t output = 0; output < layer.outputs; ++output) {
      weights[input * layer.outputs + output] *= squares[output];
    }
  }
}

constexpr double kHiddenNorm = 1.0;
constexpr double kOutputNorm = 0.01;
constexpr double kUberOutputFactor = 0.1;

/// Standard deviation of a layer's weights where they are independent normals.
double normal_scale(const LayerArrays& layer, Initialisation initialisation) {
  return initialisation == Initialisation::uber && layer.last ? kUberOutputFactor * layer.scale() : layer.scale();
}

}  // namespace

std::vector<InitialScale> initial_scales(const Network& network, Initialisation initialisation) {
  std::vector<InitialScale> scales;
  if (initialisation == Initialisation::zero) return scales;
  if (initialisation != Initialisation::fan_in && initialisation != Initialisation::uber) {
    throw_input_error("initialisation '" + std::string(name_of(initialisation)) +
                      "' cannot be drawn from a key alone, one scale an array; use uber, fan_in or zero");
  }
  for (const LayerArrays& layer : layer_arrays(network)) {
    if (layer.weights() == 0) continue;
    scales.push_back({layer.weight_offset, layer.weights(), static_cast<float>(normal_scale(layer, initialisation))});
  }
  return scales;
}

void initialise(const Network& network, Initialisation initialisation, const RandomKey& key,
                std::span<double> parameters) {
  CLADE_CHECK(parameters.size() == network.parameter_count());
  std::fill(parameters.begin(), parameters.end(), 0.0);
  if (initialisation == Initialisation::zero) return;

  const std::vector<LayerArrays> layers = layer_arrays(network);
  for (std::size_t index = 0; index < layers.size(); ++index) {
    const LayerArrays& layer = layers[index];
    RandomKey layer_key = key;
    layer_key.episode = index;
    RandomStream rng(layer_key);
    const std::span<double> weights = parameters.subspan(layer.weight_offset, layer.weights());
    switch (initialisation) {
      case Initialisation::zero:
        break;
      case Initialisation::normc:
        draw_normalised_columns(layer, layer.last ? kOutputNorm : kHiddenNorm, rng, weights);
        break;
      case Initialisation::fan_in:
      case Initialisation::uber: {
        const double scale = normal_scale(layer, initialisation);
        for (double& weight : weights) weight = scale * rng.normal();
        break;
      }
      case Initialisation::uniform: {
        const double scale = layer.scale();
        for (double& weight : weights) weight = rng.uniform(-scale, scale);
        if (!layer.bias) break;
        for (double& bias : parameters.subspan(layer.bias_offset, layer.outputs)) bias = rng.uniform(-scale, scale);
        break;
      }
    }
  }
}

}  // namespace clade
