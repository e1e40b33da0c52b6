#include "core/statistics.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/catch.hpp"

namespace clade {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("summarize gives mean, median and standard error by hand") {
  const ReturnSummary summary = summarize(std::vector<double>{4.0, 1.0, 3.0, 2.0});
  CHECK(summary.count == 4);
  CHECK(summary.failed == 0);
  CHECK(summary.mean == 2.5);
  CHECK(summary.median == 2.5);
  CHECK(summary.standard_deviation == std::sqrt(5.0 / 3.0));
  CHECK(summary.standard_error == std::sqrt(5.0 / 3.0) / 2.0);
  CHECK(summary.minimum == 1.0);
  CHECK(summary.maximum == 4.0);
}

TEST_CASE("summarize counts failed episodes and leaves them out") {
  const ReturnSummary summary = summarize(std::vector<double>{kNaN, 5.0, 7.0, kNaN, 9.0});
  CHECK(summary.count == 3);
  CHECK(summary.failed == 2);
  CHECK(summary.mean == 7.0);
  CHECK(summary.median == 7.0);
}

TEST_CASE("summarize of nothing finite is NaN, of one value has no error") {
  CHECK(std::isnan(summarize(std::vector<double>{kNaN}).mean));
  CHECK(std::isnan(summarize({}).median));
  const ReturnSummary one = summarize(std::vector<double>{3.0});
  CHECK(one.mean == 3.0);
  CHECK(std::isnan(one.standard_error));
}

}  // namespace
}  // namespace clade
