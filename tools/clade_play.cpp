// Plays what a run file holds: its last or best solution, that of any generation, or any member that ever lived.

#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "core/number_text.hpp"
#include "core/options.hpp"
#include "core/program.hpp"
#include "core/progress.hpp"
#include "core/statistics.hpp"
#include "experiments/run_summary.hpp"
#include "experiments/stored_run.hpp"

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
  bool quiet = false;
};

void add_options(Options& options, PlaySettings& settings) {
  options.add_positional("run.h5", settings.run_file, "run file");
  options.group("What to play");
  options.add("generation", settings.generation,
              {.text = "the solution after so many generations; default: after all"});
  options.add("best", settings.best, {.text = "the solution with the best evaluation of the run"});
  options.add("member", settings.member,
              {.text = "a member as GENERATION:MEMBER; by default its own recorded episodes, compared with the record",
               .value_name = "G:M"});
  options.group("How");
  options.add("episodes", settings.episodes,
              {.text = "fresh episodes", .unit = "episodes", .minimum = 1.0, .maximum = 16777215.0});
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

EvaluationPlan fresh_plan(const PlaySettings& settings, const StoredRun& run) {
  EvaluationPlan plan;
  plan.seed = settings.seed;
  plan.environment_purpose = Purpose::final_environment;
  plan.episodes_per_member = static_cast<std::uint32_t>(settings.episodes);
  plan.episode.action_noise = false;
  plan.episode.max_steps = settings.max_steps == "task" ? run.task().environment.max_steps
                                                        : parse_count(settings.max_steps, "--max-steps", 1);
  return plan;
}

void print_results(const EvaluationResults& results, bool quiet) {
  std::vector<double> returns;
  for (std::size_t index = 0; index < results.episodes.size(); ++index) {
    const EpisodeResult& episode = results.episodes[index];
    const bool failed = episode.status == EpisodeStatus::failed;
    returns.push_back(episode.valid_return());
    if (quiet) continue;
    std::cout << "episode " << index << "  return " << number_text(returns.back()) << "  steps " << episode.steps
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
  std::cout << '\n';
}

/// Plays a member's own episodes again and says whether they came out as recorded; 1 where not.
int replay_member(StoredRun& run, std::uint64_t generation, std::uint32_t member, bool quiet) {
  const Population population = run.member(generation, member);
  const GenerationRecord& record = run.record().generations[generation];
  EvaluationPlan plan;
  plan.seed = run.settings().seed;
  plan.episodes_per_member = record.episodes_per_member;
  plan.common_random_numbers = run.settings().common_random_numbers;
  plan.episode.max_steps = record.max_steps;
  const EvaluationResults results = run.play(population, record.normalizer, plan);
  print_results(results, quiet);
  bool same = true;
  for (std::size_t episode = 0; episode < results.episodes.size(); ++episode) {
    const std::size_t index = std::size_t{member} * record.episodes_per_member + episode;
    const EpisodeResult& now = results.episodes[episode];
    if (now.episode_return == record.returns[index] && now.steps == record.steps[index] &&
        static_cast<std::uint8_t>(now.status) == record.status[index]) {
      continue;
    }
    same = false;
    std::cout << "episode " << episode << " differs: recorded return " << number_text(record.returns[index]) << " in "
              << record.steps[index] << " steps\n";
  }
  std::cout << (same ? "as recorded, to the bit\n"
                     : "not as recorded: libm, processor or simulator differ from the run's (clade-inspect shows)\n");
  return same ? 0 : 1;
}

int play(int argc, const char* const* argv) {
  PlaySettings settings;
  Options options("clade-play", "plays the policies of a run file");
  add_options(options, settings);
  if (!options.parse(argc, argv, std::cout)) return 0;
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

  StoredRun run(settings.run_file, settings.threads);
  if (!settings.member.empty()) {
    const std::size_t colon = settings.member.find(':');
    if (colon == std::string::npos) {
      throw_input_error("--member '" + settings.member + "': give GENERATION:MEMBER, as 12:3");
    }
    const std::uint64_t generation = parse_count(settings.member.substr(0, colon), "--member: generation", 0);
    const std::uint32_t member = parse_count(settings.member.substr(colon + 1), "--member: member", 0);
    if (!options.given("episodes")) return replay_member(run, generation, member, settings.quiet);
    Population population = run.member(generation, member);
    population.generation = kFreshGeneration;
    print_results(run.play(population, run.normalizer(generation), fresh_plan(settings, run)), settings.quiet);
    return 0;
  }
  const std::uint64_t generation =
      settings.best ? run.best_generation() : settings.generation.value_or(run.generations());
  Population population = run.solution(generation);
  population.generation = kFreshGeneration;
  const EvaluationPlan plan = fresh_plan(settings, run);
  std::cout << "solution after " << generation << " of " << run.generations() << " generations\n";
  print_results(run.play(population, run.normalizer(generation), plan), settings.quiet);
  return 0;
}

}  // namespace
}  // namespace clade

int main(int argc, char** argv) { return clade::run_program(argc, argv, clade::play); }
