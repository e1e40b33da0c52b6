#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/episode.hpp"
#include "core/inference_engine.hpp"
#include "core/observation_normalizer.hpp"
#include "core/population.hpp"

namespace clade {

/// Makes the engine of one worker, with one slot and `lanes` lanes.
using EngineFactory = std::function<std::unique_ptr<InferenceEngine>(std::size_t lanes)>;

struct SchedulerSettings {
  int threads = 1;        ///< OpenMP workers
  std::size_t lanes = 1;  ///< most episodes of a member that a worker keeps in flight, sharing each pass of the network
};

/// What all members of a population play.
struct EvaluationPlan {
  std::uint64_t seed = 0;
  Purpose environment_purpose = Purpose::environment;
  std::uint32_t episodes_per_member = 1;
  bool common_random_numbers = false;  ///< a mirrored pair meets the same start states
  bool same_for_all = false;           ///< all members meet the same start states: episode e is keyed as member 0's
  std::size_t lanes = 0;               ///< episodes in flight, at most the scheduler's lanes; 0: as many as those
  EpisodeSettings episode;
  /// Whether an episode (member identity, episode) contributes observation moments; empty: none does.
  std::function<bool(std::uint32_t member, std::uint32_t episode)> collects_moments;
  /// Expected steps of each member's episodes, for starting the longest first; empty: unknown. Never alters results.
  std::vector<double> expected_steps;
};

struct EpisodeFailure {
  EpisodeIdentity identity;
  std::uint32_t step = 0;
  std::string reason;
};

/// Everything by identity: the result of member i's episode e stands at [i * episodes_per_member + e].
struct EvaluationResults {
  std::uint32_t episodes_per_member = 1;
  std::vector<EpisodeResult> episodes;
  std::vector<ObservationMoments> moments;  ///< of the collecting episodes, in identity order
  std::vector<EpisodeFailure> failures;     ///< in identity order
  bool complete = true;                     ///< false where `stop` ended it early: some episodes are pending
  double wall_seconds = 0.0;
  double environment_seconds = 0.0;  ///< summed over workers: time inside reset and step
  double inference_seconds = 0.0;    ///< summed over workers: time inside the engine
  std::uint64_t steps() const;
  std::uint64_t frames() const;
  /// Appends a further piece of the same generation.
  void append(EvaluationResults&& piece);
};

/// The inline driver: a worker owns a member and its lanes and calls its own engine, so that one member's weights stay
/// in its cache. Members (or pieces of a member's episodes, where members are few) are handed out longest expected
/// first. Results depend on identities alone.
class EpisodeScheduler {
 public:
  /// Makes `threads` engines and as many environments; those of further lanes are made by the first evaluation that
  /// uses them. Throws Error.
  EpisodeScheduler(const SchedulerSettings& settings, const EnvironmentFactory& environments,
                   const EngineFactory& engines);
  ~EpisodeScheduler();
  EvaluationResults evaluate(const Population& population, const NormalizerSnapshot& normalizer,
                             const EvaluationPlan& plan, const std::function<bool()>& stop = {});

 private:
  struct Worker;
  void make_lanes(std::size_t lanes);

  SchedulerSettings settings_;
  EnvironmentFactory environments_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace clade
