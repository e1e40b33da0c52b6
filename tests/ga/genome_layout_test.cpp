#include "ga/genome_layout.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using namespace clade;

namespace {

using Starts = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("layers begin at their weights, the first not among the cuts", "[genome_layout]") {
  // 3 -> 4 -> 2: 12 weights and 4 biases, 8 weights and 2 biases.
  const Network mlp(parse_network("mlp:4:tanh"), std::size_t{3}, 2);
  const GenomeLayout layout = genome_layout(mlp, Initialisation::fan_in);
  CHECK(layout.parameter_count == 26);
  CHECK(layout.layer_starts == Starts{16});
  REQUIRE(layout.initial_scales->size() == 2);
  CHECK(layout.initial_scales->at(0).count == 12);
  CHECK(layout.initial_scales->at(1).first == 16);
  CHECK(genome_layout(Network(parse_network("linear"), std::size_t{3}, 2), Initialisation::zero).layer_starts.empty());
  CHECK_THROWS_AS(genome_layout(mlp, Initialisation::normc), Error);
}

TEST_CASE("a convolutional network's cuts lie between its layers", "[genome_layout]") {
  const std::size_t shape[] = {84, 84, 4};
  const Network network(parse_network("large_model"), shape, 18);
  const GenomeLayout layout = genome_layout(network, Initialisation::uber);
  CHECK(layout.parameter_count == 4'052'658);
  const std::uint64_t conv1 = 8 * 8 * 4 * 32 + 32;
  const std::uint64_t conv2 = conv1 + 4 * 4 * 32 * 64 + 64;
  const std::uint64_t hidden = conv2 + 3 * 3 * 64 * 64 + 64;
  const std::uint64_t output = hidden + 11 * 11 * 64 * 512 + 512;
  CHECK(layout.layer_starts == Starts{conv1, conv2, hidden, output});
}
