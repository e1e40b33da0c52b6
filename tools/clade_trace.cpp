// clade-trace: replays recorded traces of an environment against ours and prints the largest deviations.
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/options.hpp"
#include "core/program.hpp"
#include "tools/trace_replay.hpp"

namespace clade {
namespace {

struct Settings {
  std::string file;
  std::vector<std::string> groups;
};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value == 0.0 ? "%.0f" : "%.1e", value);
  return text;
}

void print_row(const std::string& title, const TraceDeviation& deviation, bool ends) {
  std::printf("  %-13s %10s %10s %10s", title.c_str(), number(deviation.state).c_str(),
              number(deviation.observation).c_str(), number(deviation.reward).c_str());
  if (ends) std::printf(" %11zu %10zu", deviation.terminated, deviation.truncated);
  std::printf("\n");
  if (!deviation.failure.empty()) std::printf("  failed: %s\n", deviation.failure.c_str());
}

/// Values that have to be the recorded ones: how many are not, by quantity where any is not.
void print_quantities(const std::vector<ComparedQuantity>& quantities) {
  std::size_t values = 0;
  std::string names;
  for (const ComparedQuantity& quantity : quantities) {
    values += quantity.values;
    names += (names.empty() ? "" : ", ") + quantity.name;
  }
  if (all_equal(quantities)) {
    std::printf("  all zero: none of %zu values differs (%s)\n", values, names.c_str());
    return;
  }
  for (const ComparedQuantity& quantity : quantities) {
    std::printf("  %-20s %10zu of %10zu values differ\n", quantity.name.c_str(), quantity.differing, quantity.values);
  }
}

void print(const TraceReport& report, bool recorded_platform) {
  if (!report.skipped.empty()) {
    std::printf("%s: skipped: %s\n", report.task.c_str(), report.skipped.c_str());
    return;
  }
  if (report.kind == TraceKind::resize) {
    std::printf("%s: %zu images", report.task.c_str(), report.episodes);
  } else {
    std::printf("%s: %zu episodes, %zu steps", report.task.c_str(), report.episodes, report.steps);
  }
  if (!report.model.empty()) {
    const bool atari = report.kind == TraceKind::atari;
    std::printf(", %s %s %s", atari ? "ROM" : "model", report.model.c_str(),
                report.same_model ? "as recorded" : "OTHER THAN RECORDED");
    if (!report.same_engine) std::printf(", another version of %s than recorded", atari ? "ALE" : "MuJoCo");
  }
  std::printf("%s\n", within_tolerance(report, recorded_platform) ? "" : "  <-- BEYOND TOLERANCE");
  if (report.compared_exactly()) {
    print_quantities(report.quantities);
    return;
  }
  print_row("start", report.start, false);
  print_row("step by step", report.step_by_step, true);
  print_row("free runs", report.free_run, true);
}

void print_columns() {
  std::printf("largest deviations (absolute; relative where the recorded number exceeds 1)\n");
  std::printf("  %-13s %10s %10s %10s %11s %10s\n", "", "state", "obs", "reward", "terminated", "truncated");
}

/// What the free runs say about this machine.
void print_platform(bool expected, std::size_t exact, std::size_t replayed) {
  std::printf("platform: libm %s; free runs of MuJoCo reproduce the recorded states exactly in %zu of %zu tasks\n",
              expected ? "gives the same bits as where the traces were recorded"
                       : "gives other bits than where the traces were recorded",
              exact, replayed);
  if (exact < replayed && !expected) {
    std::printf("platform: free runs may part here (contacts amplify the last bit); step by step they may not\n");
  }
}

int run(int argc, const char* const* argv) {
  Settings settings;
  Options options("clade-trace",
                  "Replays recorded traces against our environments: step by step from the recorded "
                  "states, and as free runs; Atari games from their start, where no value may differ. Exits "
                  "with 1 where a deviation is beyond its tolerance.");
  options.add_positional("file", settings.file, "HDF5 file of recorded traces");
  options.add("group", settings.groups, {.text = "replay this group only; may be repeated", .value_name = "NAME"});
  if (!options.parse(argc, argv, std::cout)) return 0;

  const GoldenFile file(settings.file);
  const std::vector<std::string> known = file.groups();
  for (const std::string& group : settings.groups) {
    bool found = false;
    for (const std::string& name : known) found = found || name == group;
    if (!found) throw_unknown_name("group", group, known);
  }

  const bool recorded_platform = recording_platform();
  std::size_t replayed = 0;
  std::size_t beyond = 0;
  std::size_t skipped = 0;
  std::size_t mujoco = 0;
  std::size_t exact = 0;
  std::size_t games = 0;
  std::size_t exact_games = 0;
  bool has_columns = false;
  std::string first_reason;
  for (const std::string& group : settings.groups.empty() ? known : settings.groups) {
    const TraceReport report = replay_trace(file, group);
    if (report.skipped.empty() && !report.compared_exactly() && !has_columns) {
      print_columns();
      has_columns = true;
    }
    print(report, recorded_platform);
    std::fflush(stdout);
    if (!report.skipped.empty()) {
      if (skipped++ == 0) first_reason = report.task + ": " + report.skipped;
      continue;
    }
    ++replayed;
    if (!within_tolerance(report, recorded_platform)) ++beyond;
    if (report.kind == TraceKind::mujoco) {
      ++mujoco;
      if (report.free_run.state == 0.0) ++exact;
    }
    if (report.kind == TraceKind::atari) {
      ++games;
      if (all_equal(report.quantities)) ++exact_games;
    }
  }
  if (mujoco > 0) print_platform(recorded_platform, exact, mujoco);
  if (games > 0) std::printf("emulator: Atari games give every recorded value in %zu of %zu\n", exact_games, games);
  std::printf("%zu replayed, %zu beyond tolerance, %zu skipped\n", replayed, beyond, skipped);
  if (replayed == 0) {
    throw_input_error("'" + settings.file + "': nothing could be replayed; " +
                      (first_reason.empty() ? "the file holds no groups" : first_reason));
  }
  return beyond == 0 ? 0 : 1;
}

}  // namespace
}  // namespace clade

int main(int argc, char** argv) { return clade::run_program(argc, argv, clade::run); }
