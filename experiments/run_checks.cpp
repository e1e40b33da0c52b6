#include "experiments/run_checks.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/error.hpp"
#include "core/file_layer.hpp"
#include "core/platform.hpp"
#include "experiments/stored_genomes.hpp"

namespace clade {

namespace {

/// A worker's own weights.
constexpr double kBytesPerWorkerParameter = sizeof(float);
/// Recipe and fitness, and what a generation's record and its image in the file hold of them.
constexpr double kBytesPerMember = 120.0;
/// Result, return, length, status, and the same in the record and its image.
constexpr double kBytesPerEpisode = 60.0;
/// An episode's observation moments: two numbers for each entry, and what holds them.
constexpr double kBytesPerMoments = 120.0;
constexpr double kBytesPerMomentsEntry = 2.0 * sizeof(double);

std::string memory_text(double bytes) { return byte_text(static_cast<std::uint64_t>(bytes)); }

/// "`who` about 1.2 TB of memory, of which 20.1 GB are available".
void require_memory(double needed, double available, const std::string& who, const std::string& advice) {
  if (needed <= available) return;
  throw_input_error(who + " about " + memory_text(needed) + " of memory, of which " + memory_text(available) +
                    " are available; " + advice);
}

}  // namespace

void check_file_options(const Options& options, const RunSettings& settings) {
  const auto require_name = [&](const char* name, const std::string& value) {
    if (!options.given_on_command_line(name) || !value.empty()) return;
    throw_input_error(std::string("--") + name + ": the file's name is empty; give one, or leave the option out");
  };
  require_name("out", settings.out);
  require_name("resume", settings.resume);
  if (!settings.takes_initial_solution) return;
  require_name("init-from", settings.init_from);
  if (!settings.resume.empty() && options.given("init-from")) {
    throw_input_error(
        "--resume and --init-from exclude each other: the first goes on with a run, the second starts a "
        "new one from its result");
  }
}

void check_atari_options(const Options& options, const RunSettings& settings) {
  if (is_atari_game(settings.environment)) return;
  const std::vector<EnvironmentInfo> environments = list_environments();
  if (std::ranges::find(environments, settings.environment, &EnvironmentInfo::name) == environments.end()) return;
  const auto refuse_where = [&](bool is_set, const char* name) {
    if (!is_set) return;
    const std::string where = options.where_given(name);
    throw_input_error(where + ": for Atari games only, and --env is " + settings.environment + "; leave the " +
                      (where.starts_with("preset ") ? "preset" : "option") +
                      " out, or name a game (--list-envs shows all)");
  };
  refuse_where(settings.atari_protocol != "auto", "atari-protocol");
  refuse_where(settings.resize != "auto", "resize");
  refuse_where(settings.full_action_space, "full-action-space");
  refuse_where(!settings.rom_dir.empty(), "rom-dir");
}

std::string preset_note(const Options& options, const RunSettings& settings) {
  if (!is_atari_game(settings.environment)) return {};
  std::string names;
  for (const std::string& preset : options.presets_with("atari-protocol")) {
    names += (names.empty() ? "--preset " : ", --preset ") + preset;
  }
  if (names.empty() || options.given("preset") || options.given("config")) return {};
  return "note: no preset, so the general defaults hold where no option says otherwise (network " + settings.network +
         ", population " + std::to_string(settings.population) + "); made for Atari games: " + names;
}

void check_output_path(const RunSettings& settings) {
  namespace fs = std::filesystem;
  const fs::path path = settings.out;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const std::string lead = "--out " + path.string() + ": ";
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) {
    throw_input_error(lead + "there is no folder " + folder.string() + "; create it first");
  }
  if (!fs::is_directory(folder, ignored)) {
    throw_input_error(lead + folder.string() + " is not a folder; choose another");
  }
  if (access(folder.c_str(), W_OK) != 0) {
    throw_input_error(lead + "the folder " + folder.string() + " is not writable; choose another");
  }
  if (fs::is_directory(path, ignored)) throw_input_error(lead + "is a folder; name a file in it");
  if (path.filename().empty()) throw_input_error(lead + "names no file; add its name");
  const bool goes_on_in_place = !settings.resume.empty() && fs::equivalent(path, settings.resume, ignored);
  if (fs::exists(path, ignored) && !goes_on_in_place && !settings.force) {
    throw_input_error(lead + "exists; --resume " + path.string() + " goes on with it, --force overwrites it");
  }
}

void check_platform(const RunRecord& record, const RunSettings& settings) {
  if (settings.allow_other_platform) return;
  std::string differing;
  for (const std::string& line :
       platform_differences(record.sessions.back().platform, record.sessions.front().platform)) {
    differing += (differing.empty() ? "" : "; ") + line;
  }
  if (differing.empty()) return;
  throw_input_error("--resume " + settings.resume + ": results would not go on to the same bits here (" + differing +
                    "); --allow-other-platform goes on and records it");
}

void check_memory(const RunSettings& settings, const RunTask& task, int threads, double available) {
  const auto parameters = static_cast<double>(task.policy.network.parameter_count());
  const double network = parameters * (settings.strategy_bytes_per_parameter + threads * kBytesPerWorkerParameter);
  require_memory(network, available,
                 "the " + std::to_string(task.policy.network.parameter_count()) + " parameters of network " +
                     network_text(task) + " need",
                 "choose smaller layers");
  double episode = kBytesPerEpisode;
  if (settings.normalize != "none") {
    episode += kBytesPerMoments + kBytesPerMomentsEntry * static_cast<double>(task.environment.observation.size());
  }
  const double population =
      static_cast<double>(settings.population) * (kBytesPerMember + static_cast<double>(settings.episodes) * episode);
  require_memory(network + population, available,
                 "population " + std::to_string(settings.population) + " with --episodes " +
                     std::to_string(settings.episodes) + " needs",
                 "choose smaller ones");
}

void check_noise_length(const NoiseSource& noise, const RunTask& task) {
  const std::size_t parameters = task.policy.network.parameter_count();
  if (parameters <= noise.longest_vector()) return;
  throw_input_error("--noise " + noise.description() + ": the network " + network_text(task) + " has " +
                    std::to_string(parameters) + " parameters, more than the " +
                    std::to_string(noise.longest_vector()) + " floats of the noise; choose a longer table or counter");
}

std::string network_text(const RunTask& task) {
  const Network& network = task.policy.network;
  const auto counted = [](std::size_t count, const std::string& thing) {
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
  };
  return network.spec().description() + " of " + counted(network.inputs(), "input") + " and " +
         counted(network.outputs(), "output");
}

std::vector<double> initial_solution(const RunRecord& source, const RunSettings& settings, const RunTask& task) {
  const std::string advice = "; give the same --network, and an --env of the same shape";
  const auto network = source.provenance.find("network");
  if (network != source.provenance.end() && network->second != network_text(task)) {
    throw_input_error("--init-from " + settings.init_from + ": its network is " + network->second + ", this run's " +
                      network_text(task) + advice);
  }
  std::vector<double> solution = source.state.has("solution") ? source.state.get<std::vector<double>>("solution")
                                                              : elite_solution(source, task.policy.network);
  if (solution.size() != task.policy.network.parameter_count()) {
    throw_input_error("--init-from " + settings.init_from + ": its solution has " + std::to_string(solution.size()) +
                      " parameters, this run's network " + network_text(task) + " has " +
                      std::to_string(task.policy.network.parameter_count()) + advice);
  }
  return solution;
}

}  // namespace clade
