// The deep genetic algorithm (Such et al. 2017): members are mutated copies of the generation's best; the best of all
// by further episodes, the elite, stays unmodified. A genome is a chain of keys, weights are made where they play.

#include <iostream>
#include <memory>
#include <vector>

#include "core/options.hpp"
#include "core/population.hpp"
#include "core/program.hpp"
#include "experiments/environment_listing.hpp"
#include "experiments/ga_experiment.hpp"
#include "experiments/run.hpp"

namespace clade {
namespace {

int evolve(int argc, const char* const* argv) {
  GaExperiment experiment;
  Options options(GaExperiment::kProgram, "evolves a policy by a genetic algorithm");
  experiment.add_options(options);
  if (!options.parse(argc, argv, std::cout)) return 0;
  if (experiment.run.list_environments) return print_environments(std::cout);

  Run run(GaExperiment::kProgram, options, experiment.run, argc, argv);
  experiment.check_options(options);
  const std::unique_ptr<DeepGa> ga = experiment.make_strategy(run.task(), run.noise());

  run.begin(*ga);
  while (run.continues()) {
    const Population population = ga->ask(0, run.population());
    EvaluationResults results = run.evaluate(population);
    if (!results.complete) break;
    const std::vector<double> fitness = run.record(population, results);
    std::vector<Individual> individuals;
    const Population candidates = ga->candidates(fitness, individuals);
    if (!run.validate(*ga, candidates, individuals)) break;
    ga->tell(fitness);
    run.log();
    run.checkpoint();
  }
  if (const ParentCacheUse use = ga->cache_use(); use.hits + use.misses > 0) run.note(cache_text(use));
  return run.finish();
}

}  // namespace
}  // namespace clade

int main(int argc, char** argv) { return clade::run_program(argc, argv, clade::evolve); }
