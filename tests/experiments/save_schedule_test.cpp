#include "experiments/save_schedule.hpp"

#include <chrono>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace clade {
namespace {

using Clock = SaveSchedule::Clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

const Clock::time_point kStart{seconds(1000)};

TEST_CASE("auto waits 99 times as long as the last save took") {
  SaveSchedule schedule("auto");
  schedule.saved(kStart, kStart + milliseconds(100));
  CHECK_FALSE(schedule.due(kStart + milliseconds(100 + 9899)));
  CHECK(schedule.due(kStart + milliseconds(100 + 9901)));
  schedule.saved(kStart + seconds(20), kStart + seconds(21));
  CHECK_FALSE(schedule.due(kStart + seconds(21 + 98)));
  CHECK(schedule.due(kStart + seconds(21 + 100)));
}

TEST_CASE("generation saves always, a number at its interval") {
  SaveSchedule always("generation");
  always.saved(kStart, kStart + seconds(5));
  CHECK(always.due(kStart + seconds(5)));

  SaveSchedule interval("2.5");
  interval.saved(kStart, kStart + seconds(1));
  CHECK_FALSE(interval.due(kStart + seconds(3)));
  CHECK(interval.due(kStart + milliseconds(3501)));
}

TEST_CASE("anything else is refused with the value") {
  for (const char* text : {"", "never", "0", "-1", "1s", "nan", "inf"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(SaveSchedule(text), Error);
  }
  CHECK_THROWS_WITH(SaveSchedule("never"),
                    "--save-every: 'never' is not auto, generation, or a number of seconds greater than 0");
}

}  // namespace
}  // namespace clade
