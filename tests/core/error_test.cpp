#include "core/error.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace clade {
namespace {

std::string unknown_name_message(const std::string& name, const std::vector<std::string>& candidates) {
  try {
    throw_unknown_name("environment", name, candidates);
  } catch (const Error& error) {
    CHECK(error.exit_code() == 2);
    return error.what();
  }
}

TEST_CASE("an error's kind decides the exit code", "[error]") {
  CHECK(Error(ErrorKind::input, "x").exit_code() == 2);
  CHECK(Error(ErrorKind::run_time, "x").exit_code() == 1);
  CHECK_THROWS_WITH(throw_input_error("sigma is -1"), "sigma is -1");
  try {
    throw_run_time_error("disk full");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::run_time);
    CHECK(std::string(error.what()) == "disk full");
  }
}

TEST_CASE("the nearest name forgives case, typing errors and a missing end", "[error]") {
  const std::vector<std::string> names = {"HalfCheetah-v4", "HalfCheetah-v5", "Hopper-v4", "CartPole-v1", "Ant-v4"};
  CHECK(nearest_name("HalfCheeta-v4", names) == "HalfCheetah-v4");
  CHECK(nearest_name("HalfCheeta-v5", names) == "HalfCheetah-v5");
  CHECK(nearest_name("hopper-V4", names) == "Hopper-v4");
  CHECK(nearest_name("cartpole", names) == "CartPole-v1");
  CHECK(nearest_name("ant", names) == "Ant-v4");
  CHECK(nearest_name("Breakout", names).empty());
  CHECK(nearest_name("", names).empty());
  CHECK(nearest_name("x", names).empty());
}

TEST_CASE("an unknown name is refused with the nearest valid one", "[error]") {
  CHECK(unknown_name_message("Hoper-v4", {"Ant-v4", "Hopper-v4"}) ==
        "unknown environment 'Hoper-v4'; did you mean 'Hopper-v4'?");
  CHECK(unknown_name_message("Breakout", {"Ant-v4", "Hopper-v4"}) ==
        "unknown environment 'Breakout'; valid: Ant-v4, Hopper-v4");
  CHECK(unknown_name_message("Breakout", std::vector<std::string>(50, "abcdefghijkl")) ==
        "unknown environment 'Breakout'");
}

TEST_CASE("a failed check is a logic error that names its place", "[error]") {
  CHECK_NOTHROW(CLADE_CHECK(1 + 1 == 2));
  try {
    CLADE_CHECK(1 + 1 == 3);
    FAIL("the check passed");
  } catch (const std::logic_error& error) {
    CHECK_THAT(error.what(), testing::contains_text("1 + 1 == 3"));
    CHECK_THAT(error.what(), testing::contains_text("error_test.cpp:"));
  }
}

}  // namespace
}  // namespace clade
