// Runs that meet a bad file, a bad place or a bad moment: each says so in one line, and nothing saved is lost.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/run_file.hpp"
#include "core/run_file_block.hpp"
#include "tests/support/catch.hpp"
#include "tests/tools/command_line.hpp"

namespace clade::test {
namespace {

using clade::testing::contains_text;

/// A cart and pole whose joints gain energy at once: MuJoCo warns of bad accelerations in the first steps.
constexpr const char* kDivergingModel = R"(<mujoco>
  <option timestep="1"/>
  <worldbody>
    <body name="cart">
      <joint name="slider" type="slide" axis="1 0 0" damping="-1e12"/>
      <geom size="0.1" mass="1"/>
      <body name="pole" pos="0 0 0.1">
        <joint name="hinge" type="hinge" axis="0 1 0" damping="-1e12"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.05" mass="1"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slider" ctrlrange="-1 1" ctrllimited="true"/></actuator>
</mujoco>
)";

TEST_CASE("a folder that may not be written is refused, a file that may not be read too") {
  const TemporaryFolder folder;
  make(four_generations("run.h5"), folder);
  namespace fs = std::filesystem;
  fs::permissions(folder.path() / "run.h5", fs::perms::none);
  fs::permissions(folder.path(),
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  // Permissions do not bind root: nobody runs the programs then.
  const std::string drop = geteuid() == 0 ? "exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"" : "\"$@\"";
  const bool possible = run_script(drop + " >/dev/null 2>&1", {"clade-inspect", "--help"}, folder).exit_code == 0;
  if (possible) {
    const ProcessResult written = run_script(drop, four_generations("new.h5"), folder);
    CHECK(written.exit_code == 2);
    CHECK(written.err == "clade-es: --out new.h5: the folder . is not writable; choose another\n");
    const ProcessResult read = run_script(drop, {"clade-play", "run.h5"}, folder);
    CHECK(read.exit_code == 2);
    CHECK(read.err == "clade-play: cannot load 'run.h5': no permission to read it\n");
  }
  fs::permissions(folder.path(), fs::perms::owner_all);
  if (!possible) CLADE_SKIP("root, and setpriv cannot run the built programs as another user");
}

TEST_CASE("truncated, foreign, newer and damaged files are named by every program that reads runs") {
  const TemporaryFolder folder;
  make(four_generations("run.h5"), folder);
  const std::string good = contents(folder.path() / "run.h5");
  write(folder.path() / "truncated.h5", good.substr(0, good.size() / 2));
  write(folder.path() / "empty.h5", "");
  write(folder.path() / "foreign.h5", "no run at all\n");
  std::string flipped = good;
  flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 4);
  write(folder.path() / "flipped.h5", flipped);
  std::vector<std::byte> newer(good.size());
  std::ranges::transform(good, newer.begin(), [](char letter) { return static_cast<std::byte>(letter); });
  write_run_file_block(newer, kRunFileSchema + 1, "9.9.9");
  write(folder.path() / "newer.h5", {reinterpret_cast<const char*>(newer.data()), newer.size()});
  std::filesystem::copy_file(std::string(CLADE_TEST_SOURCE_DIR) + "/tests/golden/classic.h5",
                             folder.path() / "golden.h5");
  const std::vector<std::pair<std::string, std::string>> files = {
      {"truncated.h5", "cannot load 'truncated.h5': truncated: "},
      {"empty.h5", "cannot load 'empty.h5': it is empty"},
      {"foreign.h5", "cannot load 'foreign.h5': it is not a Clade run file"},
      {"golden.h5", "it is an HDF5 file, but not a Clade run file"},
      {"flipped.h5", "cannot load 'flipped.h5': damaged between bytes "},
      {"newer.h5", "written by Clade 9.9.9, is newer than this Clade"},
      {"absent.h5", "cannot load 'absent.h5': no such file"},
      {".", "cannot load '.': it is a folder, not a file"},
      {"/dev/null", "cannot load '/dev/null': it is not a regular file"},
  };
  for (const auto& [file, message] : files) {
    check_refused({{{"clade-es", "--resume", file}, message},
                   {{"clade-es", "--env", "CartPole-v1", "--init-from", file}, message},
                   {{"clade-play", file}, message},
                   {{"clade-inspect", file}, message}},
                  folder);
  }
  check_refused({{{"clade-inspect", "run.h5", "--diff", "flipped.h5"}, "'flipped.h5': damaged"},
                 {{"clade-trace", "truncated.h5"}, "cannot read 'truncated.h5'"},
                 {{"clade-trace", "absent.h5"}, "cannot read 'absent.h5': no such file"},
                 {{"clade-trace", "run.h5"}, "'run.h5': nothing could be replayed"}},
                folder);
  CHECK(contents(folder.path() / "flipped.h5") == flipped);
}

TEST_CASE("a resume refuses what it cannot go on with, and leaves the file as it is") {
  const TemporaryFolder folder;
  make(four_generations("run.h5"), folder);
  const std::string before = contents(folder.path() / "run.h5");
  check_refused(
      {
          {{"clade-es", "--resume", "run.h5", "--sigma", "0.5"},
           "--sigma: the run was started with 0.02; a resumed run cannot change it to 0.5; use --init-from"},
          {{"clade-es", "--resume", "run.h5", "--preset", "HalfCheetah"},
           "preset HalfCheetah: env: the run was started"},
          {{"clade-es", "--resume", "run.h5", "--init-from", "run.h5"}, "--resume and --init-from exclude each other"},
          {{"clade-ars", "--resume", "run.h5"}, "this run was made by clade-es; resume it with that program"},
      },
      folder);
  SECTION("a finished run says so at once") {
    const ProcessResult result = run({"clade-es", "--resume", "run.h5"}, folder);
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    CHECK_THAT(result.out, contains_text("finished already, after 4 generations: generations spent"));
  }
  CHECK(contents(folder.path() / "run.h5") == before);
  SECTION("a larger budget goes on") {
    make({"clade-es", "--resume", "run.h5", "--generations", "6", "--quiet"}, folder);
    CHECK(hash_of("run.h5", folder) == reference_hash(small_run({"--generations", "6"}), folder));
  }
}

TEST_CASE("a run made with --init-from starts from the other run's solution, with other settings") {
  const TemporaryFolder folder;
  make(four_generations("source.h5", {"--normalize", "ars"}), folder);
  make(four_generations("next.h5", {"--normalize", "ars", "--init-from", "source.h5", "--sigma", "0.5"}), folder);
  // The same policy under the same seed plays the same episodes.
  const Arguments fresh = {"--seed", "9", "--episodes", "5"};
  const std::string last = run(Arguments{"clade-play", "source.h5"} + fresh, folder).out;
  const std::string first = run(Arguments{"clade-play", "next.h5", "--generation", "0"} + fresh, folder).out;
  REQUIRE(lines(last) == 7);
  CHECK(first.substr(first.find('\n')) == last.substr(last.find('\n')));

  check_refused(
      {
          {{"clade-es", "--env", "CartPole-v1", "--network", "mlp:8", "--init-from", "source.h5"},
           "its network is mlp:4:tanh of 4 inputs and 2 outputs, this run's mlp:8:tanh"},
          {{"clade-es", "--env", "CartPole-v1", "--network", "mlp:4:relu", "--init-from", "source.h5"},
           "this run's mlp:4:relu of 4 inputs"},
          {{"clade-es", "--env", "Acrobot-v1", "--network", "mlp:4", "--init-from", "source.h5"},
           "this run's mlp:4:tanh of 6 inputs and 3 outputs; give the same --network, and an --env of the same shape"},
      },
      folder);
  const ProcessResult other = run(four_generations("other.h5", {"--init-from", "source.h5"}), folder);
  CHECK(other.exit_code == 0);
  CHECK_THAT(other.err, contains_text("its run had --normalize ars, this one has none"));
}

TEST_CASE("diverging physics ranks worst and is counted, or stops the run after saving") {
  if (const std::string reason = mujoco_absent(); !reason.empty()) CLADE_SKIP(reason);
  const TemporaryFolder folder;
  write(folder.path() / "wild.xml", kDivergingModel);
  const Arguments command = {"clade-es",
                             "--env",
                             "InvertedPendulum-v5",
                             "--env-option",
                             "xml_file=./wild.xml",
                             "--network",
                             "linear",
                             "--population",
                             "6",
                             "--generations",
                             "2",
                             "--evaluate-every",
                             "1",
                             "--evaluation-episodes",
                             "3",
                             "--final-episodes",
                             "2",
                             "--quiet"};
  const ProcessResult worst = run(command + Arguments{"--out", "worst.h5"}, folder);
  CHECK(worst.exit_code == 0);
  CHECK(lines(worst.err) == 1);
  CHECK_THAT(worst.err, contains_text("note: an episode failed") &&
                            contains_text("generation 0, member 0, episode 0") && contains_text("mjWARN_BADQACC"));
  // Twice 6 training and 3 evaluation episodes, and 2 of the final test.
  CHECK_THAT(worst.out, contains_text("20 episodes failed in this session") && contains_text("all 2 episodes failed") &&
                            contains_text("every evaluation episode failed, in 12 episodes of training: worst.h5"));

  const ProcessResult stop = run(command + Arguments{"--on-failure", "stop", "--out", "stop.h5"}, folder);
  CHECK(stop.exit_code == 1);
  CHECK(lines(stop.err) == 1);
  CHECK_THAT(stop.err, contains_text("clade-es: an episode failed (--on-failure stop): generation 0, member 0") &&
                           contains_text("saved before generation 0"));
  CHECK_THAT(run({"clade-inspect", "stop.h5"}, folder).out, contains_text(", failed"));
  make({"clade-es", "--resume", "stop.h5", "--on-failure", "worst", "--quiet"}, folder);
  CHECK(hash_of("stop.h5", folder) == hash_of("worst.h5", folder));

  // Another model of the same name is another platform.
  std::string changed = kDivergingModel;
  write(folder.path() / "wild.xml", changed.replace(changed.find("mass=\"1\""), 8, "mass=\"2\""));
  check_refused({{"clade-es", "--resume", "worst.h5", "--generations", "3"}, "model_sha256: "}, folder);
}

TEST_CASE("a genetic algorithm whose every episode fails goes on without an elite, or stops after saving") {
  if (const std::string reason = mujoco_absent(); !reason.empty()) CLADE_SKIP(reason);
  const TemporaryFolder folder;
  write(folder.path() / "wild.xml", kDivergingModel);
  const Arguments command = {"clade-ga",
                             "--env",
                             "InvertedPendulum-v5",
                             "--env-option",
                             "xml_file=./wild.xml",
                             "--network",
                             "linear",
                             "--population",
                             "6",
                             "--parents",
                             "2",
                             "--validation-candidates",
                             "2",
                             "--generations",
                             "2",
                             "--final-episodes",
                             "2",
                             "--quiet"};
  const ProcessResult worst = run(command + Arguments{"--out", "worst.h5"}, folder);
  CHECK(worst.exit_code == 0);
  CHECK_THAT(worst.err, contains_text("note: an episode failed") && contains_text("mjWARN_BADQACC"));
  CHECK_THAT(worst.out,
             contains_text("14 episodes failed in this session") && contains_text("all 2 episodes failed") &&
                 contains_text("no member was validated in 12 episodes of training and validation: worst.h5"));
  const ProcessResult stop = run(command + Arguments{"--on-failure", "stop", "--out", "stop.h5"}, folder);
  CHECK(stop.exit_code == 1);
  CHECK(lines(stop.err) == 1);
  CHECK_THAT(stop.err, contains_text("clade-ga: an episode failed (--on-failure stop): generation 0, member 0") &&
                           contains_text("saved before generation 0"));
  make({"clade-ga", "--resume", "stop.h5", "--on-failure", "worst", "--quiet"}, folder);
  CHECK(hash_of("stop.h5", folder) == hash_of("worst.h5", folder));
}

TEST_CASE("a standard output that cannot be written is an error, a reader that goes away none") {
  const TemporaryFolder folder;
  if (!std::filesystem::exists("/dev/full")) CLADE_SKIP("no /dev/full here");
  const ProcessResult full = run_script("\"$@\" > /dev/full", four_generations("full.h5"), folder);
  CHECK(full.exit_code == 1);
  CHECK(full.err ==
        "clade-es: standard output cannot be written: No space left on device; what it should hold is incomplete\n");
  const ProcessResult closed = run_script("\"$@\" >&-", four_generations("closed.h5"), folder);
  CHECK(closed.exit_code == 1);
  CHECK(lines(closed.err) == 1);
  CHECK(run_script("\"$@\" <&- >&- 2>&-", four_generations("all.h5"), folder).exit_code == 1);
  CHECK(hash_of("full.h5", folder) == hash_of("closed.h5", folder));
  CHECK(hash_of("full.h5", folder) == hash_of("all.h5", folder));
  for (const Arguments& command : {Arguments{"clade-inspect", "full.h5"}, Arguments{"clade-play", "full.h5"},
                                   Arguments{"clade-es", "--help"}, Arguments{"clade-es", "--list-envs"}}) {
    const ProcessResult result = run_script("\"$@\" > /dev/full", command, folder);
    CHECK(result.exit_code == 1);
    CHECK(lines(result.err) == 1);
  }
  const ProcessResult gone =
      run_script("{ \"$@\"; echo $? >&2; } | head -n 1", {"clade-play", "full.h5", "--episodes", "2000"}, folder);
  CHECK(gone.err == "0\n");
}

TEST_CASE("saves that fail warn once, the last one ends with 1, and the good file goes on to the same bits") {
  const TemporaryFolder folder;
  Arguments command = small_run({"--generations", "12"});
  *(std::ranges::find(command, "--population") + 1) = "300";
  const std::string reference = reference_hash(command, folder);
  // A limit on file sizes fails like a full disk, and needs no rights. Blocks of 512 bytes: the saves of the first
  // generations fit (80 blocks after 4), the last one (95) does not.
  const ProcessResult result = run_script("ulimit -f 84; exec \"$@\"",
                                          command + Arguments{"--save-every", "generation", "--out", "run.h5"}, folder);
  INFO(result.err);
  CHECK(result.exit_code == 1);
  CHECK(lines(result.err) == 2);
  CHECK_THAT(result.err, contains_text("warning: cannot save 'run.h5': file size limit exceeded") &&
                             contains_text("the run goes on and tries again\nclade-es: cannot save") &&
                             contains_text("stays, and --resume computes the rest again"));
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    CHECK((name == "run.h5" || name == "reference.h5"));
  }
  make({"clade-es", "--resume", "run.h5", "--quiet"}, folder);
  CHECK(hash_of("run.h5", folder) == reference);
}

