#include "core/episode_cap.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using namespace clade;
using clade::testing::contains_text;

TEST_CASE("every form of a cap reads back from its description", "[episode_cap]") {
  for (const char* text : {"task", "500", "adaptive:50,0.5,2,1000", "adaptive:50,0.25,1.5"}) {
    const EpisodeCapSpec spec = parse_episode_cap(text);
    CHECK(spec.description() == text);
    CHECK(parse_episode_cap(spec.description()) == spec);
  }
}

TEST_CASE("a malformed cap is refused with what is wrong", "[episode_cap]") {
  const auto refuses = [](const char* text, const std::string& part) {
    CHECK_THROWS_WITH(parse_episode_cap(text), contains_text(part));
  };
  refuses("", "whole number");
  refuses("0", "'0'");
  refuses("-5", "'-5'");
  refuses("12.5", "'12.5'");
  refuses("4294967296", "4294967295");
  refuses("tasks", "use task");
  refuses("adaptive:", "numbers");
  refuses("adaptive:50,0.5", "2 numbers");
  refuses("adaptive:50,0.5,2,1000,7", "5 numbers");
  refuses("adaptive:50,x,2,1000", "threshold 'x'");
  refuses("adaptive:50,0,2,1000", "threshold 0 is outside (0, 1]");
  refuses("adaptive:50,1.5,2,1000", "threshold 1.5");
  refuses("adaptive:50,0.5,1,1000", "ratio 1 must");
  refuses("adaptive:50,0.5,nan,1000", "ratio 'nan'");
  refuses("adaptive:50,0.5,2,49", "maximum 49 is below its start 50");
  refuses("adaptive:0,0.5,2,49", "start '0'");
}

TEST_CASE("caps that are not adaptive never change", "[episode_cap]") {
  AdaptiveEpisodeCap task(parse_episode_cap("task"), 1000);
  task.update(1.0);
  CHECK(task.cap() == 1000);
  AdaptiveEpisodeCap fixed(parse_episode_cap("5000"), 1000);  // a longer episode than the task's own is the user's wish
  fixed.update(1.0);
  CHECK(fixed.cap() == 5000);
}

TEST_CASE("an adaptive cap grows when enough episodes hit it, up to its maximum", "[episode_cap]") {
  AdaptiveEpisodeCap cap(parse_episode_cap("adaptive:100,0.5,1.5,400"), 1000);
  CHECK(cap.cap() == 100);
  cap.update(0.49);
  CHECK(cap.cap() == 100);
  cap.update(0.5);
  CHECK(cap.cap() == 150);
  cap.update(1.0);
  CHECK(cap.cap() == 225);
  cap.update(1.0);
  CHECK(cap.cap() == 337);  // rounded down
  cap.update(1.0);
  CHECK(cap.cap() == 400);
  cap.update(1.0);
  CHECK(cap.cap() == 400);
}

TEST_CASE("without a maximum an adaptive cap ends at the task's limit", "[episode_cap]") {
  AdaptiveEpisodeCap cap(parse_episode_cap("adaptive:1,0.5,1.01"), 3);
  cap.update(1.0);
  CHECK(cap.cap() == 2);  // at least one step more, however small the ratio
  cap.update(1.0);
  cap.update(1.0);
  CHECK(cap.cap() == 3);
  CHECK_THROWS_WITH(AdaptiveEpisodeCap(parse_episode_cap("adaptive:1500,0.5,2"), 1000),
                    contains_text("start 1500") && contains_text("1000"));
}

TEST_CASE("a large ratio and a large maximum do not overflow", "[episode_cap]") {
  AdaptiveEpisodeCap cap(parse_episode_cap("adaptive:4000000000,0.5,1e300,4294967295"), 1000);
  cap.update(1.0);
  CHECK(cap.cap() == 4294967295U);
}

TEST_CASE("a cap goes on from its saved value", "[episode_cap]") {
  const EpisodeCapSpec spec = parse_episode_cap("adaptive:100,0.5,2,1000");
  AdaptiveEpisodeCap cap(spec, 1000);
  cap.update(1.0);
  State state;
  cap.save(state);
  AdaptiveEpisodeCap resumed(spec, 1000);
  resumed.load(state);
  CHECK(resumed.cap() == 200);

  AdaptiveEpisodeCap other(parse_episode_cap("adaptive:10,0.5,2,50"), 1000);
  CHECK_THROWS_WITH(other.load(state), contains_text("200 is outside [10, 50]"));
  CHECK_THROWS_AS(resumed.load(State{}), Error);
}
