// Bad input: each gets one clear line on standard error and the right exit code, hangs nothing and loses nothing.

#include <filesystem>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/tools/command_line.hpp"

namespace clade::test {
namespace {

using clade::testing::contains_text;

TEST_CASE("unknown names are refused with the nearest valid one") {
  const TemporaryFolder folder;
  check_refused(
      {
          {{"clade-es", "--env", "CartPole-v2"}, "unknown environment 'CartPole-v2'; did you mean 'CartPole-v1'?"},
          {{"clade-ars", "--env", "Pendulun-v1"}, "unknown environment 'Pendulun-v1'; did you mean 'Pendulum-v1'?"},
          {{"clade-es", "--env", "CartPole-v1", "--network", "mpl:4"}, "unknown network 'mpl'; did you mean 'mlp'?"},
          {{"clade-es", "--env", "CartPole-v1", "--network", "mlp:4:tahn"}, "did you mean 'tanh'?"},
          {{"clade-es", "--env", "CartPole-v1", "--head", "agmax"}, "unknown head 'agmax'; did you mean 'argmax'?"},
          {{"clade-es", "--env", "CartPole-v1", "--noise", "tabel"}, "unknown noise 'tabel'; did you mean 'table'?"},
          {{"clade-es", "--env", "CartPole-v1", "--shaping", "centred_rnk"}, "did you mean 'centred_rank'?"},
          {{"clade-es", "--env", "CartPole-v1", "--optimizer", "adma"}, "did you mean 'adam'?"},
          {{"clade-es", "--sgima", "1"}, "unknown option '--sgima'; did you mean '--sigma'?"},
          {{"clade-es", "--preset", "HalfCheeta"}, "unknown preset 'HalfCheeta'; did you mean 'HalfCheetah'?"},
          {{"clade-ars", "--preset", "Hoper"}, "unknown preset 'Hoper'; did you mean 'Hopper'?"},
          {{"clade-es", "--env", "CartPole-v1", "--env-option", "sutton_barto_rewrad=1"},
           "did you mean 'sutton_barto_reward'?"},
          {{"clade-play", "--episode", "3"}, "did you mean '--episodes'?"},
          {{"clade-inspect", "--genrations"}, "did you mean '--generations'?"},
          {{"clade-trace", "--gruop", "a"}, "did you mean '--group'?"},
      },
      folder);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("numbers out of range and impossible ones are refused with the range") {
  const TemporaryFolder folder;
  const auto es = [](const Arguments& more) { return Arguments{"clade-es", "--env", "CartPole-v1"} + more; };
  const auto ars = [](const Arguments& more) { return Arguments{"clade-ars", "--env", "Pendulum-v1"} + more; };
  check_refused(
      {
          {es({"--population", "0"}), "--population: 0 is out of range; it must be between 1 and 4294967295"},
          {es({"--population", "99999999999"}), "it must be between 1 and 4294967295"},
          {es({"--population", "3"}), "population 3 is odd"},
          {ars({"--population", "3"}), "--population 3: ARS evaluates mirrored pairs; give an even number"},
          {ars({"--population", "8", "--top", "5"}), "number of top directions 5 is outside [1, 4]"},
          {ars({"--top", "-1"}), "--top: -1 is out of range"},
          {es({"--episodes", "0"}), "--episodes: 0 is out of range; it must be between 1 and"},
          {es({"--evaluation-episodes", "0"}), "--evaluation-episodes: 0 is out of range"},
          {es({"--generations", "0"}), "--generations: 0 is out of range"},
          {es({"--budget-episodes", "0"}), "--budget-episodes: 0 is out of range"},
          {es({"--budget-seconds", "0"}), "--budget-seconds: 0 is out of range; it must be greater than 0"},
          {es({"--sigma", "0"}), "--sigma: 0 is out of range; it must be greater than 0"},
          {es({"--sigma", "nan"}), "--sigma: 'nan' is not a finite number"},
          {es({"--sigma", "inf"}), "--sigma: 'inf' is not a finite number"},
          {es({"--sigma", "1e"}), "--sigma: '1e' is not a"},
          {es({"--learning-rate", "1e999"}), "--learning-rate: 1e999 is out of range"},
          {es({"--momentum", "1"}), "--momentum: 1 is out of range; it must be at least 0 and less than 1"},
          {es({"--target-return", "nan"}), "--target-return: 'nan' is not a finite number"},
          {es({"--seed", "-1"}), "--seed: -1 is out of range"},
          {es({"--seed", "18446744073709551616"}), "it must be at most 18446744073709551615"},
          {es({"--seed", "0x10"}), "--seed: '0x10' is not"},
          {es({"--threads", "5000"}), "--threads: 5000 is out of range; it must be between 0 and 4096"},
          {es({"--statistics-fraction", "0"}), "--statistics-fraction: 0 is out of range"},
          {es({"--max-steps", "0"}), "episode cap '0' is not a whole number of steps"},
          {es({"--max-steps", "adaptive:1,2"}), "episode cap 'adaptive:1,2' has 2 numbers"},
          {es({"--save-every", "never"}), "--save-every: 'never' is not auto, generation, or a number of seconds"},
          {es({"--save-every", "-5"}), "--save-every: '-5' is not auto"},
          {es({"--noise", "table:10"}), "noise table of 10 floats is too small; the smallest is 1024"},
          {es({"--noise", "table:99999999999999"}), "too large; the limit is 17179869184"},
          {es({"--noise", "table:1024"}), "has 4610 parameters, more than the 1024 floats of the noise"},
          {es({"--network", "mlp:0"}), "'0' is not a layer size"},
          {es({"--network", "mlp:4,,4"}), "'' is not a layer size"},
          {es({"--network", "mlp:1000000,1000000"}), "more than the limit of 2^32 parameters"},
          {es({"--network", "mlp:60000,60000"}), "the 3600480002 parameters of network mlp:60000,60000:tanh"},
          {es({"--population", "4294967294"}), "population 4294967294 with --episodes 1 needs about"},
          {es({"--population", "2000", "--episodes", "16000000"}), "with --episodes 16000000 needs about"},
          {es({"--sigma", "1", "--sigma", "2"}), "--sigma: given more than once"},
          {es({"--sigma"}), "--sigma: its value is missing"},
          {es({"stray"}), "unexpected argument 'stray'"},
          {{"clade-es"}, "no environment; name one with --env (--list-envs shows all) or take a --preset"},
      },
      folder);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("what does not fit the task is refused") {
  const TemporaryFolder folder;
  check_refused(
      {
          {{"clade-es", "--env", "CartPole-v1", "--head", "clip"}, "head 'clip' is for continuous actions"},
          {{"clade-es", "--env", "Pendulum-v1", "--head", "argmax"}, "head 'argmax' is for discrete actions"},
          {{"clade-es", "--env", "Pendulum-v1", "--head", "binned:1"}, "the number of bins is 2 to 65536"},
          {{"clade-es", "--env", "CartPole-v1", "--action-noise", "0.1"},
           "--action-noise 0.1: the actions of CartPole-v1 are discrete; leave it at 0"},
          {{"clade-es", "--env", "Sphere", "--normalize", "ars"}, "Sphere has no observations; leave it at none"},
          {{"clade-es", "--env", "CartPole-v1", "--env-option", "sutton_barto_reward"}, "expected NAME=VALUE"},
          {{"clade-es", "--env", "CartPole-v1", "--env-option", "sutton_barto_reward=maybe"}, "sutton_barto_reward"},
      },
      folder);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a configuration file is refused by the line at fault") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text, const std::string& message) {
    write(folder.path() / "run.cfg", text);
    check_refused({{"clade-es", "--config", "run.cfg"}, message}, folder);
  };
  refused("env = CartPole-v1\npopluation = 8\n",
          "config file run.cfg, line 2: unknown key 'popluation'; did you mean 'population'?");
  refused("top = 3\n", "line 1: unknown key 'top'");  // an option of clade-ars alone
  refused("env = CartPole-v1\npopulation = eight\n", "line 2: population: 'eight' is not an integer");
  refused("sigma\n", "line 1: 'sigma' is not 'key = value'");
  refused("[task]\n", "line 1: sections are not used");
  refused("resume = a.h5\n", "line 1: 'resume' belongs on the command line");
  refused("seed = 1\nseed = 2\n", "line 2: 'seed' stands on line 1 already");
  check_refused({{"clade-es", "--config", "absent.cfg"}, "config file absent.cfg: cannot be opened"}, folder);
  check_refused({{"clade-es", "--config", "."}, "config file .: it is a folder"}, folder);
}

TEST_CASE("seed 0 is a seed like any other") {
  const TemporaryFolder folder;
  make(four_generations("default.h5"), folder);
  make(four_generations("zero.h5", {"--seed", "0"}), folder);
  make(four_generations("one.h5", {"--seed", "1"}), folder);
  CHECK(hash_of("zero.h5", folder) == hash_of("default.h5", folder));
  CHECK(hash_of("zero.h5", folder) != hash_of("one.h5", folder));
}

TEST_CASE("an output that cannot be written or would replace a file is refused") {
  const TemporaryFolder folder;
  make(four_generations("run.h5"), folder);
  const std::string before = contents(folder.path() / "run.h5");
  check_refused(
      {
          {four_generations("absent/run.h5"), "--out absent/run.h5: there is no folder absent; create it first"},
          {four_generations("run.h5/x.h5"), "run.h5 is not a folder"},
          {four_generations("."), "--out .: is a folder; name a file in it"},
          {four_generations(""), "--out: the file's name is empty"},
          {four_generations("run.h5"), "--out run.h5: exists; --resume run.h5 goes on with it, --force overwrites it"},
          {{"clade-es", "--resume", "run.h5", "--generations", "9", "--out", "absent/x.h5"},
           "there is no folder absent"},
          {{"clade-es", "--resume", ""}, "--resume: the file's name is empty"},
          {{"clade-es", "--init-from", ""}, "--init-from: the file's name is empty"},
      },
      folder);
  CHECK(contents(folder.path() / "run.h5") == before);
  make(four_generations("run.h5", {"--seed", "5", "--force"}), folder);
  CHECK(contents(folder.path() / "run.h5") != before);
}

TEST_CASE("contradictions and absent generations are refused by clade-play and clade-inspect") {
  const TemporaryFolder folder;
  make(four_generations("run.h5"), folder);
  make({"clade-es", "--env", "CartPole-v1", "--population", "4", "--generations", "1", "--quiet", "--out", "short.h5"},
       folder);
  const auto play = [](const Arguments& more) { return Arguments{"clade-play", "run.h5"} + more; };
  check_refused(
      {
          {{"clade-play"}, "the argument RUN.H5 is missing"},
          {play({"other.h5"}), "unexpected argument 'other.h5'"},
          {play({"--best", "--generation", "3"}), "--best and --generation exclude each other"},
          {play({"--member", "1:2", "--best"}), "leave out --best and --generation"},
          {play({"--member", "1:2", "--seed", "3"}), "--seed is for fresh episodes"},
          {play({"--member", "1:2", "--max-steps", "3"}), "--max-steps is for fresh episodes"},
          {play({"--generation", "5"}), "generation 5 is not in the run file; it holds the solutions after 0 to 4"},
          {play({"--member", "4:0"}), "generation 4 has no members in the run file; it holds generations 0 to 3"},
          {play({"--member", "0:8"}), "member 8 is not in generation 0, which has 8 members"},
          {play({"--member", "1"}), "--member '1': give GENERATION:MEMBER"},
          {play({"--member", "-1:0"}), "--member '-1:0': give GENERATION:MEMBER, two whole numbers"},
          {play({"--member", "x:y"}), "--member 'x:y': give GENERATION:MEMBER"},
          {play({"--episodes", "0"}), "--episodes: 0 is out of range"},
          {play({"--max-steps", "x"}), "--max-steps 'x': give a whole number from 1"},
          {{"clade-play", "short.h5", "--best"}, "the run played no evaluation"},
          {{"clade-inspect"}, "no run file; name one, or --help"},
          {{"clade-inspect", "run.h5", "--hash", "--csv"}, "exclude each other"},
          {{"clade-inspect", "run.h5", "--members", "4"}, "generation 4 is not in the run file"},
          {{"clade-inspect", "--network", "mlp:4"}, "--network needs --inputs, as 17 or 84,84,4"},
          {{"clade-inspect", "--network", "mpl:4", "--inputs", "2", "--outputs", "2"}, "did you mean 'mlp'?"},
          {{"clade-trace"}, "the argument FILE is missing"},
      },
      folder);
}

TEST_CASE("more threads than cores are worth a note and give the same hash") {
  const TemporaryFolder folder;
  Arguments command = small_run({"--generations", "4"});
  const std::string reference = reference_hash(command + Arguments{"--threads", "1"}, folder);
  std::erase(command, "--quiet");
  const ProcessResult result = run(command + Arguments{"--threads", "512", "--out", "many.h5"}, folder);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.err, contains_text("note: --threads 512 is more than the "));
  CHECK(hash_of("many.h5", folder) == reference);
}

TEST_CASE("a missing MuJoCo library or model and a damaged model are named") {
  if (const std::string reason = mujoco_absent(); !reason.empty()) CLADE_SKIP(reason);
  const TemporaryFolder folder;
  const Arguments command = {"clade-es", "--env", "HalfCheetah-v5", "--generations", "1"};
  check_refused({command, "cannot load the MuJoCo library that CLADE_MUJOCO_LIBRARY names: /absent/libmujoco.so"},
                folder, {{"CLADE_MUJOCO_LIBRARY", "/absent/libmujoco.so"}});
  write(folder.path() / "library.so", "no library");
  check_refused({command, "library.so: "}, folder, {{"CLADE_MUJOCO_LIBRARY", folder.file("library.so")}});
  check_refused({command, "no model file 'half_cheetah.xml' (looked in /absent); run tools/setup.sh"}, folder,
                {{"CLADE_MUJOCO_MODELS", "/absent"}});
  write(folder.path() / "half_cheetah.xml", "<mujoco><worldbody>");
  check_refused({command, "cannot compile the model '" + folder.file("half_cheetah.xml") + "': XML"}, folder,
                {{"CLADE_MUJOCO_MODELS", folder.path().string()}});
  write(folder.path() / "half_cheetah.xml", "<mujoco/>");
  check_refused({command, "half_cheetah.xml"}, folder, {{"CLADE_MUJOCO_MODELS", folder.path().string()}});
  check_refused(
      {{"clade-trace", std::string(CLADE_TEST_SOURCE_DIR) + "/tests/golden/mujoco.h5"}, "nothing could be replayed; "},
      folder, {{"CLADE_MUJOCO_LIBRARY", "/absent/libmujoco.so"}});
  check_refused({{{"clade-es", "--env", "HalfCheetah-v5", "--env-option", "xml_file=./absent.xml"},
                  "no model file './absent.xml'"},
                 {{"clade-es", "--env", "Pusher-v4"}, "environment 'Pusher-v4' is not available"}},
                folder);
  // A run file is readable where its environment cannot be made.
  make(command + Arguments{"--max-steps", "5", "--population", "4", "--network", "linear", "--final-episodes", "0",
                           "--quiet", "--out", "run.h5"},
       folder);
  CHECK(run({"clade-inspect", "run.h5"}, folder, {{"CLADE_MUJOCO_LIBRARY", "/absent"}}).exit_code == 0);
  check_refused({{"clade-play", "run.h5"}, "cannot load the MuJoCo library"}, folder,
                {{"CLADE_MUJOCO_LIBRARY", "/absent"}});
}

}  // namespace
}  // namespace clade::test