TEST_CASE("a full disk keeps the last good file, and once there is room the run is saved again") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "disk");
  // A file system of the test's own, in a name space of its own.
  const std::string begin = "mount -t tmpfs -o size=4m tmpfs disk && ";
  const auto on_disk = [&](const std::string& script, const Arguments& command) {
    Arguments arguments = {"-rm", "/bin/sh", "-c", begin + script, "sh", program_path(command.front())};
    arguments.insert(arguments.end(), command.begin() + 1, command.end());
    return run_program("/usr/bin/unshare", arguments, folder.path());
  };
  if (on_disk("true", {"clade-es"}).exit_code != 0) CLADE_SKIP("this user may not mount a small file system");

  make(four_generations("run.h5"), folder);
  const std::string before = contents(folder.path() / "run.h5");
  const ProcessResult full = on_disk(
      "cp run.h5 disk && { dd if=/dev/zero of=disk/fill bs=1k 2>/dev/null; \"$@\"; code=$?; cp disk/run.h5 after.h5; "
      "ls disk >&2; exit $code; }",
      {"clade-es", "--resume", "disk/run.h5", "--generations", "9", "--quiet"});
  CHECK(full.exit_code == 1);
  CHECK_THAT(full.err, contains_text("clade-es: cannot save 'disk/run.h5': no space left: "));
  CHECK(full.err.ends_with("\nfill\nrun.h5\n"));  // nothing half-written is left
  CHECK(contents(folder.path() / "after.h5") == before);

  const ProcessResult again = on_disk(
      "{ \"$@\" 2>err & pid=$!; until [ -e disk/run.h5 ]; do sleep 0.01; done; "
      "dd if=/dev/zero of=disk/fill bs=1k 2>/dev/null; until grep -q warning err; do sleep 0.01; done; "
      "rm disk/fill; wait $pid; code=$?; cat err >&2; cp disk/run.h5 again.h5; exit $code; }",
      small_run({"--budget-seconds", "1.5", "--save-every", "0.05", "--out", "disk/run.h5"}));
  INFO(again.err);
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.err, contains_text("no space left") && contains_text("note: saved again, before generation "));
  CHECK_THAT(run({"clade-inspect", "again.h5", "--verify"}, folder).out, contains_text("intact"));
}

