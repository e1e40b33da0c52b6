// Bad input of the genetic algorithm, of random search and of games: one clear line each, nothing lost, nothing hangs.

#include <algorithm>
#include <filesystem>
#include <string>

#include "envs/atari_games.hpp"
#include "envs/atari_options.hpp"
#include "tests/support/catch.hpp"
#include "tests/tools/command_line.hpp"

namespace clade::test {
namespace {

using clade::testing::contains_text;

/// Empty where games can be played here, else why not.
std::string atari_absent() {
  for (const EnvironmentInfo& info : list_environments()) {
    if (info.name == "Frostbite") return info.unavailable;
  }
  return "this build has no Atari games";
}

/// A run of some milliseconds.
Arguments small_ga(const Arguments& more = {}) {
  return Arguments{"clade-ga",    "--env",
                   "CartPole-v1", "--network",
                   "mlp:4",       "--population",
                   "8",           "--parents",
                   "3",           "--validation-candidates",
                   "2",           "--validation-episodes",
                   "2",           "--final-episodes",
                   "2",           "--quiet"} +
         more;
}

/// The same on a game.
Arguments small_game(const Arguments& more = {}) {
  return Arguments{"clade-ga",
                   "--env",
                   "Frostbite",
                   "--atari-protocol",
                   "uber",
                   "--network",
                   "conv:4@8/8;fc:4",
                   "--population",
                   "4",
                   "--parents",
                   "2",
                   "--validation-candidates",
                   "2",
                   "--validation-episodes",
                   "2",
                   "--generations",
                   "1",
                   "--max-frames",
                   "40",
                   "--final-episodes",
                   "0",
                   "--rate-seconds",
                   "0",
                   "--quiet"} +
         more;
}

TEST_CASE("a genetic algorithm's numbers that contradict each other are refused with their limit") {
  const TemporaryFolder folder;
  const auto ga = [](const Arguments& more) { return Arguments{"clade-ga", "--env", "CartPole-v1"} + more; };
  const auto rs = [](const Arguments& more) { return Arguments{"clade-rs", "--env", "CartPole-v1"} + more; };
  check_refused(
      {
          {ga({"--population", "5", "--parents", "6"}), "number of parents 6 is outside [1, 5], the population"},
          {ga({"--population", "5", "--parents", "5", "--elites", "6"}), "number of elites 6 is outside [1, 5]"},
          {ga({"--elites", "3", "--validation-candidates", "2"}), "number of elites 3 is outside [1, 2]"},
          {rs({"--population", "2", "--elites", "3"}), "elites 3 is outside [1, 2]"},
          {ga({"--parents", "0"}), "--parents: 0 is out of range; it must be at least 1"},
          {ga({"--elites", "0"}), "--elites: 0 is out of range; it must be at least 1"},
          {ga({"--validation-candidates", "0"}), "--validation-candidates: 0 is out of range"},
          {ga({"--validation-episodes", "0"}), "--validation-episodes: 0 is out of range"},
          {ga({"--budget-frames", "0"}), "--budget-frames: 0 is out of range"},
          {ga({"--max-frames", "0"}), "--max-frames: 0 is out of range"},
          {ga({"--power", "0"}), "mutation power 0 must be a finite number above 0"},
          {ga({"--power", "lineer:1,2,3"}), "unknown schedule of the mutation power 'lineer'; did you mean 'linear'?"},
          {ga({"--tournament-size", "0"}), "--tournament-size: 0 is out of range"},
          {ga({"--crossover-rate", "1.5"}), "--crossover-rate: 1.5 is out of range"},
          {ga({"--crossover", "none", "--crossover-rate", "0.3"}), "--crossover-rate 0.3: there is no crossover"},
          {ga({"--crossover", "unifrom"}), "did you mean 'uniform'?"},
          {ga({"--parent-selection", "turnament"}), "did you mean 'tournament'?"},
          {ga({"--crossover", "one_point", "--network", "linear"}), "one-point crossover cuts between layers"},
          {ga({"--parent-cache", "0.01"}),
           "--parent-cache 0.01: below one member's 18.4 kB of weights; give 1 or more"},
          {ga({"--parent-cache", "-1"}), "--parent-cache -1: give auto, none, or a number of megabytes above 0"},
          {ga({"--initialisation", "normc"}), "initialisation 'normc' cannot be drawn from a key alone"},
          {ga({"--precision", "fp16"}), "--precision: unknown value 'fp16'; it must be one of fp32, bf16"},
          {ga({"--network", "large_model"}), "needs an image as observation"},
          {ga({"--atari-protocol", "uber"}), "--atari-protocol: for Atari games only, and --env is CartPole-v1"},
          {ga({"--rom-dir", "."}), "--rom-dir: for Atari games only"},
          {ga({"--full-action-space"}), "--full-action-space: for Atari games only"},
          {{"clade-ga", "--preset", "such2017", "--env", "CartPole-v1"},
           "preset such2017: atari-protocol: for Atari games only, and --env is CartPole-v1; leave the preset out"},
          {{"clade-ga", "--preset", "such2017"}, "no environment; name one with --env"},
          {{"clade-rs", "--preset", "such2018"}, "unknown preset 'such2018'; did you mean 'such2017'?"},
      },
      folder);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("what does not fit a game is refused") {
  if (const std::string reason = atari_absent(); !reason.empty()) CLADE_SKIP(reason);
  const TemporaryFolder folder;
  const auto game = [](const Arguments& more) { return Arguments{"clade-ga", "--env", "Frostbite"} + more; };
  check_refused(
      {
          {{"clade-ga", "--env", "Frostbit"}, "unknown environment 'Frostbit'; did you mean 'Frostbite'?"},
          {{"clade-ga", "--preset", "atari-workstation", "--env", "Frostbit"},
           "unknown environment 'Frostbit'; did you mean 'Frostbite'?"},
          {game({"--preset", "such2017", "--env-option", "noop_max=5", "--env-option", "noop_max=6"}),
           "option 'noop_max' of environment 'Frostbite' is given twice"},
          {game({"--atari-protocol", "ubr"}), "did you mean 'uber'?"},
          {game({"--resize", "nearest"}), "--resize: unknown value 'nearest'"},
          {game({"--env-option", "noop_max=0"}), "noop_max=0"},
          {game({"--env-option", "frame_skip=0"}), "frame_skip=0"},
          {game({"--env-option", "frame_skip=-4"}), "frame_skip=-4"},
          {{"clade-ga", "--env", "MsPacman", "--env-option", "fire_reset=true"}, "fire_reset=true"},
          {game({"--network", "conv:32@100/4"}), "kernel of 100 exceeds its input of 84x84"},
          {game({"--normalize", "ars"}), "the observations of Frostbite are bytes; leave it at none"},
          {game({"--resize", "area", "--env-option", "resize=area"}), "resize"},
          {game({"--rom-dir", "/nowhere"}), "no ROM /nowhere/frostbite.bin"},
      },
      folder);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a ROM that is missing, truncated or another game's is named, at a start and at a resume") {
  if (const std::string reason = atari_absent(); !reason.empty()) CLADE_SKIP(reason);
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const fs::path rom = find_atari_rom(*find_atari_game_by_rom("frostbite"), "default");
  const fs::path other = find_atari_rom(*find_atari_game_by_rom("freeway"), "default");
  const std::string bytes = contents(rom);
  for (const char* name : {"good", "truncated", "empty", "wrong", "absent"}) fs::create_directory(folder.path() / name);
  write(folder.path() / "good/frostbite.bin", bytes);
  write(folder.path() / "truncated/frostbite.bin", bytes.substr(0, bytes.size() / 2));
  write(folder.path() / "empty/frostbite.bin", "");
  write(folder.path() / "wrong/frostbite.bin", contents(other));

  make(small_game({"--rom-dir", "good", "--out", "run.h5"}), folder);
  const std::string before = contents(folder.path() / "run.h5");
  for (const std::string name : {"truncated", "empty", "wrong", "absent"}) {
    check_refused(
        {{small_game({"--rom-dir", name, "--out", "no.h5"}), name + "/frostbite.bin"},
         {{"clade-ga", "--resume", "run.h5", "--generations", "2", "--rom-dir", name}, name + "/frostbite.bin"}},
        folder);
  }
  CHECK_FALSE(fs::exists(folder.path() / "no.h5"));
  CHECK(contents(folder.path() / "run.h5") == before);
  // Where the ROM lies alters nothing.
  make({"clade-ga", "--resume", "run.h5", "--generations", "2", "--rom-dir", rom.parent_path().string(), "--quiet"},
       folder);
  Arguments whole = small_game({"--out", "whole.h5"});
  *(std::ranges::find(whole, "--generations") + 1) = "2";
  make(whole, folder);
  CHECK(hash_of("run.h5", folder) == hash_of("whole.h5", folder));
}

TEST_CASE("a resume of a genetic algorithm refuses other rules, networks and numbers by name") {
  if (const std::string reason = atari_absent(); !reason.empty()) CLADE_SKIP(reason);
  const TemporaryFolder folder;
  make(small_game({"--out", "run.h5"}), folder);
  const std::string before = contents(folder.path() / "run.h5");
  const auto resume = [](const Arguments& more) { return Arguments{"clade-ga", "--resume", "run.h5"} + more; };
  check_refused(
      {
          {resume({"--atari-protocol", "dqn"}), "--atari-protocol: the run was started with uber"},
          {resume({"--resize", "area"}), "--resize: the run was started with auto"},
          {resume({"--network", "model"}), "--network: the run was started with conv:4@8/8;fc:4"},
          {resume({"--env", "Pong"}), "--env: the run was started with Frostbite"},
          {resume({"--env-option", "noop_max=3"}), "--env-option: the run was started with"},
          {resume({"--parents", "3"}), "--parents: the run was started with 2"},
          {resume({"--precision", "bf16"}), "--precision: the run was started with fp32"},
          {resume({"--max-frames", "80"}), "--max-frames: the run was started with 40"},
          {{"clade-rs", "--resume", "run.h5"}, "this run was made by clade-ga; resume it with that program"},
      },
      folder);
  CHECK(contents(folder.path() / "run.h5") == before);
}

TEST_CASE("a network that is left open is chosen by the task, recorded, and kept by a resume") {
  const TemporaryFolder folder;
  const Arguments small = {"clade-ga", "--env",       "CartPole-v1", "--population",     "4", "--parents",
                           "2",        "--max-steps", "20",          "--final-episodes", "2", "--validation-episodes",
                           "2",        "--quiet"};
  make(small + Arguments{"--generations", "1", "--out", "run.h5"}, folder);
  check_refused({{{"clade-ga", "--resume", "run.h5", "--network", "linear"},
                  "--network: the run was started with mlp:64,64:tanh; a resumed run cannot change it to linear"}},
                folder);
  const ProcessResult printed = run({"clade-ga", "--env", "CartPole-v1", "--print-config"}, folder);
  CHECK_THAT(printed.out, contains_text("\nnetwork = auto\n"));
  make({"clade-ga", "--resume", "run.h5", "--network", "auto", "--generations", "2", "--quiet"}, folder);
  make(small + Arguments{"--network", "mlp:64,64:tanh", "--generations", "2", "--out", "named.h5"}, folder);
  CHECK(hash_of("run.h5", folder) == hash_of("named.h5", folder));
}

TEST_CASE("a game without a preset is worth a note that names the presets, unless --quiet") {
  if (const std::string reason = atari_absent(); !reason.empty()) CLADE_SKIP(reason);
  const TemporaryFolder folder;
  Arguments command = small_game({"--out", "run.h5"});
  CHECK(run(command, folder).err.empty());
  std::erase(command, "--quiet");
  const ProcessResult loud = run(command + Arguments{"--force"}, folder);
  CHECK_THAT(loud.err, contains_text("note: no preset, so the general defaults hold") &&
                           contains_text("made for Atari games: --preset such2017, --preset atari-workstation\n"));
  const ProcessResult preset = run(command + Arguments{"--force", "--preset", "such2017"}, folder);
  CHECK(preset.exit_code == 0);
  CHECK(preset.err.find("no preset") == std::string::npos);
}

TEST_CASE("other programs start from a genetic algorithm's elite, it starts from nobody's") {
  const TemporaryFolder folder;
  make(small_ga({"--generations", "3", "--out", "ga.h5"}), folder);
  check_refused({{small_ga({"--init-from", "ga.h5"}), "unknown option '--init-from'"}}, folder);
  make({"clade-es", "--env", "CartPole-v1", "--network", "mlp:4", "--init-from", "ga.h5", "--population", "4",
        "--generations", "1", "--evaluate-every", "0", "--final-episodes", "0", "--quiet", "--out", "es.h5"},
       folder);
  const Arguments fresh = {"--seed", "9", "--episodes", "5"};
  const std::string elite = run(Arguments{"clade-play", "ga.h5"} + fresh, folder).out;
  const std::string first = run(Arguments{"clade-play", "es.h5", "--generation", "0"} + fresh, folder).out;
  REQUIRE(lines(elite) >= 6);
  CHECK(first.substr(first.find('\n')) == elite.substr(elite.find('\n')));
}

TEST_CASE("a limit on the file's size while a generation is appended: the last good file stays") {
  const TemporaryFolder folder;
  Arguments command = small_ga({"--generations", "6"});
  *(std::ranges::find(command, "--population") + 1) = "400";
  const std::string reference = reference_hash(command, folder);
  const ProcessResult result = run_script("ulimit -f 100; exec \"$@\"",
                                          command + Arguments{"--save-every", "generation", "--out", "run.h5"}, folder);
  INFO(result.err);
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.err, contains_text("warning: cannot save 'run.h5': file size limit exceeded") &&
                             contains_text("stays, and --resume computes the rest again"));
  make({"clade-ga", "--resume", "run.h5", "--quiet"}, folder);
  CHECK(hash_of("run.h5", folder) == reference);
}

}  // namespace
}  // namespace clade::test
