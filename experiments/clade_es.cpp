// OpenAI-ES (Salimans et al. 2017): one generation asks for mirrored perturbations of the parameters, plays their
// episodes, and climbs the gradient estimated from the shaped returns.

#include <iostream>
#include <memory>
#include <utility>

#include "core/options.hpp"
#include "core/population.hpp"
#include "core/program.hpp"
#include "experiments/environment_listing.hpp"
#include "experiments/es_experiment.hpp"
#include "experiments/run.hpp"

namespace clade {
namespace {

int evolve(int argc, const char* const* argv) {
  EsExperiment experiment;
  Options options(EsExperiment::kProgram, "evolves a policy by OpenAI's evolution strategy");
  experiment.add_options(options);
  if (!options.parse(argc, argv, std::cout)) return 0;
  if (experiment.run.list_environments) return print_environments(std::cout);

  Run run(EsExperiment::kProgram, options, experiment.run, argc, argv);
  const std::unique_ptr<Strategy> strategy =
      experiment.make_strategy(run.initial_parameters(), run.noise(), run.threads());

  run.begin(*strategy);
  while (run.continues()) {
    Population population = strategy->ask(0, run.population());
    EvaluationResults results = run.evaluate(population);
    while (results.complete && run.needs_more_steps(results)) {
      Population more = strategy->ask(population.members.size(), run.population());
      results.append(run.evaluate(more));
      population.members.insert(population.members.end(), more.members.begin(), more.members.end());
    }
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
