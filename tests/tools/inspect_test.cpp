#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/run_file.hpp"
#include "core/run_file_block.hpp"
#include "core/run_file_content.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"
#include "tests/support/run_records.hpp"

using namespace clade;
using clade::test::ProcessResult;
using clade::test::TemporaryFolder;
using clade::testing::contains_text;
using clade::testing::random_record;

namespace {

ProcessResult inspect(const TemporaryFolder& folder, const std::vector<std::string>& arguments) {
  return clade::test::run_program("clade-inspect", arguments, folder.path());
}

std::size_t lines(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

/// A record whose figures are easy to name.
RunRecord plain_record() {
  RunRecord record = random_record(1, {.generations = 2, .members = 3, .episodes_per_member = 2});
  record.generations[0].returns = {1, 3, 10, 20, 5, 7};  // members 2, 15, 6
  record.generations[0].status = {1, 2, 1, 2, 1, 2};
  record.generations[0].evaluation_returns = {4, 6};
  record.generations[1].frames = {4, 4, 8, 8, 16, 15};
  record.generations[1].returns = {1, 1, 2, 2, 4, 4};
  record.generations[1].steps = {1, 1, 2, 2, 4, 4};
  record.generations[1].status = {1, 1, 1, 1, 3, 2};  // the last member failed
  record.generations[1].total_seconds = 2.5;
  record.final_returns = {1, 2, 6};
  return record;
}

}  // namespace

TEST_CASE("clade-inspect sums a run up") {
  const TemporaryFolder folder;
  const RunRecord record = plain_record();
  save_run_file(folder.path() / "run.h5", record);
  const ProcessResult result = inspect(folder, {"run.h5"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  for (const std::string& part :
       {std::string("clade-test 0.1.0, interrupted"), std::string("environment      HalfCheetah-v4, a=1, b=2\n"),
        std::string("last evaluation  mean 5.000"), std::string("2, the last with 3 members x 2 episodes"),
        std::string("best 2.000  mean 1.500  median 1.500"),
        std::string("mean 5.000 +- 1.000 in 2 episodes, after 1 generation"),
        std::string("mean 3.000 +- 1.528 in 3 episodes, median 2.000, best 6.000, worst 1.000"),
        std::string("in 2 sessions"), std::string("libm 12"),
        std::string("another platform from generation 2 on, allowed by --allow-other-platform"),
        results_digest(record)}) {
    CHECK_THAT(result.out, contains_text(part));
  }
  // The environment cannot be made with these options, and the summary goes without the network's sizes.
  CHECK(inspect(folder, {"run.h5", "--layout"}).exit_code == 2);
}

TEST_CASE("clade-inspect shows generations as a table and as CSV") {
  const TemporaryFolder folder;
  save_run_file(folder.path() / "run.h5", plain_record());
  const ProcessResult csv = inspect(folder, {"run.h5", "--csv"});
  CHECK(csv.exit_code == 0);
  CHECK(csv.out ==
        "generation,best,mean,median,evaluation_mean,evaluation_error,episodes,steps,frames,seconds,failed\n"
        "0,15,7.666666666666667,6,5,1,6,3000,12000,1.5,0\n"
        "1,2,1.5,1.5,,,12,6000,24000,2.5,1\n");
  const ProcessResult table = inspect(folder, {"run.h5", "--generations"});
  CHECK(table.exit_code == 0);
  CHECK(lines(table.out) == 3);
  CHECK_THAT(table.out, contains_text("7.667") && contains_text("6,000") && contains_text("24,000"));
}

TEST_CASE("clade-inspect lists the members of a generation") {
  const TemporaryFolder folder;
  save_run_file(folder.path() / "run.h5", plain_record());
  const ProcessResult result = inspect(folder, {"run.h5", "--members", "1"});
  CHECK(result.exit_code == 0);
  CHECK(lines(result.out) == 4);
  CHECK_THAT(result.out, contains_text("-0.02") && contains_text("4 4 16 failed, 4 4 15 truncated") &&
                             contains_text("00000001:00000000:00000001:00000001:02000000"));
  const ProcessResult absent = inspect(folder, {"run.h5", "--members", "2"});
  CHECK(absent.exit_code == 2);
  CHECK(absent.err == "clade-inspect: generation 2 is not in the run file; it holds 0 to 1\n");
}

TEST_CASE("clade-inspect compares runs and prints their digest") {
  const TemporaryFolder folder;
  save_run_file(folder.path() / "a.h5", random_record(1));
  save_run_file(folder.path() / "b.h5", random_record(2));
  RunRecord later = random_record(1);
  later.status = "finished";
  later.sessions.clear();
  save_run_file(folder.path() / "c.h5", later);
  const ProcessResult different = inspect(folder, {"a.h5", "--diff", "b.h5", "--limit", "2"});
  CHECK(different.exit_code == 1);
  CHECK_THAT(different.out, contains_text("option seed: '1' against '2'\n") && contains_text("--limit shows"));
  CHECK(lines(different.out) == 3);
  const ProcessResult same = inspect(folder, {"a.h5", "--diff", "c.h5"});
  CHECK(same.exit_code == 0);
  CHECK(same.out == "same results: " + results_digest(later) + "\n");
  CHECK(inspect(folder, {"c.h5", "--hash"}).out == results_digest(later) + "\n");
  CHECK_THAT(inspect(folder, {"c.h5", "--verify"}).out, contains_text("c.h5: intact, "));
}

TEST_CASE("clade-inspect prints a configuration that gives the same run again") {
  const TemporaryFolder folder;
  REQUIRE(clade::test::run_program("clade-es",
                                   {"--env", "CartPole-v1", "--network", "mlp:4:relu", "--generations", "2",
                                    "--population", "4", "--final-episodes", "1", "--seed", "3", "--out", "a.h5"},
                                   folder.path())
              .exit_code == 0);
  const ProcessResult configuration = inspect(folder, {"a.h5", "--configuration"});
  REQUIRE(configuration.exit_code == 0);
  std::ofstream(folder.path() / "again.cfg") << configuration.out;
  const ProcessResult again =
      clade::test::run_program("clade-es", {"--config", "again.cfg", "--out", "b.h5"}, folder.path());
  INFO(again.err);
  REQUIRE(again.exit_code == 0);
  CHECK(inspect(folder, {"a.h5", "--diff", "b.h5"}).exit_code == 0);
  const ProcessResult layout = inspect(folder, {"a.h5", "--layout"});
  CHECK(layout.exit_code == 0);
  CHECK(lines(layout.out) == 4);
  CHECK_THAT(inspect(folder, {"a.h5"}).out, contains_text("mlp:4:relu, 4 inputs, 2 outputs, 30 parameters"));
}

TEST_CASE("clade-inspect prints the lineage of an individual and of the elite") {
  const TemporaryFolder folder;
  const RunRecord record = clade::testing::genetic_record(1);
  save_run_file(folder.path() / "ga.h5", record);
  const ProcessResult member = inspect(folder, {"ga.h5", "--lineage", "3:5"});
  CHECK(member.exit_code == 0);
  CHECK_THAT(member.out, contains_text(" initial ") && contains_text("3:5: ") && contains_text("from the initial"));
  const ProcessResult elite = inspect(folder, {"ga.h5", "--lineage", "elite"});
  CHECK(elite.exit_code == 0);
  const Individual& last = record.generations.back().validation.elites.front();
  CHECK_THAT(elite.out,
             contains_text("\n" + std::to_string(last.generation) + ":" + std::to_string(last.member) + ": "));
}

TEST_CASE("clade-inspect lays out a network without a run") {
  const TemporaryFolder folder;
  const ProcessResult result = inspect(folder, {"--network", "mlp:64,64:tanh", "--inputs", "17", "--outputs", "6"});
  CHECK(result.exit_code == 0);
  CHECK(lines(result.out) == 6);
  CHECK_THAT(result.out, contains_text("5312") && contains_text("[64, 6]"));
  // 8 x 8 x 4 x 16 weights and 16 biases, then 4 x 4 x 16 x 32 from 4112 on.
  const ProcessResult image = inspect(folder, {"--network", "model", "--inputs", "84,84,4", "--outputs", "18"});
  CHECK(image.exit_code == 0);
  CHECK_THAT(image.out, contains_text("conv0.weight         0  [8, 8, 4, 16]\n") &&
                            contains_text("conv1.weight      4112  [4, 4, 16, 32]\n") &&
                            contains_text("  [256, 18]\n"));
  const std::vector<std::string> with_layout = {"--network", "model",     "--layout", "--inputs",
                                                "84,84,4",   "--outputs", "18"};
  CHECK(inspect(folder, with_layout).out == image.out);
  // Other networks read the pixels one after the other.
  CHECK(inspect(folder, {"--network", "mlp:4", "--inputs", "5,6,7", "--outputs", "3"}).out ==
        inspect(folder, {"--network", "mlp:4", "--inputs", "210", "--outputs", "3"}).out);
}

TEST_CASE("clade-inspect refuses bad input in one line") {
  const TemporaryFolder folder;
  save_run_file(folder.path() / "run.h5", random_record(1));
  std::filesystem::copy_file(folder.path() / "run.h5", folder.path() / "short.h5");
  std::filesystem::resize_file(folder.path() / "short.h5", 9999);
  save_run_file(folder.path() / "ga.h5", clade::testing::genetic_record(1));
  std::vector<std::byte> old = encode_run_record(random_record(1));
  write_run_file_block(old, 1, "0.0.1");
  std::ofstream(folder.path() / "old.h5", std::ios::binary)
      .write(reinterpret_cast<const char*>(old.data()), static_cast<std::streamsize>(old.size()));
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{}, "no run file"},
      {{"absent.h5"}, "cannot load 'absent.h5': no such file"},
      {{"short.h5"}, "cannot load 'short.h5': truncated: 9999 of "},
      {{"short.h5", "--hash"}, "truncated"},
      {{"run.h5", "--diff", "absent.h5"}, "cannot load 'absent.h5'"},
      {{"."}, "it is a folder"},
      {{"run.h5", "--csv", "--hash"}, "--csv and --hash exclude each other"},
      {{"run.h5", "--network", "linear"}, "--layout shows that of 'run.h5'"},
      {{"--network", "linear"}, "--network needs --inputs, as 17 or 84,84,4 (an image's height, width, channels), and"},
      {{"--network", "model", "--inputs", "28224", "--outputs", "18"},
       "--network model reads an image, --inputs 28224 is none; give its shape, as --inputs 84,84,4"},
      {{"--network", "linear", "--inputs", "84,84", "--outputs", "1"}, "--inputs '84,84': give the numbers of an"},
      {{"--network", "linear", "--inputs", "84,84,", "--outputs", "1"}, "--inputs '84,84,': "},
      {{"--network", "linear", "--inputs", "0", "--outputs", "1"}, "--inputs '0': "},
      {{"--network", "linear", "--inputs", "9999,9999,9999", "--outputs", "1"}, "together 1 to 4294967295"},
      {{"--network", "linear", "--hash", "--inputs", "3", "--outputs", "1"}, "--hash and --network exclude each other"},
      {{"--network", "lineal", "--inputs", "1", "--outputs", "1"}, "'linear'"},
      {{"run.h5", "--inputs", "3"}, "belong to --network"},
      {{"run.h5", "--limit", "3"}, "--limit belongs to --diff"},
      {{"run.h5", "--cvs"}, "--csv"},
      {{"run.h5", "--members", "x"}, "members"},
      {{"run.h5", "--lineage", "1:2"}, "individual 1:2 was made from the solution of clade-test, not from a parent"},
      {{"run.h5", "--lineage", "elite"}, "the run has no elite: only genetic algorithms and random search"},
      {{"run.h5", "--lineage", "best"}, "as 12:3, or elite"},
      {{"run.h5", "--lineage", ""}, "--lineage '': give GENERATION:MEMBER"},
      {{"run.h5", "--lineage", "elite", "--csv"}, "--csv and --lineage exclude each other"},
      {{"ga.h5", "--lineage", "4:0"}, "individual 4:0: generation 4 has no members in the run file; it holds "},
      {{"ga.h5", "--lineage", "3:6"}, "individual 3:6: member 6 is not in generation 3, which has 6 members"},
      {{"old.h5"}, "schema 1, written by Clade 0.0.1, is older than this Clade"},
      {{"run.h5", "--plot", "a.svg", "--against", "games"}, "frames"},
  };
  for (const Case& bad : cases) {
    const ProcessResult result = inspect(folder, bad.arguments);
    INFO(bad.message << " | " << result.err);
    CHECK(result.exit_code == 2);
    CHECK(lines(result.err) == 1);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, contains_text(bad.message));
  }
}
