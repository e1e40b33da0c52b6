#include "core/dense_kernels.hpp"

#include <algorithm>
#include <limits>
#include <string>
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

/// A one-layer network's weights in the kernels' panels.
std::vector<float> pack_weights(const DenseLayer& layer, const std::vector<float>& parameters) {
  const std::size_t padded = padded_outputs(layer.outputs);
  std::vector<float> packed(layer.inputs * padded, 0.0F);
  for (std::size_t i = 0; i < layer.inputs; ++i) {
    for (std::size_t j = 0; j < layer.outputs; ++j) {
      const std::size_t panel = j / kPanelOutputs * kPanelOutputs;
      const std::size_t width = std::min(kPanelOutputs, padded - panel);
      packed[panel * layer.inputs + i * width + j - panel] = parameters[layer.weight_offset + i * layer.outputs + j];
    }
  }
  return packed;
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
        const auto weights = pack_weights(layer, parameters);
        std::vector<float> bias(padded_outputs(outputs), 0.0F);
        std::copy_n(parameters.begin() + static_cast<std::ptrdiff_t>(layer.bias_offset), outputs, bias.begin());
        const PackedDense packed{weights.data(), bias.data(), inputs, bias.size(), Activation::identity};

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
      dense_kernels(set).forward({none.data(), values.data(), 0, size, activation}, none.data(), 0, output.data(), size,
                                 1);
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
