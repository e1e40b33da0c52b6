#include "core/network.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"

namespace clade {

namespace {

template <class Enumeration, std::size_t size>
using NameTable = std::array<std::pair<Enumeration, std::string_view>, size>;

constexpr NameTable<Activation, 5> kActivations{{{Activation::identity, "identity"},
                                                 {Activation::tanh, "tanh"},
                                                 {Activation::relu, "relu"},
                                                 {Activation::elu, "elu"},
                                                 {Activation::sigmoid, "sigmoid"}}};

constexpr NameTable<Initialisation, 4> kInitialisations{{{Initialisation::zero, "zero"},
                                                         {Initialisation::normc, "normc"},
                                                         {Initialisation::fan_in, "fan_in"},
                                                         {Initialisation::uniform, "uniform"}}};

template <class Enumeration, std::size_t size>
std::string_view find_name(const NameTable<Enumeration, size>& table, Enumeration value) {
  for (const auto& [entry, name] : table) {
    if (entry == value) return name;
  }
  CLADE_CHECK(false);  // a value outside the enumeration
  return {};
}

template <class Enumeration, std::size_t size>
Enumeration find_value(const NameTable<Enumeration, size>& table, std::string_view what, std::string_view wanted) {
  std::vector<std::string> names;
  for (const auto& [value, name] : table) {
    if (name == wanted) return value;
    names.emplace_back(name);
  }
  throw_unknown_name(what, wanted, names);
}

constexpr std::string_view kForms = "expected linear, linear:nobias or mlp:64,64:tanh";

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::size_t parse_layer_size(std::string_view text, std::string_view description) {
  std::size_t size = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (status != std::errc{} || end != text.data() + text.size() || size == 0 ||
      size > std::numeric_limits<std::uint32_t>::max()) {
    throw_input_error("network '" + std::string(description) + "': '" + std::string(text) +
                      "' is not a layer size; give whole numbers from 1 on, as in mlp:64,64:tanh");
  }
  return size;
}

constexpr std::uint64_t kParameterLimit = std::uint64_t{1} << 32U;

/// Parameters of a dense layer, the limit at most: sizes are below 2^32, so that nothing wraps.
std::uint64_t layer_parameters(std::size_t inputs, std::size_t outputs, bool bias) {
  const std::uint64_t rows = static_cast<std::uint64_t>(inputs) + (bias ? 1 : 0);
  return rows > kParameterLimit / outputs ? kParameterLimit : rows * outputs;
}

}  // namespace

std::string_view name_of(Activation activation) { return find_name(kActivations, activation); }
std::string_view name_of(Initialisation initialisation) { return find_name(kInitialisations, initialisation); }
Activation parse_activation(std::string_view name) { return find_value(kActivations, "activation", name); }
Initialisation parse_initialisation(std::string_view name) {
  return find_value(kInitialisations, "initialisation", name);
}

std::string NetworkSpec::description() const {
  std::string text;
  if (hidden.empty()) {
    text = "linear";
  } else {
    text = "mlp:";
    for (std::size_t layer = 0; layer < hidden.size(); ++layer) {
      if (layer > 0) text += ',';
      text += std::to_string(hidden[layer]);
    }
    text += ':';
    text += name_of(activation);
  }
  if (!bias) text += ":nobias";
  return text;
}

NetworkSpec parse_network(std::string_view description) {
  std::vector<std::string_view> parts = split(description, ':');
  NetworkSpec spec;
  if (parts.size() > 1 && parts.back() == "nobias") {
    spec.bias = false;
    parts.pop_back();
  }
  const auto refuse_surplus = [&](std::size_t most) {
    if (parts.size() > most) {
      throw_input_error("network '" + std::string(description) + "': nothing known as '" + std::string(parts[most]) +
                        "'; " + std::string(kForms));
    }
  };
  if (parts.front() == "linear") {
    refuse_surplus(1);
    return spec;
  }
  if (parts.front() != "mlp") {
    const std::array<std::string, 2> kinds{"linear", "mlp"};
    throw_unknown_name("network", parts.front(), kinds);
  }
  if (parts.size() < 2) throw_input_error("network 'mlp' names no hidden layers; " + std::string(kForms));
  refuse_surplus(3);
  for (std::string_view size : split(parts[1], ',')) spec.hidden.push_back(parse_layer_size(size, description));
  if (parts.size() == 3) spec.activation = parse_activation(parts[2]);
  return spec;
}

Network::Network(const NetworkSpec& spec, std::size_t inputs, std::size_t outputs)
    : spec_(spec), inputs_(inputs), outputs_(outputs) {
  const auto refuse = [&](const std::string& reason) {
    throw_input_error("network " + spec.description() + " of " + std::to_string(inputs) + " inputs and " +
                      std::to_string(outputs) + " outputs " + reason);
  };
  if (outputs == 0) refuse("has no output; the action needs at least one");
  if (inputs == 0 && (!spec.hidden.empty() || !spec.bias)) {
    refuse("has nothing to read; where there is no observation use --network linear, whose biases are the outputs");
  }

  std::vector<std::size_t> sizes{inputs};
  sizes.insert(sizes.end(), spec.hidden.begin(), spec.hidden.end());
  sizes.push_back(outputs);
  std::uint64_t offset = 0;
  for (std::size_t index = 0; index + 1 < sizes.size(); ++index) {
    if (index > 0 && sizes[index] == 0) refuse("has a hidden layer of size 0; the smallest is 1");
    const std::uint64_t count = sizes[index + 1] == 0 ? 0 : layer_parameters(sizes[index], sizes[index + 1], spec.bias);
    if (offset + count >= kParameterLimit)
      refuse("needs more than the limit of 2^32 parameters; choose smaller layers");
    DenseLayer layer;
    layer.inputs = sizes[index];
    layer.outputs = sizes[index + 1];
    layer.weight_offset = offset;
    layer.bias_offset = offset + layer.inputs * layer.outputs;
    layer.bias = spec.bias;
    layer.activation = index + 2 == sizes.size() ? Activation::identity : spec.activation;
    layers_.push_back(layer);
    offset += count;
  }
  parameter_count_ = offset;
}

std::string Network::layout_table() const {
  struct Line {
    std::string name, offset, shape;
  };
  std::vector<Line> lines;
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    const DenseLayer& layer = layers_[index];
    const std::string name = "layer" + std::to_string(index);
    lines.push_back({name + ".weight", std::to_string(layer.weight_offset),
                     "[" + std::to_string(layer.inputs) + ", " + std::to_string(layer.outputs) + "]"});
    if (layer.bias) {
      lines.push_back({name + ".bias", std::to_string(layer.bias_offset), "[" + std::to_string(layer.outputs) + "]"});
    }
  }
  std::size_t name_width = 0;
  std::size_t offset_width = 0;
  for (const Line& line : lines) {
    name_width = std::max(name_width, line.name.size());
    offset_width = std::max(offset_width, line.offset.size());
  }
  std::string table;
  for (const Line& line : lines) {
    table += line.name + std::string(name_width - line.name.size() + 2, ' ');
    table += std::string(offset_width - line.offset.size(), ' ') + line.offset + "  " + line.shape + "\n";
  }
  return table;
}

