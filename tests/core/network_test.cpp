#include "core/network.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using namespace clade;
using clade::testing::contains_text;

namespace {

std::vector<double> initialised(const Network& network, Initialisation kind, std::uint64_t seed = 7) {
  std::vector<double> parameters(network.parameter_count(), -1.0);
  initialise(network, kind, {seed, Purpose::initialisation, 0, 0, 0}, parameters);
  return parameters;
}

}  // namespace

TEST_CASE("Network descriptions are read and written back", "[network]") {
  const NetworkSpec linear = parse_network("linear");
  CHECK(linear.hidden.empty());
  CHECK(linear.bias);
  CHECK_FALSE(parse_network("linear:nobias").bias);

  const NetworkSpec mlp = parse_network("mlp:64,32:relu");
  CHECK(mlp.hidden == std::vector<std::size_t>{64, 32});
  CHECK(mlp.activation == Activation::relu);
  CHECK(parse_network("mlp:5").activation == Activation::tanh);
  CHECK_FALSE(parse_network("mlp:5:nobias").bias);

  for (const std::string text :
       {"linear", "linear:nobias", "mlp:1:identity", "mlp:64,64:tanh", "mlp:3,2,1:elu:nobias", "mlp:256:sigmoid"}) {
    CHECK(parse_network(text).description() == text);
  }
  CHECK(parse_network("mlp:64,64").description() == "mlp:64,64:tanh");
}

TEST_CASE("Wrong network descriptions are refused with what is wrong", "[network]") {
  CHECK_THROWS_WITH(parse_network("linaer"), contains_text("linear"));
  CHECK_THROWS_WITH(parse_network("mlp"), contains_text("hidden"));
  CHECK_THROWS_WITH(parse_network("mlp:nobias"), contains_text("hidden"));
  CHECK_THROWS_WITH(parse_network("mlp:64,,64"), contains_text("''"));
  CHECK_THROWS_WITH(parse_network("mlp:0"), contains_text("'0'"));
  CHECK_THROWS_WITH(parse_network("mlp:-3"), contains_text("'-3'"));
  CHECK_THROWS_WITH(parse_network("mlp:64x"), contains_text("'64x'"));
  CHECK_THROWS_WITH(parse_network("mlp:99999999999999999999"), contains_text("99999999999999999999"));
  CHECK_THROWS_WITH(parse_network("mlp:64:tanhh"), contains_text("tanh"));
  CHECK_THROWS_WITH(parse_network("mlp:64:tanh:bias"), contains_text("'bias'"));
  CHECK_THROWS_WITH(parse_network("linear:tanh"), contains_text("'tanh'"));
  CHECK_THROWS_AS(parse_network(""), Error);
}

TEST_CASE("Convolutional descriptions are read and written back", "[network]") {
  const NetworkSpec spec = parse_network("conv:32@8/4,64@4/2:valid;fc:512,20:elu:nobias;vbn");
  CHECK(spec.convolutions == std::vector<ConvolutionSpec>{{32, 8, 4}, {64, 4, 2}});
  CHECK(spec.padding == Padding::valid);
  CHECK(spec.hidden == std::vector<std::size_t>{512, 20});
  CHECK(spec.activation == Activation::elu);
  CHECK_FALSE(spec.bias);
  CHECK(spec.virtual_batch_norm);

  const NetworkSpec plain = parse_network("conv:32@8/4;fc:512");
  CHECK(plain.padding == Padding::same);
  CHECK(plain.activation == Activation::relu);
  CHECK(plain.bias);
  CHECK_FALSE(plain.virtual_batch_norm);

  for (const std::string text :
       {"conv:32@8/4,64@4/2,64@3/1;fc:512", "conv:1@1/1", "conv:1@1/1;vbn", "conv:3@2/1:valid:tanh",
        "conv:3@2/1:nobias", "conv:3@2/1:valid;fc:5:sigmoid:nobias;vbn", "conv:3@2/1;fc:5,6", "mlp:64:tanh;vbn",
        "mlp:64:relu:nobias;vbn"}) {
    CHECK(parse_network(text).description() == text);
  }
  CHECK(parse_network("conv:3@2/1:same:relu").description() == "conv:3@2/1");
  CHECK(parse_network("conv:3@2/1:same;fc:4:relu").description() == "conv:3@2/1;fc:4");
}

