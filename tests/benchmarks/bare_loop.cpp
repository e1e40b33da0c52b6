#include "tests/benchmarks/bare_loop.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "envs/atari_games.hpp"

namespace clade::bench {

EnvironmentSettings bare_settings(EnvironmentSettings settings) {
  const AtariGame* game = find_atari_game(settings.env);
  if (game == nullptr) return settings;
  const auto given = [&](const std::string& name) {
    return std::any_of(settings.env_options.begin(), settings.env_options.end(),
                       [&](const std::string& option) { return option.starts_with(name + "="); });
  };
  if (!given("noop_start") && !given("noop_max")) settings.env_options.emplace_back("noop_start=false");
  if (!given("fire_reset")) settings.env_options.emplace_back("fire_reset=false");
  return settings;
}

std::unique_ptr<BareLoop> make_bare_loop(const EnvironmentSettings& settings, const ActionBank& actions) {
  return find_atari_game(settings.env) != nullptr ? make_bare_atari_loop(settings, actions)
                                                  : make_bare_mujoco_loop(settings, actions);
}

#ifndef CLADE_MUJOCO
std::unique_ptr<BareLoop> make_bare_mujoco_loop(const EnvironmentSettings&, const ActionBank&) {
  throw_input_error("this build is without MuJoCo: configure with -DCLADE_MUJOCO=ON");
}
#endif

#ifndef CLADE_ATARI
std::unique_ptr<BareLoop> make_bare_atari_loop(const EnvironmentSettings&, const ActionBank&) {
  throw_input_error("this build is without Atari games: configure with -DCLADE_ATARI=ON");
}
#endif

}  // namespace clade::bench
