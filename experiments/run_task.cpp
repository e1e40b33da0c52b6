#include "experiments/run_task.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/number_text.hpp"
#include "core/parallel.hpp"
#include "experiments/reference_batch.hpp"

namespace clade {

namespace {

Precision parse_precision(const std::string& name) { return name == "bf16" ? Precision::bf16 : Precision::fp32; }

}  // namespace

bool is_atari_game(const std::string& environment) {
  const std::vector<EnvironmentInfo> environments = list_environments();
  return environment.starts_with("ALE/") || std::ranges::any_of(environments, [&](const EnvironmentInfo& info) {
           return info.name == environment && info.family == "Atari";
         });
}

EnvironmentOptions environment_options(const RunSettings& settings) {
  EnvironmentOptions options;
  for (const std::string& option : settings.environment_options) options.push_back(parse_environment_option(option));
  if (settings.atari_protocol != "auto") options.emplace_back("protocol", settings.atari_protocol);
  if (settings.resize != "auto") options.emplace_back("resize", settings.resize);
  if (settings.full_action_space) options.emplace_back("full_action_space", "true");
  if (!settings.rom_dir.empty()) options.emplace_back("rom_dir", settings.rom_dir);
  return options;
}

std::string resolve_network(const std::string& network, const ObservationSpec& observation) {
  constexpr std::size_t kImageAxes = 3;
  constexpr std::size_t kSmallestSide = 8;  // the first kernel of the model
  if (network != "auto") return network;
  const auto& shape = observation.shape;
  const bool image = shape.size() == kImageAxes && shape[0] >= kSmallestSide && shape[1] >= kSmallestSide;
  return image ? "model" : "mlp:64,64:tanh";
}

RunTask make_run_task(const RunSettings& settings) {
  if (settings.environment.empty()) {
    throw_input_error("no environment; name one with --env (--list-envs shows all) or take a --preset that does");
  }
  EnvironmentFactory environments = make_environment_factory(settings.environment, environment_options(settings));
  const std::unique_ptr<Environment> slot = environments(0);
  EnvironmentSpec environment = slot->spec();

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
  if (settings.normalize != "none" && environment.observation.type == ObservationType::uint8) {
    throw_input_error("--normalize " + settings.normalize + ": the observations of " + environment.name +
                      " are bytes; leave it at none");
  }
  const std::string network_name = resolve_network(settings.network, environment.observation);
  Network network(parse_network(network_name), environment.observation.shape, head_outputs(head, environment.action));
  Policy policy{std::move(network), head, environment.observation, environment.action,
                parse_precision(settings.precision)};
  if (policy.network.spec().virtual_batch_norm) {
    policy.reference_batch = make_reference_batch(*slot, settings.seed, settings.reference_observations);
  }
  return {std::move(environments), std::move(environment), std::move(policy)};
}

bool observes_pixels(const RunTask& task) { return task.environment.observation.type == ObservationType::uint8; }

ObservationNormalizer make_normalizer(const RunSettings& settings, const RunTask& task) {
  return {parse_normalization(settings.normalize), observes_pixels(task) ? 0 : task.environment.observation.size()};
}

std::size_t evaluation_lanes(const RunSettings& settings, const RunTask& task) {
  constexpr std::size_t kPixelLanes = 8;
  return std::max<std::size_t>(settings.lanes, observes_pixels(task) ? kPixelLanes : 1);
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
