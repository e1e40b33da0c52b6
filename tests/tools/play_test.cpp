// clade-play on runs of a genetic algorithm: members as recorded, exported weights, pictures.

#include <filesystem>
#include <iostream>
#include <string>

#include "core/file_layer.hpp"
#include "core/run_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"
#include "tests/tools/command_line.hpp"
#include "tests/tools/npz_reader.hpp"

namespace clade::test {
namespace {

using clade::testing::contains_text;

Arguments genetic_run(const std::string& file, const Arguments& more = {}) {
  return Arguments{"clade-ga",    "--env",
                   "CartPole-v1", "--network",
                   "mlp:4",       "--population",
                   "8",           "--parents",
                   "3",           "--validation-candidates",
                   "2",           "--validation-episodes",
                   "2",           "--final-episodes",
                   "2",           "--power",
                   "0.5",         "--generations",
                   "4",           "--quiet",
                   "--out",       file} +
         more;
}

/// Empty where Frostbite can be made here, else why not.
std::string atari_absent() {
  for (const EnvironmentInfo& info : list_environments()) {
    if (info.name == "Frostbite" || info.name == "ALE/Frostbite-v5") return info.unavailable;
  }
  return "this build has no Atari games";
}

}  // namespace

TEST_CASE("any individual of a genetic algorithm is rebuilt and plays as recorded") {
  const TemporaryFolder folder;
  make(genetic_run("ga.h5", {"--crossover", "uniform", "--crossover-rate", "0.5"}), folder);
  for (const std::string member : {"0:0", "1:7", "2:3", "3:0", "3:5"}) {
    const ProcessResult result = run({"clade-play", "ga.h5", "--member", member}, folder);
    INFO(member << ": " << result.err);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.out, contains_text("as recorded, to the bit\n") && contains_text("  frames "));
  }
  const RunRecord record = load_run_file(folder.path() / "ga.h5");
  const Individual elite = record.generations.back().validation.elites.front();
  const std::string name = std::to_string(elite.generation) + ":" + std::to_string(elite.member);
  CHECK(run({"clade-play", "ga.h5", "--member", "elite"}, folder).out ==
        "the last elite, " + name + "\n" + run({"clade-play", "ga.h5", "--member", name}, folder).out);
  const ProcessResult lineage = run({"clade-inspect", "ga.h5", "--lineage", "3:5"}, folder);
  CHECK(lineage.exit_code == 0);
  CHECK_THAT(lineage.out, contains_text("\n3:5: 3 mutations from the initial individual 0:") ||
                              contains_text("\n3:5: 2 mutations from the initial individual 0:") ||
                              contains_text("\n3:5: 1 mutation from the initial individual 0:"));
}

TEST_CASE("a member whose record was altered does not play as recorded") {
  const TemporaryFolder folder;
  make(genetic_run("ga.h5"), folder);
  RunRecord record = load_run_file(folder.path() / "ga.h5");
  ++record.generations[2].frames[3];
  save_run_file(folder.path() / "ga.h5", record);
  const ProcessResult result = run({"clade-play", "ga.h5", "--member", "2:3"}, folder);
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.out, contains_text("episode 0 differs: recorded return ") && contains_text("not as recorded"));
}

TEST_CASE("exported weights have the arrays of the network's layout") {
  const TemporaryFolder folder;
  make(genetic_run("ga.h5"), folder);
  make({"clade-play", "ga.h5", "--export", "elite.npz"}, folder);
  make({"clade-play", "ga.h5", "--member", "0:5", "--export", "member.npz"}, folder);
  const std::vector<NpzArray> elite = read_npz(read_whole_file(folder.path() / "elite.npz"));
  const std::vector<NpzArray> member = read_npz(read_whole_file(folder.path() / "member.npz"));
  REQUIRE(elite.size() == 4);
  REQUIRE(member.size() == 4);
  const std::vector<std::string> names = {"layer0.weight", "layer0.bias", "layer1.weight", "layer1.bias"};
  const std::vector<std::string> shapes = {"(4, 4)", "(4,)", "(4, 2)", "(2,)"};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(elite[i].name == names[i]);
    CHECK(elite[i].shape == shapes[i]);
    CHECK(member[i].shape == shapes[i]);
  }
  CHECK(elite[0].data != member[0].data);
  // An initial individual: biases 0 as drawn, weights not.
  CHECK(member[1].values<float>() == std::vector<float>(4, 0.0F));
  CHECK(member[0].values<float>() != std::vector<float>(16, 0.0F));
}

