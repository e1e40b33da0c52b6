#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/environment.hpp"

namespace clade {

/// Observations of random play, for virtual batch normalisation (Salimans et al. 2017): what follows each of `count`
/// consecutive random steps, an episode's last one among them, a new episode starting where one ends. A function of
/// `seed` and the task alone: start states and actions are keyed by Purpose::reference_play. Observations lie one after
/// the other. Throws Error where an episode fails.
std::shared_ptr<const std::vector<std::byte>> make_reference_batch(Environment& environment, std::uint64_t seed,
                                                                   std::size_t count);

/// Digest of the batch's bytes, for a run's provenance.
std::string reference_batch_digest(const std::vector<std::byte>& batch);

}  // namespace clade
