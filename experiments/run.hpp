#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/episode_cap.hpp"
#include "core/episode_scheduler.hpp"
#include "core/noise.hpp"
#include "core/observation_normalizer.hpp"
#include "core/options.hpp"
#include "core/progress.hpp"
#include "core/run_record.hpp"
#include "core/signals.hpp"
#include "core/strategy.hpp"
#include "experiments/failure_log.hpp"
#include "experiments/rate_probe.hpp"
#include "experiments/run_settings.hpp"
#include "experiments/run_task.hpp"
#include "experiments/save_schedule.hpp"
#include "ga/elitist_strategy.hpp"

namespace clade {

/// Everything of an experiment but its algorithm and its loop: task, scheduler, observation statistics, budgets,
/// validation and evaluation episodes, the run file. The loop stays in each program:
///
///   run.begin(strategy);
///   while (run.continues()) {
///     Population population = strategy.ask(0, run.population());
///     EvaluationResults results = run.evaluate(population);
///     if (!results.complete) break;
///     strategy.tell(run.record(population, results));
///     run.log();
///     run.checkpoint();
///   }
///   return run.finish();
///
/// A genetic algorithm validates its candidates between record() and tell().
class Run {
 public:
  /// Resolves the settings: those of the file where a run is resumed, else the command line's. Checks all that can be
  /// checked before computing. Throws Error.
  Run(const std::string& program, Options& options, RunSettings& settings, int argc, const char* const* argv);
  ~Run();

  const NoiseSource& noise() const { return *noise_; }
  int threads() const { return threads_; }
  const RunTask& task() const { return *task_; }
  std::size_t population() const { return settings_.population; }
  /// Drawn from the seed, or another run's solution (--init-from).
  std::vector<double> initial_parameters() const;

  /// Starts or resumes `strategy` (which outlives the run) and saves before the first evaluation.
  void begin(Strategy& strategy);
  /// The same for one whose solution is an individual: the run file keeps how it came to be instead of its weights.
  void begin(ElitistStrategy& strategy);
  /// Whether another generation is to be computed: no signal came and every budget has something left.
  bool continues();
  /// Plays the episodes of a population or a further piece of it. Incomplete where a signal came. Throws Error where
  /// an episode failed and --on-failure is stop (after saving).
  EvaluationResults evaluate(const Population& population);
  /// Whether a generation is still below --minimum-steps. Not where the piece evaluated last played no step at all:
  /// every episode failed at once, and further pieces would not end.
  bool needs_more_steps(const EvaluationResults& results) const {
    return piece_steps_ > 0 && results.steps() < settings_.minimum_steps;
  }
  /// Keeps a complete generation for the run file; returns its members' fitness for `tell`.
  std::vector<double> record(const Population& population, EvaluationResults& results);
  /// Plays the validation episodes of the recorded generation's candidates and hands their means to `strategy`. False
  /// where a signal came: the generation is unrecorded then, and a resume computes it again. Throws Error as
  /// evaluate().
  bool validate(ElitistStrategy& strategy, const Population& candidates, const std::vector<Individual>& individuals);
  /// After `tell`: updates the observation statistics and the episode cap, evaluates the solution where that is due,
  /// shows progress.
  void log();
  /// Saves where the schedule says so.
  void checkpoint();
  /// A line on standard error, unless --quiet.
  void note(const std::string& text);
  /// Final test, last save, closing lines. Returns the program's exit code.
  int finish();

 private:
  void start(Strategy& strategy);
  void start_fresh();
  void start_from_record();
  void measure_rates_once();
  /// Counts failures and throws where --on-failure is stop (after saving). `where` stands before the generation.
  void handle_failures(const EvaluationResults& results, const std::string& where);
  void evaluate_solution();
  bool evaluation_is_due() const;
  /// For the progress line: the latest evaluation or validation in which an episode was played to its end.
  void keep_validated_returns(const GenerationRecord& generation);
  void final_test();
  EvaluationResults play_solution(Purpose purpose, std::uint64_t generation, std::uint32_t episodes);
  void store_state();
  void save();
  void show_progress();
  void print_closing_lines(bool interrupted) const;
  double total_seconds() const;
  double session_seconds() const { return total_seconds() - earlier_seconds_; }

  std::string program_;
  RunSettings& settings_;
  bool resumed_ = false;
  RunRecord record_;
  std::unique_ptr<RunTask> task_;
  int threads_ = 1;
  std::unique_ptr<NoiseSource> noise_;
  std::unique_ptr<EpisodeScheduler> scheduler_;
  std::unique_ptr<ObservationNormalizer> normalizer_;
  NormalizerSnapshot snapshot_;
  std::unique_ptr<AdaptiveEpisodeCap> cap_;
  std::optional<RunRecord> initial_run_;
  Strategy* strategy_ = nullptr;
  const ElitistStrategy* elitist_ = nullptr;  // the same, where its solution is an individual

  std::uint64_t piece_steps_ = 0;  // played in the piece of a generation that was evaluated last
  // Between record() and log() of a generation.
  std::vector<ObservationMoments> pending_moments_;
  double validation_seconds_ = 0.0;  // of the generation
  FailureLog failures_;
  bool failure_shown_ = false;
  std::vector<double> validated_returns_;
  Rates rates_;  // of this session; 0 where they were not measured

  std::filesystem::path path_;
  SaveSchedule schedule_;
  std::uint64_t saved_generation_ = 0;  // next_generation of the last good file
  bool save_failed_ = false;            // the latest periodic save
  bool finished_before_ = false;        // resumed with nothing left to do: the file is not touched
  std::unique_ptr<ProgressReporter> progress_;
  SignalGuard signals_;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point generation_started_;
  double earlier_seconds_ = 0.0;  // of earlier sessions
};

}  // namespace clade
