#pragma once

#include <chrono>
#include <cstdint>

namespace clade {

/// Time spent in calls, some of them too short for the clock to be read twice in each: those under a microsecond are
/// measured one in sixteen, which stands for the others.
class SampledStopwatch {
 public:
  std::uint64_t nanoseconds() const { return nanoseconds_; }
  void restart() { nanoseconds_ = 0; }

  /// For calls of one kind, of similar length. Time counts also where the call throws.
  template <class Call>
  decltype(auto) measure(const Call& call) {
    if (unmeasured_ > 0) {
      --unmeasured_;
      nanoseconds_ += short_nanoseconds_;
      return call();
    }
    const Reading reading(*this, true);
    return call();
  }
  /// For calls that are rare or long: each is measured.
  template <class Call>
  decltype(auto) measure_each(const Call& call) {
    const Reading reading(*this, false);
    return call();
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// A call this long is always measured: two readings of the clock are at most a few per cent of it.
  static constexpr std::uint64_t kShortNanoseconds = 1000;
  static constexpr std::uint32_t kCallsPerReading = 16;

  /// Adds the time between construction and destruction.
  class Reading {
   public:
    Reading(SampledStopwatch& watch, bool sampled) : watch_(watch), sampled_(sampled), start_(Clock::now()) {}
    ~Reading() {
      const auto elapsed = static_cast<std::uint64_t>(
          std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count());
      watch_.nanoseconds_ += elapsed;
      if (!sampled_ || elapsed >= kShortNanoseconds) return;
      watch_.short_nanoseconds_ = elapsed;
      watch_.unmeasured_ = kCallsPerReading - 1;
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

   private:
    SampledStopwatch& watch_;
    bool sampled_;
    Clock::time_point start_;
  };

  std::uint64_t nanoseconds_ = 0;
  std::uint64_t short_nanoseconds_ = 0;  // of the call measured last, where it was a short one
  std::uint32_t unmeasured_ = 0;         // calls to come, for which it stands
};

}  // namespace clade
