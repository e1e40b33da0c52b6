// Random search: every member of every generation is a fresh network; the best by further episodes is kept. The control
// experiment of Such et al. 2017: what a search that learns nothing finds in as many frames.

#include <iostream>
#include <memory>
#include <vector>

#include "core/options.hpp"
#include "core/population.hpp"
#include "core/program.hpp"
#include "experiments/environment_listing.hpp"
#include "experiments/random_search_experiment.hpp"
#include "experiments/run.hpp"

namespace clade {
namespace {

int search(int argc, const char* const* argv) {
  RandomSearchExperiment experiment;
  Options options(RandomSearchExperiment::kProgram, "searches for a policy at random");
  experiment.add_options(options);
  if (!options.parse(argc, argv, std::cout)) return 0;
  if (experiment.run.list_environments) return print_environments(std::cout);

  Run run(RandomSearchExperiment::kProgram, options, experiment.run, argc, argv);
  const std::unique_ptr<RandomSearch> strategy = experiment.make_strategy(run.task(), run.noise());

  run.begin(*strategy);
  while (run.continues()) {
    const Population population = strategy->ask(0, run.population());
    EvaluationResults results = run.evaluate(population);
    if (!results.complete) break;
    const std::vector<double> fitness = run.record(population, results);
    std::vector<Individual> individuals;
    const Population candidates = strategy->candidates(fitness, individuals);
    if (!run.validate(*strategy, candidates, individuals)) break;
    strategy->tell(fitness);
    run.log();
    run.checkpoint();
  }
  return run.finish();
}

}  // namespace
}  // namespace clade

int main(int argc, char** argv) { return clade::run_program(argc, argv, clade::search); }
