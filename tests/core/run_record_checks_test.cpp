#include "core/run_record_checks.hpp"

#include <functional>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_records.hpp"

using namespace clade;
using clade::testing::genetic_record;
using clade::testing::random_record;

TEST_CASE("records of strategies and of genetic algorithms are consistent") {
  CHECK_NOTHROW(check_run_record({}));
  CHECK_NOTHROW(check_run_record(random_record(1)));
  CHECK_NOTHROW(check_run_record(genetic_record(1)));
  CHECK_NOTHROW(check_run_record(genetic_record(1, {.crossover = false})));
}

TEST_CASE("bases of a strategy without ancestors may have any number") {
  RunRecord record = random_record(1);
  record.generations[1].members[2].base = 3;
  CHECK_NOTHROW(check_run_record(record));
}

TEST_CASE("a contradiction in a record is refused by its generation") {
  struct Case {
    std::string message;
    std::function<void(GenerationRecord&)> apply;
  };
  const std::vector<Case> cases = {
      {"5 returns, expected 6", [](GenerationRecord& g) { g.returns.pop_back(); }},
      {"7 steps, expected 6", [](GenerationRecord& g) { g.steps.push_back(1); }},
      {"5 frames, expected 6", [](GenerationRecord& g) { g.frames.pop_back(); }},
      {"0 status entries, expected 6", [](GenerationRecord& g) { g.status.clear(); }},
      {"unknown episode status 4", [](GenerationRecord& g) { g.status[1] = 4; }},
      {"0 evaluation steps, expected 1",
       [](GenerationRecord& g) {
         g.evaluation_returns = {1.0};
         g.evaluation_frames = {1};
       }},
      {"0 evaluation frames, expected 1",
       [](GenerationRecord& g) {
         g.evaluation_returns = {1.0};
         g.evaluation_steps = {1};
       }},
      {"0 normaliser scales, expected 1", [](GenerationRecord& g) { g.normalizer.mean = {1.0}; }},
      {"member 4 has the unknown form 3",
       [](GenerationRecord& g) { g.members[4].form = static_cast<PerturbationForm>(3); }},
      {"member 4 has the unknown crossover 200",
       [](GenerationRecord& g) { g.members[4].crossover = static_cast<Crossover>(200); }},
      {"member 4 has base 3, but there are 3 ancestors", [](GenerationRecord& g) { g.members[4].base = 3; }},
      {"member 5 has mate 9, but there are 3 ancestors", [](GenerationRecord& g) { g.members[5].mate = 9; }},
      {"ancestor 2:0 is not older than its children",
       [](GenerationRecord& g) {
         g.ancestors[1] = {2, 0};
       }},
      {"ancestor 1:6 does not exist: that generation has 6 members",
       [](GenerationRecord& g) {
         g.ancestors[1] = {1, 6};
       }},
      {"3 validation returns, expected 4", [](GenerationRecord& g) { g.validation.returns.pop_back(); }},
      {"3 validation steps, expected 4", [](GenerationRecord& g) { g.validation.steps.pop_back(); }},
      {"3 validation frames, expected 4", [](GenerationRecord& g) { g.validation.frames.pop_back(); }},
      {"3 validation status entries, expected 4", [](GenerationRecord& g) { g.validation.status.pop_back(); }},
      {"unknown episode status 255", [](GenerationRecord& g) { g.validation.status[0] = 255; }},
      {"candidate 3:0 is not born yet",
       [](GenerationRecord& g) {
         g.validation.candidates[0] = {3, 0};
       }},
      {"elite 0:77 does not exist",
       [](GenerationRecord& g) {
         g.validation.elites[0] = {0, 77};
       }},
  };
  for (const Case& wrong : cases) {
    INFO(wrong.message);
    RunRecord record = genetic_record(1);
    wrong.apply(record.generations[2]);
    CHECK_THROWS_WITH(check_run_record(record), clade::testing::contains_text("generation 2: " + wrong.message));
    CHECK_THROWS_AS(check_run_record(record), Error);
  }
}

TEST_CASE("a final test with columns of different length is refused") {
  RunRecord record = random_record(1);
  record.final_frames.pop_back();
  CHECK_THROWS_WITH(check_run_record(record),
                    clade::testing::contains_text("final test: 3 returns, but 3 steps and 2 frames"));
}
