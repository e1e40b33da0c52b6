#include "experiments/random_search_experiment.hpp"

#include "ga/presets.hpp"

namespace clade {

void RandomSearchExperiment::add_options(Options& options) {
  run.population = RandomSearchConfig{}.population;
  add_elitist_options(options, run, elitist, "Random search");
  for (const Preset& preset : random_search_presets()) options.add_preset(preset.name, preset.text, preset.values);
}

std::unique_ptr<RandomSearch> RandomSearchExperiment::make_strategy(const RunTask& task,
                                                                    const NoiseSource& noise) const {
  RandomSearchConfig config;
  config.population = run.population;
  config.elites = elitist.elites;
  config.candidates = elitist.candidates;
  return std::make_unique<RandomSearch>(config, task.policy.network, parse_initialisation(run.initialisation), run.seed,
                                        noise);
}

}  // namespace clade
