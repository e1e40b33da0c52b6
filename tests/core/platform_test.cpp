#include "core/platform.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

#include "tests/support/catch.hpp"

using namespace clade;

TEST_CASE("the fingerprint names what decides bits and is the same each time") {
  const auto fingerprint = platform_fingerprint();
  CHECK(fingerprint == platform_fingerprint());
  REQUIRE(fingerprint.contains("architecture"));
  REQUIRE(fingerprint.contains("libc"));
  REQUIRE(fingerprint.contains("libm"));
  CHECK(fingerprint.at("libm").size() == 16);
  CHECK_FALSE(machine_description().at("processor").empty());
}

TEST_CASE("differences of platforms name the entry and both sides") {
  const std::map<std::string, std::string> here = {{"libc", "glibc 2.36"}, {"libm", "12"}, {"same", "x"}};
  const std::map<std::string, std::string> there = {{"libm", "34"}, {"mujoco", "3.17.0"}, {"same", "x"}};
  CHECK(platform_differences(here, there) == std::vector<std::string>{"libc: glibc 2.36 here, absent in the run",
                                                                      "libm: 12 here, 34 in the run",
                                                                      "mujoco: absent here, 3.17.0 in the run"});
  CHECK(platform_differences(here, here).empty());
}