TEST_CASE("The published networks have names", "[network]") {
  CHECK(parse_network("model").description() == "conv:16@8/4,32@4/2;fc:256");
  CHECK(parse_network("large_model").description() == "conv:32@8/4,64@4/2,64@3/1;fc:512");
  CHECK(parse_network("model_vbn").description() == "conv:16@8/4,32@4/2;fc:256;vbn");
  CHECK(parse_network("nature").description() == "conv:32@8/4,64@4/2,64@3/1:valid;fc:512");
}

TEST_CASE("Wrong convolutional descriptions are refused with what is wrong", "[network]") {
  CHECK_THROWS_WITH(parse_network("conv"), contains_text("names no convolutions"));
  CHECK_THROWS_WITH(parse_network("conv:nobias"), contains_text("names no convolutions"));
  for (const std::string part : {"32", "32@8", "32/4", "32/4@8", "0@8/4", "32@0/4", "32@8/0", "32@8/4x", "32@-8/4", "",
                                 "32@8/99999999999999999999"}) {
    CHECK_THROWS_WITH(parse_network("conv:16@8/4," + part + ";fc:5"), contains_text("'" + part + "'"));
  }
  CHECK_THROWS_WITH(parse_network("conv:3@2/1;fc"), contains_text("fc names no layers"));
  CHECK_THROWS_WITH(parse_network("conv:3@2/1;fc:0"), contains_text("'0'"));
  CHECK_THROWS_WITH(parse_network("conv:3@2/1;fc:5:reluu"), contains_text("relu"));
  CHECK_THROWS_WITH(parse_network("conv:3@2/1;fc:5:relu:9"), contains_text("'9'"));
  CHECK_THROWS_WITH(parse_network("conv:3@2/1:vaild"), contains_text("did you mean 'valid'"));
  CHECK_THROWS_WITH(parse_network("conv:3@2/1:vaild;fc:4"), contains_text("did you mean 'valid'"));
  CHECK_THROWS_WITH(parse_network("conv:3@2/1:tanh;fc:5"), contains_text("'tanh'"));
  CHECK_THROWS_WITH(parse_network("conv:3@2/1;fc:5;fc:6"), contains_text("'fc:6'"));
  CHECK_THROWS_WITH(parse_network("conv:3@2/1;vbn;fc:6"), contains_text("'vbn'"));
  CHECK_THROWS_WITH(parse_network("conv:3@2/1;"), contains_text("''"));
  CHECK_THROWS_WITH(parse_network("mlp:6;fc:5"), contains_text("'fc:5'"));
  CHECK_THROWS_WITH(parse_network("linear;vbn"), contains_text("hidden layers"));
  CHECK_THROWS_WITH(parse_network("large_modell"), contains_text("large_model"));
  CHECK_THROWS_WITH(parse_network("model:nobias"), contains_text("model"));
}

TEST_CASE("The parameter layout is weights then bias, layer after layer", "[network]") {
  const Network network(parse_network("mlp:4,3:relu"), 5, 2);
  REQUIRE(network.layers().size() == 3);
  CHECK(network.parameter_count() == 5 * 4 + 4 + 4 * 3 + 3 + 3 * 2 + 2);
  CHECK(network.layers()[0].weight_offset == 0);
  CHECK(network.layers()[0].bias_offset == 20);
  CHECK(network.layers()[1].weight_offset == 24);
  CHECK(network.layers()[1].bias_offset == 36);
  CHECK(network.layers()[2].weight_offset == 39);
  CHECK(network.layers()[2].bias_offset == 45);
  CHECK(network.layers()[0].activation == Activation::relu);
  CHECK(network.layers()[2].activation == Activation::identity);
  CHECK(network.layout_table() ==
        "layer0.weight   0  [5, 4]\n"
        "layer0.bias    20  [4]\n"
        "layer1.weight  24  [4, 3]\n"
        "layer1.bias    36  [3]\n"
        "layer2.weight  39  [3, 2]\n"
        "layer2.bias    45  [2]\n");

  const Network plain(parse_network("mlp:4:tanh:nobias"), 5, 2);
  CHECK(plain.parameter_count() == 28);
  CHECK(plain.layout_table() == "layer0.weight   0  [5, 4]\nlayer1.weight  20  [4, 2]\n");
}

TEST_CASE("Networks of the published policies have the published sizes", "[network]") {
  CHECK(Network(parse_network("linear:nobias"), 17, 6).parameter_count() == 102);
  CHECK(Network(parse_network("mlp:256,256"), 376, 17).parameter_count() == 166673);
}

