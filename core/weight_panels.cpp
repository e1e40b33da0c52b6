#include "core/weight_panels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace clade {
namespace {

constexpr std::uint32_t kUpperHalf = 0xffff0000U;

/// The upper half of the bits of x, rounded to the nearest, ties to even; the lower half arbitrary. A carry into the
/// exponent is what rounding up means. A NaN keeps its upper bits, of which one is set to keep it a NaN.
std::uint32_t rounded_bits(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = bits + 0x7fffU + ((bits >> 16) & 1U);
  return (bits & 0x7fffffffU) > 0x7f800000U ? bits | 0x00400000U : rounded;
}

/// Calls copy(values, row, panel's first column, column within the panel, count) for each stretch of `part` that lies
/// in one row of one panel.
template <class Copy>
void for_each_run(const PanelLayout& layout, std::size_t first, std::span<const float> part, Copy copy) {
  std::size_t row = first / layout.columns;
  std::size_t column = first % layout.columns;
  for (std::size_t done = 0; done < part.size();) {
    const std::size_t panel = column / layout.panel * layout.panel;
    const std::size_t end = std::min(panel + layout.panel, layout.columns);
    const std::size_t count = std::min(end - column, part.size() - done);
    copy(part.data() + done, row, panel, column - panel, count);
    done += count;
    column += count;
    if (column == layout.columns) {
      column = 0;
      ++row;
    }
  }
}

}  // namespace

void pack(const PanelLayout& layout, std::size_t first, std::span<const float> part, float* packed) {
  for_each_run(layout, first, part,
               [&](const float* run, std::size_t row, std::size_t panel, std::size_t column, std::size_t count) {
                 const std::size_t width = std::min(layout.panel, layout.padded_columns() - panel);
                 std::copy_n(run, count, packed + panel * layout.rows + row * width + column);
               });
}

void pack(const PanelLayout& layout, std::size_t first, std::span<const float> part, std::uint32_t* packed) {
  constexpr std::size_t kPair = 2 * kPanelLanes;
  const std::size_t row_columns = (layout.columns + kPair - 1) / kPair * kPair;
  for_each_run(layout, first, part,
               [&](const float* run, std::size_t row, std::size_t panel, std::size_t column, std::size_t count) {
                 const std::size_t width = std::min(layout.panel, row_columns - panel);
                 std::uint32_t* const words = packed + (panel * layout.rows + row * width) / 2;
                 std::size_t i = 0;
                 const auto put_one = [&] {
                   const std::size_t place = column + i;
                   std::uint32_t& word = words[place / kPair * kPanelLanes + place % kPanelLanes];
                   const std::uint32_t bits = rounded_bits(run[i]);
                   word = place % kPair < kPanelLanes ? (word & kUpperHalf) | (bits >> 16)
                                                      : (word & ~kUpperHalf) | (bits & kUpperHalf);
                   ++i;
                 };
                 while (i < count && (column + i) % kPair != 0) put_one();
                 for (; i + kPair <= count; i += kPair) {
                   std::uint32_t* const group = words + (column + i) / 2;
                   for (std::size_t lane = 0; lane < kPanelLanes; ++lane) {
                     group[lane] =
                         (rounded_bits(run[i + lane]) >> 16) | (rounded_bits(run[i + kPanelLanes + lane]) & kUpperHalf);
                   }
                 }
                 while (i < count) put_one();
               });
}

float round_to_bf16(float x) { return std::bit_cast<float>(rounded_bits(x) & kUpperHalf); }

}  // namespace clade
