#pragma once

#include <string>
#include <vector>

#include "core/noise.hpp"
#include "core/options.hpp"
#include "core/run_record.hpp"
#include "experiments/run_settings.hpp"
#include "experiments/run_task.hpp"

namespace clade {

/// What a run refuses before it computes anything, beyond what options and tasks refuse themselves. Each throws Error
/// (input) that names the value, the limit and what to do.

/// Files without a name, and --resume together with --init-from. Before stored options are applied.
void check_file_options(const Options& options, const RunSettings& settings);

/// Options of Atari games that another task was given, by whoever gave them. After stored options are applied; an
/// environment that does not exist is left to make_run_task, which names the nearest.
void check_atari_options(const Options& options, const RunSettings& settings);

/// A run file that could not be written at `settings.out`, or would replace one that is neither `settings.resume` nor
/// given up by --force.
void check_output_path(const RunSettings& settings);

/// A session (the last of the record) on another platform than the run's first, unless --allow-other-platform.
void check_platform(const RunRecord& record, const RunSettings& settings);

/// A run that needs more than `available` bytes of memory before its first generation is over.
void check_memory(const RunSettings& settings, const RunTask& task, int threads, double available);

/// A noise table shorter than the parameter vector.
void check_noise_length(const NoiseSource& noise, const RunTask& task);

/// No refusal: what a user is told who plays an Atari game with the general defaults, although the program has presets
/// for games. Empty for all others, and where a config file chose the values.
std::string preset_note(const Options& options, const RunSettings& settings);

/// "mlp:4:tanh of 4 inputs and 2 outputs": equal texts, equal parameter vectors.
std::string network_text(const RunTask& task);

/// The solution that --init-from starts from; of a genetic algorithm's run its elite, rebuilt. Refused where its
/// network is another one.
std::vector<double> initial_solution(const RunRecord& source, const RunSettings& settings, const RunTask& task);

}  // namespace clade
