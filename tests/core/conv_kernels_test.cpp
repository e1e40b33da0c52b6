#include "core/conv_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/instruction_set.hpp"
#include "core/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/reference_network.hpp"

using namespace clade;

namespace {

struct Shape {
  std::size_t height = 0, width = 0, channels = 0, kernel = 0, stride = 0, filters = 0;
  Padding padding = Padding::same;
};

ConvolutionLayer make_layer(const Shape& shape) {
  ConvolutionLayer layer;
  layer.input_height = shape.height;
  layer.input_width = shape.width;
  layer.input_channels = shape.channels;
  layer.kernel = shape.kernel;
  layer.stride = shape.stride;
  layer.filters = shape.filters;
  const auto size = [&](std::size_t input, std::size_t& pad) {
    if (shape.padding == Padding::valid) return (input - shape.kernel) / shape.stride + 1;
    const std::size_t output = (input + shape.stride - 1) / shape.stride;
    const std::size_t needed = (output - 1) * shape.stride + shape.kernel;
    pad = needed > input ? (needed - input) / 2 : 0;
    return output;
  };
  layer.output_height = size(shape.height, layer.pad_y);
  layer.output_width = size(shape.width, layer.pad_x);
  return layer;
}

std::vector<float> draw(std::size_t size, std::uint64_t stream) {
  RandomStream rng({19, Purpose::test, 0, stream, 0});
  std::vector<float> values(size);
  for (float& value : values) value = static_cast<float>(rng.normal());
  return values;
}

/// The contract of ConvolutionLayer, one output at a time, without the activation. `weights` row-major.
std::vector<float> reference(const ConvolutionLayer& layer, const std::vector<float>& weights, const float* bias,
                             const std::vector<float>& input) {
  std::vector<float> output(layer.output_size());
  for (std::size_t y = 0; y < layer.output_height; ++y) {
    for (std::size_t x = 0; x < layer.output_width; ++x) {
      for (std::size_t f = 0; f < layer.filters; ++f) {
        float sum = bias != nullptr ? bias[f] : 0.0F;
        for (std::size_t ky = 0; ky < layer.kernel; ++ky) {
          for (std::size_t kx = 0; kx < layer.kernel; ++kx) {
            const std::size_t row = y * layer.stride + ky;  // of the padded image
            const std::size_t column = x * layer.stride + kx;
            if (row < layer.pad_y || row - layer.pad_y >= layer.input_height) continue;
            if (column < layer.pad_x || column - layer.pad_x >= layer.input_width) continue;
            for (std::size_t c = 0; c < layer.input_channels; ++c) {
              const std::size_t place =
                  ((row - layer.pad_y) * layer.input_width + column - layer.pad_x) * layer.input_channels + c;
              const std::size_t weight = ((ky * layer.kernel + kx) * layer.input_channels + c) * layer.filters + f;
              sum = std::fma(input[place], weights[weight], sum);
            }
          }
        }
        output[(y * layer.output_width + x) * layer.filters + f] = sum;
      }
    }
  }
  return output;
}

/// A layer's weights packed both ways, and the ones that bf16 leaves.
struct Weights {
  explicit Weights(const ConvolutionLayer& layer)
      : plain(draw(layer.weight_count(), layer.filters)), rounded(plain), bias(draw(layer.filters, 3)) {
    const PanelLayout layout = panel_layout(layer);
    for (float& weight : rounded) weight = round_to_bf16(weight);
    floats.resize(layout.floats());
    words.resize(layout.words());
    bias.resize(layout.padded_columns());
    pack(layout, 0, plain, floats.data());
    pack(layout, 0, plain, words.data());
  }
  std::vector<float> plain, rounded, floats, bias;
  std::vector<std::uint32_t> words;
};

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float x, float y) {
    return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
  });
}

void activate(Activation activation, std::vector<float>& values) {
  for (float& value : values) value = testing::reference_activation(activation, value);
}

/// Every instruction set, fp32 and bf16, with and without bias.
void check(const Shape& shape, Activation activation) {
  CAPTURE(shape.height, shape.width, shape.channels, shape.kernel, shape.stride, shape.filters);
  const ConvolutionLayer layer = make_layer(shape);
  const Weights weights(layer);
  const std::vector<float> input = draw(shape.height * shape.width * shape.channels, 1);
  for (const bool biased : {true, false}) {
    const float* const bias = biased ? weights.bias.data() : nullptr;
    std::vector<float> expected = reference(layer, weights.plain, bias, input);
    std::vector<float> expected_rounded = reference(layer, weights.rounded, bias, input);
    activate(activation, expected);
    activate(activation, expected_rounded);
    for (const InstructionSet set : available_instruction_sets()) {
      INFO(name_of(set));
      constexpr float kUntouched = -77.0F;
      std::vector<float> output(layer.output_size() + 1, kUntouched);
      const auto run = [&](const float* floats, const std::uint32_t* words) {
        convolution_kernels(set).forward({&layer, floats, words, bias, activation}, input.data(), output.data());
        CHECK(output.back() == kUntouched);
        return std::vector<float>(output.begin(), output.end() - 1);
      };
      CHECK(same_bits(run(weights.floats.data(), nullptr), expected));
      CHECK(same_bits(run(nullptr, weights.words.data()), expected_rounded));
    }
  }
}

}  // namespace

TEST_CASE("Every instruction set's convolutions have the reference's bits over odd shapes", "[kernels]") {
  const auto padding = GENERATE(Padding::same, Padding::valid);
  for (std::size_t size : {1U, 2U, 5U, 13U}) {
    for (std::size_t kernel : {1U, 2U, 3U, 5U}) {
      if (padding == Padding::valid && kernel > size) continue;
      for (std::size_t stride : {1U, 2U, 3U, 7U}) {
        check({size, size, 3, kernel, stride, 5, padding}, Activation::identity);
      }
    }
  }
}

