#include "experiments/save_schedule.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/number_text.hpp"

namespace clade {

namespace {
/// One part saving, 99 parts computing.
constexpr double kComputingPerSaving = 99.0;
}  // namespace

SaveSchedule::SaveSchedule(const std::string& description) {
  if (description == "auto") {
    kind_ = Kind::automatic;
    return;
  }
  if (description == "generation") {
    kind_ = Kind::every_generation;
    return;
  }
  kind_ = Kind::interval;
  if (read_number(description, interval_seconds_) != NumberProblem::none || interval_seconds_ <= 0.0) {
    throw_input_error("--save-every: '" + description +
                      "' is not auto, generation, or a number of seconds greater than 0");
  }
}

bool SaveSchedule::due(Clock::time_point now) const {
  const double since_last = std::chrono::duration<double>(now - last_end_).count();
  switch (kind_) {
    case Kind::automatic:
      return since_last >= kComputingPerSaving * last_cost_seconds_;
    case Kind::every_generation:
      return true;
    case Kind::interval:
      return since_last >= interval_seconds_;
  }
  return true;
}

void SaveSchedule::saved(Clock::time_point begin, Clock::time_point end) {
  last_cost_seconds_ = std::chrono::duration<double>(end - begin).count();
  last_end_ = end;
}

std::uint64_t automatic_keyframe_interval(std::size_t state_bytes) {
  constexpr std::uint64_t kGenerations = 50;
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  return kGenerations * std::max<std::uint64_t>(1, (state_bytes + kMebibyte - 1) / kMebibyte);
}

}  // namespace clade
