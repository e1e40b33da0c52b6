#include "core/memory.hpp"

#include <limits>
#include <new>

#include "tests/support/catch.hpp"

namespace clade {
namespace {

TEST_CASE("a large array is zero, writable and of its size", "[memory]") {
  LargeArray array(1'000'003);
  CHECK(array.values().size() == 1'000'003);
  CHECK(array.values().front() == 0.0F);
  CHECK(array.values().back() == 0.0F);
  array.values().back() = 2.0F;
  const LargeArray moved = std::move(array);
  CHECK(moved.values().back() == 2.0F);
}

TEST_CASE("a size that no address space holds is refused", "[memory]") {
  CHECK_THROWS_AS(LargeArray(0), std::bad_alloc);
  CHECK_THROWS_AS(LargeArray(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
#if !defined(__SANITIZE_ADDRESS__)
  CHECK_THROWS_AS(LargeArray(std::size_t{1} << 60), std::bad_alloc);
#endif
}

TEST_CASE("the system says how much memory is left", "[memory]") {
  const auto available = available_memory();
  REQUIRE(available.has_value());
  CHECK(*available > 1e6);
  CHECK(*available < 1e16);
}

}  // namespace
}  // namespace clade
