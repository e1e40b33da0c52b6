#include <iostream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tools/atari_trace.hpp"
#include "tools/golden_file.hpp"
#include "tools/resize_trace.hpp"
#include "tools/trace_replay.hpp"

namespace clade {
namespace {

std::string text_of(const std::vector<ComparedQuantity>& quantities) {
  std::string text;
  for (const ComparedQuantity& quantity : quantities) {
    text += quantity.name + " " + std::to_string(quantity.differing) + " of " + std::to_string(quantity.values) + "; ";
  }
  return text;
}

std::string text_of(const TraceDeviation& deviation) {
  return "state " + std::to_string(deviation.state) + ", obs " + std::to_string(deviation.observation) + ", reward " +
         std::to_string(deviation.reward) + ", terminated " + std::to_string(deviation.terminated) + ", truncated " +
         std::to_string(deviation.truncated) + " " + deviation.failure;
}

/// Whether the group is one of those where every value must be the recorded one.
bool compared_exactly(const GoldenFile& file, const std::string& group) {
  return is_atari_trace(file, group) || is_resize_trace(file, group);
}

/// Replays the groups of all files that `wanted` admits, calling `check` for each that could be; prints what was
/// skipped. Returns how many were replayed.
template <class Wanted, class Check>
std::size_t replay_all(Wanted wanted, Check check) {
  std::size_t replayed = 0;
  for (const auto& path : golden_files(golden_directory())) {
    const GoldenFile file(path);
    std::size_t other_data = 0;
    for (const std::string& group : file.groups()) {
      if (!wanted(file, group)) continue;
      const TraceReport report = replay_trace(file, group);
      if (report.skipped == kNoTrace) {
        ++other_data;
        continue;
      }
      if (!report.skipped.empty()) {
        std::cout << "skipped: " << path.filename().string() << " " << group << ": " << report.skipped << std::endl;
        continue;
      }
      ++replayed;
      CAPTURE(path.string(), group, report.same_model, report.same_engine);
      CHECK(report.episodes > 0);
      check(report);
    }
    if (other_data > 0) {
      std::cout << path.filename().string() << ": " << other_data
                << " groups that are no traces, left to the other golden tests" << std::endl;
    }
  }
  return replayed;
}

}  // namespace

TEST_CASE("Recorded traces are reproduced step by step and as free runs", "[golden]") {
  const bool recorded_platform = recording_platform();
  std::size_t mujoco = 0;
  std::size_t exact = 0;
  const std::size_t replayed =
      replay_all([](const GoldenFile& file, const std::string& group) { return !compared_exactly(file, group); },
                 [&](const TraceReport& report) {
                   CAPTURE(recorded_platform);
                   INFO("start: " << text_of(report.start));
                   INFO("step by step: " << text_of(report.step_by_step));
                   INFO("free runs: " << text_of(report.free_run));
                   CHECK(report.steps > 0);
                   CHECK(within_tolerance(report, recorded_platform));
                   if (report.kind == TraceKind::mujoco) {
                     ++mujoco;
                     if (report.free_run.state == 0.0) ++exact;
                   }
                 });
  std::cout << "platform: libm " << (recorded_platform ? "as" : "other than")
            << " recorded; free runs of MuJoCo reproduce the recorded states exactly in " << exact << " of " << mujoco
            << " tasks" << std::endl;
  if (replayed == 0) CLADE_SKIP("no file of traces in " + golden_directory().string());
}

TEST_CASE("Recorded Atari games and resized screens are reproduced to the bit", "[golden]") {
  const std::size_t replayed = replay_all(compared_exactly, [](const TraceReport& report) {
    INFO("differing values: " << text_of(report.quantities));
    CHECK(report.compared_exactly());
    if (report.kind == TraceKind::atari) CHECK(report.steps > 0);
    CHECK(all_equal(report.quantities));
    CHECK(within_tolerance(report, false));
  });
  if (replayed == 0) CLADE_SKIP("no file of Atari games or screens in " + golden_directory().string());
}

// The comparison itself: a trace of another task's version must not pass.
TEST_CASE("A deviation is not overlooked", "[golden]") {
  TraceReport report;
  report.kind = TraceKind::mujoco;
  report.episodes = report.steps = 1;
  REQUIRE(within_tolerance(report, true));

  TraceReport changed = report;
  changed.step_by_step.state = 1e-11;
  CHECK_FALSE(within_tolerance(changed, false));
  changed = report;
  changed.step_by_step.terminated = 1;
  CHECK_FALSE(within_tolerance(changed, false));
  changed = report;
  changed.same_model = false;
  CHECK_FALSE(within_tolerance(changed, false));
  changed = report;
  changed.free_run.state = 1e-15;
  CHECK(within_tolerance(changed, false));
  CHECK_FALSE(within_tolerance(changed, true));
  changed.same_engine = false;
  CHECK(within_tolerance(changed, true));
  changed = report;
  changed.kind = TraceKind::classic;
  changed.free_run.reward = 1e-7;
  CHECK_FALSE(within_tolerance(changed, false));
  changed = report;
  changed.kind = TraceKind::atari;
  CHECK_FALSE(within_tolerance(changed, true));  // nothing was compared
  changed.quantities = {{"ram", 128, 0}, {"reward", 1, 0}};
  CHECK(within_tolerance(changed, false));
  changed.quantities.back().differing = 1;
  CHECK_FALSE(within_tolerance(changed, false));
  changed.quantities.back().differing = 0;
  changed.same_model = false;
  CHECK_FALSE(within_tolerance(changed, false));
  changed = report;
  changed.skipped = "a reason";
  CHECK(within_tolerance(changed, true));
}

}  // namespace clade