TEST_CASE("The published convolutional networks have the published sizes", "[network]") {
  const std::vector<std::size_t> pixels{84, 84, 4};
  CHECK(Network(parse_network("model"), pixels, 18).parameter_count() == 1008450);
  CHECK(Network(parse_network("model_vbn"), pixels, 18).parameter_count() == 1008450);
  CHECK(Network(parse_network("large_model"), pixels, 18).parameter_count() == 4052658);
  CHECK(Network(parse_network("nature"), pixels, 18).parameter_count() == 1693362);
}

TEST_CASE("Convolutions are padded as TensorFlow pads them", "[network]") {
  const std::vector<std::size_t> pixels{84, 84, 4};
  const Network large(parse_network("large_model"), pixels, 18);
  const std::span<const ConvolutionLayer> layers = large.convolutions();
  REQUIRE(layers.size() == 3);
  const std::vector<std::size_t> pads{2, 1, 1};
  const std::vector<std::size_t> extents{21, 11, 11};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(layers[i].pad_y == pads[i]);
    CHECK(layers[i].pad_x == pads[i]);
    CHECK(layers[i].output_height == extents[i]);
    CHECK(layers[i].output_width == extents[i]);
  }
  CHECK(large.layers()[0].inputs == 11 * 11 * 64);

  const Network nature(parse_network("nature"), pixels, 18);
  CHECK(nature.convolutions()[0].output_height == 20);
  CHECK(nature.convolutions()[1].output_height == 9);
  CHECK(nature.convolutions()[2].output_height == 7);
  for (const ConvolutionLayer& layer : nature.convolutions()) CHECK(layer.pad_y + layer.pad_x == 0);

  // 9 rows in steps of 2 under a kernel of 4: 5 places reach over 12, three more than there are; 6 columns: 8.
  const Network uneven(parse_network("conv:2@4/2"), std::vector<std::size_t>{9, 6, 1}, 1);
  CHECK(uneven.convolutions()[0].output_height == 5);
  CHECK(uneven.convolutions()[0].pad_y == 1);
  CHECK(uneven.convolutions()[0].output_width == 3);
  CHECK(uneven.convolutions()[0].pad_x == 1);
  // A stride beyond the kernel leaves places out and needs no padding.
  const Network sparse(parse_network("conv:2@2/5"), std::vector<std::size_t>{11, 12, 1}, 1);
  CHECK(sparse.convolutions()[0].output_height == 3);
  CHECK(sparse.convolutions()[0].output_width == 3);
  CHECK(sparse.convolutions()[0].pad_y + sparse.convolutions()[0].pad_x == 0);
}

TEST_CASE("Convolutions lie before the dense layers in the parameter vector", "[network]") {
  const std::vector<std::size_t> shape{6, 8, 3};
  const Network network(parse_network("conv:4@3/2,5@2/1:valid;fc:7"), shape, 2);
  CHECK(network.inputs() == 144);
  CHECK(network.layout_table() ==
        "conv0.weight     0  [3, 3, 3, 4]\n"
        "conv0.bias     108  [4]\n"
        "conv1.weight   112  [2, 2, 4, 5]\n"
        "conv1.bias     192  [5]\n"
        "layer0.weight  197  [10, 7]\n"
        "layer0.bias    267  [7]\n"
        "layer1.weight  274  [7, 2]\n"
        "layer1.bias    288  [2]\n");
  CHECK(network.parameter_count() == 290);
  CHECK(network.convolutions()[1].weight_offset == 112);
  CHECK(network.convolutions()[1].bias_offset == 192);
  CHECK(network.convolutions()[0].activation == Activation::relu);
  CHECK(network.layers()[0].activation == Activation::relu);
  CHECK(network.layers()[1].activation == Activation::identity);

  const auto arrays = network.arrays();
  REQUIRE(arrays.size() == 8);
  CHECK(arrays[2].name == "conv1.weight");
  CHECK(arrays[2].offset == 112);
  CHECK(arrays[2].shape == std::vector<std::size_t>{2, 2, 4, 5});

  const Network bare(parse_network("conv:4@3/2:nobias"), shape, 2);
  CHECK(bare.layout_table() == "conv0.weight     0  [3, 3, 3, 4]\nlayer0.weight  108  [48, 2]\n");
}

TEST_CASE("Dense networks take observations of any shape", "[network]") {
  const std::vector<std::size_t> shape{4, 5, 2};
  CHECK(Network(parse_network("mlp:3"), shape, 2).inputs() == 40);
  CHECK(Network(parse_network("linear"), std::vector<std::size_t>{}, 2).inputs() == 0);
  CHECK(Network(parse_network("linear"), std::vector<std::size_t>{}, 2).parameter_count() == 2);
}

