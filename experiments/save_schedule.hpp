#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace clade {

/// When a run file is written again: `--save-every auto|generation|SECONDS`. "auto" keeps the time spent saving at or
/// below 1% of the wall time: after a save that took t seconds the next is due 99 t later.
class SaveSchedule {
 public:
  using Clock = std::chrono::steady_clock;
  /// Throws Error for any other text.
  explicit SaveSchedule(const std::string& description);
  bool due(Clock::time_point now) const;
  void saved(Clock::time_point begin, Clock::time_point end);

 private:
  enum class Kind { automatic, every_generation, interval };
  Kind kind_ = Kind::automatic;
  double interval_seconds_ = 0.0;
  double last_cost_seconds_ = 0.0;
  Clock::time_point last_end_{};
};

/// Generations between keyframes: 50 for states up to a mebibyte, proportionally more for larger ones, so that
/// keyframes never weigh more than one such state per 50 generations.
std::uint64_t automatic_keyframe_interval(std::size_t state_bytes);

}  // namespace clade
