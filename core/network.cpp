#include "core/network.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"

namespace clade {

namespace {

constexpr std::uint64_t kParameterLimit = std::uint64_t{1} << 32U;

/// Products of sizes, the limit of parameters at most: nothing wraps.
std::uint64_t limited_product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kParameterLimit / b ? kParameterLimit : std::min(a * b, kParameterLimit);
}

/// Numbers of an observation; an empty shape has none.
std::size_t size_of(std::span<const std::size_t> shape) {
  if (shape.empty()) return 0;
  std::uint64_t size = 1;
  for (std::size_t extent : shape) size = limited_product(size, extent);
  return size;
}

std::string extents(std::span<const std::size_t> shape) {
  std::string text;
  for (std::size_t extent : shape) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

struct Reach {
  std::size_t output = 0;
  std::size_t pad = 0;  ///< before the first place
};

/// Where a kernel goes along one side of an image; `kernel` <= `input`.
Reach reach(std::size_t input, std::size_t kernel, std::size_t stride, Padding padding) {
  if (padding == Padding::valid) return {(input - kernel) / stride + 1, 0};
  const std::size_t output = input / stride + (input % stride == 0 ? 0 : 1);
  const std::size_t covered = (output - 1) * stride + kernel;
  return {output, covered > input ? (covered - input) / 2 : 0};
}

}  // namespace

Network::Network(const NetworkSpec& spec, std::size_t inputs, std::size_t outputs)
    : Network(spec, std::span<const std::size_t>(&inputs, 1), outputs) {}

Network::Network(const NetworkSpec& spec, std::span<const std::size_t> shape, std::size_t outputs)
    : spec_(spec), inputs_(size_of(shape)), outputs_(outputs) {
  const auto refuse = [&](const std::string& reason) {
    throw_input_error("network " + spec.description() + " of " + (shape.size() > 1 ? extents(shape) + " = " : "") +
                      std::to_string(inputs_) + " inputs and " + std::to_string(outputs) + " outputs " + reason);
  };
  if (outputs == 0) refuse("has no output; the action needs at least one");
  if (!spec.convolutions.empty() && shape.size() != 3) {
    refuse("needs an image as observation, [height, width, channels]; use --network mlp:64,64 or linear here");
  }
  const bool needs_input = !spec.hidden.empty() || !spec.convolutions.empty() || !spec.bias;
  if (inputs_ == 0 && needs_input) {
    refuse("has nothing to read; where there is no observation use --network linear, whose biases are the outputs");
  }
  if (spec.virtual_batch_norm && spec.hidden.empty() && spec.convolutions.empty()) {
    refuse("has no hidden layer that vbn could normalise; leave vbn out");
  }

  std::uint64_t offset = 0;
  const auto take = [&](std::uint64_t count) {
    const std::uint64_t first = offset;
    offset += count;
    if (offset >= kParameterLimit) refuse("needs more than the limit of 2^32 parameters; choose smaller layers");
    return static_cast<std::size_t>(first);
  };

  std::array<std::size_t, 3> image{};
  if (!spec.convolutions.empty()) std::copy(shape.begin(), shape.end(), image.begin());
  for (std::size_t index = 0; index < spec.convolutions.size(); ++index) {
    const ConvolutionSpec& asked = spec.convolutions[index];
    const std::string name = "convolution " + std::to_string(index + 1);
    if (asked.filters == 0 || asked.kernel == 0 || asked.stride == 0) {
      refuse("has a " + name + " of filters@kernel/stride " + std::to_string(asked.filters) + "@" +
             std::to_string(asked.kernel) + "/" + std::to_string(asked.stride) + "; the smallest of each is 1");
    }
    if (asked.kernel > std::min(image[0], image[1])) {
      refuse("has a " + name + " whose kernel of " + std::to_string(asked.kernel) + " exceeds its input of " +
             extents(std::span(image).first(2)) + "; choose smaller kernels or strides");
    }
    ConvolutionLayer layer;
    layer.input_height = image[0];
    layer.input_width = image[1];
    layer.input_channels = image[2];
    layer.kernel = asked.kernel;
    layer.stride = asked.stride;
    const Reach rows = reach(image[0], asked.kernel, asked.stride, spec.padding);
    const Reach columns = reach(image[1], asked.kernel, asked.stride, spec.padding);
    layer.output_height = rows.output;
    layer.pad_y = rows.pad;
    layer.output_width = columns.output;
    layer.pad_x = columns.pad;
    layer.filters = asked.filters;
    const std::uint64_t area = limited_product(asked.kernel, asked.kernel);
    layer.weight_offset = take(limited_product(limited_product(area, image[2]), asked.filters));
    layer.bias_offset = take(spec.bias ? std::min<std::uint64_t>(asked.filters, kParameterLimit) : 0);
    layer.bias = spec.bias;
    layer.activation = spec.activation;
    convolutions_.push_back(layer);
    image = {rows.output, columns.output, asked.filters};
    if (size_of(image) >= kParameterLimit) refuse("has a " + name + " of 2^32 outputs or more; choose fewer filters");
  }

  std::vector<std::size_t> sizes{spec.convolutions.empty() ? inputs_ : size_of(image)};
  sizes.insert(sizes.end(), spec.hidden.begin(), spec.hidden.end());
  sizes.push_back(outputs);
  for (std::size_t index = 0; index + 1 < sizes.size(); ++index) {
    if (index > 0 && sizes[index] == 0) refuse("has a hidden layer of size 0; the smallest is 1");
    DenseLayer layer;
    layer.inputs = sizes[index];
    layer.outputs = sizes[index + 1];
    layer.weight_offset = take(limited_product(layer.inputs, layer.outputs));
    layer.bias_offset = take(spec.bias ? std::min<std::uint64_t>(layer.outputs, kParameterLimit) : 0);
    layer.bias = spec.bias;
    layer.activation = index + 2 == sizes.size() ? Activation::identity : spec.activation;
    layers_.push_back(layer);
  }
  parameter_count_ = offset;
}

std::vector<Network::Array> Network::arrays() const {
  std::vector<Array> arrays;
  for (std::size_t index = 0; index < convolutions_.size(); ++index) {
    const ConvolutionLayer& layer = convolutions_[index];
    const std::string name = "conv" + std::to_string(index);
    arrays.push_back(
        {name + ".weight", layer.weight_offset, {layer.kernel, layer.kernel, layer.input_channels, layer.filters}});
    if (layer.bias) arrays.push_back({name + ".bias", layer.bias_offset, {layer.filters}});
  }
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    const DenseLayer& layer = layers_[index];
    const std::string name = "layer" + std::to_string(index);
    arrays.push_back({name + ".weight", layer.weight_offset, {layer.inputs, layer.outputs}});
    if (layer.bias) arrays.push_back({name + ".bias", layer.bias_offset, {layer.outputs}});
  }
  return arrays;
}

std::string Network::layout_table() const {
  const std::vector<Array> all = arrays();
  std::size_t name_width = 0;
  std::size_t offset_width = 0;
  for (const Array& array : all) {
    name_width = std::max(name_width, array.name.size());
    offset_width = std::max(offset_width, std::to_string(array.offset).size());
  }
  std::string table;
  for (const Array& array : all) {
    const std::string offset = std::to_string(array.offset);
    table += array.name + std::string(name_width - array.name.size() + 2, ' ');
    table += std::string(offset_width - offset.size(), ' ') + offset + "  [";
    for (std::size_t i = 0; i < array.shape.size(); ++i) table += (i > 0 ? ", " : "") + std::to_string(array.shape[i]);
    table += "]\n";
  }
  return table;
}

}  // namespace clade
