#include "experiments/elitist_options.hpp"

namespace clade {

void add_elitist_options(Options& options, RunSettings& run, ElitistSettings& settings, const std::string& title) {
  run.initialisation = "uber";
  run.evaluate_every = 0;
  run.final_episodes = 200;
  // The elite's weights in float64 and, while it plays, in float; the genealogy is small.
  run.strategy_bytes_per_parameter = 16.0;
  add_run_options(options, run);

  options.group(title);
  options.add("elites", settings.elites,
              {.text = "the best by validation so far, kept unmodified", .unit = "members", .minimum = 1.0});
  options.add("validation-candidates", settings.candidates,
              {.text = "members that a generation validates: the elites of before and the best by fitness",
               .unit = "members",
               .minimum = 1.0});
  options.add("validation-episodes", run.validation_episodes,
              {.text = "episodes of each, the same start states for all, none of them a training episode's",
               .unit = "episodes",
               .minimum = 1.0,
               .maximum = 16777215.0});
}

}  // namespace clade
