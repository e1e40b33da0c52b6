#pragma once

#include <vector>

#include "core/preset.hpp"

namespace clade {

/// Such et al. 2017 ("such2017" on Atari, "humanoid"), an Atari one for a workstation, and small ones on classic
/// control and MuJoCo that learn in minutes.
std::vector<Preset> deep_ga_presets();

/// Random search with the same networks, populations and validation.
std::vector<Preset> random_search_presets();

}  // namespace clade
