#pragma once

#include <memory>

#include "core/inference_engine.hpp"

namespace clade {

/// The CPU engine: vectorised over a layer's outputs, weights packed once per member, one slot. `policy` and `noise`
/// outlive it.
std::unique_ptr<InferenceEngine> make_cpu_inference(const Policy& policy, const NoiseSource& noise, std::size_t lanes);

}  // namespace clade
