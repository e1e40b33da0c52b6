#include "core/packed_weights.hpp"

#include <algorithm>

namespace clade {

namespace {

/// Floats on their way at a time: small enough to stay in the first-level cache.
constexpr std::size_t kPieceFloats = 4096;

}  // namespace

PackedWeights::PackedWeights(const PanelLayout& layout, const LayerPlace& place, Precision precision)
    : layout_(layout), place_(place), bias_(layout.padded_columns()) {
  const std::size_t size = layout.rows * layout.columns;
  if (precision == Precision::bf16 && size > 0) {
    words_.resize(layout.words());
  } else {
    floats_.resize(layout.floats());
  }
  if (!words_.empty() || !layout.row_major()) piece_.resize(std::min(kPieceFloats, size));
}

void PackedWeights::fill(const MemberWeights& member) {
  if (place_.bias) member.read(place_.bias_offset, {bias_.data(), layout_.columns});
  const std::size_t size = layout_.rows * layout_.columns;
  if (piece_.empty()) {
    member.read(place_.weight_offset, {floats_.data(), size});
    return;
  }
  for (std::size_t first = 0; first < size; first += piece_.size()) {
    const std::span<float> part = std::span(piece_).first(std::min(piece_.size(), size - first));
    member.read(place_.weight_offset + first, part);
    if (words_.empty()) {
      pack(layout_, first, part, floats_.data());
    } else {
      pack(layout_, first, part, words_.data());
    }
  }
}

}  // namespace clade
