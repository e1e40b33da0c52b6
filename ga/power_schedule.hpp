#pragma once

#include <cstdint>
#include <string>

namespace clade {

/// Mutation power by generation, counted from the run's start: "0.002" constant; "linear:0.01,0.001,200" from the first
/// to the second value over so many generations, then constant; "exponential:0.01,0.001,200" the same, geometrically.
struct PowerSchedule {
  enum class Kind { constant, linear, exponential };
  Kind kind = Kind::constant;
  double first = 0.002;
  double last = 0.002;
  std::uint64_t generations = 1;

  /// The same bits on every machine. Above 0 in single precision where the schedule is valid.
  double at(std::uint64_t generation) const;
  /// What parse_power_schedule reads.
  std::string description() const;
  /// Throws Error where a power is not finite and above 0 (in single precision, which mutations use) or the number of
  /// generations is 0.
  void validate() const;
  bool operator==(const PowerSchedule&) const = default;
};

/// Throws Error for text that is no valid schedule.
PowerSchedule parse_power_schedule(const std::string& text);

}  // namespace clade
