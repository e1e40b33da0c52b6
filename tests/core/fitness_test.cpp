#include "core/fitness.hpp"

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tolerances.hpp"

using namespace clade;
using clade::testing::kOptimizerStep;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Shaping kAll[] = {Shaping::raw, Shaping::centred_rank, Shaping::sign, Shaping::centred_sign_rank,
                            Shaping::z_score};

using Values = std::vector<double>;

}  // namespace

TEST_CASE("shapings are found by name, a wrong one names the nearest", "[fitness]") {
  for (Shaping shaping : kAll) CHECK(parse_shaping(name_of(shaping)) == shaping);
  CHECK(shaping_names().size() == std::size(kAll));
  CHECK_THROWS_WITH(parse_shaping("centred_rnk"), clade::testing::contains_text("centred_rank"));
}

TEST_CASE("ties share their average rank and NaN ranks lowest", "[fitness]") {
  CHECK(average_ranks(Values{3, 1, 2}) == Values{2, 0, 1});
  CHECK(average_ranks(Values{1, 1, 1, 5}) == Values{1, 1, 1, 3});
  CHECK(average_ranks(Values{kNan, -kInfinity, kNan, kInfinity}) == Values{0.5, 2, 0.5, 3});
  CHECK(average_ranks(Values{0.0, -0.0}) == Values{0.5, 0.5});
  CHECK(average_ranks(Values{}).empty());
}

TEST_CASE("centred ranks run from -0.5 to 0.5", "[fitness]") {
  CHECK(shape_fitness(Shaping::centred_rank, Values{10, -4, 3}) == Values{0.5, -0.5, 0});
  CHECK(shape_fitness(Shaping::centred_rank, Values{7}) == Values{0});
  CHECK(shape_fitness(Shaping::centred_sign_rank, Values{10, -4, 3}) == Values{1, -1, 0});
  CHECK(shape_fitness(Shaping::sign, Values{10, -4, 0, kNan}) == Values{1, -1, 0, -1});
}

TEST_CASE("a failed evaluation counts as the lowest finite one where sizes matter", "[fitness]") {
  CHECK(finite_fitness(Values{2, kNan, -1, kInfinity, -kInfinity}) == Values{2, -1, -1, 2, -1});
  CHECK(finite_fitness(Values{kNan, kInfinity}) == Values{0, 0});
  CHECK(shape_fitness(Shaping::raw, Values{2, kNan, -1}) == Values{2, -1, -1});
  const Values scores = shape_fitness(Shaping::z_score, Values{2, kNan, -1}, 0.0);
  CHECK(scores[1] == scores[2]);
  CHECK(std::abs(scores[0] - std::sqrt(2.0)) < kOptimizerStep);
}

TEST_CASE("z-scores of equal values are exactly zero", "[fitness]") {
  // The mean of three 0.1 rounds to another number.
  CHECK(shape_fitness(Shaping::z_score, Values{0.1, 0.1, 0.1}) == Values{0, 0, 0});
  CHECK(shape_fitness(Shaping::z_score, Values{0.1, 0.1, 0.1}, 0.0) == Values{0, 0, 0});
}

TEST_CASE("no shaping overflows or passes NaN on", "[fitness]") {
  const double huge = std::numeric_limits<double>::max();
  const Values values{huge, -huge, kNan, kInfinity, -kInfinity, 1.0};
  for (Shaping shaping : kAll) {
    for (double shaped : shape_fitness(shaping, values)) CHECK(std::isfinite(shaped));
  }
  const Values scores = shape_fitness(Shaping::z_score, Values{huge, -huge});
  CHECK(scores == Values{1, -1});
  CHECK(population_deviation(Values{huge, -huge}) == huge);
}

TEST_CASE("the population deviation divides by n", "[fitness]") {
  CHECK(population_deviation(Values{1, 3}) == 1.0);
  CHECK(population_deviation(Values{2, 4, 4, 4, 5, 5, 7, 9}) == 2.0);
  CHECK(population_deviation(Values{5}) == 0.0);
  CHECK(population_deviation(Values{}) == 0.0);
}

TEST_CASE("all failed means that all are NaN", "[fitness]") {
  CHECK(all_failed(Values{kNan, kNan}));
  CHECK_FALSE(all_failed(Values{kNan, -kInfinity}));
}
