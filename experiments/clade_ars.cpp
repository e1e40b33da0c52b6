// Augmented random search (Mania, Guy, Recht 2018), V1 to V2-t: linear policies, mirrored directions, the best of
// which make the update. V1 is --normalize none, V2 --normalize ars; "-t" is --top below half the population.

#include <iostream>
#include <memory>

#include "core/options.hpp"
#include "core/population.hpp"
#include "core/program.hpp"
#include "experiments/ars_experiment.hpp"
#include "experiments/environment_listing.hpp"
#include "experiments/run.hpp"

namespace clade {
namespace {

int evolve(int argc, const char* const* argv) {
  ArsExperiment experiment;
  Options options(ArsExperiment::kProgram, "evolves a policy by augmented random search");
  experiment.add_options(options);
  if (!options.parse(argc, argv, std::cout)) return 0;
  if (experiment.run.list_environments) return print_environments(std::cout);

  Run run(ArsExperiment::kProgram, options, experiment.run, argc, argv);
  const std::unique_ptr<Strategy> strategy =
      experiment.make_strategy(run.initial_parameters(), run.noise(), run.threads());

  run.begin(*strategy);
  while (run.continues()) {
    const Population population = strategy->ask(0, run.population());
    EvaluationResults results = run.evaluate(population);
    if (!results.complete) break;
    strategy->tell(run.record(population, results));
    run.log();
    run.checkpoint();
  }
  return run.finish();
}

}  // namespace
}  // namespace clade

int main(int argc, char** argv) { return clade::run_program(argc, argv, clade::evolve); }
