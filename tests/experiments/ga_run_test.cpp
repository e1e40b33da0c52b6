// Runs of the genetic algorithm and of random search in this process.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "core/run_file.hpp"
#include "core/signals.hpp"
#include "experiments/ga_experiment.hpp"
#include "experiments/random_search_experiment.hpp"
#include "experiments/run.hpp"
#include "experiments/stored_genomes.hpp"
#include "experiments/stored_run.hpp"
#include "experiments/validation.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

namespace clade {
namespace {

using test::TemporaryFolder;

/// A run with a file of its own that goes with it; what it prints is kept.
template <class Experiment>
class ElitistRun {
 public:
  explicit ElitistRun(const std::vector<std::string>& more) : before_(std::cout.rdbuf(printed_.rdbuf())) {
    file_ = std::filesystem::temp_directory_path() / ("clade_ga_run_test_" + std::to_string(getpid()) + ".h5");
    arguments_ = {Experiment::kProgram,
                  "--env",
                  "CartPole-v1",
                  "--network",
                  "mlp:4",
                  "--max-steps",
                  "60",
                  "--population",
                  "12",
                  "--validation-candidates",
                  "3",
                  "--threads",
                  "2",
                  "--quiet",
                  "--force",
                  "--final-episodes",
                  "4",
                  "--out",
                  file_.string(),
                  "--validation-episodes",
                  "5"};
    arguments_.insert(arguments_.end(), more.begin(), more.end());
    for (const std::string& argument : arguments_) pointers_.push_back(argument.c_str());
    experiment_.add_options(options_);
    const int count = static_cast<int>(pointers_.size());
    REQUIRE(options_.parse(count, pointers_.data(), printed_));
    run_ = std::make_unique<Run>(Experiment::kProgram, options_, experiment_.run, count, pointers_.data());
    strategy_ = experiment_.make_strategy(run_->task(), run_->noise());
    run_->begin(*strategy_);
  }
  ~ElitistRun() {
    std::cout.rdbuf(before_);
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }
  Run& run() { return *run_; }
  ElitistStrategy& strategy() { return *strategy_; }
  const std::filesystem::path& file() const { return file_; }

  /// One generation; false where its validation was interrupted. `before_validation` is called between the two.
  bool generation(const std::function<void()>& before_validation = [] {}) {
    run_->continues();
    const Population population = strategy_->ask(0, run_->population());
    EvaluationResults results = run_->evaluate(population);
    REQUIRE(results.complete);
    const std::vector<double> fitness = run_->record(population, results);
    std::vector<Individual> individuals;
    const Population candidates = strategy_->candidates(fitness, individuals);
    before_validation();
    if (!run_->validate(*strategy_, candidates, individuals)) return false;
    strategy_->tell(fitness);
    run_->log();
    return true;
  }
  std::string printed() const { return printed_.str(); }

