#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/environment.hpp"

namespace clade {

struct EnvironmentOptionInfo {
  std::string name;           ///< "forward_reward_weight"
  std::string default_value;  ///< as text
  std::string text;           ///< what it does, with its unit
  bool operator==(const EnvironmentOptionInfo&) const = default;
};

struct EnvironmentInfo {
  std::string name;     ///< "HalfCheetah-v4"
  std::string family;   ///< "classic control", "MuJoCo", "Atari", "functions"
  std::string summary;  ///< "17 observations, 6 actions, 1000 steps"
  std::vector<EnvironmentOptionInfo> options;
  std::string unavailable;  ///< why it cannot be made here, empty where it can
};

/// The table of all environments that exist, those that cannot be made in this build or on this machine included.
std::vector<EnvironmentInfo> list_environments();

using EnvironmentOptions = std::vector<std::pair<std::string, std::string>>;

/// Splits "key=value"; throws Error otherwise.
std::pair<std::string, std::string> parse_environment_option(const std::string& text);

/// A factory of slots of the named environment; an Atari game may be named as in Gymnasium ("ALE/Frostbite-v5"). Throws
/// Error for an unknown name or option (with the nearest valid one), a value of the wrong kind, a missing library or
/// model.
EnvironmentFactory make_environment_factory(const std::string& name, const EnvironmentOptions& options = {});

/// Versions and checksums of what the environment is made of (library, model file): recorded in run files.
/// Throws Error as make_environment_factory.
std::map<std::string, std::string> environment_provenance(const std::string& name,
                                                          const EnvironmentOptions& options = {});

}  // namespace clade
