#pragma once

#include <chrono>
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

}  // namespace clade
