#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/inference_engine.hpp"
#include "core/observation_normalizer.hpp"

namespace clade {

/// A policy's weights as a NumPy .npz file, one float32 array for each of Network::arrays(), in their order and layout
/// (a convolution's weight [kernel, kernel, input channels, filters], a dense layer's [inputs, outputs], biases [n]).
/// Where observations are normalised also normalizer.mean, normalizer.inverse_std [observation] and normalizer.clip
/// (float64): the network sees clip((x - mean) inverse_std). Where the network has virtual batch normalisation also
/// reference_batch [observations, ...shape] of the observations' type.
std::vector<std::byte> weights_npz(const Policy& policy, std::span<const float> parameters,
                                   const NormalizerSnapshot& normalizer);

}  // namespace clade
