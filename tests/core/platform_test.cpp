#include "core/platform.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/support/catch.hpp"

using namespace clade;

namespace {

/// The digest of libm in this program started again, with `environment` (as the shell writes it) in force.
std::string libm_with(const std::string& environment) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  FILE* pipe = ::popen((environment + " '" + program + "' '[.print-libm]'").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  std::array<char, 256> piece{};
  while (std::fgets(piece.data(), static_cast<int>(piece.size()), pipe) != nullptr) output += piece.data();
  REQUIRE(::pclose(pipe) == 0);
  const std::size_t at = output.find("libm=");
  REQUIRE(at != std::string::npos);
  return output.substr(at + 5, 16);
}

}  // namespace

TEST_CASE("print the digest of libm", "[.print-libm]") {
  std::cout << "libm=" << platform_fingerprint().at("libm") << '\n';
}

TEST_CASE("the fingerprint tells variants of libm's functions apart") {
  if (machine_description().at("features").find("fma") == std::string::npos ||
      platform_fingerprint().at("libc").find("glibc") == std::string::npos) {
    CLADE_SKIP("glibc has no other variant for this processor");
  }
  CHECK(libm_with("") == platform_fingerprint().at("libm"));
  CHECK(libm_with("GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable") !=
        platform_fingerprint().at("libm"));
}

TEST_CASE("the fingerprint names what decides bits and is the same each time") {
  const auto fingerprint = platform_fingerprint();
  CHECK(fingerprint == platform_fingerprint());
  CHECK(fingerprint.at("results") == std::to_string(kResultsVersion));
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
