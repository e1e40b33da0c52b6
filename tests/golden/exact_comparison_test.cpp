#include "tools/exact_comparison.hpp"

#include <cstdint>
#include <vector>

#include "tests/support/catch.hpp"

namespace clade {

TEST_CASE("Differing values are counted by quantity", "[golden]") {
  ExactComparison comparison;
  CHECK_FALSE(all_equal(comparison.quantities()));  // nothing was compared
  const std::vector<std::uint8_t> bytes{1, 2, 3};
  comparison.compare("ram", bytes, bytes);
  comparison.compare("reward", std::int64_t{-7}, std::int64_t{-7});
  CHECK(all_equal(comparison.quantities()));
  comparison.compare("ram", bytes, std::vector<std::uint8_t>{1, 0, 4});
  comparison.compare("actions", std::vector<std::int64_t>{1, 2}, std::vector<std::int64_t>{1, 2});

  const auto& quantities = comparison.quantities();
  REQUIRE(quantities.size() == 3);
  CHECK(quantities[0].name == "ram");
  CHECK(quantities[0].values == 6);
  CHECK(quantities[0].differing == 2);
  CHECK(quantities[1].name == "reward");
  CHECK(quantities[1].values == 1);
  CHECK(quantities[1].differing == 0);
  CHECK(quantities[2].name == "actions");
  CHECK(quantities[2].values == 2);
  CHECK_FALSE(all_equal(quantities));
  CHECK_THROWS_WITH(comparison.compare("ram", bytes, std::vector<std::uint8_t>{1}),
                    "recorded 'ram' has 1 values, ours 3");
}

}  // namespace clade
