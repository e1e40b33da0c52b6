#include "tools/weights_export.hpp"

#include <numeric>

#include "tests/support/catch.hpp"
#include "tests/tools/npz_reader.hpp"

using namespace clade;
using clade::test::NpzArray;
using clade::test::read_npz;

namespace {

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

}  // namespace

TEST_CASE("exported weights are the parameter vector cut into the network's arrays") {
  const Network network(parse_network("conv:2@2/1;fc:5"), std::vector<std::size_t>{4, 4, 3}, 6);
  const Policy policy{network, {}, {ObservationType::uint8, {3, 4, 4}}, {}};
  const std::vector<float> parameters = counting(network.parameter_count());
  const std::vector<NpzArray> arrays = read_npz(weights_npz(policy, parameters, {}));
  std::vector<std::string> names;
  std::vector<std::string> shapes;
  std::vector<float> joined;
  for (const NpzArray& array : arrays) {
    names.push_back(array.name);
    shapes.push_back(array.shape);
    CHECK(array.type == "<f4");
    const std::vector<float> values = array.values<float>();
    joined.insert(joined.end(), values.begin(), values.end());
  }
  CHECK(names == std::vector<std::string>{"conv0.weight", "conv0.bias", "layer0.weight", "layer0.bias", "layer1.weight",
                                          "layer1.bias"});
  CHECK(shapes == std::vector<std::string>{"(2, 2, 3, 2)", "(2,)", "(32, 5)", "(5,)", "(5, 6)", "(6,)"});
  CHECK(joined == parameters);
}

TEST_CASE("the normaliser of the observations is exported with the weights") {
  const Network network(parse_network("linear"), 2, 1);
  const Policy policy{network, {}, {ObservationType::float64, {2}}, {}};
  const NormalizerSnapshot normalizer{{0.1, -3.0}, {2.0, 0.0}, 5.0};
  const std::vector<NpzArray> arrays = read_npz(weights_npz(policy, counting(3), normalizer));
  REQUIRE(arrays.size() == 5);
  CHECK(arrays[2].name == "normalizer.mean");
  CHECK(arrays[2].values<double>() == normalizer.mean);
  CHECK(arrays[3].name == "normalizer.inverse_std");
  CHECK(arrays[3].values<double>() == normalizer.inverse_std);
  CHECK(arrays[4].name == "normalizer.clip");
  CHECK(arrays[4].values<double>() == std::vector<double>{5.0});
  CHECK(arrays[4].shape == "()");
}

TEST_CASE("the reference batch of virtual batch normalisation is exported with the weights") {
  const Network network(parse_network("conv:2@2/1;fc:5;vbn"), std::vector<std::size_t>{2, 2, 1}, 3);
  Policy policy{network, {}, {ObservationType::uint8, {1, 2, 2}}, {}};
  policy.reference_batch = std::make_shared<const std::vector<std::byte>>(
      std::vector<std::byte>{std::byte{0}, std::byte{1}, std::byte{2}, std::byte{3}, std::byte{200}, std::byte{201},
                             std::byte{202}, std::byte{203}});
  const std::vector<NpzArray> arrays = read_npz(weights_npz(policy, counting(network.parameter_count()), {}));
  CHECK(arrays.back().name == "reference_batch");
  CHECK(arrays.back().shape == "(2, 1, 2, 2)");
  CHECK(arrays.back().values<std::uint8_t>() == std::vector<std::uint8_t>{0, 1, 2, 3, 200, 201, 202, 203});
}
