#include "core/number_text.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using namespace clade;

TEST_CASE("numbers are written as short as they read back", "[number_text]") {
  CHECK(number_text(0.02) == "0.02");
  CHECK(number_text(3430.0) == "3430");
  CHECK(number_text(-0.0075) == "-0.0075");
  CHECK(number_text(1e300) == "1e+300");
  for (double value : {0.1, 1.0 / 3.0, 5e-324, 1.7976931348623157e308}) {
    CHECK(parse_real(number_text(value), "value") == value);
  }
}

TEST_CASE("a text that is not wholly a number is refused by name", "[number_text]") {
  for (const char* text : {"", "x", "1x", " 1", "1 ", "0x10", "1,5"}) {
    CHECK_THROWS_WITH(parse_real(text, "ratio"), "ratio '" + std::string(text) + "' is not a number");
  }
  CHECK_THROWS_AS(parse_real("1e999", "ratio"), Error);
}

TEST_CASE("single precision numbers are written as short as they were") {
  CHECK(single_number_text(0.02F) == "0.02");
  CHECK(single_number_text(-1e30F) == "-1e+30");
}
