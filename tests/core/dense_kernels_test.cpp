#include "core/dense_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/instruction_set.hpp"
#include "core/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/reference_network.hpp"

using namespace clade;

namespace {

std::vector<float> draw(std::size_t size, std::uint64_t stream) {
  RandomStream rng({13, Purpose::test, 0, stream, 0});
  std::vector<float> values(size);
  for (float& value : values) value = static_cast<float>(rng.normal());
  return values;
}

/// A dense layer's weights packed both ways, and the ones that bf16 leaves.
struct Weights {
  Weights(const DenseLayer& layer, std::vector<float> matrix) : plain(std::move(matrix)), rounded(plain) {
    const PanelLayout layout = panel_layout(layer);
    for (float& weight : rounded) weight = round_to_bf16(weight);
    floats.resize(layout.floats());
    words.resize(layout.words());
    bias = draw(layer.outputs, 3);
    bias.resize(layout.padded_columns());
    pack(layout, 0, plain, floats.data());
    pack(layout, 0, plain, words.data());
  }
  std::vector<float> plain, rounded, floats, bias;
  std::vector<std::uint32_t> words;
};

/// One chain an output, inputs that are 0 left out where asked.
std::vector<float> reference(const DenseLayer& layer, const std::vector<float>& weights, const float* bias,
                             const float* input, bool skip_zeros) {
  std::vector<float> output(bias, bias + layer.outputs);
  for (std::size_t i = 0; i < layer.inputs; ++i) {
    if (skip_zeros && input[i] == 0.0F) continue;
    for (std::size_t j = 0; j < layer.outputs; ++j) {
      output[j] = std::fma(input[i], weights[i * layer.outputs + j], output[j]);
    }
  }
  return output;
}

bool same_bits(const float* a, const float* b, std::size_t size) {
  return std::equal(a, a + size, b, [](float x, float y) {
    return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
  });
}

/// Outputs of a rectifier: about half of them 0, of either sign.
std::vector<float> draw_rectified(std::size_t size, std::uint64_t stream) {
  std::vector<float> values = draw(size, stream);
  for (std::size_t i = 0; i < size; ++i) {
    if (values[i] < 0.0F) values[i] = i % 5 == 0 ? -0.0F : 0.0F;
  }
  return values;
}

/// Every instruction set, fp32 and bf16, zeros left out or not, every number of rows up to `most_rows`: the bits of the
/// reference, whatever the other rows are.
void check_layer(const DenseLayer& layer, const std::vector<float>& matrix, std::size_t most_rows) {
  CAPTURE(layer.inputs, layer.outputs);
  const Weights weights(layer, matrix);
  const std::size_t input_stride = layer.inputs + 3;  // rows need not be aligned
  const std::size_t output_stride = weights.bias.size() + 5;
  const std::vector<float> input = draw_rectified(most_rows * input_stride, 1);
  for (const bool bf16 : {false, true}) {
    for (const bool skip_zeros : {false, true}) {
      std::vector<std::vector<float>> expected;
      for (std::size_t row = 0; row < most_rows; ++row) {
        expected.push_back(reference(layer, bf16 ? weights.rounded : weights.plain, weights.bias.data(),
                                     input.data() + row * input_stride, skip_zeros));
      }
      PackedDense packed;
      packed.weights = bf16 ? nullptr : weights.floats.data();
      packed.words = bf16 ? weights.words.data() : nullptr;
      packed.bias = weights.bias.data();
      packed.inputs = layer.inputs;
      packed.outputs = weights.bias.size();
      packed.skip_zeros = skip_zeros;
      for (const InstructionSet set : available_instruction_sets()) {
        INFO(name_of(set));
        for (std::size_t rows = 1; rows <= most_rows; ++rows) {
          CAPTURE(bf16, skip_zeros, rows);
          std::vector<float> output(most_rows * output_stride, -77.0F);
          dense_kernels(set).forward(packed, input.data(), input_stride, output.data(), output_stride, rows);
          bool same = true;
          for (std::size_t row = 0; row < rows; ++row) {
            same = same && same_bits(output.data() + row * output_stride, expected[row].data(), layer.outputs);
          }
          CHECK(same);
        }
      }
    }
  }
}

DenseLayer make_layer(std::size_t inputs, std::size_t outputs) {
  DenseLayer layer;
  layer.inputs = inputs;
  layer.outputs = outputs;
  return layer;
}

}  // namespace

