#include "tools/lineage_report.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

#include "core/error.hpp"
#include "experiments/record_genealogy.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_records.hpp"

using namespace clade;
using clade::testing::contains_text;
using clade::testing::genetic_record;

namespace {

std::string lineage_of(const RunRecord& record, const Individual& individual) {
  std::ostringstream out;
  print_lineage(out, record, individual);
  return out.str();
}

/// A run whose last member of three generations is 2:1, its parent 1:0, that one's 0:3; 0:3 is the elite throughout.
RunRecord short_chain() {
  RunRecord record = genetic_record(1, {.generations = 3, .crossover = false});
  record.generations[0].returns[3] = 70.0;
  record.generations[0].steps[3] = 12;
  record.generations[0].frames[3] = 47;
  record.generations[1].ancestors = {{0, 3}};
  record.generations[2].ancestors = {{1, 0}};
  for (const std::size_t g : {std::size_t{1}, std::size_t{2}}) {
    for (Member& member : record.generations[g].members) member.base = 0;
  }
  for (GenerationRecord& generation : record.generations) {
    generation.validation = {};
    generation.validation.episodes_per_candidate = 2;
    generation.validation.candidates = {{0, 3}};
    generation.validation.elites = {{0, 3}};
    generation.validation.returns = {10.0, 30.0};
    generation.validation.steps = {1, 1};
    generation.validation.frames = {4, 4};
    generation.validation.status = {1, 1};
  }
  return record;
}

}  // namespace

TEST_CASE("a lineage is printed from the initial individual to its last") {
  const RunRecord record = short_chain();
  std::istringstream lines(lineage_of(record, {2, 1}));
  std::string line;
  std::getline(lines, line);
  CHECK_THAT(line, contains_text("individual") && contains_text("parent") &&
                       contains_text("validation (all generations)  episodes: return"));
  std::getline(lines, line);
  CHECK_THAT(line, contains_text(" 0:3 ") && contains_text(" initial ") &&
                       contains_text("00000001:00000000:00000003:00000000:01000000") &&
                       contains_text("20.00 +- 4.472 in 6") && contains_text("  70 12 47 terminated"));
  std::getline(lines, line);
  CHECK_THAT(line, contains_text(" 1:0 ") && contains_text(" 0:3 ") && contains_text(" mutation ") &&
                       contains_text(" 0.002 ") && contains_text("00000001:00000000:00000000:00000001:02000000"));
  std::getline(lines, line);
  CHECK_THAT(line, contains_text(" 2:1 ") && contains_text(" 1:0 "));
  std::getline(lines, line);
  CHECK(line == "2:1: 2 mutations from the initial individual 0:3, 2 ancestors");
  CHECK_FALSE(std::getline(lines, line));
}

TEST_CASE("a lineage shows both sides of a crossover") {
  const RunRecord record = genetic_record(5, {.generations = 6});
  const std::string text = lineage_of(record, {5, 2});
  CHECK_THAT(text, contains_text(" uniform crossover ") || contains_text(" one-point crossover "));
  const Genealogy genealogy = genealogy_of(record, {5, 2});
  CHECK(std::ranges::count(text, '\n') == static_cast<std::ptrdiff_t>(genealogy.size()) + 2);
  CHECK_THAT(text, contains_text(" " + individual_text(*genealogy.birth({5, 2}).mate) + " "));
}

TEST_CASE("the lineage of the last elite can be named") {
  const RunRecord record = short_chain();
  CHECK(named_individual(record, "elite", "--member") == Individual{0, 3});
  CHECK(named_individual(record, "2:1", "--lineage") == Individual{2, 1});
  CHECK_THROWS_WITH(named_individual(record, "best", "--member"),
                    contains_text("--member 'best': give GENERATION:MEMBER"));
  CHECK_THAT(lineage_of(record, {0, 3}),
             contains_text("0:3: 0 mutations from the initial individual 0:3, 0 ancestors"));
}

TEST_CASE("validation returns of an individual are those of all generations, failed ones NaN") {
  RunRecord record = short_chain();
  record.generations[1].validation.status[1] = 3;
  const std::vector<double> returns = validation_returns(record, {0, 3});
  REQUIRE(returns.size() == 6);
  CHECK(returns[0] == 10.0);
  CHECK(std::isnan(returns[3]));
  CHECK(validation_returns(record, {2, 1}).empty());
  CHECK_THAT(lineage_of(record, {2, 1}), contains_text("18.00 +- 4.899 in 6 (1 failed)"));
}

TEST_CASE("a run without genomes has no lineage") {
  CHECK_THROWS_WITH(lineage_of(clade::testing::random_record(1), {0, 0}),
                    contains_text("only genetic algorithms have a lineage"));
}
