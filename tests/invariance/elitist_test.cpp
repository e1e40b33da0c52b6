// A genetic algorithm's results depend neither on how much of its parents it holds in memory nor on when it was killed,
// also where its members see pixels.

#include <signal.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "core/random.hpp"
#include "tests/invariance/run_helpers.hpp"

namespace clade::test {
namespace {

constexpr int kKilled = 128 + SIGKILL;

TEST_CASE("one hash for parents' weights that are held, partly held and replayed from their chains") {
  const TemporaryFolder folder;
  for (const SmallRun& run : small_runs()) {
    if (run.program != "clade-ga") continue;
    const std::string reference = hash_of_run(run, {"--parent-cache", "none"}, folder);
    CHECK(hash_of_run(run, {}, folder) == reference);
    CHECK(hash_of_run(run, {"--parent-cache", "0.0006"}, folder) == reference);  // a single vector
    CHECK(hash_of_run(run, {"--parent-cache", "0.002", "--threads", "3"}, folder) == reference);
  }
}

TEST_CASE("on a game: one hash for any threads, lanes and cache, and members play as recorded") {
  if (const std::string reason = atari_absent(); !reason.empty()) CLADE_SKIP(reason);
  const TemporaryFolder folder;
  const SmallRun run = atari_run();
  const std::string reference = hash_of_run(run, {"--threads", "1"}, folder);
  CHECK(hash_of_run(run, {"--threads", "2", "--parent-cache", "none"}, folder) == reference);
  CHECK(hash_of_run(run, {"--threads", "3", "--lanes", "2", "--save-every", "generation"}, folder) == reference);
  CHECK(hash_of_run(atari_run("0.01"), {"--threads", "2"}, folder) == reference);
  CHECK(hash_of_run(run, {"--seed", "1"}, folder) != reference);
  CHECK(hash_of_run(run, {"--precision", "bf16"}, folder) != reference);
  hash_of_run(run, {}, folder);
  for (const std::string member : {"0:1", "2:5"}) {
    const ProcessResult result = run_program("clade-play", {"run.h5", "--member", member}, folder.path());
    CAPTURE(member, result.out, result.err);
    CHECK(result.exit_code == 0);
    CHECK(result.out.find("as recorded, to the bit") != std::string::npos);
  }
}

TEST_CASE("on a game: killed at random instants and resumed, the hash of an undisturbed run") {
  if (const std::string reason = atari_absent(); !reason.empty()) CLADE_SKIP(reason);
  const TemporaryFolder folder;
  const SmallRun run = atari_run();
  const auto begin = std::chrono::steady_clock::now();
  const std::string reference = hash_of_run(run, {"--threads", "2"}, folder);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  RandomStream rng(RandomKey{21, Purpose::test});
  int kills = 0;
  for (int trial = 0; kills < 4; ++trial) {
    REQUIRE(trial < 40);
    std::filesystem::remove(folder.path() / "killed.h5");
    std::vector<std::string> arguments =
        with(run.arguments, {"--out", "killed.h5", "--threads", "2", "--save-every", "generation"});
    for (int starts = 0;; ++starts) {
      REQUIRE(starts < 40);
      Process process(run.program, arguments, folder.path());
      // The later starts of a trial get more and more time, so that each trial ends.
      std::this_thread::sleep_for(std::chrono::duration<double>(rng.uniform() * seconds * (0.8 + 0.5 * starts)));
      process.signal(SIGKILL);
      const ProcessResult result = process.wait();
      CAPTURE(result.err);
      REQUIRE((result.exit_code == 0 || result.exit_code == kKilled));
      if (result.exit_code == 0) break;
      ++kills;
      if (std::filesystem::exists(folder.path() / "killed.h5")) {
        arguments = {"--resume", "killed.h5", "--save-every", "generation", "--quiet"};
      }
    }
    CHECK(hash_of("killed.h5", folder) == reference);
  }
}

SmallRun virtual_batch_norm_run(const std::string& generations, const std::string& reference_observations) {
  return {"clade-es",
          {"--env",
           "Freeway",
           "--atari-protocol",
           "uber",
           "--network",
           "conv:4@8/4,4@4/2;fc:8;vbn",
           "--reference-observations",
           reference_observations,
           "--initialisation",
           "fan_in",
           "--head",
           "sample",
           "--population",
           "4",
           "--generations",
           generations,
           "--max-steps",
           "12",
           "--evaluate-every",
           "0",
           "--final-episodes",
           "0",
           "--rate-seconds",
           "0",
           "--quiet"}};
}

TEST_CASE("OpenAI-ES with virtual batch normalisation on a game: one hash for any threads and after a resume") {
  if (const std::string reason = atari_absent(); !reason.empty()) CLADE_SKIP(reason);
  const TemporaryFolder folder;
  const SmallRun run = virtual_batch_norm_run("2", "8");
  const std::string reference = hash_of_run(run, {"--threads", "1"}, folder);
  CHECK(hash_of_run(run, {"--threads", "3", "--lanes", "2"}, folder) == reference);
  hash_of_run(virtual_batch_norm_run("1", "8"), {}, folder);
  const ProcessResult resumed =
      run_program(run.program, {"--resume", "run.h5", "--generations", "2", "--quiet"}, folder.path());
  INFO(resumed.err);
  REQUIRE(resumed.exit_code == 0);
  CHECK(hash_of("run.h5", folder) == reference);
  CHECK(hash_of_run(virtual_batch_norm_run("2", "9"), {}, folder) != reference);
}

}  // namespace
}  // namespace clade::test
