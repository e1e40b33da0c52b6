#include "tools/run_report.hpp"

#include <sstream>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_records.hpp"

using namespace clade;
using clade::testing::contains_text;
using clade::testing::genetic_record;

namespace {

template <class Print>
std::string printed(Print print) {
  std::ostringstream out;
  print(out);
  return out.str();
}

/// Validation means 20 +- 10 of the elite in generation 1, which is 0:3.
RunRecord validated_run() {
  RunRecord record = genetic_record(1, {.generations = 2});
  Validation& validation = record.generations[1].validation;
  validation.candidates = {{1, 2}, {0, 3}};
  validation.returns = {1.0, 1.0, 10.0, 30.0};
  validation.elites = {{0, 3}};
  return record;
}

}  // namespace

TEST_CASE("the table of a genetic algorithm shows the elite's validation and frames") {
  const RunRecord record = validated_run();
  const std::string csv = printed([&](std::ostream& out) { print_csv(out, record); });
  CHECK_THAT(csv, contains_text("median,evaluation_mean,evaluation_error,episodes,steps,frames,seconds,failed\n"));
  CHECK_THAT(csv, contains_text(",20,10,20,10000,40000,3,0\n"));
  const std::string table = printed([&](std::ostream& out) { print_generations(out, record); });
  CHECK_THAT(table, contains_text("      median  validation          +-") && !contains_text("evaluation"));
  CHECK_THAT(table, contains_text("20.00       10.00            20          10,000          40,000"));
}

TEST_CASE("members of a genetic algorithm are listed with their parents") {
  const RunRecord record = genetic_record(1);
  const std::string initial = printed([&](std::ostream& out) { print_members(out, record, 0); });
  CHECK_THAT(initial, contains_text("  member        parent          mate              made by       power") &&
                          contains_text("\n       3             -             -              initial           -") &&
                          !contains_text("pair") && !contains_text("scale"));
  const std::string children = printed([&](std::ostream& out) { print_members(out, record, 3); });
  const GenerationRecord& generation = record.generations[3];
  for (const Member& member : generation.members) {
    const Individual& parent = generation.ancestors[member.base];
    CHECK_THAT(children,
               contains_text(" mutation       0.002 ") &&
                   contains_text(" " + std::to_string(parent.generation) + ":" + std::to_string(parent.member)));
  }
}

TEST_CASE("members of a strategy are listed with base and scale, and with their pairs where there are any") {
  RunRecord record = clade::testing::random_record(1);
  const auto members = [&record] { return printed([&](std::ostream& out) { print_members(out, record, 0); }); };
  CHECK_THAT(members(), contains_text("  member    pair     form    base       scale  ") &&
                            contains_text("\n       3       1    dense       0       -0.02  ") &&
                            !contains_text("mate"));
  for (std::uint32_t i = 0; i < record.generations[0].members.size(); ++i) record.generations[0].members[i].pair = i;
  CHECK_THAT(members(), contains_text("  member     form    base       scale  ") &&
                            contains_text("\n       3    dense       0       -0.02  "));
}

TEST_CASE("episodes are listed with steps and frames apart") {
  RunRecord record = genetic_record(1);
  GenerationRecord& generation = record.generations[0];
  generation.returns[2] = 130.0;
  generation.steps[2] = 17;
  generation.frames[2] = 66;
  CHECK(recorded_episodes_text(generation, 2) == "130 17 66 terminated");
}

TEST_CASE("a summary names the elite, frames, rates and the share of the limit") {
  RunRecord record = validated_run();
  record.sessions[0].rates = {{"environment", 12345.0}, {"inference", 678.0}};
  record.generations[1].limit_share = 0.94321;
  const std::string text = printed([&](std::ostream& out) { print_summary(out, "run.h5", 1000, record); });
  for (const std::string part :
       {"frames           40,000\n", "elite            0:3\n", "last validation  mean 20.00 +- 10.00 in 2 episodes",
        "measured rates   environment 12,345/s, inference 678/s\n", "share of limit   0.943 in the last generation\n",
        "frames/s"}) {
    CHECK_THAT(text, contains_text(part));
  }
}
