#include "core/weight_panels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "core/random.hpp"
#include "tests/support/catch.hpp"

using namespace clade;

namespace {

std::vector<float> draw(std::size_t size, std::uint64_t stream) {
  RandomStream rng({17, Purpose::test, 0, stream, 0});
  std::vector<float> values(size);
  for (float& value : values) value = static_cast<float>(rng.normal());
  return values;
}

/// The weight of (row, column) in fp32 panels, by the contract's words.
float weight_at(const PanelLayout& layout, const std::vector<float>& packed, std::size_t row, std::size_t column) {
  const std::size_t panel = column / layout.panel * layout.panel;
  const std::size_t width = std::min(layout.panel, layout.padded_columns() - panel);
  return packed[panel * layout.rows + row * width + column - panel];
}

/// The same in bf16 panels.
float weight_at(const PanelLayout& layout, const std::vector<std::uint32_t>& packed, std::size_t row,
                std::size_t column) {
  const std::size_t panel = column / layout.panel * layout.panel;
  const std::size_t columns = (layout.columns + 31) / 32 * 32;
  const std::size_t words = std::min(layout.panel, columns - panel) / 2;
  const std::size_t within = column - panel;
  const std::uint32_t word = packed[panel / 2 * layout.rows + row * words + within / 32 * 16 + within % 16];
  return std::bit_cast<float>(within % 32 < 16 ? word << 16U : word & 0xffff0000U);
}

}  // namespace

TEST_CASE("Weights lie in panels however they are handed over", "[kernels]") {
  for (std::size_t columns : {1U, 15U, 16U, 17U, 31U, 32U, 33U, 48U, 64U, 100U, 130U}) {
    for (std::size_t rows : {1U, 2U, 5U}) {
      for (std::size_t panel : {32U, 64U, 128U}) {
        const PanelLayout layout{rows, columns, panel};
        const std::vector<float> matrix = draw(rows * columns, columns);
        for (std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{33}, matrix.size()}) {
          std::vector<float> floats(layout.floats(), 0.0F);
          std::vector<std::uint32_t> words(layout.words(), 0);
          for (std::size_t first = 0; first < matrix.size(); first += piece) {
            const std::span<const float> part =
                std::span(matrix).subspan(first, std::min(piece, matrix.size() - first));
            pack(layout, first, part, floats.data());
            pack(layout, first, part, words.data());
          }
          bool same = true;
          std::size_t others = 0;  // padding that is not 0
          for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t column = 0; column < columns; ++column) {
              const float weight = matrix[row * columns + column];
              same = same && weight_at(layout, floats, row, column) == weight;
              same = same && weight_at(layout, words, row, column) == round_to_bf16(weight);
            }
            for (std::size_t column = columns; column < layout.padded_columns(); ++column) {
              others += weight_at(layout, floats, row, column) == 0.0F ? 0 : 1;
              others += weight_at(layout, words, row, column) == 0.0F ? 0 : 1;
            }
          }
          CHECK(same);
          CHECK(others == 0);
          if (layout.row_major()) CHECK(floats == matrix);
        }
      }
    }
  }
}

TEST_CASE("bf16 is the nearest one, ties to even", "[kernels]") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(round_to_bf16(1.0F) == 1.0F);
  CHECK(round_to_bf16(0x1.01p0F) == 0x1.00p0F);      // a tie, the even one is below
  CHECK(round_to_bf16(0x1.03p0F) == 0x1.04p0F);      // a tie, the even one is above
  CHECK(round_to_bf16(0x1.010002p0F) == 0x1.02p0F);  // just above a tie
  CHECK(round_to_bf16(0x1.00fffep0F) == 0x1.00p0F);  // just below
  CHECK(round_to_bf16(-0x1.03p0F) == -0x1.04p0F);
  CHECK(round_to_bf16(0x1.fffffep0F) == 2.0F);        // a carry into the exponent
  CHECK(round_to_bf16(0x1.fffffep127F) == infinity);  // and beyond the largest
  CHECK(round_to_bf16(infinity) == infinity);
  CHECK(round_to_bf16(-infinity) == -infinity);
  CHECK(std::isnan(round_to_bf16(std::numeric_limits<float>::quiet_NaN())));
  CHECK(std::isnan(round_to_bf16(std::bit_cast<float>(0x7f800001U))));  // a NaN whose upper bits are infinity's
  CHECK(round_to_bf16(0x1p-133F) == 0x1p-133F);                         // the smallest subnormal one
  CHECK(round_to_bf16(0x1p-135F) == 0.0F);
  CHECK(std::signbit(round_to_bf16(-0.0F)));
}
