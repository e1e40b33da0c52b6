#include "core/program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child_process.hpp"

using clade::run_program;
using clade::testing::run_child;

namespace {

using Body = int (*)(int, const char* const*);

/// Runs `body` as the program bin/clade-es in a process of its own.
clade::testing::ChildResult run(Body body, int output = -1) {
  return run_child(
      [body] {
        const char* const argv[] = {"bin/clade-es", "--sigma", nullptr};
        return run_program(2, argv, body);
      },
      output);
}

void print_much() {
  for (int i = 0; i < 100'000; ++i) std::cout << "a line of a table\n";
}

}  // namespace

TEST_CASE("a program's name is what it was called by", "[program]") {
  const char* const path[] = {"/usr/bin/clade-es"};
  const char* const folder[] = {"bin/"};
  const char* const null[] = {nullptr};
  CHECK(clade::program_name(1, path) == "clade-es");
  CHECK(clade::program_name(1, folder) == "clade");
  CHECK(clade::program_name(0, null) == "clade");
  CHECK(clade::program_name(1, null) == "clade");
}

TEST_CASE("the version has three numbers", "[program]") {
  const std::string version = clade::version_string();
  CHECK(std::count(version.begin(), version.end(), '.') == 2);
  CHECK(version.find_first_not_of("0123456789.") == std::string::npos);
}

TEST_CASE("the body's exit code and arguments pass through", "[program]") {
  const auto result = run([](int argc, const char* const* argv) {
    return argc == 2 && std::string(argv[1]) == "--sigma" && argv[2] == nullptr ? 130 : 0;
  });
  CHECK(result.exit_code == 130);
  CHECK(result.error_text.empty());
}

TEST_CASE("whatever leaves the body becomes one line and an exit code", "[program]") {
  const auto input = run([](int, const char* const*) -> int { clade::throw_input_error("--sigma: 0 is too small"); });
  CHECK(input.exit_code == 2);
  CHECK(input.error_text == "clade-es: --sigma: 0 is too small\n");

  const auto failed = run([](int, const char* const*) -> int { clade::throw_run_time_error("no space left"); });
  CHECK(failed.exit_code == 1);
  CHECK(failed.error_text == "clade-es: no space left\n");

  const auto memory = run([](int, const char* const*) -> int { throw std::bad_alloc(); });
  CHECK(memory.exit_code == 1);
  CHECK(memory.error_text == "clade-es: out of memory; a smaller population, network or noise table needs less\n");

  const auto internal = run([](int, const char* const*) -> int { throw std::out_of_range("a\nb"); });
  CHECK(internal.exit_code == 1);
  CHECK(internal.error_text == "clade-es: internal error: a b; please report this\n");

  const auto check = run([](int argc, const char* const*) -> int {
    CLADE_CHECK(argc == 3);
    return 0;
  });
  CHECK(check.exit_code == 1);
  CHECK_THAT(check.error_text, clade::testing::contains_text("internal error: internal check failed: argc == 3 at "));
  CHECK(check.error_text.find("please report") == check.error_text.rfind("please report"));

  const auto unknown = run([](int, const char* const*) -> int { throw 3; });
  CHECK(unknown.exit_code == 1);
  CHECK(unknown.error_text == "clade-es: internal error: an exception of unknown type; please report this\n");
}

TEST_CASE("output that cannot be written is a failure", "[program]") {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  if (full < 0) CLADE_SKIP("no /dev/full here");
  const auto little = run(
      [](int, const char* const*) {
        std::cout << "best 3430.1\n";
        return 0;
      },
      full);
  CHECK(little.exit_code == 1);
  CHECK(little.error_text ==
        "clade-es: standard output cannot be written: No space left on device; what it should hold is incomplete\n");
  const auto much = run(
      [](int, const char* const*) {
        print_much();
        return 0;
      },
      full);
  CHECK(much.exit_code == 1);
  CHECK_THAT(much.error_text, clade::testing::contains_text("clade-es: standard output cannot be written"));
  const auto interrupted = run(
      [](int, const char* const*) {
        print_much();
        return 130;
      },
      full);
  CHECK(interrupted.exit_code == 130);
  close(full);
}

TEST_CASE("a reader that went away neither kills nor fails the program", "[program]") {
  std::array<int, 2> ends{};
  REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0);
  close(ends[0]);
  const auto result = run(
      [](int, const char* const*) {
        print_much();
        std::cout.flush();
        return 0;
      },
      ends[1]);
  close(ends[1]);
  CHECK(result.signal == 0);
  CHECK(result.exit_code == 0);
  CHECK(result.error_text.empty());
}