namespace {

/// Each output's incoming weights: standard normals scaled to Euclidean norm `norm`.
void draw_normalised_columns(const DenseLayer& layer, double norm, RandomStream& rng, std::span<double> weights) {
  std::vector<double> squares(layer.outputs, 0.0);
  for (std::size_t input = 0; input < layer.inputs; ++input) {
    for (std::size_t output = 0; output < layer.outputs; ++output) {
      const double value = rng.normal();
      weights[input * layer.outputs + output] = value;
      squares[output] += value * value;
    }
  }
  for (double& square : squares) square = square > 0.0 ? norm / std::sqrt(square) : 0.0;
  for (std::size_t input = 0; input < layer.inputs; ++input) {
    for (std::size_t output = 0; output < layer.outputs; ++output) {
      weights[input * layer.outputs + output] *= squares[output];
    }
  }
}

constexpr double kHiddenNorm = 1.0;
constexpr double kOutputNorm = 0.01;

}  // namespace

void initialise(const Network& network, Initialisation initialisation, const RandomKey& key,
                std::span<double> parameters) {
  CLADE_CHECK(parameters.size() == network.parameter_count());
  std::fill(parameters.begin(), parameters.end(), 0.0);
  if (initialisation == Initialisation::zero) return;

  const std::span<const DenseLayer> layers = network.layers();
  for (std::size_t index = 0; index < layers.size(); ++index) {
    const DenseLayer& layer = layers[index];
    RandomKey layer_key = key;
    layer_key.episode = index;
    RandomStream rng(layer_key);
    const std::span<double> weights = parameters.subspan(layer.weight_offset, layer.inputs * layer.outputs);
    const double scale = 1.0 / std::sqrt(static_cast<double>(std::max<std::size_t>(layer.inputs, 1)));
    switch (initialisation) {
      case Initialisation::zero:
        break;
      case Initialisation::normc:
        draw_normalised_columns(layer, index + 1 == layers.size() ? kOutputNorm : kHiddenNorm, rng, weights);
        break;
      case Initialisation::fan_in:
        for (double& weight : weights) weight = scale * rng.normal();
        break;
      case Initialisation::uniform:
        for (double& weight : weights) weight = rng.uniform(-scale, scale);
        if (!layer.bias) break;
        for (double& bias : parameters.subspan(layer.bias_offset, layer.outputs)) bias = rng.uniform(-scale, scale);
        break;
    }
  }
}

}  // namespace clade
