#pragma once

// Runs of our programs with arguments that are wrong, or that are wronged.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "envs/catalog.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

namespace clade::test {

using Arguments = std::vector<std::string>;

/// A command and what its one line must hold.
struct Refusal {
  Arguments command;  ///< program and arguments
  std::string message;
  int exit_code = 2;
};

inline Arguments operator+(Arguments first, const Arguments& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

inline std::size_t lines(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

inline ProcessResult run(const Arguments& command, const TemporaryFolder& folder,
                         const std::vector<std::pair<std::string, std::string>>& environment = {}) {
  return run_program(command.front(), {command.begin() + 1, command.end()}, folder.path(), environment);
}

/// Runs a shell script in `folder`; "$@" is the command with our program's whole path.
inline ProcessResult run_script(const std::string& script, const Arguments& command, const TemporaryFolder& folder) {
  Arguments arguments = {"-c", script, "sh", program_path(command.front())};
  arguments.insert(arguments.end(), command.begin() + 1, command.end());
  return run_program("/bin/sh", arguments, folder.path());
}

inline void check_refused(const Refusal& refusal, const TemporaryFolder& folder,
                          const std::vector<std::pair<std::string, std::string>>& environment = {}) {
  std::string command;
  for (const std::string& word : refusal.command) command += word + " ";
  const ProcessResult result = run(refusal.command, folder, environment);
  INFO(command);
  CHECK(result.exit_code == refusal.exit_code);
  CHECK(lines(result.err) == 1);
  CHECK_THAT(result.err, clade::testing::contains_text(refusal.command.front() + ": ") &&
                             clade::testing::contains_text(refusal.message));
}

inline void check_refused(const std::vector<Refusal>& refusals, const TemporaryFolder& folder) {
  for (const Refusal& refusal : refusals) check_refused(refusal, folder);
}

/// A run of some milliseconds.
inline Arguments small_run(const Arguments& more = {}) {
  return Arguments{"clade-es",    "--env",
                   "CartPole-v1", "--network",
                   "mlp:4",       "--population",
                   "8",           "--evaluate-every",
                   "2",           "--evaluation-episodes",
                   "3",           "--final-episodes",
                   "2",           "--quiet"} +
         more;
}

inline Arguments four_generations(const std::string& file, const Arguments& more = {}) {
  return small_run({"--generations", "4", "--out", file}) + more;
}

inline void make(const Arguments& command, const TemporaryFolder& folder) {
  const ProcessResult result = run(command, folder);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
}

inline std::string hash_of(const std::string& file, const TemporaryFolder& folder) {
  const ProcessResult result = run({"clade-inspect", file, "--hash"}, folder);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return result.out;
}

/// The hash of an undisturbed run.
inline std::string reference_hash(const Arguments& command, const TemporaryFolder& folder) {
  make(command + Arguments{"--out", "reference.h5"}, folder);
  return hash_of("reference.h5", folder);
}

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// Empty where MuJoCo's environments can be made here, else why not.
inline std::string mujoco_absent() {
  for (const EnvironmentInfo& info : list_environments()) {
    if (info.name == "HalfCheetah-v5") return info.unavailable;
  }
  return "this build has no MuJoCo";
}

}  // namespace clade::test
