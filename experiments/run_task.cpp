#include "experiments/run_task.hpp"

#include <iostream>
#include <string>
#include <utility>

#include "core/number_text.hpp"
#include "core/parallel.hpp"

namespace clade {

EnvironmentOptions environment_options(const RunSettings& settings) {
  EnvironmentOptions options;
  for (const std::string& option : settings.environment_options) options.push_back(parse_environment_option(option));
  return options;
}

RunTask make_run_task(const RunSettings& settings) {
  if (settings.environment.empty()) {
    throw_input_error("no environment; name one with --env (--list-envs shows all) or take a --preset");
  }
  EnvironmentFactory environments = make_environment_factory(settings.environment, environment_options(settings));
  EnvironmentSpec environment = environments(0)->spec();

  HeadSpec head;
  if (settings.head == "auto") {
    head.kind = environment.action.discrete() ? HeadKind::argmax : HeadKind::raw;
  } else {
    head = parse_head(settings.head);
  }
  head.action_noise = settings.action_noise;
  if (head.action_noise > 0.0 && environment.action.discrete()) {
    throw_input_error("--action-noise " + number_text(head.action_noise) + ": the actions of " + environment.name +
                      " are discrete; leave it at 0");
  }
  if (settings.normalize != "none" && environment.observation.size() == 0) {
    throw_input_error("--normalize " + settings.normalize + ": " + environment.name +
                      " has no observations; leave it at none");
  }
  Network network(parse_network(settings.network), environment.observation.size(),
                  head_outputs(head, environment.action));
  Policy policy{std::move(network), head, environment.observation, environment.action};
  return {std::move(environments), std::move(environment), std::move(policy)};
}

int resolve_threads(const RunSettings& settings) {
  const int cores = available_cores();
  if (settings.threads == 0) return cores;
  const int threads = static_cast<int>(settings.threads);
  if (threads > cores && !settings.quiet) {
    std::cerr << "note: --threads " << threads << " is more than the " << cores
              << " cores granted to this process; results are the same, the speed is not\n";
  }
  return threads;
}

}  // namespace clade
