#include "core/random.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/tolerances.hpp"

namespace clade {
namespace {

using Words = std::array<std::uint32_t, 4>;

TEST_CASE("Philox4x32-10 gives Random123's known answers", "[random]") {
  constexpr std::uint32_t kOnes = 0xffffffffU;
  CHECK(philox_block(PhiloxKey{}, 0) == Words{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U});
  CHECK(philox_block(PhiloxKey{{kOnes, kOnes}, {kOnes, kOnes, kOnes}}, kOnes) ==
        Words{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU});
  CHECK(philox_block(PhiloxKey{{0xa4093822U, 0x299f31d0U}, {0x85a308d3U, 0x13198a2eU, 0x03707344U}}, 0x243f6a88U) ==
        Words{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U});
}

TEST_CASE("a key is packed as documented", "[random]") {
  const RandomKey key{.seed = 0x1122334455667788U,
                      .purpose = Purpose::perturbation,
                      .generation = 0xfffffffeU,
                      .member = 7,
                      .episode = 0xabcdefU};
  const PhiloxKey packed = pack(key);
  CHECK(packed.key == std::array<std::uint32_t, 2>{0x55667788U, 0x11223344U});
  CHECK(packed.counter == std::array<std::uint32_t, 3>{7U, 0xfffffffeU, 0x02abcdefU});
}

TEST_CASE("a field that does not fit its bits is refused with value and limit", "[random]") {
  CHECK_NOTHROW(pack(RandomKey{.generation = 0xffffffffU, .member = 0xffffffffU, .episode = 0xffffffU}));
  CHECK_THROWS_WITH(pack(RandomKey{.generation = std::uint64_t{1} << 32}),
                    testing::contains_text("generation 4294967296") && testing::contains_text("4294967295"));
  CHECK_THROWS_WITH(pack(RandomKey{.member = std::uint64_t{1} << 32}), testing::contains_text("member 4294967296"));
  CHECK_THROWS_WITH(pack(RandomKey{.episode = std::uint64_t{1} << 24}),
                    testing::contains_text("episode 16777216") && testing::contains_text("16777215"));
}

TEST_CASE("a stream reads its blocks in order", "[random]") {
  const PhiloxKey key = pack(RandomKey{.seed = 5, .generation = 2});
  RandomStream stream(key, 9);
  const Words first = philox_block(key, 9);
  const Words second = philox_block(key, 10);
  CHECK(stream.next_u32() == first[0]);
  CHECK(stream.next_u64() == (std::uint64_t{first[2]} << 32 | first[1]));
  CHECK(stream.next_u64() == (std::uint64_t{second[0]} << 32 | first[3]));
}

TEST_CASE("a stream ends with its last block", "[random]") {
  RandomStream stream(RandomKey{}, 0xffffffffU);
  for (int word = 0; word < 4; ++word) stream.next_u32();
  CHECK_THROWS_AS(stream.next_u32(), std::logic_error);
}

TEST_CASE("uniform numbers stay in their half-open range and fill it evenly", "[random]") {
  RandomStream stream(RandomKey{.seed = 1});
  std::vector<double> sample(20000);
  for (double& value : sample) {
    value = stream.uniform();
    REQUIRE((value >= 0.0 && value < 1.0));
  }
  CHECK(testing::kolmogorov_statistic(sample, [](double x) { return x; }) < testing::kKolmogorovCritical);

  const double tight = std::nextafter(1.0, 2.0);
  for (int i = 0; i < 100; ++i) {
    REQUIRE(stream.uniform(1.0, tight) == 1.0);
    const double value = stream.uniform(-3.0, 5.0);
    REQUIRE((value >= -3.0 && value < 5.0));
  }
  CHECK(stream.uniform(2.0, 2.0) == 2.0);
}

TEST_CASE("below() is unbiased", "[random]") {
  RandomStream stream(RandomKey{.seed = 2});
  CHECK(stream.below(1) == 0);
  CHECK_THROWS_AS(stream.below(0), std::logic_error);
  // Three quarters of 2^32: without rejection the lower half would be drawn twice as often as it should be.
  constexpr std::uint32_t kBound = 3U << 30;
  constexpr int kDraws = 30000;
  std::array<double, 3> counts{};
  for (int i = 0; i < kDraws; ++i) {
    const std::uint32_t value = stream.below(kBound);
    REQUIRE(value < kBound);
    ++counts[value >> 30];
  }
  double chi_square = 0.0;
  for (const double count : counts) {
    const double expected = kDraws / 3.0;
    chi_square += (count - expected) * (count - expected) / expected;
  }
  CHECK(chi_square < 13.8);  // two degrees of freedom, level .001
}

TEST_CASE("double normals are Box and Muller's to the last bits", "[random]") {
  const PhiloxKey key = pack(RandomKey{.seed = 3});
  RandomStream words(key);
  RandomStream stream(key);
  constexpr long double kTwoPi = 6.28318530717958647692528676655900577L;
  double largest_error = 0.0;
  for (int pair = 0; pair < 20000; ++pair) {
    const long double u = static_cast<long double>((words.next_u64() >> 11) + 1) * 0x1p-53L;
    const long double v = static_cast<long double>(words.next_u64() >> 11) * 0x1p-53L;
    const long double radius = std::sqrt(-2.0L * std::log(u));
    for (const long double exact : {radius * std::cos(kTwoPi * v), radius * std::sin(kTwoPi * v)}) {
      largest_error = std::max(largest_error, static_cast<double>(std::fabs(stream.normal() - exact)));
    }
  }
  CHECK(largest_error < testing::kDoubleNormal);
}

TEST_CASE("double normals are normally distributed", "[random]") {
  RandomStream stream(RandomKey{.seed = 4});
  std::vector<double> sample(40000);
  for (double& value : sample) value = stream.normal();
  CHECK(testing::kolmogorov_statistic(sample, testing::normal_distribution_function) < testing::kKolmogorovCritical);
}

TEST_CASE("purposes and fields name streams of their own", "[random]") {
  const RandomKey key{.seed = 1, .purpose = Purpose::environment, .generation = 3, .member = 4, .episode = 5};
  const Words words = philox_block(pack(key), 0);
  RandomKey other = key;
  other.seed = 2;
  CHECK(philox_block(pack(other), 0) != words);
  other = key;
  other.purpose = Purpose::evaluation_environment;
  CHECK(philox_block(pack(other), 0) != words);
  other = key;
  other.generation = 4;
  CHECK(philox_block(pack(other), 0) != words);
  other = key;
  other.member = 3;
  CHECK(philox_block(pack(other), 0) != words);
  other = key;
  other.episode = 6;
  CHECK(philox_block(pack(other), 0) != words);
  CHECK(philox_block(pack(key), 1) != words);
}

}  // namespace
}  // namespace clade
