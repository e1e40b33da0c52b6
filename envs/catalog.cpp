#include "envs/catalog.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "envs/atari.hpp"
#include "envs/atari_games.hpp"
#include "envs/classic_control.hpp"
#include "envs/functions.hpp"
#include "envs/mujoco.hpp"

namespace clade {
namespace {

using Provenance = std::map<std::string, std::string>;

/// A folder of environments: what it holds, how one is made, what it is made of.
struct Family {
  std::vector<EnvironmentInfo> (*list)();
  EnvironmentFactory (*make)(const std::string& name, const EnvironmentOptions& options);
  Provenance (*provenance)(const std::string& name, const EnvironmentOptions& options);
};

Provenance nothing_but_clade(const std::string&, const EnvironmentOptions&) { return {}; }

constexpr Family kFamilies[] = {
    {classic_control_environments, make_classic_control_factory, nothing_but_clade},
    {function_environments, make_function_factory, nothing_but_clade},
    {atari_environments, make_atari_factory, atari_provenance},
    // Last: listing them looks for the library.
    {mujoco_environments, make_mujoco_factory, mujoco_provenance},
};

/// The name under which an environment is listed: Gymnasium's names of Atari games are others.
std::string listed_name(const std::string& name) {
  const AtariGame* game = find_atari_game(name);
  return game == nullptr ? name : game->name;
}

const Family& family_of(const std::string& given_name) {
  const std::string name = listed_name(given_name);
  std::vector<std::string> names;
  for (const Family& family : kFamilies) {
    for (const EnvironmentInfo& info : family.list()) {
      if (info.name == name) return family;
      names.push_back(info.name);
    }
  }
  throw_unknown_name("environment", name, names);
}

}  // namespace

std::vector<EnvironmentInfo> list_environments() {
  std::vector<EnvironmentInfo> all;
  for (const Family& family : kFamilies) {
    const std::vector<EnvironmentInfo> infos = family.list();
    all.insert(all.end(), infos.begin(), infos.end());
  }
  return all;
}

std::pair<std::string, std::string> parse_environment_option(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw_input_error("environment option '" + text + "': expected NAME=VALUE");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

EnvironmentFactory make_environment_factory(const std::string& name, const EnvironmentOptions& options) {
  return family_of(name).make(name, options);
}

std::map<std::string, std::string> environment_provenance(const std::string& name, const EnvironmentOptions& options) {
  return family_of(name).provenance(name, options);
}

}  // namespace clade