TEST_CASE("a resume on another platform needs --allow-other-platform, which is recorded") {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> other = {
      {"GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable"}};
  const auto platform_line = [&](const std::vector<std::pair<std::string, std::string>>& environment) {
    REQUIRE(run(four_generations("probe.h5", {"--force"}), folder, environment).exit_code == 0);
    const std::string text = run({"clade-inspect", "probe.h5"}, folder).out;
    const std::size_t begin = text.find("platform ");
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  if (platform_line({}) == platform_line(other)) CLADE_SKIP("GLIBC_TUNABLES does not change this machine's libm");

  make(four_generations("run.h5"), folder);
  const std::string before = contents(folder.path() / "run.h5");
  const Arguments resume = {"clade-es", "--resume", "run.h5", "--generations", "6", "--quiet"};
  check_refused({resume, "results would not go on to the same bits here (libm: "}, folder, other);
  CHECK(contents(folder.path() / "run.h5") == before);
  CHECK(run(resume + Arguments{"--allow-other-platform"}, folder, other).exit_code == 0);
  CHECK_THAT(run({"clade-inspect", "run.h5"}, folder).out,
             contains_text("another platform from generation 4 on, allowed by --allow-other-platform"));
}

/// Interrupts `command` while it is at work, says what clade-inspect shows of the saved run, and checks that a resume
/// ends with the undisturbed hash.
std::string interrupted_summary(const Arguments& command, const TemporaryFolder& folder) {
  Process process(command.front(), Arguments(command.begin() + 1, command.end()) + Arguments{"--out", "run.h5"},
                  folder.path());
  while (process.running() && !std::filesystem::exists(folder.path() / "run.h5")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  process.signal(SIGINT);
  const ProcessResult result = process.wait();
  INFO(result.err);
  CHECK(result.exit_code == 130);
  CHECK_THAT(result.out, contains_text("interrupted and saved after "));
  const std::string summary = run({"clade-inspect", "run.h5"}, folder).out;
  make({"clade-es", "--resume", "run.h5", "--quiet"}, folder);
  CHECK(hash_of("run.h5", folder) == reference_hash(command, folder));
  return summary;
}

Arguments long_run(const std::string& population, const std::string& evaluation_episodes,
                   const std::string& final_episodes) {
  return {"clade-es",
          "--env",
          "CartPole-v1",
          "--network",
          "mlp:4",
          "--population",
          population,
          "--generations",
          "1",
          "--evaluate-every",
          "1",
          "--evaluation-episodes",
          evaluation_episodes,
          "--final-episodes",
          final_episodes,
          "--threads",
          "1",
          "--quiet"};
}

TEST_CASE("SIGINT in the very first generation: saved, and the resume gives the undisturbed hash") {
  const TemporaryFolder folder;
  const std::string summary = interrupted_summary(long_run("150000", "2", "2"), folder);
  CHECK_THAT(summary, contains_text("interrupted") && contains_text("generations      0\n"));
}

TEST_CASE("SIGINT in an evaluation: saved, and the resume gives the undisturbed hash") {
  const TemporaryFolder folder;
  const std::string summary = interrupted_summary(long_run("4", "30000", "2"), folder);
  CHECK_THAT(summary, contains_text("generations      1,") && !contains_text("last evaluation"));
}

TEST_CASE("SIGINT in the final test: saved, and the resume gives the undisturbed hash") {
  const TemporaryFolder folder;
  const std::string summary = interrupted_summary(long_run("4", "2", "30000"), folder);
  CHECK_THAT(summary, contains_text("last evaluation") && !contains_text("final test"));
}

}  // namespace
}  // namespace clade::test
