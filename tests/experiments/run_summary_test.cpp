#include "experiments/run_summary.hpp"

#include <limits>
#include <sstream>
#include <vector>

#include "tests/support/catch.hpp"

namespace clade {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

RunRecord record_of(const std::vector<std::vector<double>>& evaluations) {
  RunRecord record;
  for (const std::vector<double>& returns : evaluations) {
    GenerationRecord generation;
    generation.generation = record.generations.size();
    generation.evaluation_returns = returns;
    generation.total_episodes = 10 * (generation.generation + 1);
    record.generations.push_back(generation);
  }
  return record;
}

TEST_CASE("the best evaluation is the one with the highest mean, the earliest of equals") {
  const RunRecord record = record_of({{1.0, 2.0}, {}, {5.0, 3.0}, {4.0}, {2.0}});
  REQUIRE(best_evaluation(record) != nullptr);
  CHECK(best_evaluation(record)->generation == 2);
}

TEST_CASE("an evaluation in which an episode failed is below all in which fewer did") {
  CHECK(best_evaluation(record_of({{1.0, 2.0}, {900.0, kNan}, {0.0, 0.0}}))->generation == 0);
  CHECK(best_evaluation(record_of({{900.0, kNan, kNan}, {1.0, kNan, 2.0}, {kNan, 1.0, 3.0}}))->generation == 2);
}

TEST_CASE("without an evaluation that played to its end there is no best one") {
  CHECK(best_evaluation(record_of({})) == nullptr);
  CHECK(best_evaluation(record_of({{}, {kNan, kNan}})) == nullptr);
}

TEST_CASE("the last line names the best evaluation, its episodes and the file") {
  std::ostringstream out;
  print_result_lines(out, record_of({{1.0, 3.0}, {900.0, kNan}}), "run.h5");
  CHECK(out.str() == "best validated mean 2.000 +- 1.000 in 10 episodes: run.h5\n");
}

}  // namespace
}  // namespace clade
