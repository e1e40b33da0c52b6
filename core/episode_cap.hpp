#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/state.hpp"

namespace clade {

/// How long an episode may last, in steps.
///   task                                  the task's own limit
///   500                                   this many steps instead, also where the task's limit is lower
///   adaptive:start,threshold,ratio,max    starts low and grows (Salimans 2017): when at least the share `threshold`
///                                         of a generation's episodes hit the cap, it is multiplied by `ratio`, up to
///                                         `max`; without `,max` up to the task's limit
struct EpisodeCapSpec {
  enum class Kind { task, fixed, adaptive };
  Kind kind = Kind::task;
  std::uint32_t start = 1000;            ///< fixed and adaptive, > 0
  double threshold = 0.5;                ///< adaptive, in (0, 1]
  double ratio = 2.0;                    ///< adaptive, > 1
  std::optional<std::uint32_t> maximum;  ///< adaptive, >= start; absent: the task's limit
  /// Throws Error naming the value and its limit.
  void validate() const;
  std::string description() const;  ///< canonical text; parse_episode_cap(description()) gives the same spec
  bool operator==(const EpisodeCapSpec&) const = default;
};
/// Throws Error where the text is none of the forms above.
EpisodeCapSpec parse_episode_cap(std::string_view text);

/// The cap in force, in steps. It changes in update() only, between generations, so that all episodes of a generation
/// meet the same one.
class AdaptiveEpisodeCap {
 public:
  /// Throws Error where the spec is not valid, or an adaptive one starts above the task's limit and names no maximum.
  AdaptiveEpisodeCap(const EpisodeCapSpec& spec, std::uint32_t task_max_steps);
  std::uint32_t cap() const { return cap_; }
  /// Ends a generation: `share` in [0, 1] of its episodes lasted cap() steps (whether or not the task ended them in
  /// their last one).
  void update(double share);
  /// Adds "episode_cap/..." to the state.
  void save(State& state) const;
  /// Throws Error where the saved cap is beyond what the spec allows.
  void load(const State& state);

 private:
  EpisodeCapSpec spec_;
  std::uint32_t cap_;
  std::uint32_t maximum_;
};

}  // namespace clade
