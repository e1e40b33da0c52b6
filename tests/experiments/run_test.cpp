#include "experiments/run.hpp"

#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/es_experiment.hpp"
#include "tests/support/catch.hpp"

namespace clade {
namespace {

/// The last lines that a run prints, taken while it lives.
class CapturedOutput {
 public:
  CapturedOutput() : before_(std::cout.rdbuf(text_.rdbuf())) {}
  ~CapturedOutput() { std::cout.rdbuf(before_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};

/// A run of clade-es in this process, with a file of its own that goes with it.
class SmallRun {
 public:
  explicit SmallRun(std::vector<std::string> arguments) {
    file_ = std::filesystem::temp_directory_path() / ("clade_run_test_" + std::to_string(getpid()) + ".h5");
    arguments.insert(arguments.begin(), EsExperiment::kProgram);
    for (const char* common : {"--env", "Pendulum-v1", "--max-steps", "5", "--population", "4", "--threads", "1",
                               "--evaluate-every", "0", "--quiet", "--force", "--out"}) {
      arguments.emplace_back(common);
    }
    arguments.push_back(file_.string());
    for (const std::string& argument : arguments) pointers_.push_back(argument.c_str());
    experiment_.add_options(options_);
    const int count = static_cast<int>(pointers_.size());
    REQUIRE(options_.parse(count, pointers_.data(), output_));
    run_ = std::make_unique<Run>(EsExperiment::kProgram, options_, experiment_.run, count, pointers_.data());
    strategy_ = experiment_.make_strategy(run_->initial_parameters(), run_->noise(), run_->threads());
    run_->begin(*strategy_);
  }
  ~SmallRun() {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }
  Run& run() { return *run_; }

  /// One generation, of at most `most_pieces` pieces; returns how many it took.
  std::size_t generation(std::size_t most_pieces) {
    Population population = strategy_->ask(0, run_->population());
    EvaluationResults results = run_->evaluate(population);
    std::size_t pieces = 1;
    for (; pieces < most_pieces && run_->needs_more_steps(results); ++pieces) {
      Population more = strategy_->ask(population.members.size(), run_->population());
      results.append(run_->evaluate(more));
      population.members.insert(population.members.end(), more.members.begin(), more.members.end());
    }
    strategy_->tell(run_->record(population, results));
    run_->log();
    return pieces;
  }

 private:
  std::filesystem::path file_;
  std::vector<const char*> pointers_;
  std::ostringstream output_;
  EsExperiment experiment_;
  Options options_{EsExperiment::kProgram, ""};
  std::unique_ptr<Run> run_;
  std::unique_ptr<Strategy> strategy_;
};

TEST_CASE("a generation is extended until it has the minimum of steps") {
  SmallRun small({"--network", "linear", "--minimum-steps", "41", "--generations", "1"});
  CHECK(small.generation(100) == 3);  // 4 members play 5 steps each
}

TEST_CASE("a generation whose episodes all fail before their first step is not extended without end") {
  // Weights near a float's limit: the second layer's sums are infinite, and infinity less infinity is NaN.
  SmallRun small({"--network", "mlp:8:identity", "--sigma", "1e38", "--minimum-steps", "41", "--generations", "1"});
  CHECK(small.generation(100) == 1);
}

TEST_CASE("failures of the final test are counted and their reason is given") {
  SmallRun small({"--network", "mlp:8,8:identity", "--optimizer", "sgd", "--learning-rate", "1e38", "--generations",
                  "1", "--final-episodes", "3"});
  small.generation(1);
  const CapturedOutput output;
  CHECK(small.run().finish() == 0);
  CHECK(output.text().find("final test of the last solution: all 3 episodes failed") != std::string::npos);
  CHECK(output.text().find("3 episodes failed in this session; the first: final test, generation 1, member 0, episode "
                           "0, step 0: the policy gave an action that is not finite") != std::string::npos);
}

}  // namespace
}  // namespace clade
