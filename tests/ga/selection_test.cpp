#include "ga/selection.hpp"

#include <limits>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using namespace clade;
using clade::testing::contains_text;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Places = std::vector<std::size_t>;

Places best(const std::vector<double>& fitness, std::size_t count) { return best_places(fitness, count); }

}  // namespace

TEST_CASE("the best places come best first, equal ones in place order, failed ones last", "[selection]") {
  CHECK(best({3, 9, 5}, 2) == Places{1, 2});
  CHECK(best({5, 7, 7, 5, 7}, 4) == Places{1, 2, 4, 0});
  CHECK(best({kNan, 1, kNan, 2}, 4) == Places{3, 1, 0, 2});
  CHECK(best({kNan, kNan}, 1) == Places{0});
  CHECK(best({-kInfinity, kNan, kInfinity, 0.0, -0.0}, 5) == Places{2, 3, 4, 0, 1});
  CHECK(best({1, 2}, 0).empty());
  CHECK(best({1, 2}, 9) == Places{1, 0});
  CHECK(best({}, 3).empty());
}

TEST_CASE("truncation draws parents uniformly", "[selection]") {
  std::vector<int> drawn(4, 0);
  for (std::uint64_t member = 0; member < 4000; ++member) {
    RandomStream rng(RandomKey{1, Purpose::selection, 1, member, 0});
    ++drawn.at(draw_parent(ParentSelection::truncation, 4, 7, rng));
  }
  // Expected 1000 each, standard deviation 27.
  for (int count : drawn) CHECK(std::abs(count - 1000) < 110);
}

TEST_CASE("a tournament's winner is the best of its draws", "[selection]") {
  std::vector<int> drawn(4, 0);
  for (std::uint64_t member = 0; member < 16000; ++member) {
    const RandomKey key{1, Purpose::selection, 1, member, 0};
    RandomStream rng(key);
    const std::size_t winner = draw_parent(ParentSelection::tournament, 4, 2, rng);
    RandomStream again(key);
    const std::size_t first = again.below(4);
    const std::size_t second = again.below(4);
    REQUIRE(winner == std::min(first, second));
    ++drawn[winner];
  }
  // The winner is place p with probability (2 (4 - p) - 1) / 16.
  for (int place = 0; place < 4; ++place) {
    CHECK(std::abs(drawn[static_cast<std::size_t>(place)] - 1000 * (2 * (4 - place) - 1)) < 300);
  }
  RandomStream rng(RandomKey{1, Purpose::selection, 1, 0, 0});
  CHECK(draw_parent(ParentSelection::tournament, 1, 5, rng) == 0);
  RandomStream stream(RandomKey{1, Purpose::selection, 1, 0, 0});
  CHECK_THROWS_AS(draw_parent(ParentSelection::truncation, 0, 1, stream), std::logic_error);
}

TEST_CASE("names of selections and crossovers", "[selection]") {
  for (const std::string& name : parent_selection_names()) CHECK(name_of(parse_parent_selection(name)) == name);
  for (const std::string& name : crossover_names()) CHECK(name_of(parse_crossover(name)) == name);
  CHECK(parse_parent_selection("tournament") == ParentSelection::tournament);
  CHECK(parse_crossover("one_point") == Crossover::one_point);
  CHECK_THROWS_WITH(parse_parent_selection("turnament"), contains_text("did you mean 'tournament'"));
  CHECK_THROWS_WITH(parse_crossover("onepoint"), contains_text("did you mean 'one_point'"));
}
