#pragma once

#include <vector>

#include "core/preset.hpp"

namespace clade {

/// The paper's settings of ARS V2-t for each MuJoCo task.
std::vector<Preset> ars_presets();

/// OpenAI's published settings ("openai"), and small ones that learn in minutes on a workstation.
std::vector<Preset> openai_es_presets();

}  // namespace clade
