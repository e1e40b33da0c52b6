#include <iostream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tools/golden_file.hpp"
#include "tools/trace_replay.hpp"

namespace clade {
namespace {

std::string text_of(const TraceDeviation& deviation) {
  return "state " + std::to_string(deviation.state) + ", obs " + std::to_string(deviation.observation) + ", reward " +
         std::to_string(deviation.reward) + ", terminated " + std::to_string(deviation.terminated) + ", truncated " +
         std::to_string(deviation.truncated) + " " + deviation.failure;
}

}  // namespace

TEST_CASE("Recorded traces are reproduced step by step and as free runs", "[golden]") {
  const bool recorded_platform = recording_platform();
  std::size_t replayed = 0;
  std::size_t mujoco = 0;
  std::size_t exact = 0;
  std::string skipped;
  for (const auto& path : golden_files(golden_directory())) {
    const GoldenFile file(path);
    std::size_t other_data = 0;
    for (const std::string& group : file.groups()) {
      const TraceReport report = replay_trace(file, group);
      if (report.skipped == kNoTrace) {
        ++other_data;
        continue;
      }
      if (!report.skipped.empty()) {
        skipped += "skipped: " + path.filename().string() + " " + group + ": " + report.skipped + "\n";
        continue;
      }
      ++replayed;
      CAPTURE(path.string(), group, recorded_platform, report.same_model, report.same_engine);
      INFO("start: " << text_of(report.start));
      INFO("step by step: " << text_of(report.step_by_step));
      INFO("free runs: " << text_of(report.free_run));
      CHECK(report.episodes > 0);
      CHECK(report.steps > 0);
      CHECK(within_tolerance(report, recorded_platform));
      if (report.kind == TraceKind::mujoco) {
        ++mujoco;
        if (report.free_run.state == 0.0) ++exact;
      }
    }
    if (other_data > 0) {
      skipped += path.filename().string() + ": " + std::to_string(other_data) +
                 " groups that are no traces, left to the other golden tests\n";
    }
  }
  std::cout << skipped;
  std::cout << "platform: libm " << (recorded_platform ? "as" : "other than")
            << " recorded; free runs of MuJoCo reproduce the recorded states exactly in " << exact << " of " << mujoco
            << " tasks" << std::endl;
  if (replayed == 0) CLADE_SKIP("no file of traces in " + golden_directory().string());
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
  changed.skipped = "a reason";
  CHECK(within_tolerance(changed, true));
}

}  // namespace clade
