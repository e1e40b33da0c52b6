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
