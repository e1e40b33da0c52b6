#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/options.hpp"

namespace clade {

/// What every experiment asks of its user apart from the algorithm's own parameters. Texts are checked where they are
/// used (parse_network and the like); ranges by the options.
struct RunSettings {
  // Task
  std::string environment;
  std::vector<std::string> environment_options;
  std::string max_steps = "task";
  std::optional<std::uint64_t> max_frames;
  bool list_environments = false;

  // Atari: shorthands for options of the environment
  std::string atari_protocol = "auto";
  std::string rom_dir;
  std::string resize = "auto";
  bool full_action_space = false;

  // Policy
  std::string network = "auto";
  std::string initialisation = "normc";
  std::string head = "auto";
  double action_noise = 0.0;
  std::string normalize = "none";
  double statistics_fraction = 1.0;
  std::string precision = "fp32";
  std::uint64_t reference_observations = 128;

  // Evaluation
  std::uint64_t seed = 0;
  std::uint64_t population = 64;
  std::uint64_t episodes = 1;
  std::uint64_t minimum_steps = 0;
  bool common_random_numbers = false;
  double reward_shift = 0.0;
  std::string on_failure = "worst";
  std::uint64_t evaluate_every = 10;
  std::uint64_t evaluation_episodes = 20;
  std::uint64_t final_episodes = 100;
  std::uint64_t validation_episodes = 30;  ///< of a candidate; an option of the programs that validate

  // Budget
  std::optional<std::uint64_t> generations;
  std::optional<std::uint64_t> budget_episodes;
  std::optional<std::uint64_t> budget_steps;
  std::optional<std::uint64_t> budget_frames;
  std::optional<double> budget_seconds;
  std::optional<double> target_return;

  // Machine
  std::uint64_t threads = 0;
  std::uint64_t lanes = 1;
  std::string noise = "counter";
  double rate_seconds = 1.0;
  /// What the strategy, its saved state and the first keyframe hold for each parameter; no option. By default measured
  /// with Adam, the hungriest: parameters, moments and gradient in float64, as many again in the state and in the
  /// keyframe, the file's image twice.
  double strategy_bytes_per_parameter = 160.0;

  // Files and messages
  std::string out;
  std::string resume;
  std::string init_from;
  bool takes_initial_solution = false;  ///< whether the program has --init-from; no option itself
  std::string save_every = "auto";
  std::uint64_t keyframe_every = 0;
  bool force = false;
  bool allow_other_platform = false;
  bool quiet = false;

  bool has_budget() const {
    return generations || budget_episodes || budget_steps || budget_frames || budget_seconds || target_return;
  }
};

/// Declares the options above, in their groups, bound to `settings`.
void add_run_options(Options& options, RunSettings& settings);
/// --init-from, right after those: of the programs whose search starts from one parameter vector.
void add_initial_solution_option(Options& options, RunSettings& settings);

}  // namespace clade
