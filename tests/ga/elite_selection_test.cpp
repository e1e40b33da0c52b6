#include "ga/elite_selection.hpp"

#include <limits>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using namespace clade;
using clade::testing::contains_text;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Values = std::vector<double>;
using Individuals = std::vector<Individual>;

Individuals names(const std::vector<Candidate>& candidates) {
  Individuals result;
  for (const Candidate& candidate : candidates) result.push_back(candidate.who);
  return result;
}

}  // namespace

TEST_CASE("candidates are the elites of before, then the generation's best", "[elites]") {
  EliteSelection selection(2, 4);
  CHECK(names(selection.candidates(0, Values{1, 5, 3, 4, 2})) == Individuals{{0, 1}, {0, 3}, {0, 2}, {0, 4}});
  selection.validated(Values{10, 40, 30, 20});
  REQUIRE(selection.choose(0, Values{1, 5, 3, 4, 2}));
  CHECK(selection.elites() == Individuals{{0, 3}, {0, 2}});

  const std::vector<Candidate> next = selection.candidates(1, Values{7, 7, 9});
  CHECK(names(next) == Individuals{{0, 3}, {0, 2}, {1, 2}, {1, 0}});
  CHECK(next[0].elite);
  CHECK(next[1].elite);
  CHECK_FALSE(next[2].elite);
  CHECK(next[0].fitness == 4.0);
  CHECK(next[2].fitness == 9.0);
}

TEST_CASE("elites are the best by validation, ties to the earlier candidate, failed ones last", "[elites]") {
  EliteSelection selection(2, 4);
  selection.validated(Values{kNan, 3, 3, kNan});
  selection.choose(0, Values{4, 3, 2, 1});
  CHECK(selection.elites() == Individuals{{0, 1}, {0, 2}});
  // The elite of before beats an equal newcomer, whatever the newcomer's fitness.
  selection.validated(Values{2, 1, 2, 2});
  selection.choose(1, Values{100, 50});
  CHECK(selection.elites() == Individuals{{0, 1}, {1, 0}});
  selection.validated(Values(4, kNan));
  selection.choose(2, Values{8, 9});
  CHECK(selection.elites() == Individuals{{0, 1}, {1, 0}});
}

TEST_CASE("an elite stays as long as nobody validates better", "[elites]") {
  EliteSelection selection(1, 2);
  selection.validated(Values{5, 4});
  selection.choose(0, Values{1, 1});
  for (std::uint64_t generation = 1; generation < 20; ++generation) {
    selection.validated(Values{4.5, 4.5});
    selection.choose(generation, Values{1000, 2000});
    CHECK(selection.elites() == Individuals{{0, 0}});
  }
}

TEST_CASE("without validation the fitness of birth decides", "[elites]") {
  EliteSelection selection(1, 3);
  selection.choose(0, Values{1, 5, 3});
  CHECK(selection.elites() == Individuals{{0, 1}});
  selection.choose(1, Values{5, 4});
  CHECK(selection.elites() == Individuals{{0, 1}});
  selection.choose(2, Values{5, 6});
  CHECK(selection.elites() == Individuals{{2, 1}});
}

TEST_CASE("failed members are no candidates, and a generation of them has none", "[elites]") {
  EliteSelection selection(1, 4);
  CHECK(selection.candidates(0, Values{kNan, kNan}).empty());
  CHECK_FALSE(selection.choose(0, Values{kNan, kNan}));
  CHECK(selection.elites().empty());
  CHECK(names(selection.candidates(1, Values{kNan, 2, kNan})) == Individuals{{1, 1}});
  selection.validated(Values{7});
  CHECK(selection.choose(1, Values{kNan, 2, kNan}));
  CHECK_FALSE(selection.choose(2, Values{kNan}));
  CHECK(selection.elites() == Individuals{{1, 1}});
}

TEST_CASE("a validation holds for one generation and must be of its candidates", "[elites]") {
  EliteSelection selection(1, 3);
  selection.validated(Values{1, 9, 5});
  selection.choose(0, Values{3, 2, 1});
  CHECK(selection.elites() == Individuals{{0, 1}});
  selection.choose(1, Values{8, 1});  // by fitness: the elite's own is 2
  CHECK(selection.elites() == Individuals{{1, 0}});
  selection.validated(Values{1, 2});
  CHECK_THROWS_AS(selection.choose(2, Values{8, 1}), std::logic_error);
}

TEST_CASE("a saved selection goes on, one that does not fit is refused", "[elites]") {
  EliteSelection selection(2, 3);
  selection.choose(0, Values{3, 2, 1});
  State state;
  selection.save(state);
  EliteSelection loaded(2, 3);
  loaded.load(state);
  loaded.choose(1, Values{2.5, 0});
  CHECK(loaded.elites() == Individuals{{0, 0}, {1, 0}});
  EliteSelection smaller(1, 3);
  CHECK_THROWS_WITH(smaller.load(state), contains_text("2 elites, expected at most 1"));
  CHECK(smaller.elites().empty());
}

TEST_CASE("numbers of elites and candidates out of range are refused", "[elites]") {
  CHECK_THROWS_WITH(EliteSelection(1, 0), contains_text("candidates 0"));
  CHECK_THROWS_WITH(EliteSelection(0, 3), contains_text("elites 0 is outside [1, 3]"));
  CHECK_THROWS_WITH(EliteSelection(4, 3), contains_text("elites 4 is outside [1, 3]"));
}
