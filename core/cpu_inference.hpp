#pragma once

#include <memory>

#include "core/inference_engine.hpp"
#include "core/instruction_set.hpp"

namespace clade {

/// The CPU engine: vectorised over a layer's outputs, weights packed once per member, one slot. A member's parents are
/// held during prepare() alone. `policy` and `noise` outlive it. The same bits for every instruction set.
std::unique_ptr<InferenceEngine> make_cpu_inference(const Policy& policy, const NoiseSource& noise, std::size_t lanes,
                                                    InstructionSet set = preferred_instruction_set());

}  // namespace clade
