#include "experiments/ga_experiment.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/file_layer.hpp"
#include "core/memory.hpp"
#include "core/number_text.hpp"
#include "core/progress.hpp"
#include "ga/presets.hpp"

namespace clade {

void GaExperiment::add_options(Options& options) {
  run.population = DeepGaConfig{}.population;
  add_elitist_options(options, run, elitist, "Deep genetic algorithm (Such et al. 2017)");
  options.add("parents", parents,
              {.text = "truncation: so many of the best have children, the elites among them; at most --population",
               .unit = "members",
               .minimum = 1.0});
  options.add("power", power,
              {.text = "mutation power: what noise is multiplied by. A number, or linear:FROM,TO,GENERATIONS, or "
                       "exponential:FROM,TO,GENERATIONS"});
  options.add("parent-selection", parent_selection,
              {.text = "a child's parent: uniformly among the parents (truncation), or the best of some so drawn",
               .choices = parent_selection_names()});
  options.add("tournament-size", tournament_size,
              {.text = "parents that a tournament draws", .unit = "members", .minimum = 1.0, .maximum = 4294967295.0});
  options.add("crossover", crossover,
              {.text = "of two parents, before the mutation: uniform by parameter, or cut between two layers",
               .choices = crossover_names()});
  options.add("crossover-rate", crossover_rate,
              {.text = "share of children that have two parents, where there is crossover",
               .minimum = 0.0,
               .maximum = 1.0,
               .minimum_open = true});
  options.add("parent-cache", parent_cache,
              {.text = "memory for the parents' weights: auto (all of them where half of the free memory does), none "
                       "(every child replays its whole chain of mutations), or megabytes. Never alters results",
               .effect = ResultEffect::none,
               .value_name = "auto|none|MEGABYTES"});
  for (const Preset& preset : deep_ga_presets()) options.add_preset(preset.name, preset.text, preset.values);
}

void GaExperiment::check_options(const Options& options) const {
  if (crossover == "none" && options.given_on_command_line("crossover-rate")) {
    throw_input_error("--crossover-rate " + number_text(crossover_rate) +
                      ": there is no crossover; give --crossover uniform or one_point as well, or leave it out");
  }
  if (parent_selection == "truncation" && options.given_on_command_line("tournament-size")) {
    throw_input_error("--tournament-size " + std::to_string(tournament_size) +
                      ": there are no tournaments; give --parent-selection tournament as well, or leave it out");
  }
}

std::unique_ptr<DeepGa> GaExperiment::make_strategy(const RunTask& task, const NoiseSource& noise) const {
  DeepGaConfig config;
  config.population = run.population;
  config.parents = parents;
  config.elites = elitist.elites;
  config.candidates = elitist.candidates;
  config.power = parse_power_schedule(power);
  config.selection = parse_parent_selection(parent_selection);
  config.tournament_size = tournament_size;
  config.crossover = parse_crossover(crossover);
  config.crossover_rate = crossover_rate;
  config.parent_cache_bytes = parent_cache == "auto"
                                  ? automatic_parent_cache(config, task.policy.network.parameter_count())
                                  : parse_parent_cache(parent_cache, task);
  return std::make_unique<DeepGa>(config, task.policy.network, parse_initialisation(run.initialisation), run.seed,
                                  noise);
}

std::size_t parse_parent_cache(const std::string& text, const RunTask& task) {
  constexpr double kMegabyte = 1e6;
  if (text == "none") return 0;
  double megabytes = 0.0;
  if (read_number(text, megabytes) != NumberProblem::none || !(megabytes > 0.0)) {
    throw_input_error("--parent-cache " + text + ": give auto, none, or a number of megabytes above 0");
  }
  const double vector = static_cast<double>(task.policy.network.parameter_count()) * sizeof(float);
  if (megabytes * kMegabyte < vector) {
    throw_input_error("--parent-cache " + text + ": below one member's " +
                      byte_text(static_cast<std::uint64_t>(vector)) + " of weights; give " +
                      number_text(std::ceil(vector / kMegabyte)) + " or more, none, or auto");
  }
  const auto available = available_memory();
  if (available && megabytes * kMegabyte > *available) {
    throw_input_error("--parent-cache " + text + ": " + byte_text(static_cast<std::uint64_t>(*available)) +
                      " of memory are available; give less, or auto");
  }
  return static_cast<std::size_t>(megabytes * kMegabyte);
}

std::string cache_text(const ParentCacheUse& use) {
  const std::uint64_t tenths = static_cast<std::uint64_t>(std::llround(1000.0 * use.hit_rate()));
  const std::uint64_t lookups = use.hits + use.misses;
  return "parents' weights (--parent-cache): " + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) +
         "% of " + format_count(lookups) + (lookups == 1 ? " look-up" : " look-ups") + " found them in memory, " +
         format_count(use.misses) + (use.misses == 1 ? " was" : " were") + " computed anew by replaying " +
         format_count(use.mutations) + (use.mutations == 1 ? " mutation" : " mutations");
}

}  // namespace clade
