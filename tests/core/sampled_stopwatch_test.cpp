#include "core/sampled_stopwatch.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

#include "tests/support/catch.hpp"

namespace clade {
namespace {

void sleep_milliseconds(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

TEST_CASE("long calls are measured one by one, with what they return", "[sampled_stopwatch]") {
  SampledStopwatch watch;
  CHECK(watch.nanoseconds() == 0);
  CHECK(watch.measure([] {
    sleep_milliseconds(2);
    return 7;
  }) == 7);
  CHECK(watch.nanoseconds() >= 2'000'000);
  watch.measure_each([] { sleep_milliseconds(2); });
  CHECK(watch.nanoseconds() >= 4'000'000);
  watch.restart();
  CHECK(watch.nanoseconds() == 0);
}

TEST_CASE("time counts also where a call throws", "[sampled_stopwatch]") {
  SampledStopwatch watch;
  CHECK_THROWS_AS(watch.measure([] {
    sleep_milliseconds(2);
    throw std::runtime_error("fault");
  }),
                  std::runtime_error);
  CHECK(watch.nanoseconds() >= 2'000'000);
}

TEST_CASE("short calls are all made, and cost about what the measured ones took", "[sampled_stopwatch]") {
  SampledStopwatch watch;
  int calls = 0;
  for (int repeat = 0; repeat < 100'000; ++repeat) watch.measure([&] { ++calls; });
  CHECK(calls == 100'000);
  CHECK(watch.nanoseconds() > 0);
  // One call that is long in between is not lost among short ones that stand for others.
  watch.restart();
  watch.measure_each([] { sleep_milliseconds(2); });
  CHECK(watch.nanoseconds() >= 2'000'000);
}

}  // namespace
}  // namespace clade
