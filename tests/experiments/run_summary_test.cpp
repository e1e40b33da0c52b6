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
  CHECK_THAT(out.str(), clade::testing::contains_text("\nbest validated mean 2.000 +- 1.000 (standard error, 2 "
                                                      "episodes) after 10 episodes of training: run.h5\n"));
}

/// What print_result_lines prints after the line of what was played.
std::string results_of(const RunRecord& record) {
  std::ostringstream out;
  print_result_lines(out, record, "run.h5");
  return out.str().substr(out.str().find('\n') + 1);
}

TEST_CASE("the best of several evaluations is said to be optimistic where a final test is not") {
  RunRecord record = record_of({{1.0, 3.0}, {4.0}});
  CHECK(results_of(record) == "best validated mean 4.000 (1 episode) after 20 episodes of training: run.h5\n");
  record.final_returns = {2.0, 2.0};
  CHECK(results_of(record) ==
        "final test of the last solution: mean 2.000 +- 0.0, median 2.000 in 2 episodes\n"
        "best validated mean 4.000 (1 episode; the best of 2 evaluations is optimistic, the final test is not) after "
        "20 episodes of training: run.h5\n");
  record.generations.pop_back();
  CHECK_THAT(results_of(record),
             clade::testing::contains_text("mean 2.000 +- 1.000 (standard error, 2 episodes) after 10"));
}

TEST_CASE("the last line says what is missing where nothing was evaluated, and what failed") {
  CHECK(results_of(record_of({{}})) == "the solution was not evaluated during 10 episodes of training: run.h5\n");
  CHECK(results_of(record_of({{kNan, kNan}})) ==
        "every evaluation episode failed, in 10 episodes of training: run.h5\n");
  CHECK(results_of(record_of({{kNan, 1.0, 3.0}})) ==
        "best validated mean 2.000 +- 1.000 (standard error, 3 episodes, 1 of them failed) after 10 episodes of "
        "training: run.h5\n");
  RunRecord record = record_of({{}});
  record.configuration.push_back({"validation-episodes", "30", ResultEffect::fixes_results});
  CHECK(results_of(record) == "no member was validated in 10 episodes of training and validation: run.h5\n");
}

TEST_CASE("a game's score follows the mean that it is of") {
  RunRecord record = record_of({{100.0, 200.0}});
  record.generations.back().max_steps = 5000;
  record.configuration.push_back({"env", "Frostbite", ResultEffect::fixes_results});
  const std::string score = "its score: human-normalised 0.0";
  const std::string unfinished = results_of(record);
  CHECK_THAT(unfinished, clade::testing::contains_text("after 10 episodes of training\n" + score));
  CHECK(unfinished.ends_with("points above random play: run.h5\n"));
  record.final_returns = {120.0};
  const std::string finished = results_of(record);
  CHECK_THAT(finished, clade::testing::contains_text("mean 120.0, median 120.0 in 1 episode\n" + score));
  CHECK(finished.ends_with("after 10 episodes of training: run.h5\n"));
}

TEST_CASE("what was played is told in episodes and steps, and in frames where those are others") {
  RunRecord record = record_of({{}});
  CHECK(played_text(RunRecord{}).empty());
  GenerationRecord& last = record.generations.back();
  last.total_episodes = 1707;
  last.total_steps = 40'000;
  last.total_frames = 40'000;
  last.total_seconds = 200.0;
  CHECK(played_text(record) == "played 1,707 episodes, 40,000 steps in 3:20 (200 steps/s)");
  last.total_frames = 160'000;
  CHECK(played_text(record) == "played 1,707 episodes, 40,000 steps, 160,000 frames in 3:20 (800 frames/s)");
}

TEST_CASE("a generation without evaluation is worth what its elite's validation gave") {
  RunRecord record = record_of({{1.0, 2.0}, {}});
  Validation& validation = record.generations.back().validation;
  validation.episodes_per_candidate = 2;
  validation.candidates = {{0, 3}, {1, 5}};
  validation.elites = {{1, 5}};
  validation.returns = {1.0, 2.0, 7.0, 9.0};
  validation.status.assign(4, static_cast<std::uint8_t>(EpisodeStatus::terminated));
  CHECK(validated_returns(record.generations.front()) == std::vector<double>{1.0, 2.0});
  CHECK(validated_returns(record.generations.back()) == std::vector<double>{7.0, 9.0});
  CHECK(best_evaluation(record)->generation == 1);
  std::ostringstream out;
  print_result_lines(out, record, "run.h5");
  CHECK_THAT(out.str(), clade::testing::contains_text("best validated mean 8.000 +- 1.000 (standard error, 2 episodes) "
                                                      "after 20 episodes of training and validation: run.h5\n"));
}

TEST_CASE("a program's end says why, what failed and how to go on") {
  const RunRecord record = record_of({{1.0, 3.0}});
  ClosingLines lines;
  lines.program = "clade-ga";
  lines.file = "run.h5";
  lines.reason = "frames spent";
  std::ostringstream spent;
  print_closing(spent, record, {}, lines);
  CHECK_THAT(spent.str(), clade::testing::contains_text("finished after 0 generations: frames spent\nplayed "));
  lines.finished_before = true;
  std::ostringstream again;
  print_closing(again, record, {}, lines);
  CHECK_THAT(again.str(),
             clade::testing::contains_text("finished already, after 0 generations: frames spent; what was"));
  lines.interrupted = true;
  FailureLog failures;
  EvaluationResults results;
  results.failures.push_back({{}, 17, "the reward is nan"});
  results.failures.back().identity.generation = 3;
  results.failures.back().identity.member = 5;
  failures.add(results, "validation in ");
  failures.add(results, "evaluation after ");
  std::ostringstream interrupted;
  print_closing(interrupted, record, failures, lines);
  CHECK_THAT(interrupted.str(), clade::testing::contains_text(
                                    "interrupted and saved after 0 generations; go on with clade-ga --resume run.h5\n"
                                    "2 episodes failed in this session; the first: validation in generation 3, "
                                    "member 5, episode 0, step 17: the reward is nan\n"));
}

}  // namespace
}  // namespace clade
