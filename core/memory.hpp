#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace clade {

/// Bytes that this process may still take before the system swaps or kills it: the kernel's estimate and what the
/// control groups leave. Nothing where the system does not say.
std::optional<double> available_memory();

/// A large array of floats, zero at first, on huge pages where the system grants them. Pages come into being when they
/// are first written. The constructor throws std::bad_alloc where the address space is refused.
class LargeArray {
 public:
  explicit LargeArray(std::size_t size);
  std::span<float> values() { return {data_.get(), size_}; }
  std::span<const float> values() const { return {data_.get(), size_}; }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(float* data) const;
  };
  std::size_t size_;
  std::unique_ptr<float, Unmap> data_;
};

}  // namespace clade
