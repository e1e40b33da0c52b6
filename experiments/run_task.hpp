#pragma once

#include "core/environment.hpp"
#include "core/inference_engine.hpp"
#include "envs/catalog.hpp"
#include "experiments/run_settings.hpp"

namespace clade {

/// Environment and policy of a run, made from its settings. Heap it: engines refer to the policy.
struct RunTask {
  EnvironmentFactory environments;
  EnvironmentSpec environment;
  Policy policy;
};

/// `--env-option`, split. Throws Error.
EnvironmentOptions environment_options(const RunSettings& settings);

/// Throws Error for whatever cannot be: an unknown environment, a head that does not fit the action.
RunTask make_run_task(const RunSettings& settings);

/// `--threads`, 0 resolved to the cores granted. More threads than cores is allowed and said on standard error.
int resolve_threads(const RunSettings& settings);

}  // namespace clade
