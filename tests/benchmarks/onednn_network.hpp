#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/network.hpp"

namespace clade::bench {

/// A convolutional network by oneDNN, the yardstick of the CPU's kernels: float32, one thread, weights of each member
/// in the layout that oneDNN chooses, made beforehand.
class OneDnnNetwork {
 public:
  /// For passes of `rows` observations of bytes.
  OneDnnNetwork(const Network& network, std::size_t rows);
  ~OneDnnNetwork();
  OneDnnNetwork(const OneDnnNetwork&) = delete;
  OneDnnNetwork& operator=(const OneDnnNetwork&) = delete;

  void add_member(std::span<const float> parameters);
  /// `observations` are [rows, height, width, channels]; returns the outputs, [rows, outputs], until the next call.
  std::span<const float> forward(std::size_t member, const std::uint8_t* observations);

  static std::string version();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clade::bench
