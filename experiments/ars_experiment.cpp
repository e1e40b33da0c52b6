#include "experiments/ars_experiment.hpp"

#include <string>

#include "es/presets.hpp"

namespace clade {

void ArsExperiment::add_options(Options& options) {
  run.network = "linear:nobias";
  run.initialisation = "zero";
  run.normalize = "ars";
  run.population = 2 * ars.directions;
  run.evaluation_episodes = 100;
  add_run_options(options, run);
  add_initial_solution_option(options, run);

  options.group("ARS (Mania, Guy, Recht 2018)");
  options.add("sigma", ars.noise,
              {.text = "nu, standard deviation of the exploration noise", .minimum = 0.0, .minimum_open = true});
  options.add("learning-rate", ars.step_size, {.text = "alpha, step size", .minimum = 0.0, .minimum_open = true});
  options.add("top", top,
              {.text = "b, directions that the update uses (-t: fewer than population/2); 0: all",
               .unit = "directions",
               .minimum = 0.0,
               .maximum = 2147483647.0});
  for (const Preset& preset : ars_presets()) options.add_preset(preset.name, preset.text, preset.values);
}

std::unique_ptr<Strategy> ArsExperiment::make_strategy(std::span<const double> initial, const NoiseSource& noise,
                                                       int threads) {
  if (run.population % 2 != 0) {
    throw_input_error("--population " + std::to_string(run.population) +
                      ": ARS evaluates mirrored pairs; give an even number");
  }
  ars.directions = run.population / 2;
  ars.top = top == 0 ? ars.directions : top;
  return std::make_unique<Ars>(ars, initial, run.seed, noise, threads);
}

}  // namespace clade
