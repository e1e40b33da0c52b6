#include "ga/power_schedule.hpp"

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tolerances.hpp"

using namespace clade;
using clade::testing::contains_text;

TEST_CASE("a constant mutation power", "[power]") {
  const PowerSchedule power = parse_power_schedule("0.002");
  CHECK(power == PowerSchedule{});
  CHECK(power.at(0) == 0.002);
  CHECK(power.at(4'000'000'000) == 0.002);
}

TEST_CASE("a linear schedule ends at its last power", "[power]") {
  const PowerSchedule power = parse_power_schedule("linear:0.5,0.125,3");
  CHECK(power.at(0) == 0.5);
  CHECK(power.at(1) == Approx(0.375).epsilon(1e-15));
  CHECK(power.at(2) == Approx(0.25).epsilon(1e-15));
  CHECK(power.at(3) == 0.125);
  CHECK(power.at(1000) == 0.125);
  CHECK(parse_power_schedule("linear:1,3,4").at(3) == 2.5);
}

TEST_CASE("an exponential schedule multiplies by the same factor each generation", "[power]") {
  const PowerSchedule halving = parse_power_schedule("exponential:1,0.0625,4");
  CHECK(halving.at(0) == 1.0);
  CHECK(halving.at(1) == 0.5);
  CHECK(halving.at(2) == 0.25);
  CHECK(halving.at(3) == 0.125);
  CHECK(halving.at(4) == 0.0625);
  CHECK(halving.at(5) == 0.0625);
  for (const std::string text : {"exponential:0.01,0.001,200", "exponential:0.001,5,77"}) {
    const PowerSchedule power = parse_power_schedule(text);
    for (std::uint64_t generation = 0; generation < power.generations; ++generation) {
      const double share = static_cast<double>(generation) / static_cast<double>(power.generations);
      const double expected = power.first * std::pow(power.last / power.first, share);
      CHECK(std::abs(power.at(generation) / expected - 1.0) < clade::testing::kPowerSchedule);
    }
  }
}

TEST_CASE("a schedule's description reads back as itself", "[power]") {
  for (const std::string text : {"0.002", "linear:0.01,0.001,200", "exponential:0.00224,1e-5,1"}) {
    const PowerSchedule power = parse_power_schedule(text);
    CHECK(parse_power_schedule(power.description()) == power);
  }
  CHECK(parse_power_schedule("linear:0.010,1e-3,2e2").description() == "linear:0.01,0.001,200");
}

TEST_CASE("text that is no mutation power is refused with what it should be", "[power]") {
  const auto refuses = [](const std::string& text, const std::string& part) {
    INFO(text);
    CHECK_THROWS_WITH(parse_power_schedule(text), contains_text(part));
  };
  refuses("", "mutation power ''");
  refuses("strong", "linear:0.01,0.001,200");
  refuses("0.1 ", "mutation power '0.1 '");
  refuses("0", "above 0");
  refuses("-0.1", "above 0");
  refuses("1e-60", "above 0");
  refuses("1e39", "3.4e38");
  refuses("nan", "mutation power 'nan'");
  refuses("liner:0.1,0.2,3", "did you mean 'linear'");
  refuses("linear:0.1,0.2", "FIRST,LAST,GENERATIONS");
  refuses("linear:0.1,0.2,3,4", "FIRST,LAST,GENERATIONS");
  refuses("linear:0.1,0.2,1.5", "FIRST,LAST,GENERATIONS");
  refuses("linear:0.1,0.2,-1", "FIRST,LAST,GENERATIONS");
  refuses("linear:0.1,0.2,0", "at least 1");
  refuses("linear:0.1,,3", "last mutation power");
  refuses("exponential:0.1,0,3", "above 0");
  refuses("exponential:x,0.1,3", "first mutation power");
}
