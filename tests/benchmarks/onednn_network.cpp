#include "tests/benchmarks/onednn_network.hpp"

#include <omp.h>

#include <oneapi/dnnl/dnnl.hpp>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace clade::bench {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;
using Type = memory::data_type;

constexpr float kByte = 255.0F;

memory::dim dim(std::size_t size) { return static_cast<memory::dim>(size); }

dnnl::primitive_attr rectified(bool wanted) {
  dnnl::primitive_attr attributes;
  if (!wanted) return attributes;
  dnnl::post_ops operations;
  operations.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
  attributes.set_post_ops(operations);
  return attributes;
}

/// One layer: a primitive, where its input and output lie, and how its weights lie in the parameter vector.
struct Layer {
  dnnl::primitive primitive;
  dnnl::reorder move{};  ///< of what is before into `input`; unused where that is the input itself
  bool moves = false;
  memory input;
  memory output;
  memory::desc weights;  ///< as the primitive wants them
  memory::desc plain;    ///< as the parameter vector has them
  std::size_t weight_offset = 0;
  std::size_t bias_offset = 0;
  std::size_t outputs = 0;
};

}  // namespace

struct OneDnnNetwork::State {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  memory bytes;
  std::vector<Layer> layers;
  std::vector<std::vector<memory>> weights;  ///< [members][layers]
  std::vector<std::vector<memory>> biases;
  std::size_t results = 0;

  memory put(const memory::desc& wanted, memory source) {
    memory target(wanted, engine);
    dnnl::reorder(source, target).execute(stream, source, target);
    stream.wait();
    return target;
  }
};

OneDnnNetwork::OneDnnNetwork(const Network& network, std::size_t rows) : state_(std::make_unique<State>()) {
  CLADE_CHECK(!network.convolutions().empty() && !network.spec().virtual_batch_norm);
  omp_set_num_threads(1);
  State& state = *state_;
  CLADE_CHECK(network.spec().activation == Activation::relu);
  const memory::dim n = dim(rows);
  for (const ConvolutionLayer& layer : network.convolutions()) {
    const memory::dims source{n, dim(layer.input_channels), dim(layer.input_height), dim(layer.input_width)};
    const memory::dims kernel{dim(layer.filters), dim(layer.input_channels), dim(layer.kernel), dim(layer.kernel)};
    const memory::dims target{n, dim(layer.filters), dim(layer.output_height), dim(layer.output_width)};
    const auto behind = [&](std::size_t output, std::size_t input, std::size_t pad) {
      return dim((output - 1) * layer.stride + layer.kernel) - dim(input) - dim(pad);
    };
    const dnnl::convolution_forward::desc description(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, {source, Type::f32, Tag::any},
        {kernel, Type::f32, Tag::any}, {{dim(layer.filters)}, Type::f32, Tag::x}, {target, Type::f32, Tag::any},
        {dim(layer.stride), dim(layer.stride)}, {dim(layer.pad_y), dim(layer.pad_x)},
        {behind(layer.output_height, layer.input_height, layer.pad_y),
         behind(layer.output_width, layer.input_width, layer.pad_x)});
    const dnnl::convolution_forward::primitive_desc primitive(description, rectified(true), state.engine);
    state.layers.push_back({dnnl::convolution_forward(primitive),
                            {},
                            false,
                            memory(primitive.src_desc(), state.engine),
                            memory(primitive.dst_desc(), state.engine),
                            primitive.weights_desc(),
                            {kernel, Type::f32, Tag::hwio},
                            layer.weight_offset,
                            layer.bias_offset,
                            layer.filters});
  }
  const ConvolutionLayer& last = network.convolutions().back();
  for (std::size_t index = 0; index < network.layers().size(); ++index) {
    const DenseLayer& layer = network.layers()[index];
    const bool first = index == 0;
    memory::dims source{n, dim(layer.inputs)};
    memory::dims matrix{dim(layer.outputs), dim(layer.inputs)};
    if (first) {
      source = {n, dim(last.filters), dim(last.output_height), dim(last.output_width)};
      matrix = {dim(layer.outputs), dim(last.filters), dim(last.output_height), dim(last.output_width)};
    }
    const bool output = index + 1 == network.layers().size();
    const dnnl::inner_product_forward::desc description(
        dnnl::prop_kind::forward_inference, {source, Type::f32, Tag::any}, {matrix, Type::f32, Tag::any},
        {{dim(layer.outputs)}, Type::f32, Tag::x}, {{n, dim(layer.outputs)}, Type::f32, output ? Tag::nc : Tag::any});
    const dnnl::inner_product_forward::primitive_desc primitive(description, rectified(!output), state.engine);
    state.layers.push_back({dnnl::inner_product_forward(primitive),
                            {},
                            false,
                            memory(primitive.src_desc(), state.engine),
                            memory(primitive.dst_desc(), state.engine),
                            primitive.weights_desc(),
                            {matrix, Type::f32, first ? Tag::hwio : Tag::io},
                            layer.weight_offset,
                            layer.bias_offset,
                            layer.outputs});
  }
  for (std::size_t index = 1; index < state.layers.size(); ++index) {
    Layer& layer = state.layers[index];
    const memory& given = state.layers[index - 1].output;
    layer.moves = given.get_desc() != layer.input.get_desc();
    if (layer.moves) {
      layer.move = dnnl::reorder(given, layer.input);
    } else {
      layer.input = given;
    }
  }
  const ConvolutionLayer& image = network.convolutions().front();
  const memory::dims source{n, dim(image.input_channels), dim(image.input_height), dim(image.input_width)};
  state.bytes = memory({source, Type::u8, Tag::nhwc}, state.engine, nullptr);
  dnnl::primitive_attr scale;
  scale.set_output_scales(0, {1.0F / kByte});
  Layer& first = state.layers.front();
  first.move = dnnl::reorder(
      dnnl::reorder::primitive_desc(state.engine, state.bytes.get_desc(), state.engine, first.input.get_desc(), scale));
  first.moves = true;
  state.results = rows * network.outputs();
}

