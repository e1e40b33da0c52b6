#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/episode_scheduler.hpp"
#include "core/noise.hpp"
#include "core/observation_normalizer.hpp"
#include "core/run_record.hpp"
#include "core/strategy.hpp"
#include "experiments/run_settings.hpp"
#include "experiments/run_task.hpp"
#include "ga/genome_layout.hpp"

namespace clade {

/// A run file made alive again, to look at what it evolved: task, policy and strategy as the run had them. The
/// record is not changed.
class StoredRun {
 public:
  /// `threads` 0: the cores granted. Throws Error.
  StoredRun(const std::filesystem::path& path, std::uint64_t threads);

  const RunRecord& record() const { return record_; }
  const RunSettings& settings() const { return settings_; }
  const RunTask& task() const { return *task_; }
  const NoiseSource& noise() const { return *noise_; }
  std::uint64_t generations() const { return record_.generations.size(); }
  /// Whether members are individuals with a genealogy (a genetic algorithm or random search).
  bool has_genomes() const { return layout_.has_value(); }
  /// The generation after which the best evaluation (or validation) was played, counted as `solution` counts. Throws
  /// Error where none was.
  std::uint64_t best_generation() const;

  /// The solution after `generation` updates (the elite, where members are individuals), as a population of one member.
  Population solution(std::uint64_t generation);
  /// Member `member` of `generation`, rebuilt from its recipe, with the identity it had.
  Population member(std::uint64_t generation, std::uint32_t member);
  /// What the episodes of `generation` saw; for the last, what the next one would.
  NormalizerSnapshot normalizer(std::uint64_t generation) const;

  /// What the members of a recorded generation played.
  EvaluationPlan recorded_plan(std::uint64_t generation) const;
  /// Plays `plan` (its seed and caps are the caller's).
  EvaluationResults play(const Population& population, const NormalizerSnapshot& normalizer,
                         const EvaluationPlan& plan);

 private:
  template <class Experiment>
  void revive(std::uint64_t threads);
  void require_generation(std::uint64_t generation) const;
  Population individual(const Individual& who) const;

  RunRecord record_;
  RunSettings settings_;
  int threads_ = 1;
  std::unique_ptr<RunTask> task_;
  std::unique_ptr<NoiseSource> noise_;
  std::unique_ptr<Strategy> strategy_;
  std::optional<GenomeLayout> layout_;  // where members are individuals
  std::unique_ptr<EpisodeScheduler> scheduler_;
};

}  // namespace clade
