#include "core/packed_weights.hpp"

#include <vector>

#include "core/noise.hpp"
#include "tests/support/catch.hpp"

using namespace clade;

namespace {

/// A member of 3 + rows * columns + columns + 2 parameters: a matrix with its biases, between numbers that are not its.
struct Layer {
  PanelLayout layout;
  Population population;
  std::vector<float> parameters;

  explicit Layer(const PanelLayout& shape) : layout(shape) {
    const std::size_t size = 3 + layout.rows * layout.columns + layout.columns + 2;
    for (std::size_t i = 0; i < size; ++i) parameters.push_back(1.0F + static_cast<float>(i) / 7.0F);
    population.bases.push_back(std::make_shared<const std::vector<float>>(parameters));
  }
  LayerPlace place(bool bias) const { return {3, 3 + layout.rows * layout.columns, bias}; }
};

}  // namespace

TEST_CASE("A layer's weights are read into the kernels' layout", "[packed_weights]") {
  const auto noise = make_counter_noise();
  for (const PanelLayout& layout : {PanelLayout{5, 32, 32}, PanelLayout{1, 3, 32}, PanelLayout{70, 100, 64},
                                    PanelLayout{300, 40, 32}, PanelLayout{0, 4, 32}}) {
    const Layer layer(layout);
    const MemberWeights member(layer.population, Member{}, *noise);
    const std::span<const float> matrix = std::span(layer.parameters).subspan(3, layout.rows * layout.columns);

    PackedWeights floats(layout, layer.place(true), Precision::fp32);
    floats.fill(member);
    std::vector<float> expected(layout.floats());
    pack(layout, 0, matrix, expected.data());
    REQUIRE(floats.words() == nullptr);
    CHECK(std::vector<float>(floats.floats(), floats.floats() + expected.size()) == expected);
    for (std::size_t i = 0; i < layout.padded_columns(); ++i) {
      CHECK(floats.bias()[i] == (i < layout.columns ? layer.parameters[3 + matrix.size() + i] : 0.0F));
    }

    if (layout.rows == 0) continue;
    PackedWeights words(layout, layer.place(false), Precision::bf16);
    words.fill(member);
    std::vector<std::uint32_t> rounded(layout.words());
    pack(layout, 0, matrix, rounded.data());
    REQUIRE(words.floats() == nullptr);
    CHECK(std::vector<std::uint32_t>(words.words(), words.words() + rounded.size()) == rounded);
    for (std::size_t i = 0; i < layout.padded_columns(); ++i) CHECK(words.bias()[i] == 0.0F);
  }
}
