// A run that is killed, interrupted or extended ends with the bits of one that never was.

#include <signal.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "core/random.hpp"
#include "experiments/stored_run.hpp"
#include "tests/invariance/run_helpers.hpp"

namespace clade::test {
namespace {

constexpr int kExitInterrupted = 130;
constexpr int kKilled = 128 + SIGKILL;

void sleep_milliseconds(double milliseconds) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
}

/// The run with its --generations multiplied: long enough to be hit in the middle.
SmallRun longer(SmallRun run, int factor) {
  for (std::size_t index = 0; index + 1 < run.arguments.size(); ++index) {
    if (run.arguments[index] != "--generations") continue;
    run.arguments[index + 1] = std::to_string(factor * std::stoi(run.arguments[index + 1]));
  }
  return run;
}

TEST_CASE("kill -9 at 20 random instants, then resume: the hash of an undisturbed run") {
  const TemporaryFolder folder;
  for (const SmallRun& small : small_runs()) {
    const SmallRun run = longer(small, 3);
    CAPTURE(run.program);
    const auto begin = std::chrono::steady_clock::now();
    const ProcessResult undisturbed = run_program(run.program, with(run.arguments, {"--out", "run.h5"}), folder.path());
    const double milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    REQUIRE(undisturbed.exit_code == 0);
    const std::string reference = hash_of("run.h5", folder);
    std::filesystem::remove(folder.path() / "run.h5");

    RandomStream rng(RandomKey{20, Purpose::test});
    int kills = 0;
    for (int trial = 0; kills < 5; ++trial) {
      REQUIRE(trial < 100);
      std::filesystem::remove(folder.path() / "killed.h5");
      std::vector<std::string> arguments = with(run.arguments, {"--out", "killed.h5", "--threads", "2"});
      for (int starts = 0;; ++starts) {
        REQUIRE(starts < 200);
        Process process(run.program, arguments, folder.path());
        // The later starts of a trial get more and more time, so that each trial ends.
        sleep_milliseconds(rng.uniform() * milliseconds * (0.8 + 0.5 * starts));
        process.signal(SIGKILL);
        const ProcessResult result = process.wait();
        CAPTURE(result.err);
        REQUIRE((result.exit_code == 0 || result.exit_code == kKilled));
        if (result.exit_code == 0) break;
        ++kills;
        if (std::filesystem::exists(folder.path() / "killed.h5")) {
          arguments = {"--resume", "killed.h5", "--threads", std::to_string(1 + starts % 3), "--quiet"};
        }
      }
      CHECK(hash_of("killed.h5", folder) == reference);
    }
  }
}

TEST_CASE("signals save and exit with 130, and a resume goes on to the same bits") {
  const TemporaryFolder folder;
  const SmallRun run = small_runs().front();
  const std::string reference = hash_of_run(run, {}, folder);
  for (const int number : {SIGINT, SIGTERM, SIGUSR1}) {
    CAPTURE(number);
    std::vector<std::string> arguments = with(run.arguments, {"--out", "stopped.h5", "--force"});
    int interrupted = 0;
    for (int attempt = 0; attempt < 200; ++attempt) {
      Process process(run.program, arguments, folder.path());
      while (process.running() && !std::filesystem::exists(folder.path() / "stopped.h5")) sleep_milliseconds(1);
      sleep_milliseconds(5.0 + 10.0 * attempt);
      process.signal(number);
      const ProcessResult result = process.wait();
      CAPTURE(attempt, result.err, result.out);
      // The first start has saved, so its handlers are in place; a later one may be hit before they are.
      if (attempt > 0 && result.signal == number) continue;
      REQUIRE(result.signal == 0);
      REQUIRE((result.exit_code == 0 || result.exit_code == kExitInterrupted));
      if (result.exit_code == 0) break;
      ++interrupted;
      CHECK(result.out.find("interrupted and saved after ") != std::string::npos);
      arguments = {"--resume", "stopped.h5", "--quiet"};
    }
    CHECK(interrupted >= 1);
    CHECK(hash_of("stopped.h5", folder) == reference);
    std::filesystem::remove(folder.path() / "stopped.h5");
  }
}

TEST_CASE("a larger budget changes nothing before: short run, extended, equals the long one") {
  const TemporaryFolder folder;
  for (const SmallRun& run : small_runs()) {
    CAPTURE(run.program);
    const std::string reference = hash_of_run(run, {}, folder);
    std::vector<std::string> shorter = run.arguments;
    for (std::size_t index = 0; index + 1 < shorter.size(); ++index) {
      if (shorter[index] == "--generations") shorter[index + 1] = "11";
    }
    ProcessResult result = run_program(run.program, with(shorter, {"--out", "short.h5", "--force"}), folder.path());
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK(hash_of("short.h5", folder) != reference);
    const std::string generations = run.program == "clade-es" ? "30" : "25";
    result = run_program(run.program, {"--resume", "short.h5", "--generations", generations, "--quiet"}, folder.path());
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK(hash_of("short.h5", folder) == reference);
  }
}

TEST_CASE("a resume refuses what would alter results, by name") {
  const TemporaryFolder folder;
  const SmallRun run = small_runs().front();
  hash_of_run(run, {}, folder);
  const ProcessResult result = run_program(run.program, {"--resume", "run.h5", "--sigma", "0.2"}, folder.path());
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("--sigma") != std::string::npos);
  CHECK(result.err.find("0.2") != std::string::npos);
  const ProcessResult other = run_program("clade-ars", {"--resume", "run.h5"}, folder.path());
  CHECK(other.exit_code == 2);
  CHECK(other.err.find("made by clade-es") != std::string::npos);
}

TEST_CASE("a run started by --init-from has the other run's solution and observation statistics") {
  const TemporaryFolder folder;
  const SmallRun run = small_runs().back();
  hash_of_run(run, {}, folder);
  const ProcessResult result =
      run_program(run.program,
                  {"--env", "Pendulum-v1", "--population", "4", "--generations", "2", "--init-from", "run.h5", "--out",
                   "next.h5", "--final-episodes", "0", "--evaluate-every", "0", "--quiet"},
                  folder.path());
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  const StoredRun source(folder.file("run.h5"), 1);
  StoredRun next(folder.file("next.h5"), 1);
  const NormalizerSnapshot expected = source.normalizer(source.generations());
  CHECK(next.record().generations.front().normalizer == expected);
  CHECK_FALSE(next.record().generations.back().normalizer == expected);
  const auto& solution = source.record().state.get<std::vector<double>>("solution");
  const Population start = next.solution(0);
  CHECK(*start.bases.front() == std::vector<float>(solution.begin(), solution.end()));
}

TEST_CASE("any member of any generation is rebuilt and plays as recorded") {
  const TemporaryFolder folder;
  for (const SmallRun& run : small_runs()) {
    CAPTURE(run.program);
    hash_of_run(run, {"--keyframe-every", "10"}, folder);
    for (const std::string member : {"0:0", "3:5", "10:2", "19:15", "24:1"}) {
      const ProcessResult result = run_program("clade-play", {"run.h5", "--member", member}, folder.path());
      CAPTURE(member, result.out, result.err);
      CHECK(result.exit_code == 0);
      CHECK(result.out.find("as recorded, to the bit") != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace clade::test
