#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace clade {

/// Outputs are padded to a multiple of this, with weights and biases of 0.
inline constexpr std::size_t kPanelLanes = 16;

/// How a layer's weight matrix [rows, columns] lies in memory for the kernels: in panels of so many columns (the last
/// one narrower, padded with zeros), each panel [rows, width] row-major and contiguous, so that a pass reads memory
/// straight through. For a dense layer rows are inputs and columns outputs; for a convolution rows are places of the
/// kernel, (ky, kx, c), and columns filters.
///
/// bf16 weights lie in words of 32 bits, two each: within a row of a panel, word 16 g + l has column 32 g + l in its
/// lower half and column 32 g + 16 + l in its upper half, so that a shift and a mask widen 32 of them.
struct PanelLayout {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t panel = 0;  ///< columns of a panel, a multiple of 32

  std::size_t padded_columns() const { return (columns + kPanelLanes - 1) / kPanelLanes * kPanelLanes; }
  std::size_t floats() const { return rows * padded_columns(); }                                     ///< fp32 storage
  std::size_t words() const { return rows * ((columns + 2 * kPanelLanes - 1) / 32 * kPanelLanes); }  ///< bf16 storage
  /// Whether fp32 panels are the row-major matrix itself.
  bool row_major() const { return columns == padded_columns() && columns <= panel; }
};

/// Copies the weights [first, first + part.size()) of the row-major matrix to their places. The padding is not touched:
/// it has to be 0 from the start.
void pack(const PanelLayout& layout, std::size_t first, std::span<const float> part, float* packed);

/// The same in bf16: each weight rounded to the nearest, ties to even; a NaN stays one.
void pack(const PanelLayout& layout, std::size_t first, std::span<const float> part, std::uint32_t* packed);

/// The bfloat16 nearest to x, ties to even, as a float: what the kernels see of a weight packed as bf16.
float round_to_bf16(float x);

}  // namespace clade
