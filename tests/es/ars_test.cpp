#include "es/ars.hpp"

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/recorded_noise.hpp"
#include "tests/support/tolerances.hpp"

using namespace clade;
using clade::testing::contains_text;
using clade::testing::kOptimizerStep;
using clade::testing::RecordedNoise;

namespace {

constexpr std::uint64_t kSeed = 5;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Values = std::vector<double>;

ArsConfig config_of(std::size_t directions, std::size_t top) {
  ArsConfig config;
  config.directions = directions;
  config.top = top;
  config.step_size = 0.5;
  config.noise = 0.25;
  return config;
}

/// Four parameters; direction i of generation 0 is the i-th unit vector, so that theta shows each direction's weight.
Values weights(const ArsConfig& config, const Values& returns) {
  RecordedNoise noise;
  for (std::size_t i = 0; i < 4; ++i) {
    Values unit(4, 0.0);
    unit[i] = 1.0;
    noise.record(direction_key(kSeed, 0, i), unit);
  }
  Ars strategy(config, Values(4, 0.0), kSeed, noise, 1);
  strategy.tell(returns);
  return {strategy.solution().begin(), strategy.solution().end()};
}

void check_near(const Values& values, const Values& expected) {
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(std::abs(values[i] - expected[i]) < kOptimizerStep);
}

}  // namespace

TEST_CASE("ARS steps by the return differences of the kept directions over their deviation", "[ars]") {
  // Best of each direction: 4, 6, 1, 5; the top two are directions 1 and 3, with returns 6, 2, 1, 5.
  const Values returns{4, 3, 6, 2, 0, 1, 1, 5};
  const double deviation = std::sqrt((2.5 * 2.5 + 1.5 * 1.5 + 2.5 * 2.5 + 1.5 * 1.5) / 4.0);
  const double rate = 0.5 / (2.0 * deviation);
  check_near(weights(config_of(4, 2), returns), {0.0, rate * 4.0, 0.0, rate * -4.0});
}

TEST_CASE("ARS with all directions kept", "[ars]") {
  const Values returns{4, 3, 6, 2, 0, 1, 1, 5};
  double squares = 0.0;
  for (double value : returns) squares += (value - 2.75) * (value - 2.75);
  const double rate = 0.5 / (4.0 * std::sqrt(squares / 8.0));
  check_near(weights(config_of(4, 4), returns), {rate * 1.0, rate * 4.0, rate * -1.0, rate * -4.0});
}

TEST_CASE("one update agrees with the authors' formulas in numpy", "[ars]") {
  // numpy 2.4.6: kept = best >= percentile(best, 100 (1 - b/N)); g = mean over kept of (r+ - r-)/std(kept r) delta.
  const std::vector<Values> deltas{{0.5, -1.25, 0.75}, {1.5, 0.25, -0.5},  {-0.75, 0.125, 2.0},
                                   {0.25, 0.5, -1.5},  {-2.0, 1.0, 0.375}, {0.625, -0.875, -0.25}};
  RecordedNoise noise;
  for (std::size_t i = 0; i < deltas.size(); ++i) noise.record(direction_key(kSeed, 0, i), deltas[i]);
  ArsConfig config = config_of(6, 3);
  config.step_size = 0.02;
  Ars strategy(config, Values{0.1, -0.2, 0.3}, kSeed, noise, 1);
  strategy.tell(Values{12.5, -3.25, 101.75, 99.5, -20.0, 55.125, 7.0, 55.0, 60.25, -41.5, 3.5, 2.75});
  check_near({strategy.solution().begin(), strategy.solution().end()},
             {0.082594138712037, -0.18875106965012867, 0.28629397186561834});
}

TEST_CASE("one direction steps by twice the step size, whatever the returns", "[ars]") {
  check_near(weights(config_of(1, 1), {300.0, 100.0}), {1.0, 0.0, 0.0, 0.0});
  check_near(weights(config_of(1, 1), {100.0, 300.0}), {-1.0, 0.0, 0.0, 0.0});
}

TEST_CASE("directions that tie with the last kept one are kept too, as in the authors' code", "[ars]") {
  // Best: 5, 7, 5, 2. The second best is 5, twice: three directions are kept and the sum is divided by three.
  const Values returns{5, 1, 7, 3, 1, 5, 2, 0};
  const double mean = 22.0 / 6.0;
  double squares = 0.0;
  for (double value : {5.0, 1.0, 7.0, 3.0, 1.0, 5.0}) squares += (value - mean) * (value - mean);
  const double rate = 0.5 / (3.0 * std::sqrt(squares / 6.0));
  check_near(weights(config_of(4, 2), returns), {rate * 4.0, rate * 4.0, rate * -4.0, 0.0});
}

TEST_CASE("equal returns move nothing", "[ars]") { CHECK(weights(config_of(4, 2), Values(8, 0.1)) == Values(4, 0.0)); }

TEST_CASE("a failed evaluation counts as the lowest finite return", "[ars]") {
  CHECK(weights(config_of(4, 4), {4, kNan, 6, 2, kNan, kNan, 1, 5}) ==
        weights(config_of(4, 4), {4, 1, 6, 2, 1, 1, 1, 5}));
  CHECK(weights(config_of(4, 2), Values(8, kNan)) == Values(4, 0.0));
}

TEST_CASE("an extended generation keeps the same share of directions", "[ars]") {
  const Values returns{4, 3, 6, 2, 0, 1, 1, 5};
  CHECK(weights(config_of(2, 1), returns) == weights(config_of(4, 2), returns));
  CHECK(weights(config_of(3, 3), returns) == weights(config_of(4, 4), returns));
  CHECK(weights(config_of(3, 1), returns) == weights(config_of(4, 2), returns));  // 4/3 directions, rounded up
}

TEST_CASE("huge returns neither overflow nor stop the search", "[ars]") {
  check_near(weights(config_of(1, 1), {1.7e308, -1.7e308}), {1.0, 0.0, 0.0, 0.0});
}

TEST_CASE("ARS settings out of range are refused with the value and the limit", "[ars]") {
  const auto refuses = [](auto change, const std::string& value, const std::string& limit) {
    ArsConfig config;
    change(config);
    CHECK_THROWS_WITH(config.validate(), contains_text(value) && contains_text(limit));
  };
  refuses([](ArsConfig& config) { config.directions = 0; }, "directions 0", "[1, 2147483648]");
  refuses([](ArsConfig& config) { config.top = 0; }, "top directions 0", "[1, 32]");
  refuses([](ArsConfig& config) { config.top = 33; }, "top directions 33", "[1, 32]");
  refuses([](ArsConfig& config) { config.step_size = 0.0; }, "step size 0", "above 0");
  refuses([](ArsConfig& config) { config.step_size = kNan; }, "step size nan", "above 0");
  refuses([](ArsConfig& config) { config.noise = -0.1; }, "exploration noise -0.1", "outside");
}