TEST_CASE("an export plays nothing unless asked to, and gives the same file again") {
  const TemporaryFolder folder;
  make(small_run({"--generations", "2", "--normalize", "ars", "--out", "es.h5"}), folder);
  const ProcessResult alone = run({"clade-play", "es.h5", "--export", "a.npz"}, folder);
  CHECK(alone.out == "solution after 2 of 2 generations\nweights: 30 parameters in a.npz\n");
  const ProcessResult played = run({"clade-play", "es.h5", "--export", "b.npz", "--episodes", "2"}, folder);
  CHECK_THAT(played.out, contains_text("weights: 30 parameters in b.npz\n") && contains_text("in 2 episodes"));
  CHECK(contents(folder.path() / "a.npz") == contents(folder.path() / "b.npz"));
  const std::vector<NpzArray> arrays = read_npz(read_whole_file(folder.path() / "a.npz"));
  REQUIRE(arrays.size() == 7);
  CHECK(arrays[4].name == "normalizer.mean");
  CHECK(arrays[4].shape == "(4,)");
}

TEST_CASE("what clade-play cannot write or show is refused in one line") {
  const TemporaryFolder folder;
  make(genetic_run("ga.h5"), folder);
  const auto play = [](const Arguments& more) { return Arguments{"clade-play", "ga.h5"} + more; };
  check_refused(
      {
          {play({"--member", "4:0"}), "generation 4 has no members in the run file; it holds generations 0 to 3"},
          {play({"--member", "0:8"}), "member 8 is not in generation 0, which has 8 members"},
          {play({"--member", "3:"}), "--member '3:': give GENERATION:MEMBER, two whole numbers"},
          {play({"--member", ""}), "--member '': give GENERATION:MEMBER"},
          {play({"--generation", "5"}), "generation 5 is not in the run file"},
          {play({"--export", "weights.bin"}), "--export 'weights.bin': name a file that ends in .npz"},
          {play({"--export", ""}), "--export '': name a file that ends in .npz"},
          {play({"--member", "elites"}), "--member 'elites': give GENERATION:MEMBER"},
          {play({"--export", "absent/weights.npz"}), "there is no folder absent; create it first"},
          {play({"--episodes", "16777215", "--export", "ga.h5/weights.npz"}), "ga.h5 is not a folder"},
          {play({"--episodes", "16777215", "--strip", "absent/strip.png"}), "there is no folder absent"},
          {play({"--strip", "strip.jpg"}), "--strip 'strip.jpg': name a file that ends in .png"},
          {play({"--strip", "strip.png"}), "CartPole-v1 has no screen to take pictures of"},
          {play({"--strip-frames", "4"}), "--strip-frames belongs to --strip"},
          {play({"--strip", "strip.png", "--strip-frames", "1"}), "--strip-frames: 1 is out of range"},
      },
      folder);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "strip.png"));
}

TEST_CASE("a game's episode is shown as a strip, and its score compared with a human's") {
  if (const std::string absent = atari_absent(); !absent.empty()) {
    std::cout << "skipped: " << absent << '\n';
    return;
  }
  const TemporaryFolder folder;
  make({"clade-rs",
        "--env",
        "Frostbite",
        "--network",
        "conv:4@8/4;fc:8",
        "--population",
        "2",
        "--validation-candidates",
        "1",
        "--validation-episodes",
        "1",
        "--final-episodes",
        "0",
        "--generations",
        "1",
        "--max-steps",
        "20",
        "--rate-seconds",
        "0",
        "--quiet",
        "--out",
        "rs.h5"},
       folder);
  const ProcessResult member =
      run({"clade-play", "rs.h5", "--member", "0:1", "--strip", "strip.png", "--strip-frames", "3"}, folder);
  INFO(member.err);
  CHECK(member.exit_code == 0);
  CHECK_THAT(member.out, contains_text("  steps 20  frames 80  at the cap") && contains_text("human-normalised ") &&
                             contains_text("as recorded, to the bit\n") &&
                             contains_text("strip.png: 3 screens of episode 0, at steps 0, 10, 20; 80 frames\n"));
  const std::string png = contents(folder.path() / "strip.png");
  REQUIRE(png.size() > 24);
  // Three screens of 160 x 210 and two gaps of 4: 488 = 0x1E8, 210 = 0xD2.
  CHECK(png.substr(16, 8) == std::string("\0\0\x01\xE8\0\0\0\xD2", 8));
  // One fresh episode is enough for pictures of one.
  const ProcessResult fresh =
      run({"clade-play", "rs.h5", "--max-steps", "20", "--strip", "fresh.png", "--strip-frames", "9"}, folder);
  CHECK(fresh.exit_code == 0);
  CHECK_THAT(fresh.out, contains_text("\nepisode 0  ") && !contains_text("\nepisode 1  ") &&
                            contains_text(" in 1 episode, ") &&
                            contains_text("fresh.png: 9 screens of episode 0, at "));
  // Rows of 5 and 4: 816 = 0x330, 424 = 0x1A8.
  CHECK(contents(folder.path() / "fresh.png").substr(16, 8) == std::string("\0\0\x03\x30\0\0\x01\xA8", 8));
  CHECK_THAT(run({"clade-inspect", "rs.h5"}, folder).out, contains_text("environment      Frostbite, protocol dqn\n"));
}

}  // namespace clade::test