 private:
  std::ostringstream printed_;
  std::streambuf* before_;
  std::filesystem::path file_;
  std::vector<std::string> arguments_;
  std::vector<const char*> pointers_;
  Experiment experiment_;
  Options options_{Experiment::kProgram, ""};
  std::unique_ptr<Run> run_;
  std::unique_ptr<ElitistStrategy> strategy_;
};

const std::vector<std::string> kGenetic = {"--parents", "4", "--power", "0.2", "--generations", "5"};

TEST_CASE("a generation's record holds the validation, its elites and all that both played") {
  ElitistRun<GaExperiment> small(kGenetic);
  for (int generation = 0; generation < 3; ++generation) REQUIRE(small.generation());
  CHECK(small.run().finish() == 0);
  const RunRecord record = load_run_file(small.file());
  REQUIRE(record.generations.size() == 3);
  std::uint64_t steps = 0;
  for (const GenerationRecord& generation : record.generations) {
    const Validation& validation = generation.validation;
    CHECK(validation.episodes_per_candidate == 5);
    REQUIRE(validation.candidates.size() == 3);
    CHECK(validation.returns.size() == 15);
    // The elite is the candidate with the best mean, the earliest of equals.
    const std::vector<double> means = validation_means(validation);
    const auto best = std::max_element(means.begin(), means.end()) - means.begin();
    CHECK(validation.elites == std::vector<Individual>{validation.candidates[static_cast<std::size_t>(best)]});
    CHECK(generation.total_episodes == (generation.generation + 1) * (12 + 15));
    for (const auto& counts : {generation.steps, validation.steps}) {
      for (const std::uint32_t count : counts) steps += count;
    }
    CHECK(generation.total_steps == steps);
    CHECK(generation.total_frames == steps);  // a step of this task is a frame
    CHECK(std::ranges::all_of(validation.steps, [](std::uint32_t count) { return count <= 60; }));
    CHECK(generation.inference_seconds > 0.0);
  }
  // An elite is a candidate of the next generation, and meets other start states there.
  const Validation& second = record.generations[1].validation;
  CHECK(second.candidates.front() == record.generations[0].validation.elites.front());
  CHECK_FALSE(record.state.has("solution"));
  CHECK(record.keyframes.size() == 1);
  CHECK(record.final_returns.size() == 4);
  CHECK(std::ranges::any_of(record.final_steps, [](std::uint32_t count) { return count > 60; }));  // no cap
}

/// The whole run's record.
RunRecord undisturbed_run() {
  ElitistRun<GaExperiment> run(kGenetic);
  for (int generation = 0; generation < 5; ++generation) REQUIRE(run.generation());
  CHECK(run.run().finish() == 0);
  return load_run_file(run.file());
}

TEST_CASE("a validation that a signal interrupts leaves the generation unrecorded, and a resume computes it alike") {
  const RunRecord whole = undisturbed_run();
  const TemporaryFolder folder;
  {
    ElitistRun<GaExperiment> stopped(kGenetic);
    REQUIRE(stopped.generation());
    REQUIRE(stopped.generation());
    CHECK_FALSE(stopped.generation([] { request_stop(SIGINT); }));
    CHECK(stopped.run().finish() == 130);
    std::filesystem::copy_file(stopped.file(), folder.path() / "stopped.h5");
  }
  const RunRecord record = load_run_file(folder.path() / "stopped.h5");
  CHECK(record.status == "interrupted");
  CHECK(record.next_generation == 2);
  REQUIRE(record.generations.size() == 2);
  CHECK(record.generations.back().total_steps == whole.generations[1].total_steps);
  CHECK(record.generations.back().validation.elites == whole.generations[1].validation.elites);

  ElitistRun<GaExperiment> resumed({"--resume", folder.file("stopped.h5"), "--parents", "4", "--power", "0.2"});
  for (int generation = 2; generation < 5; ++generation) REQUIRE(resumed.generation());
  CHECK(resumed.run().finish() == 0);
  CHECK(results_digest(load_run_file(resumed.file())) == results_digest(whole));
}

TEST_CASE("every individual that a run recorded is rebuilt from its chain to the weights it played with") {
  for (const std::string crossover : {"none", "uniform", "one_point"}) {
    CAPTURE(crossover);
    std::vector<std::string> arguments = kGenetic;
    for (const std::string word : {"--crossover", crossover.c_str(), "--elites", "2"}) arguments.push_back(word);
    ElitistRun<GaExperiment> small(arguments);
    std::vector<std::vector<std::vector<float>>> played;
    const std::size_t parameters = small.run().task().policy.network.parameter_count();
    for (int generation = 0; generation < 5; ++generation) {
      const Population population = small.strategy().ask(0, 12);
      auto& members = played.emplace_back();
      for (const Member& member : population.members) {
        materialise(population, member, small.run().noise(), 0, members.emplace_back(parameters));
      }
      REQUIRE(small.generation());
    }
    CHECK(small.run().finish() == 0);

    StoredRun stored(small.file(), 1);
    CHECK(stored.has_genomes());
    for (std::uint64_t generation = 0; generation < 5; ++generation) {
      for (std::uint32_t member = 0; member < 12; ++member) {
        const Population rebuilt = stored.member(generation, member);
        CHECK(rebuilt.first_member == member);
        CHECK(*rebuilt.bases.front() == played[generation][member]);
      }
      // What it recorded it plays again.
      const Population last = stored.member(generation, 7);
      const GenerationRecord& recorded = stored.record().generations[generation];
      const EvaluationResults again = stored.play(last, recorded.normalizer, stored.recorded_plan(generation));
      CHECK(again.episodes.front().episode_return == recorded.returns[7]);
      CHECK(again.episodes.front().steps == recorded.steps[7]);
    }
    // The solution after some generations is the elite then; before, the first member.
    CHECK(*stored.solution(0).bases.front() == played[0][0]);
    const std::optional<Individual> elite = elite_after(stored.record(), 5);
    REQUIRE(elite);
    CHECK(*elite == stored.record().generations.back().validation.elites.front());
    CHECK(*stored.solution(5).bases.front() == played[elite->generation][elite->member]);
    const std::span<const double> solution = small.strategy().solution();
    CHECK(*stored.solution(5).bases.front() == std::vector<float>(solution.begin(), solution.end()));
    CHECK_THROWS_WITH(stored.solution(6), clade::testing::contains_text("it holds the solutions after 0 to 5"));
    CHECK_THROWS_WITH(stored.member(5, 0), clade::testing::contains_text("it holds generations 0 to 4"));
    CHECK_THROWS_WITH(stored.member(0, 12), clade::testing::contains_text("has 12 members"));
  }
}

TEST_CASE("random search draws every member afresh and keeps the best by validation") {
  ElitistRun<RandomSearchExperiment> small({"--generations", "3"});
  for (int generation = 0; generation < 3; ++generation) REQUIRE(small.generation());
  CHECK(small.run().finish() == 0);
  CHECK(small.printed().find("best validated mean ") != std::string::npos);
  StoredRun stored(small.file(), 1);
  for (const GenerationRecord& generation : stored.record().generations) {
    for (const Member& member : generation.members) CHECK(member.form == PerturbationForm::initial);
  }
  const std::optional<Individual> elite = elite_after(stored.record(), 3);
  REQUIRE(elite);
  const std::span<const double> solution = small.strategy().solution();
  CHECK(*stored.member(elite->generation, elite->member).bases.front() ==
        std::vector<float>(solution.begin(), solution.end()));
}

}  // namespace
}  // namespace clade
