#pragma once

#include <string>
#include <vector>

#include "envs/catalog.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

namespace clade::test {

/// A command line that takes a second or two, without --out.
struct SmallRun {
  std::string program;
  std::vector<std::string> arguments;
};

/// All programs, on tasks that every build has: a mirrored and extended generation with failures-free episodes of
/// unequal length, observation statistics of part of the episodes, an adaptive cap, discrete and continuous actions,
/// validated elites, two parents, a power that falls. The first is OpenAI-ES, the last ARS.
inline std::vector<SmallRun> small_runs() {
  return {
      {"clade-es",
       {"--env",
        "CartPole-v1",
        "--network",
        "mlp:16:tanh",
        "--population",
        "24",
        "--episodes",
        "2",
        "--generations",
        "30",
        "--normalize",
        "openai",
        "--statistics-fraction",
        "0.3",
        "--minimum-steps",
        "3000",
        "--max-steps",
        "adaptive:50,0.3,1.5,500",
        "--sigma",
        "0.1",
        "--evaluate-every",
        "7",
        "--evaluation-episodes",
        "5",
        "--final-episodes",
        "10",
        "--head",
        "sample",
        "--quiet"}},
      {"clade-ga",
       {"--env",
        "CartPole-v1",
        "--network",
        "mlp:16:tanh",
        "--population",
        "30",
        "--parents",
        "8",
        "--elites",
        "2",
        "--power",
        "exponential:0.3,0.05,20",
        "--crossover",
        "uniform",
        "--parent-selection",
        "tournament",
        "--validation-candidates",
        "4",
        "--validation-episodes",
        "6",
        "--generations",
        "25",
        "--normalize",
        "ars",
        "--max-steps",
        "adaptive:50,0.3,1.5,500",
        "--evaluate-every",
        "6",
        "--evaluation-episodes",
        "5",
        "--final-episodes",
        "10",
        "--quiet"}},
      {"clade-rs",
       {"--env", "Acrobot-v1", "--network", "linear", "--population", "16", "--validation-candidates", "3",
        "--validation-episodes", "4", "--generations", "25", "--max-frames", "200", "--final-episodes", "5",
        "--quiet"}},
      {"clade-ars",
       {"--env",
        "Pendulum-v1",
        "--population",
        "16",
        "--top",
        "3",
        "--generations",
        "25",
        "--sigma",
        "0.1",
        "--learning-rate",
        "0.05",
        "--evaluate-every",
        "5",
        "--evaluation-episodes",
        "7",
        "--final-episodes",
        "10",
        "--action-noise",
        "0.1",
        "--common-random-numbers",
        "--quiet"}},
  };
}

/// A genetic algorithm on a game: pixels, a small convolutional network, sticky joystick and start states from a cache.
inline SmallRun atari_run(const std::string& rate_seconds = "0") {
  return {"clade-ga",
          {"--env",
           "Pong",
           "--atari-protocol",
           "machado",
           "--network",
           "conv:8@8/4,8@4/2;fc:16",
           "--population",
           "6",
           "--parents",
           "2",
           "--power",
           "0.02",
           "--validation-candidates",
           "2",
           "--validation-episodes",
           "3",
           "--generations",
           "3",
           "--max-frames",
           "120",
           "--rate-seconds",
           rate_seconds,
           "--final-episodes",
           "0",
           "--quiet"}};
}

/// Empty where the games can be played here, else why not.
inline std::string atari_absent() {
  for (const EnvironmentInfo& info : list_environments()) {
    if (info.name == "Pong") return info.unavailable;
  }
  return "this build has no Atari games";
}

inline std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// clade-inspect --hash of a run file in `folder`.
inline std::string hash_of(const std::string& file, const TemporaryFolder& folder) {
  const ProcessResult result = run_program("clade-inspect", {file, "--hash"}, folder.path());
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  REQUIRE(result.out.size() >= 33);
  return result.out;
}

/// Runs to the end and gives the hash.
inline std::string hash_of_run(const SmallRun& run, const std::vector<std::string>& more,
                               const TemporaryFolder& folder) {
  const ProcessResult result =
      run_program(run.program, with(run.arguments, with({"--out", "run.h5", "--force"}, more)), folder.path());
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return hash_of("run.h5", folder);
}

}  // namespace clade::test
