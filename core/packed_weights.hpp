#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/huge_page_allocator.hpp"
#include "core/inference_engine.hpp"
#include "core/population.hpp"
#include "core/weight_panels.hpp"

namespace clade {

/// Where a layer's numbers are in the parameter vector.
struct LayerPlace {
  std::size_t weight_offset = 0;  ///< of the matrix [rows, columns] of the layout
  std::size_t bias_offset = 0;    ///< [columns]
  bool bias = true;
};

/// One layer's weights and biases in the kernels' layout, refilled for each member.
class PackedWeights {
 public:
  PackedWeights(const PanelLayout& layout, const LayerPlace& place, Precision precision);

  /// Reads the layer's numbers from `member`, piecewise where they have to be rearranged or rounded.
  void fill(const MemberWeights& member);

  const float* floats() const { return words_.empty() ? floats_.data() : nullptr; }
  const std::uint32_t* words() const { return words_.empty() ? nullptr : words_.data(); }
  const float* bias() const { return bias_.data(); }  ///< [padded columns]; zeros without bias and in the padding

 private:
  PanelLayout layout_;
  LayerPlace place_;
  KernelBuffer<float> floats_;
  KernelBuffer<std::uint32_t> words_;  // instead of floats_ where weights are stored as bf16
  KernelBuffer<float> bias_;
  std::vector<float> piece_;  // weights on their way to the panels; empty where they are read in place
};

}  // namespace clade
