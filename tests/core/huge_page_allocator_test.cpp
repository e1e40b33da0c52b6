#include "core/huge_page_allocator.hpp"

#include <cstdint>
#include <limits>

#include "tests/support/catch.hpp"

using namespace clade;

TEST_CASE("Kernel buffers are zero and lie on cache lines, large ones on huge pages", "[huge_page_allocator]") {
  for (std::size_t size : {std::size_t{1}, std::size_t{100}, std::size_t{524287}, std::size_t{524288},
                           std::size_t{1} << 20U, (std::size_t{1} << 20U) + 3}) {
    KernelBuffer<float> buffer(size);
    const auto address = reinterpret_cast<std::uintptr_t>(buffer.data());
    CHECK(address % 64 == 0);
    if (size * sizeof(float) >= std::size_t{2} << 20U) CHECK(address % (std::size_t{2} << 20U) == 0);
    CHECK(buffer == KernelBuffer<float>(size, 0.0F));
    buffer.back() = 1.0F;
    KernelBuffer<float> moved = std::move(buffer);
    CHECK(moved.back() == 1.0F);
    moved.resize(2 * size);
    CHECK(moved[size - 1] == 1.0F);
    CHECK(moved.back() == 0.0F);
  }
}

TEST_CASE("A buffer beyond the address space is refused", "[huge_page_allocator]") {
  HugePageAllocator<double> allocator;
  CHECK_THROWS_AS(allocator.allocate(std::numeric_limits<std::size_t>::max() / 8), std::bad_alloc);
}