TEST_CASE("A network without observations is its biases", "[network]") {
  const Network network(parse_network("linear"), 0, 10);
  CHECK(network.parameter_count() == 10);
  CHECK(network.layers()[0].bias_offset == 0);
  for (double value : initialised(network, Initialisation::uniform)) CHECK(std::abs(value) <= 1.0);
  CHECK_THROWS_WITH(Network(parse_network("linear:nobias"), 0, 10), contains_text("linear"));
  CHECK_THROWS_AS(Network(parse_network("mlp:8"), 0, 10), Error);
}

TEST_CASE("Impossible networks are refused", "[network]") {
  CHECK_THROWS_AS(Network(parse_network("linear"), 3, 0), Error);
  CHECK_THROWS_WITH(Network(parse_network("mlp:65536,65536"), 10, 1), contains_text("2^32"));
  CHECK_THROWS_WITH(Network(parse_network("mlp:4294967295,4294967295,4294967295"), 10, 1), contains_text("2^32"));
  NetworkSpec empty_layer;
  empty_layer.hidden = {4, 0};
  CHECK_THROWS_WITH(Network(empty_layer, 3, 2), contains_text("hidden layer of size 0"));
}

TEST_CASE("Convolutions that do not fit their input are refused", "[network]") {
  const std::vector<std::size_t> pixels{84, 84, 4};
  const auto make = [](const char* spec, const std::vector<std::size_t>& shape) {
    return Network(parse_network(spec), shape, 2);
  };
  CHECK_THROWS_WITH(make("conv:8@85/4", pixels), contains_text("kernel of 85 exceeds its input of 84x84"));
  CHECK_THROWS_WITH(make("conv:8@85/4:valid", pixels), contains_text("kernel of 85 exceeds its input of 84x84"));
  CHECK_THROWS_WITH(make("conv:8@8/4,8@22/1", pixels), contains_text("convolution 2 whose kernel of 22 exceeds"));
  CHECK_THROWS_WITH(make("conv:8@4/4", {9, 3, 1}), contains_text("9x3"));
  CHECK_THROWS_WITH(make("large_model", {128}), contains_text("image"));
  CHECK_THROWS_WITH(make("large_model", {84, 84}), contains_text("image"));
  CHECK_THROWS_WITH(make("large_model", {}), contains_text("image"));
  CHECK_THROWS_WITH(make("large_model", {84, 84, 0}), contains_text("nothing to read"));
  CHECK_THROWS_WITH(Network(parse_network("large_model"), 28224, 18), contains_text("image"));
  CHECK_THROWS_WITH(make("conv:4294967295@8/4", pixels), contains_text("2^32"));
  CHECK_THROWS_WITH(make("conv:4294967295@1/1", {84, 84, 1}), contains_text("2^32"));
  CHECK_THROWS_WITH(make("conv:8@1/1;fc:4294967295", {9, 9, 1}), contains_text("2^32"));
  for (const ConvolutionSpec& broken : {ConvolutionSpec{0, 8, 4}, ConvolutionSpec{8, 0, 4}, ConvolutionSpec{8, 8, 0}}) {
    NetworkSpec spec;
    spec.convolutions = {broken};
    CHECK_THROWS_WITH(Network(spec, pixels, 2), contains_text("the smallest of each is 1"));
  }
  NetworkSpec nothing_hidden;
  nothing_hidden.virtual_batch_norm = true;
  CHECK_THROWS_WITH(Network(nothing_hidden, 4, 2), contains_text("vbn"));
}

TEST_CASE("Zero initialisation is zero", "[network]") {
  const auto parameters = initialised(Network(parse_network("mlp:4"), 3, 2), Initialisation::zero);
  CHECK(std::all_of(parameters.begin(), parameters.end(), [](double value) { return value == 0.0; }));
}

TEST_CASE("normc scales each output's incoming weights to its norm", "[network]") {
  const Network network(parse_network("mlp:7,5"), 11, 3);
  const auto parameters = initialised(network, Initialisation::normc);
  for (const DenseLayer& layer : network.layers()) {
    const bool last = &layer == &network.layers().back();
    for (std::size_t output = 0; output < layer.outputs; ++output) {
      double square = 0.0;
      for (std::size_t input = 0; input < layer.inputs; ++input) {
        const double weight = parameters[layer.weight_offset + input * layer.outputs + output];
        square += weight * weight;
      }
      CHECK(std::sqrt(square) == Approx(last ? 0.01 : 1.0));
      CHECK(parameters[layer.bias_offset + output] == 0.0);
    }
  }
}

