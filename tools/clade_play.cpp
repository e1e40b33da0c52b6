// Plays what a run file holds: its last or best solution, that of any generation, or any member that ever lived. Writes
// its weights and pictures of its play.

#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/cpu_inference.hpp"
#include "core/error.hpp"
#include "core/number_text.hpp"
#include "core/options.hpp"
#include "core/program.hpp"
#include "core/progress.hpp"
#include "core/statistics.hpp"
#include "core/terminal.hpp"
#include "experiments/record_genealogy.hpp"
#include "experiments/run_plans.hpp"
#include "experiments/run_summary.hpp"
#include "experiments/stored_run.hpp"
#include "tools/lineage_report.hpp"
#include "tools/output_file.hpp"
#include "tools/png_file.hpp"
#include "tools/run_report.hpp"
#include "tools/screen_strip.hpp"
#include "tools/weights_export.hpp"

namespace clade {
namespace {

struct PlaySettings {
  std::string run_file;
  std::uint64_t episodes = 100;
  std::optional<std::uint64_t> generation;
  bool best = false;
  std::string member;
  std::uint64_t seed = 1;
  std::string max_steps = "task";
  std::uint64_t threads = 0;
  std::string weights;
  std::string strip;
  std::uint64_t strip_frames = 8;
  bool quiet = false;
};

/// More are no overview.
constexpr double kMostPictures = 100.0;

void add_options(Options& options, PlaySettings& settings) {
  options.add_positional("run.h5", settings.run_file, "run file");
  options.group("What to play");
  options.add("generation", settings.generation,
              {.text = "the solution after so many generations; default: after all"});
  options.add("best", settings.best, {.text = "the solution with the best evaluation (or validation) of the run"});
  options.add("member", settings.member,
              {.text = "a member as GENERATION:MEMBER, or elite, the one chosen last; by default its own recorded "
                       "episodes, compared with the record",
               .value_name = "G:M|elite"});
  options.group("What to write (a file that is there is replaced)");
  options.add("export", settings.weights,
              {.text = "its weights as a NumPy file, and play nothing unless --episodes or --strip is given",
               .value_name = "FILE.npz"});
  options.add(
      "strip", settings.strip,
      {.text = "pictures of the screen through the first episode, up to eight in a row", .value_name = "FILE.png"});
  options.add("strip-frames", settings.strip_frames,
              {.text = "pictures of --strip, evenly from start to end",
               .unit = "pictures",
               .minimum = 2.0,
               .maximum = kMostPictures});
  options.group("How");
  options.add("episodes", settings.episodes,
              {.text = "fresh episodes; with --strip 1 unless this is given",
               .unit = "episodes",
               .minimum = 1.0,
               .maximum = 16777215.0});
  options.add("seed", settings.seed, {.text = "of the fresh episodes; none of them is the run's own"});
  options.add("max-steps", settings.max_steps, {.text = "cap of an episode in steps, or task"});
  options.add("threads", settings.threads, {.text = "OpenMP workers; 0: the cores granted", .maximum = 4096.0});
  options.add("quiet", settings.quiet, {.text = "the summary only, not every return"});
}

/// Reads a whole number in [minimum, 2^32 - 1]. Throws Error naming `what`.
std::uint32_t parse_count(const std::string& text, const std::string& what, std::uint32_t minimum) {
  std::uint64_t value = 0;
  if (read_number(text, value) != NumberProblem::none || value < minimum || value > 0xFFFFFFFFU) {
    throw_input_error(what + " '" + text + "': give a whole number from " + std::to_string(minimum) + " to 4294967295");
  }
  return static_cast<std::uint32_t>(value);
}

/// Fresh episodes are keyed by the user's seed under a generation no run reaches.
constexpr std::uint64_t kFreshGeneration = 0xFFFFFFFFU;

/// Whom to play, under which identity, and what.
struct Player {
  Population population;
  NormalizerSnapshot normalizer;
  EvaluationPlan plan;
  std::optional<Individual> recorded;  ///< whose own episodes they are
};

EvaluationPlan fresh_plan(const PlaySettings& settings, const StoredRun& run) {
  EvaluationPlan plan =
      test_plan(run.settings(), run.task(), Purpose::final_environment, static_cast<std::uint32_t>(settings.episodes));
  plan.seed = settings.seed;
  if (settings.max_steps != "task") plan.episode.max_steps = parse_count(settings.max_steps, "--max-steps", 1);
  return plan;
}

Player make_player(const PlaySettings& settings, bool fresh_episodes, StoredRun& run) {
  Player player;
  if (!settings.member.empty()) {
    const Individual individual = named_individual(run.record(), settings.member, "--member");
    if (settings.member == kElite) std::cout << "the last elite, " << individual_text(individual) << '\n';
    player.population = run.member(individual.generation, individual.member);
    player.normalizer = run.normalizer(individual.generation);
    if (!fresh_episodes) {
      player.plan = run.recorded_plan(individual.generation);
      player.recorded = individual;
      return player;
    }
  } else {
    const std::uint64_t generation =
        settings.best ? run.best_generation() : settings.generation.value_or(run.generations());
    player.population = run.solution(generation);
    player.normalizer = run.normalizer(generation);
    std::cout << "solution after " << generation << " of " << run.generations() << " generations\n";
  }
  player.population.generation = kFreshGeneration;
  player.plan = fresh_plan(settings, run);
  return player;
}

void print_results(const StoredRun& run, const EvaluationResults& results, std::uint32_t max_steps, bool quiet) {
  std::vector<double> returns;
  for (std::size_t index = 0; index < results.episodes.size(); ++index) {
    const EpisodeResult& episode = results.episodes[index];
    const bool failed = episode.status == EpisodeStatus::failed;
    returns.push_back(episode.valid_return());
    if (quiet) continue;
    std::cout << "episode " << index << "  return " << number_text(returns.back()) << "  steps " << episode.steps
              << "  frames " << episode.frames
              << (failed                                       ? "  failed"
                  : episode.status == EpisodeStatus::truncated ? "  at the cap"
                                                               : "  ended")
              << '\n';
  }
  for (const EpisodeFailure& failure : results.failures) {
    std::cerr << "episode " << failure.identity.episode << " failed in step " << failure.step << ": " << failure.reason
              << '\n';
  }
  const ReturnSummary summary = summarize(returns);
  std::cout << returns_text(returns);
  if (summary.count > 1) {
    std::cout << ", best " << format_return(summary.maximum) << ", worst " << format_return(summary.minimum);
  }
  std::cout << ", " << format_count(results.steps()) << " steps, " << format_count(results.frames()) << " frames\n";
  const std::string scores = summary.count == 0 ? std::string() : reference_text(run.record(), summary.mean, max_steps);
  if (!scores.empty()) std::cout << scores << '\n';
}

/// Whether a member's own episodes came out as recorded; says which did not.
bool as_recorded(const StoredRun& run, const Individual& individual, const EvaluationResults& results) {
  const GenerationRecord& record = recorded_generation(run.record(), individual);
  bool same = true;
  for (std::size_t episode = 0; episode < results.episodes.size(); ++episode) {
    const std::size_t index = std::size_t{individual.member} * record.episodes_per_member + episode;
    const EpisodeResult& now = results.episodes[episode];
    if (now.episode_return == record.returns[index] && now.steps == record.steps[index] &&
        now.frames == record.frames[index] && static_cast<std::uint8_t>(now.status) == record.status[index]) {
      continue;
    }
    same = false;
    std::cout << "episode " << episode << " differs: recorded return " << number_text(record.returns[index]) << " in "
              << record.steps[index] << " steps, " << record.frames[index] << " frames\n";
  }
  std::cout << (same ? "as recorded, to the bit\n"
                     : "not as recorded: libm, processor or simulator differ from the run's (clade-inspect shows)\n");
  return same;
}

void export_weights(const StoredRun& run, const Player& player, const std::string& file) {
  std::vector<float> weights(run.task().policy.network.parameter_count());
  materialise(player.population, player.population.members.front(), run.noise(), 0, weights);
  write_output_file(file, weights_npz(run.task().policy, weights, player.normalizer));
  std::cout << "weights: " << format_count(weights.size()) << " parameters in " << file << '\n';
}

/// Plays the first episode once more, with its screens recorded.
void write_strip(const StoredRun& run, const Player& player, const EpisodeResult& first, const PlaySettings& settings) {
  std::vector<ScreenAccess::Screen> screens;
  const std::vector<std::uint32_t> taken = strip_steps(first.steps, static_cast<std::size_t>(settings.strip_frames));
  const RunTask& task = run.task();
  EpisodeScheduler scheduler(
      {}, [&](std::size_t slot) { return std::make_unique<ScreenRecorder>(task.environments(slot), taken, screens); },
      [&](std::size_t lanes) { return make_cpu_inference(task.policy, run.noise(), lanes); });
  EvaluationPlan plan = player.plan;
  plan.episodes_per_member = 1;
  scheduler.evaluate(player.population, player.normalizer, plan);
  CLADE_CHECK(screens.size() == taken.size());
  write_output_file(settings.strip, png_bytes(strip_of(screens)));
  std::cout << settings.strip << ": " << strip_text(taken, first.frames) << '\n';
}

/// Throws Error where the options contradict each other.
void check_settings(const Options& options, const PlaySettings& settings) {
  if (settings.best && settings.generation) throw_input_error("--best and --generation exclude each other");
  if (!settings.member.empty() && (settings.best || settings.generation)) {
    throw_input_error("--member names a generation of its own; leave out --best and --generation");
  }
  if (!settings.member.empty() && !options.given("episodes")) {
    for (const char* name : {"seed", "max-steps"}) {
      if (!options.given(name)) continue;
      throw_input_error(std::string("--") + name + " is for fresh episodes, --member plays its recorded ones; give " +
                        "--episodes too, or leave it out");
    }
  }
  if (options.given("strip-frames") && settings.strip.empty()) {
    throw_input_error("--strip-frames belongs to --strip");
  }
  if (options.given("export")) check_output_file("--export", settings.weights, ".npz", {settings.run_file});
  if (options.given("strip")) check_output_file("--strip", settings.strip, ".png", {settings.run_file});
  if (options.given("member") && settings.member != kElite) parse_individual(settings.member, "--member");
}

int play(int argc, const char* const* argv) {
  PlaySettings settings;
  Options options("clade-play", "plays the policies of a run file");
  add_options(options, settings);
  if (!options.parse(argc, argv, std::cout)) return 0;
  check_settings(options, settings);
  if (!settings.strip.empty() && !options.given("episodes")) settings.episodes = 1;

  StoredRun run(settings.run_file, settings.threads);
  if (!settings.strip.empty()) {
    require_screen(*run.task().environments(0));
    require_png();
  }
  const Player player = make_player(settings, options.given("episodes"), run);
  if (!settings.weights.empty()) {
    export_weights(run, player, settings.weights);
    if (!options.given("episodes") && settings.strip.empty()) return 0;
  }
  const EvaluationResults results = run.play(player.population, player.normalizer, player.plan);
  print_results(run, results, player.plan.episode.max_steps, settings.quiet);
  const bool same = !player.recorded || as_recorded(run, *player.recorded, results);
  if (!settings.strip.empty()) write_strip(run, player, results.episodes.front(), settings);
  return same ? 0 : 1;
}

}  // namespace
}  // namespace clade

int main(int argc, char** argv) { return clade::run_program(argc, argv, clade::play); }
