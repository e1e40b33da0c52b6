#include "core/number_text.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using namespace clade;

namespace {

template <class Number>
Number read(const std::string& text) {
  Number value{};
  INFO(text);
  REQUIRE(read_number(text, value) == NumberProblem::none);
  return value;
}

template <class Number>
NumberProblem problem(const std::string& text) {
  Number value = 77;
  const NumberProblem result = read_number(text, value);
  if (result != NumberProblem::none) CHECK(value == Number{77});  // untouched
  return result;
}

}  // namespace

TEST_CASE("integers are exact up to the limits of their type", "[number_text]") {
  CHECK(read<std::uint64_t>("0") == 0);
  CHECK(read<std::uint64_t>("007") == 7);
  CHECK(read<std::uint64_t>("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  CHECK(read<std::uint64_t>("1e6") == 1'000'000);
  CHECK(read<std::uint64_t>("1E+19") == 10'000'000'000'000'000'000u);
  CHECK(read<std::uint64_t>("2.50e2") == 250);
  CHECK(read<std::uint64_t>("1.0") == 1);
  CHECK(read<std::uint64_t>("1200e-2") == 12);
  CHECK(read<std::uint64_t>("0e999999999999999999999") == 0);
  CHECK(read<std::uint64_t>("-0") == 0);
  CHECK(read<std::int64_t>("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
  CHECK(read<std::int64_t>("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  CHECK(read<std::int64_t>("-1e3") == -1000);
  CHECK(problem<std::uint64_t>("18446744073709551616") == NumberProblem::too_large);
  CHECK(problem<std::uint64_t>("1e20") == NumberProblem::too_large);
  CHECK(problem<std::uint64_t>("1e999999999999999999999") == NumberProblem::too_large);
  CHECK(problem<std::uint64_t>("-1") == NumberProblem::too_large);
  CHECK(problem<std::int64_t>("9223372036854775808") == NumberProblem::too_large);
  CHECK(problem<std::int64_t>("-9223372036854775809") == NumberProblem::too_large);
  CHECK(problem<std::uint64_t>("1.5") == NumberProblem::not_whole);
  CHECK(problem<std::uint64_t>("1e-2") == NumberProblem::not_whole);
  CHECK(problem<std::uint64_t>("inf") == NumberProblem::not_finite);
}

TEST_CASE("only a whole decimal token is a number", "[number_text]") {
  for (const std::string text : {"",     " ",     "-",   ".",     "e5",  "1e", "1e+",   "+1",     " 1",  "1 ",     "1x",
                                 "0x10", "1_000", "1,5", "1'000", "--1", "1-", "1e5.0", "nan(1)", "1\n", "infinit"}) {
    INFO(text);
    CHECK(problem<std::uint64_t>(text) == NumberProblem::not_a_number);
    CHECK(problem<std::int64_t>(text) == NumberProblem::not_a_number);
    CHECK(problem<double>(text) == NumberProblem::not_a_number);
  }
  CHECK(problem<double>(std::string("1\0", 2)) == NumberProblem::not_a_number);
}

TEST_CASE("real numbers are read to the nearest double", "[number_text]") {
  CHECK(read<double>("0.02") == 0.02);
  CHECK(read<double>("-.5") == -0.5);
  CHECK(read<double>("5.") == 5.0);
  CHECK(read<double>("1e6") == 1e6);
  CHECK(read<double>("4.9406564584124654e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(std::signbit(read<double>("-0")));
  CHECK(problem<double>("1e309") == NumberProblem::too_large);
  CHECK(problem<double>("-1e309") == NumberProblem::too_large);
  CHECK(problem<double>("1" + std::string(400, '0') + ".5") == NumberProblem::too_large);
  CHECK(problem<double>("1e-400") == NumberProblem::too_small);
  CHECK(problem<double>("0." + std::string(400, '0') + "1") == NumberProblem::too_small);
  for (const char* text : {"nan", "-nan", "NaN", "inf", "-INF", "infinity"}) {
    CHECK(problem<double>(text) == NumberProblem::not_finite);
  }
}

TEST_CASE("plain texts of doubles are short, as people write them, and read back to the same bits", "[number_text]") {
  CHECK(number_text(0.02) == "0.02");
  CHECK(number_text(1e6) == "1000000");
  CHECK(number_text(1e14) == "100000000000000");
  CHECK(number_text(1e15) == "1e15");
  CHECK(number_text(1e100) == "1e100");
  CHECK(number_text(-1e-8) == "-1e-8");
  CHECK(number_text(1e-4) == "0.0001");
  CHECK(number_text(0.0) == "0");
  CHECK(number_text(-0.0) == "-0");
  CHECK(number_text(0.1 + 0.2) == "0.30000000000000004");
  CHECK(number_text(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(number_text(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(number_text(std::nan("")) == "nan");

  std::uint64_t bits = 0x9e3779b97f4a7c15u;
  for (int i = 0; i < 20'000; ++i) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    const double value = std::bit_cast<double>(bits);
    if (!std::isfinite(value)) continue;
    REQUIRE(std::bit_cast<std::uint64_t>(read<double>(number_text(value))) == bits);
  }
}

TEST_CASE("a text that is no finite number is refused by name", "[number_text]") {
  CHECK(parse_real("-2.5e-3", "ratio") == -0.0025);
  for (const char* text : {"", "x", "1x", " 1", "1 ", "0x10", "1,5"}) {
    CHECK_THROWS_WITH(parse_real(text, "ratio"), "ratio '" + std::string(text) + "' is not a number");
  }
  for (const char* text : {"1e999", "inf", "nan"}) {
    CHECK_THROWS_WITH(parse_real(text, "ratio"), "ratio '" + std::string(text) + "' is not a finite number");
  }
}

TEST_CASE("single precision numbers are written as short as they were", "[number_text]") {
  CHECK(single_number_text(0.02F) == "0.02");
  CHECK(single_number_text(-1e30F) == "-1e30");
  CHECK(single_number_text(1e-4F) == "0.0001");
}
