#include "core/progress.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using namespace clade;

namespace {

ProgressFields example() {
  ProgressFields fields;
  fields.generation = 12;
  fields.best_return = 3430.12;
  fields.mean_return = 1210.5;
  fields.median_return = 1180.0;
  fields.evaluation_mean = 1300.2;
  fields.episodes = 1707;
  fields.steps = 1'234'567;
  fields.steps_per_second = 18'234.4;
  fields.environment_share = 0.964;
  fields.failed_episodes = 3;
  fields.seconds_elapsed = 45.2;
  fields.seconds_left = 730.0;
  return fields;
}

/// A reporter on a string with a clock that the test sets.
struct Screen {
  std::ostringstream out;
  double now = 1000.0;
  std::size_t columns = 40;
  ProgressReporter reporter;

  Screen(bool terminal, bool quiet)
      : reporter(out, ProgressSettings{.terminal = terminal,
                                       .quiet = quiet,
                                       .columns = [this] { return columns; },
                                       .seconds = [this] { return now; }}) {}
  void update(std::uint64_t generation) {
    ProgressFields fields;
    fields.generation = generation;
    reporter.update(fields);
  }
  std::string take() {
    std::string text = out.str();
    out.str("");
    return text;
  }
};

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("counts have thousands separators", "[progress]") {
  CHECK(format_count(0) == "0");
  CHECK(format_count(999) == "999");
  CHECK(format_count(1707) == "1,707");
  CHECK(format_count(1'234'567) == "1,234,567");
  CHECK(format_count(std::numeric_limits<std::uint64_t>::max()) == "18,446,744,073,709,551,615");
}

TEST_CASE("returns show four digits or more", "[progress]") {
  CHECK(format_return(3430.12) == "3430.1");
  CHECK(format_return(-123.456) == "-123.5");
  CHECK(format_return(12.3456) == "12.35");
  CHECK(format_return(1.0) == "1.000");
  CHECK(format_return(0.0123449) == "0.01234");
  CHECK(format_return(0.0) == "0.0");
  CHECK(format_return(-1e-7) == "-1.000e-7");
  CHECK(format_return(1.5e12) == "1.500e+12");
  CHECK(format_return(1e300) == "1.000e+300");
  CHECK(format_return(std::nan("")) == "nan");
  CHECK(format_return(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("rates and durations are short", "[progress]") {
  CHECK(format_rate(18'234.4) == "18,234");
  CHECK(format_rate(12.34) == "12.3");
  CHECK(format_rate(99.94) == "99.9");
  CHECK(format_rate(99.96) == "100");
  CHECK(format_rate(0.0) == "0");
  CHECK(format_rate(std::nan("")) == "0");
  CHECK(format_duration(0.2) == "0 s");
  CHECK(format_duration(45.4) == "45 s");
  CHECK(format_duration(59.6) == "1:00");
  CHECK(format_duration(730.0) == "12:10");
  CHECK(format_duration(3723.0) == "1:02:03");
  CHECK(format_duration(2 * 86'400.0 + 3 * 3600.0 + 59.0) == "2 d 3 h");
  CHECK(format_duration(-1.0) == "0 s");
  CHECK(format_duration(std::nan("")) == "0 s");
}

TEST_CASE("a progress line shows frames, the elite with its error, and the share of R* where they are known",
          "[progress]") {
  ProgressFields fields = example();
  fields.validates = true;
  fields.evaluation_error = 20.14;
  fields.frames = 4'938'268;
  fields.frames_per_second = 72'937.6;
  fields.limit_share = 0.934;
  CHECK(
      format_progress(fields) ==
      "generation 12  best 3430.1  mean 1210.5  median 1180.0  elite 1300.2 +- 20.14  1,707 episodes  1,234,567 steps  "
      "4,938,268 frames  72,938 frames/s  18,234 steps/s  93% of R*  3 failed  45 s elapsed  12:10 left");
  CHECK(format_progress(fields, 110) ==
        "generation 12  best 3430.1  mean 1210.5  elite 1300.2 +- 20.14  72,938 frames/s  3 failed  12:10 left");
}

TEST_CASE("a progress line leaves out the less important where it is narrow", "[progress]") {
  const ProgressFields fields = example();
  const std::string full =
      "generation 12  best 3430.1  mean 1210.5  median 1180.0  evaluation 1300.2  1,707 episodes  1,234,567 steps  "
      "18,234 steps/s  96% of environment-only  3 failed  45 s elapsed  12:10 left";
  CHECK(format_progress(fields) == full);
  CHECK(format_progress(fields, full.size()) == full);
  CHECK(format_progress(fields, 100) ==
        "generation 12  best 3430.1  mean 1210.5  evaluation 1300.2  18,234 steps/s  3 failed  12:10 left");
  CHECK(format_progress(fields, 79) == "generation 12  best 3430.1  mean 1210.5  18,234 steps/s  3 failed  12:10 left");
  CHECK(format_progress(fields, 30) == "generation 12  mean 1210.5");
  CHECK(format_progress(fields, 5) == "gener");
  for (std::size_t width = 1; width < 200; ++width) CHECK(format_progress(fields, width).size() <= width);

  ProgressFields first;
  first.episodes = 1;
  first.steps = 1;
  CHECK(format_progress(first) == "generation 0  1 episode  1 step  0 steps/s  0 s elapsed");
}

TEST_CASE("the time left is that of the budget which binds first", "[progress]") {
  const BudgetUse episodes{.at_start = 100.0, .now = 300.0, .limit = 1100.0};  // 20 a second: 40 s
  const BudgetUse seconds{.at_start = 50.0, .now = 60.0, .limit = 85.0};       // 25 s
  const BudgetUse unknown{.at_start = 5.0, .now = 5.0, .limit = 10.0};
  const BudgetUse spent{.at_start = 5.0, .now = 12.0, .limit = 10.0};
  CHECK(estimate_seconds_left(10.0, std::vector{episodes}) == 40.0);
  CHECK(estimate_seconds_left(10.0, std::vector{episodes, seconds}) == 25.0);
  CHECK(estimate_seconds_left(10.0, std::vector{unknown, episodes}) == 40.0);
  CHECK(estimate_seconds_left(10.0, std::vector{episodes, spent}) == 0.0);
  CHECK_FALSE(estimate_seconds_left(10.0, std::vector{unknown}).has_value());
  CHECK_FALSE(estimate_seconds_left(0.0, std::vector{episodes}).has_value());
  CHECK_FALSE(estimate_seconds_left(10.0, {}).has_value());
}

TEST_CASE("a terminal gets one line, rewritten at most ten times a second", "[progress]") {
  Screen screen(true, false);
  screen.columns = 28;
  screen.update(1);
  CHECK(screen.take() == "\rgeneration 1  0 steps/s");
  screen.now += 0.05;
  screen.update(2);
  CHECK(screen.take().empty());
  screen.now += 0.05001;
  screen.update(1000);
  CHECK(screen.take() == "\rgeneration 1,000  0 steps/s");
  screen.now += 1.0;
  screen.update(3);
  CHECK(screen.take() == "\rgeneration 3  0 steps/s    ");  // what was longer is covered
  screen.reporter.message("warning: not saved");
  CHECK(screen.take() == "\r" + std::string(23, ' ') + "\rwarning: not saved\n\rgeneration 3  0 steps/s");
  screen.columns = 16;  // the terminal has become narrower
  screen.now += 1.0;
  screen.update(4);
  CHECK(screen.take() == "\rgeneration 4   ");
  screen.now += 0.01;
  screen.update(5);
  screen.reporter.finish();
  CHECK(screen.take() == "\rgeneration 5\n");
  screen.reporter.finish();
  CHECK(screen.take().empty());
}

TEST_CASE("a log gets whole lines, rarer in the long run, and always the last", "[progress]") {
  Screen screen(false, false);
  screen.update(0);
  CHECK(screen.take() == "generation 0  0 episodes  0 steps  0 steps/s  0 s elapsed\n");
  screen.now += 0.5;
  screen.update(1);
  CHECK(screen.take().empty());
  screen.now += 0.5;
  screen.update(2);
  CHECK(screen.take() == "generation 2  0 episodes  0 steps  0 steps/s  0 s elapsed\n");
  screen.now = 1000.0 + 60.0;
  screen.update(3);
  CHECK(lines(screen.take()) == 1);
  for (int i = 0; i < 50; ++i) {  // 5 seconds at an age of a minute: none is due
    screen.now += 0.1;
    screen.update(4);
  }
  CHECK(screen.take().empty());
  screen.now = 1000.0 + 1000.0;
  screen.update(5);
  screen.take();
  for (int i = 0; i < 1000; ++i) {  // 100 seconds
    screen.now += 0.1;
    screen.update(6);
  }
  CHECK(lines(screen.take()) <= 10);
  screen.update(7);
  screen.reporter.message("a message");
  screen.reporter.finish();
  const std::string rest = screen.take();
  CHECK(rest == "a message\ngeneration 7  0 episodes  0 steps  0 steps/s  0 s elapsed\n");
  CHECK(rest.find('\x1b') == std::string::npos);
  CHECK(rest.find('\r') == std::string::npos);
}

TEST_CASE("quiet shows messages only", "[progress]") {
  for (const bool terminal : {false, true}) {
    Screen screen(terminal, true);
    screen.update(1);
    screen.reporter.finish();
    CHECK(screen.take().empty());
    screen.reporter.message("warning: not saved");
    CHECK(screen.take() == "warning: not saved\n");
  }
}

TEST_CASE("the end of a reporter ends its live line", "[progress]") {
  std::ostringstream out;
  {
    ProgressReporter reporter(out, ProgressSettings{.terminal = true, .seconds = [] { return 0.0; }});
    reporter.update({});
  }
  CHECK(out.str().ends_with('\n'));
  std::ostringstream plain;
  {
    ProgressReporter reporter(plain, false);
    reporter.update({});
  }
  CHECK(lines(plain.str()) == 1);
}