TEST_CASE("fan_in and uniform draws have the stated spread", "[network]") {
  const Network network(parse_network("linear"), 100, 200);
  const auto normal = initialised(network, Initialisation::fan_in);
  double sum = 0.0;
  double squares = 0.0;
  const std::size_t weights = 100 * 200;
  for (std::size_t i = 0; i < weights; ++i) {
    sum += normal[i];
    squares += normal[i] * normal[i];
  }
  // Standard errors for 20,000 draws: .0007 of the mean, 1% of the variance.
  CHECK(std::abs(sum / weights) < 0.003);
  CHECK(squares / weights == Approx(0.01).epsilon(0.04));
  CHECK(normal[weights] == 0.0);

  const auto uniform = initialised(network, Initialisation::uniform);
  const auto [low, high] = std::minmax_element(uniform.begin(), uniform.end());
  CHECK(*low >= -0.1);
  CHECK(*high < 0.1);
  CHECK(*low < -0.0999);
  CHECK(*high > 0.0999);
  CHECK(uniform[weights] != 0.0);
}

TEST_CASE("Every layer draws from a stream of its own", "[network]") {
  const auto draw = [](const char* spec) {
    return initialised(Network(parse_network(spec), 4, 2), Initialisation::fan_in);
  };
  CHECK(draw("mlp:3") == draw("mlp:3"));
  CHECK(initialised(Network(parse_network("mlp:3"), 4, 2), Initialisation::fan_in, 8) != draw("mlp:3"));
  // A further layer leaves the first one's weights alone.
  const auto shallow = draw("mlp:3");
  const auto deep = draw("mlp:3,3");
  CHECK(std::equal(shallow.begin(), shallow.begin() + 12, deep.begin()));

  // Weights are read off the layer's stream in row-major order.
  RandomStream rng({7, Purpose::initialisation, 0, 0, 1});
  for (std::size_t i = 0; i < 6; ++i) CHECK(shallow[15 + i] == 1.0 / std::sqrt(3.0) * rng.normal());
}

TEST_CASE("uber draws as fan_in with the output layer a tenth", "[network]") {
  const Network network(parse_network("conv:4@3/2,5@2/1;fc:7"), std::vector<std::size_t>{6, 8, 3}, 2);
  const auto uber = initialised(network, Initialisation::uber);
  const auto plain = initialised(network, Initialisation::fan_in);
  const DenseLayer& output = network.layers().back();
  for (std::size_t i = 0; i < uber.size(); ++i) {
    const bool of_output = i >= output.weight_offset && i < output.bias_offset;
    CHECK(uber[i] == Approx(of_output ? 0.1 * plain[i] : plain[i]));
  }
  // The second convolution's weights come from stream 1, with a fan-in of 2 * 2 * 4.
  RandomStream rng({7, Purpose::initialisation, 0, 0, 1});
  const ConvolutionLayer& second = network.convolutions()[1];
  for (std::size_t i = 0; i < second.weight_count(); ++i) CHECK(uber[second.weight_offset + i] == 0.25 * rng.normal());
  for (std::size_t i = 0; i < 5; ++i) CHECK(uber[second.bias_offset + i] == 0.0);
}

TEST_CASE("Fresh networks have one scale an array of weights", "[network]") {
  const Network network(parse_network("conv:4@3/2,5@2/1;fc:7"), std::vector<std::size_t>{6, 8, 3}, 2);
  const auto scales = initial_scales(network, Initialisation::uber);
  REQUIRE(scales.size() == 4);
  CHECK(scales[0].first == 0);
  CHECK(scales[0].count == 108);
  CHECK(scales[0].scale == static_cast<float>(1.0 / std::sqrt(27.0)));
  CHECK(scales[1].first == 112);
  CHECK(scales[1].count == 80);
  CHECK(scales[1].scale == 0.25F);
  CHECK(scales[3].first == network.layers()[1].weight_offset);
  CHECK(scales[3].count == 14);
  CHECK(scales[3].scale == static_cast<float>(0.1 / std::sqrt(7.0)));
  CHECK(initial_scales(network, Initialisation::fan_in)[3].scale == static_cast<float>(1.0 / std::sqrt(7.0)));
  CHECK(initial_scales(network, Initialisation::zero).empty());
  CHECK_THROWS_WITH(initial_scales(network, Initialisation::normc), contains_text("'normc'"));
  CHECK_THROWS_WITH(initial_scales(network, Initialisation::uniform), contains_text("uber"));
}
