#include "core/run_comparison.hpp"

#include "core/run_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_records.hpp"

using namespace clade;
using clade::testing::random_record;

TEST_CASE("the options that fix results are ordered by key, repeated ones by their place") {
  RunRecord record;
  record.configuration = {{"b", "2", ResultEffect::fixes_results},
                          {"a", "3", ResultEffect::fixes_results},
                          {"t", "1", ResultEffect::none},
                          {"a", "1", ResultEffect::fixes_results}};
  const auto entries = result_configuration(record);
  REQUIRE(entries.size() == 3);
  CHECK(entries[0].value == "3");
  CHECK(entries[1].value == "1");
  CHECK(entries[2].key == "b");
}

TEST_CASE("differences are few lines, in the order of a run, up to a limit") {
  const RunRecord a = random_record(1, {.generations = 30});
  const RunRecord b = random_record(2, {.generations = 30});
  const auto lines = differences(a, b);
  REQUIRE(lines.size() == 20);
  CHECK(lines[0] == "option seed: '1' against '2'");
  CHECK_THAT(lines[1], clade::testing::contains_text("generation 0, normaliser mean: 5 of 5 differ, first [0]: "));
  CHECK(differences(a, b, 3).size() == 3);
  CHECK(differences(a, a).empty());
}

TEST_CASE("the validation of genetic algorithms is compared candidate by candidate") {
  const RunRecord a = clade::testing::genetic_record(1);
  RunRecord b = a;
  b.generations[2].validation.returns[3] = 5.0;
  b.generations[2].validation.elites[0] = {1, 0};
  b.generations[3].ancestors[1] = {0, 4};
  const auto lines = differences(a, b);
  REQUIRE(lines.size() == 3);
  CHECK_THAT(lines[0], clade::testing::contains_text(
                           "generation 2, validation, returns: 1 of 4 differ, first candidate 1 episode 1: "));
  CHECK_THAT(lines[1], clade::testing::contains_text("generation 2, validation, elites: 1 of 1 differ, first [0]: "));
  CHECK_THAT(lines[1], clade::testing::contains_text(" against 1:0"));
  CHECK_THAT(lines[2], clade::testing::contains_text("generation 3, ancestors: 1 of 3 differ, first [1]: "));
}

TEST_CASE("two runs of different length agree on what both have") {
  const RunRecord longer = random_record(1);
  RunRecord shorter = longer;
  shorter.generations.pop_back();
  const auto lines = differences(longer, shorter);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] == "generations: 3 against 2");
}

TEST_CASE("long option values that begin alike are still told apart") {
  RunRecord a = random_record(1);
  RunRecord b = a;
  a.configuration[0].value = std::string(500, 'x') + "a";
  b.configuration[0].value = std::string(500, 'x') + "b";
  CHECK(differences(a, b).size() == 1);
}
