#pragma once

#include "core/environment.hpp"
#include "core/inference_engine.hpp"
#include "core/observation_normalizer.hpp"
#include "envs/catalog.hpp"
#include "experiments/run_settings.hpp"

namespace clade {

/// Environment and policy of a run, made from its settings. Heap it: engines refer to the policy.
struct RunTask {
  EnvironmentFactory environments;
  EnvironmentSpec environment;
  Policy policy;
};

/// Whether the name is an Atari game's, the one listed or Gymnasium's.
bool is_atari_game(const std::string& environment);

/// `--env-option`, split, and what the options for Atari set. Throws Error.
EnvironmentOptions environment_options(const RunSettings& settings);

/// `--network`, where it is auto: "model" for an image (three axes, 8x8 or larger), else "mlp:64,64:tanh".
std::string resolve_network(const std::string& network, const ObservationSpec& observation);

/// Throws Error for whatever cannot be: an unknown environment, a head that does not fit the action. A network with
/// virtual batch normalisation gets its reference batch, played here.
RunTask make_run_task(const RunSettings& settings);

/// Whether its observations are pixels: networks weigh more than episodes' bookkeeping, frames differ from steps.
bool observes_pixels(const RunTask& task);

/// Statistics of the task's observations. Those of pixels, which are not normalised, are not kept.
ObservationNormalizer make_normalizer(const RunSettings& settings, const RunTask& task);

/// Lanes of evaluations that play many episodes of one policy: `--lanes`, on pixel tasks at least 8, since the episodes
/// then share each reading of a large network's weights.
std::size_t evaluation_lanes(const RunSettings& settings, const RunTask& task);

/// `--threads`, 0 resolved to the cores granted. More threads than cores is allowed and said on standard error.
int resolve_threads(const RunSettings& settings);

}  // namespace clade
