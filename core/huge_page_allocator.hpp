#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace clade {

namespace detail {
/// At least `bytes` bytes, aligned to 64, or to 2 MiB and with huge pages asked for where that many are wanted. Throws
/// std::bad_alloc.
void* allocate_aligned(std::size_t bytes);
void free_aligned(void* memory, std::size_t bytes);
}  // namespace detail

/// Allocator of buffers that a kernel reads from end to end: aligned to a cache line, and in huge pages where the
/// system has them and the buffer fills one, so that the pass does not wait for address translation.
template <class Value>
class HugePageAllocator {
 public:
  using value_type = Value;
  HugePageAllocator() = default;
  template <class Other>
  HugePageAllocator(const HugePageAllocator<Other>&) {}
  Value* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / 2 / sizeof(Value)) throw std::bad_alloc();
    return static_cast<Value*>(detail::allocate_aligned(count * sizeof(Value)));
  }
  void deallocate(Value* values, std::size_t count) { detail::free_aligned(values, count * sizeof(Value)); }
  bool operator==(const HugePageAllocator&) const = default;
};

template <class Value>
using KernelBuffer = std::vector<Value, HugePageAllocator<Value>>;

}  // namespace clade