TEST_CASE("Every instruction set's convolutions have the reference's bits over numbers of filters", "[kernels]") {
  for (std::size_t filters : {1U, 15U, 16U, 17U, 31U, 32U, 33U, 48U, 50U, 64U, 70U}) {
    check({6, 9, 2, 3, 2, filters, Padding::same}, Activation::relu);
  }
}

TEST_CASE("Every instruction set's convolutions have the reference's bits over widths and kernels", "[kernels]") {
  // Rows of pixels from one to several tiles; kernels that hang over both edges at once.
  for (std::size_t width = 1; width <= 27; ++width) check({3, width, 1, 3, 1, 17, Padding::same}, Activation::relu);
  for (std::size_t kernel = 4; kernel <= 12; ++kernel) check({4, 7, 2, kernel, 1, 18, Padding::same}, Activation::relu);
  check({4, 7, 2, 4, 3, 18, Padding::valid}, Activation::relu);
}

TEST_CASE("Every instruction set's convolutions have the reference's bits for the published networks", "[kernels]") {
  // A strip of each image, of the full width: a quarter of the work.
  check({20, 84, 4, 8, 4, 16, Padding::same}, Activation::relu);
  check({12, 84, 4, 8, 4, 32, Padding::valid}, Activation::relu);
  check({6, 21, 16, 4, 2, 32, Padding::same}, Activation::relu);
  check({5, 21, 32, 4, 2, 64, Padding::same}, Activation::relu);
  check({4, 11, 64, 3, 1, 64, Padding::same}, Activation::relu);
}

TEST_CASE("Convolutions end in every activation", "[kernels]") {
  for (const Activation activation :
       {Activation::identity, Activation::tanh, Activation::relu, Activation::elu, Activation::sigmoid}) {
    check({5, 5, 3, 3, 1, 19, Padding::same}, activation);
  }
}

TEST_CASE("Places outside the image do not count, whatever the weights are", "[kernels]") {
  const ConvolutionLayer layer = make_layer({5, 5, 2, 3, 1, 20, Padding::same});
  Weights weights(layer);
  // Infinity in the kernel's first row and last column: outputs next to the upper and right edge stay finite there.
  for (std::size_t kx = 0; kx < 3; ++kx) {
    for (std::size_t i = 0; i < 2 * layer.filters; ++i) {
      weights.plain[kx * 2 * layer.filters + i] = std::numeric_limits<float>::infinity();
    }
  }
  for (std::size_t i = 0; i < 2 * layer.filters; ++i) {
    weights.plain[(1 * 3 + 2) * 2 * layer.filters + i] = std::numeric_limits<float>::quiet_NaN();
  }
  pack(panel_layout(layer), 0, weights.plain, weights.floats.data());
  std::fill(weights.bias.begin(), weights.bias.end(), -0.0F);
  std::vector<float> input = draw(50, 5);
  std::fill(input.begin() + 8, input.begin() + 20, 0.0F);
  const std::vector<float> expected = reference(layer, weights.plain, weights.bias.data(), input);
  const std::size_t corner = 4 * layer.filters;  // upper right
  CHECK(std::isfinite(expected[corner]));
  for (const InstructionSet set : available_instruction_sets()) {
    INFO(name_of(set));
    std::vector<float> output(layer.output_size());
    convolution_kernels(set).forward(
        {&layer, weights.floats.data(), nullptr, weights.bias.data(), Activation::identity}, input.data(),
        output.data());
    CHECK(same_bits(output, expected));
  }
}

TEST_CASE("Every instruction set's bytes are 255ths rounded once", "[kernels]") {
  for (const InstructionSet set : available_instruction_sets()) {
    INFO(name_of(set));
    for (std::size_t size : {1U, 5U, 16U, 31U, 256U}) {
      std::vector<std::uint8_t> bytes(size);
      for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(size == 256 ? i : 7 * i + size);
      std::vector<float> output(size + 1, -77.0F);
      convolution_kernels(set).convert(bytes.data(), size, output.data());
      bool same = true;
      for (std::size_t i = 0; i < size; ++i) same = same && output[i] == static_cast<float>(bytes[i] / 255.0);
      CHECK(same);
      CHECK(output.back() == -77.0F);
    }
  }
}

TEST_CASE("Every instruction set normalises channels to the same bits", "[kernels]") {
  for (std::size_t channels : {1U, 16U, 19U, 32U, 40U}) {
    constexpr std::size_t kPlaces = 5;
    const std::vector<float> values = draw(kPlaces * channels, 7);
    const std::vector<float> mean = draw(channels, 8);
    const std::vector<float> scale = draw(channels, 9);
    const std::vector<float> bias = draw(channels, 10);
    for (const Activation activation : {Activation::identity, Activation::relu, Activation::tanh}) {
      std::vector<float> expected(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t c = i % channels;
        expected[i] = testing::reference_activation(activation, std::fma(values[i] - mean[c], scale[c], bias[c]));
      }
      for (const InstructionSet set : available_instruction_sets()) {
        INFO(name_of(set));
        std::vector<float> output = values;
        output.push_back(-77.0F);
        convolution_kernels(set).normalise(output.data(), kPlaces, channels, mean.data(), scale.data(), bias.data(),
                                           activation);
        CHECK(output.back() == -77.0F);
        output.pop_back();
        CHECK(same_bits(output, expected));
      }
    }
  }
}