OneDnnNetwork::~OneDnnNetwork() = default;

void OneDnnNetwork::add_member(std::span<const float> parameters) {
  State& state = *state_;
  std::vector<memory> weights;
  std::vector<memory> biases;
  for (const Layer& layer : state.layers) {
    // oneDNN does not write to its sources.
    const memory plain(layer.plain, state.engine, const_cast<float*>(parameters.data() + layer.weight_offset));
    weights.push_back(state.put(layer.weights, plain));
    const memory::desc bias({dim(layer.outputs)}, Type::f32, Tag::x);
    biases.push_back(
        state.put(bias, memory(bias, state.engine, const_cast<float*>(parameters.data() + layer.bias_offset))));
  }
  state.weights.push_back(std::move(weights));
  state.biases.push_back(std::move(biases));
}

std::span<const float> OneDnnNetwork::forward(std::size_t member, const std::uint8_t* observations) {
  State& state = *state_;
  state.bytes.set_data_handle(const_cast<std::uint8_t*>(observations));
  for (std::size_t index = 0; index < state.layers.size(); ++index) {
    Layer& layer = state.layers[index];
    if (layer.moves) {
      memory& given = index == 0 ? state.bytes : state.layers[index - 1].output;
      layer.move.execute(state.stream, given, layer.input);
    }
    layer.primitive.execute(state.stream, {{DNNL_ARG_SRC, layer.input},
                                           {DNNL_ARG_WEIGHTS, state.weights[member][index]},
                                           {DNNL_ARG_BIAS, state.biases[member][index]},
                                           {DNNL_ARG_DST, layer.output}});
  }
  state.stream.wait();
  return {static_cast<const float*>(state.layers.back().output.get_data_handle()), state.results};
}

std::string OneDnnNetwork::version() {
  const dnnl::version_t* const version = dnnl::version();
  return std::to_string(version->major) + "." + std::to_string(version->minor) + "." + std::to_string(version->patch);
}

}  // namespace clade::bench