TEST_CASE("Every instruction set's dense layers have the reference's bits", "[kernels]") {
  constexpr std::size_t kMostRows = 6;
  for (const InstructionSet set : available_instruction_sets()) {
    const DenseKernels& kernels = dense_kernels(set);
    INFO(name_of(set));
    for (std::size_t outputs : {1U, 15U, 16U, 17U, 48U, 64U, 80U, 96U, 112U, 128U, 130U, 200U}) {
      for (std::size_t inputs : {1U, 2U, 7U, 33U}) {
        const Network network(NetworkSpec{}, inputs, outputs);
        const DenseLayer& layer = network.layers().front();
        const auto parameters = draw(network.parameter_count(), outputs * 100 + inputs);
        std::vector<float> weights(panel_layout(layer).floats(), 0.0F);
        pack(panel_layout(layer), 0, std::span(parameters).subspan(layer.weight_offset, inputs * outputs),
             weights.data());
        std::vector<float> bias(padded_outputs(outputs), 0.0F);
        std::copy_n(parameters.begin() + static_cast<std::ptrdiff_t>(layer.bias_offset), outputs, bias.begin());
        PackedDense packed;
        packed.weights = weights.data();
        packed.bias = bias.data();
        packed.inputs = inputs;
        packed.outputs = bias.size();

        const std::size_t input_stride = inputs + 3;  // rows need not be aligned
        const std::size_t output_stride = bias.size() + 5;
        const auto input = draw(kMostRows * input_stride, 1);
        for (std::size_t rows = 1; rows <= kMostRows; ++rows) {
          constexpr float kUntouched = -77.0F;
          std::vector<float> output(kMostRows * output_stride, kUntouched);
          kernels.forward(packed, input.data(), input_stride, output.data(), output_stride, rows);
          for (std::size_t row = 0; row < kMostRows; ++row) {
            const auto expected = testing::reference_layers(
                                      network, parameters,
                                      {input.data() + row * input_stride, input.data() + row * input_stride + inputs})
                                      .front();
            const float* actual = output.data() + row * output_stride;
            if (row < rows) {
              CHECK(std::equal(expected.begin(), expected.end(), actual));
              CHECK(std::all_of(actual + outputs, actual + bias.size(), [](float value) { return value == 0.0F; }));
              CHECK(actual[bias.size()] == kUntouched);
            } else {
              CHECK(std::all_of(actual, actual + output_stride, [](float value) { return value == kUntouched; }));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("Dense layers leave zeros out and read bf16, each row by itself", "[kernels]") {
  for (std::size_t outputs : {1U, 16U, 18U, 33U, 48U, 64U, 96U, 112U, 130U, 300U}) {
    for (std::size_t inputs : {1U, 7U, 33U}) {
      check_layer(make_layer(inputs, outputs), draw(inputs * outputs, outputs), 5);
    }
  }
}

TEST_CASE("Dense layers that are read from memory have the reference's bits", "[kernels]") {
  // Wide panels, several stretches of inputs and parts of the cache; narrow outputs; numbers of rows beyond any tile.
  for (std::size_t outputs : {18U, 257U, 300U})
    check_layer(make_layer(1100, outputs), draw(1100 * outputs, outputs), 3);
  check_layer(make_layer(1025, 40), draw(1025 * 40, 4), 9);
}

TEST_CASE("What a zero input would multiply does not count, whatever it is", "[kernels]") {
  for (const std::size_t inputs : {12U, 1100U}) {
    const DenseLayer layer = make_layer(inputs, 40);
    std::vector<float> matrix = draw(inputs * 40, 2);
    for (std::size_t i = 0; i < matrix.size(); i += 3) {
      matrix[i] = i % 2 == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    }
    check_layer(layer, matrix, 4);
  }
}

TEST_CASE("Every instruction set's activations have the reference's bits", "[kernels]") {
  std::vector<float> values = draw(64, 2);
  for (std::size_t i = 0; i < 24; ++i) values[i] *= 30.0F;
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> special{0.0F, -0.0F, infinity, -infinity, 1e-40F, -1e-40F, 3e38F, -3e38F};
  std::copy(special.begin(), special.end(), values.begin());
  values[8] = std::numeric_limits<float>::quiet_NaN();
  const std::size_t size = values.size();
  const std::vector<float> none(size, 0.0F);
  for (const InstructionSet set : available_instruction_sets()) {
    INFO(name_of(set));
    for (const Activation activation :
         {Activation::identity, Activation::tanh, Activation::relu, Activation::elu, Activation::sigmoid}) {
      INFO(name_of(activation));
      std::vector<float> output(size, -1.0F);
      // No inputs: what is activated are the biases.
      PackedDense packed;
      packed.weights = none.data();
      packed.bias = values.data();
      packed.outputs = size;
      packed.activation = activation;
      dense_kernels(set).forward(packed, none.data(), 0, output.data(), size, 1);
      for (std::size_t i = 0; i < size; ++i) {
        const float expected = testing::reference_activation(activation, values[i]);
        if (std::isnan(expected)) {
          CHECK(std::isnan(output[i]));
        } else {
          CHECK(output[i] == expected);
          CHECK(std::signbit(output[i]) == std::signbit(expected));
        }
      }
    }
  }
}

TEST_CASE("Every instruction set normalises to the same bits", "[kernels]") {
  for (const InstructionSet set : available_instruction_sets()) {
    INFO(name_of(set));
    const DenseKernels& kernels = dense_kernels(set);
    for (std::size_t size : {1U, 3U, 8U, 17U, 31U, 111U}) {
      RandomStream rng({13, Purpose::test, 1, size, 0});
      NormalizerSnapshot normalizer;
      std::vector<double> x(size);
      for (std::size_t i = 0; i < size; ++i) {
        x[i] = 4.0 * rng.normal();
        normalizer.mean.push_back(rng.normal());
        normalizer.inverse_std.push_back(2.0 * rng.uniform());
      }
      for (double clip : {std::numeric_limits<double>::infinity(), 1.25}) {
        normalizer.clip = clip;
        std::vector<float> output(size + 1, -77.0F);
        kernels.normalise(x.data(), normalizer.mean.data(), normalizer.inverse_std.data(), clip, size, output.data());
        CHECK(output.back() == -77.0F);
        output.pop_back();
        CHECK(output == testing::reference_normalised(normalizer, x));
      }
      std::vector<float> output(size);
      kernels.convert(x.data(), size, output.data());
      CHECK(output == testing::reference_normalised({}, x));
    }
  }
}

TEST_CASE("Every instruction set keeps moments to the same bits", "[kernels]") {
  for (const InstructionSet set : available_instruction_sets()) {
    INFO(name_of(set));
    for (std::size_t size : {1U, 2U, 3U, 7U, 8U, 9U, 17U, 111U}) {
      RandomStream rng({size, Purpose::test, 0, 0, 0});
      std::vector<double> mean(size, 0.0), squares(size, 0.0), expected_mean(size, 0.0), expected_squares(size, 0.0);
      std::vector<double> row(size);
      for (int count = 1; count <= 20; ++count) {
        for (double& value : row) value = rng.normal();
        const double inverse = 1.0 / count;
        dense_kernels(set).add_moments(row.data(), size, inverse, mean.data(), squares.data());
        for (std::size_t i = 0; i < size; ++i) {
          const double before = row[i] - expected_mean[i];
          expected_mean[i] += before * inverse;
          expected_squares[i] += before * (row[i] - expected_mean[i]);
        }
      }
      CHECK(mean == expected_mean);
      CHECK(squares == expected_squares);
    }
  }
}
