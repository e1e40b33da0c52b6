#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/environment.hpp"
#include "core/episode.hpp"
#include "core/head.hpp"
#include "core/network.hpp"
#include "core/observation_normalizer.hpp"
#include "core/population.hpp"

namespace clade {

/// How weights are stored; sums are always float.
enum class Precision {
  fp32,
  bf16  ///< weights rounded to the nearest bfloat16 (8 bits of mantissa), ties to even; biases stay fp32
};

/// Everything but the weights that turns an observation into an action. Immutable.
struct Policy {
  Network network;
  HeadSpec head;
  ObservationSpec observation;
  ActionSpec action;
  Precision precision = Precision::fp32;
  /// Reference batch of a network with virtual batch normalisation: observations one after the other, each
  /// ObservationSpec::bytes() long; shared, empty otherwise.
  std::shared_ptr<const std::vector<std::byte>> reference_batch{};
};

/// One row that wants an action.
struct InferenceRow {
  std::size_t lane = 0;                    ///< episode in flight, < the engine's lanes
  std::uint32_t step = 0;                  ///< decision number within the episode
  const std::byte* observation = nullptr;  ///< [ObservationSpec::bytes()]
  HeadResult action;                       ///< written
};

/// Answers observations with actions, one weight set per slot. The inline driver owns one engine per worker with one
/// slot; the batched driver one engine per device with many. Not thread-safe: one thread drives an engine.
/// The result of a row depends on the member, the episode and the step alone, never on the other rows.
class InferenceEngine {
 public:
  virtual ~InferenceEngine() = default;
  /// A generation begins: `normalizer` and `population` hold for every call until the next begin_generation.
  virtual void begin_generation(const Population& population, const NormalizerSnapshot& normalizer) = 0;
  /// Puts a member's weights into `slot` (and, for networks that need it, its reference-batch statistics).
  virtual void prepare(std::size_t slot, std::size_t member) = 0;
  /// An episode of the member in `slot` begins in `lane`: its identity keys what the head draws; recurrent state is
  /// cleared.
  virtual void begin_episode(std::size_t slot, std::size_t lane, const EpisodeIdentity& identity,
                             const EpisodeSettings& settings) = 0;
  /// Answers rows of the member in `slot`.
  virtual void infer(std::size_t slot, std::span<InferenceRow> rows) = 0;
};

}  // namespace clade
