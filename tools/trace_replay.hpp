#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/exact_comparison.hpp"
#include "tools/golden_file.hpp"

namespace clade {

/// Largest differences between a recorded trace and ours (absolute, relative where the recorded number exceeds 1:
/// contact forces reach thousands), and how often the ends disagree.
struct TraceDeviation {
  double state = 0.0;
  double observation = 0.0;
  double reward = 0.0;
  std::size_t terminated = 0;  ///< steps at which only one of the two terminated
  std::size_t truncated = 0;   ///< steps at which only one of the two reached the step limit
  std::string failure{};       ///< where our simulation broke, the first one
  void merge(const TraceDeviation& other);
  double largest() const;
  bool same_ends() const { return terminated == 0 && truncated == 0 && failure.empty(); }
};

enum class TraceKind {
  mujoco,   ///< groups with `model_file`: episodes of qpos, qvel, actions, obs at obs_steps
  classic,  ///< groups of cases with `init_state`, `state`, `actions`, obs
  atari,    ///< groups with `rom_md5`: two games of actions, rewards, lives, RAM and pixels
  resize    ///< groups with `images` and `formula_results`: screens and the planes that they become
};

/// Why a group was skipped that is not of this kind of data at all.
inline constexpr const char* kNoTrace = "holds no recorded trace of states and actions";

/// A recorded task replayed in our environment of that name.
struct TraceReport {
  std::string task;
  std::string skipped;  ///< why it was not replayed; the rest is then empty
  TraceKind kind = TraceKind::mujoco;
  std::string model;              ///< file name of the model or ROM, empty where there is none
  bool same_model = true;         ///< its checksum is the recording's
  bool same_engine = true;        ///< libmujoco or the emulator has the recorded version
  std::size_t episodes = 0;       ///< images, where screens are resized
  std::size_t steps = 0;          ///< none where screens are resized
  TraceDeviation start{};         ///< observation and state of the starts
  TraceDeviation step_by_step{};  ///< each step from the recorded state, all else (solver warm starts) left as it is
  TraceDeviation free_run{};      ///< from the recorded start on
  std::vector<ComparedQuantity> quantities{};  ///< Atari and resize, where every value must be the recorded one
  /// Whether the recorded values are bytes and whole numbers, compared exactly: `quantities` instead of deviations.
  bool compared_exactly() const { return kind == TraceKind::atari || kind == TraceKind::resize; }
};

/// Replays one group of the file's root. A group that holds no trace, or of an environment that this build does not
/// have, is skipped with the reason. Throws Error where a dataset that the format has is absent or of another shape.
TraceReport replay_trace(const GoldenFile& file, const std::string& group);

/// Whether libm gives the bits here that it gave where the traces were recorded.
bool recording_platform();

/// Whether the report is within tolerance (true where it was skipped):
///   step by step  on every machine
///   free runs     MuJoCo: exactly the recorded states where `recorded_platform` holds and engine and model are the
///                 recording's; elsewhere contacts amplify the last bit and they prove nothing. Classic control:
///                 always.
///   Atari, resize not a value other than recorded, on every machine.
bool within_tolerance(const TraceReport& report, bool recorded_platform);

}  // namespace clade
