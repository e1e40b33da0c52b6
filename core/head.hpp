#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/environment.hpp"
#include "core/random.hpp"

namespace clade {

enum class HeadKind {
  raw,     ///< continuous: the outputs as they are
  clip,    ///< continuous: outputs clipped to [low, high]
  tanh,    ///< continuous: low + (tanh(output) + 1)/2 (high - low)
  binned,  ///< continuous: per component the argmax over `bins` outputs, spread evenly over [low, high] (Salimans 2017)
  argmax,  ///< discrete: the largest output, the first of equals
  sample   ///< discrete: drawn from the softmax of the outputs
};

/// How the network's outputs become an action. "raw", "clip", "tanh", "binned:10", "argmax", "sample".
struct HeadSpec {
  HeadKind kind = HeadKind::raw;
  std::size_t bins = 10;
  double action_noise = 0.0;  ///< standard deviation of Gaussian noise added to a continuous action (after the head)
  std::string description() const;  ///< without the noise
};
HeadSpec parse_head(std::string_view description);

/// Outputs the network needs for this head; throws Error where head and action do not fit each other, where tanh or
/// binned meets an infinite bound, or where the action noise is negative or not finite.
std::size_t head_outputs(const HeadSpec& head, const ActionSpec& action);

/// What a head writes.
struct HeadResult {
  std::span<double> continuous{};  ///< [ActionSpec::size], empty where discrete
  std::size_t choice = 0;
};

/// Turns `outputs` into an action; `key` names the episode, `step` the decision, for action noise and sampling (its
/// purpose is replaced by the head's own). Thread-safe, allocates nothing.
/// Outside training there is no action noise and sampling has a stream of its own.
///   action noise   component i of step t has the i-th normal of the stream from block t * size on; none where discrete
///   sampling       one uniform from block t; equal infinite outputs share the choice
///   NaN outputs    a NaN component, so that the episode fails; binned, argmax and sample pass over them, and where all
///                  are NaN give a NaN component, or choice 0
/// Throws Error where an episode is so long that its stream would be used twice (step * size past 2^32 blocks).
void apply_head(const HeadSpec& head, const ActionSpec& action, std::span<const float> outputs, const RandomKey& key,
                std::uint32_t step, bool training, HeadResult& result);

}  // namespace clade
