#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/population.hpp"
#include "core/random.hpp"

namespace clade {

/// Members drawn around one base vector: base + sigma * noise. What the strategies with an isotropic search
/// distribution share.
struct GaussianSampling {
  std::uint64_t seed = 0;
  float sigma = 0.02F;   ///< > 0
  bool mirrored = true;  ///< members 2i and 2i + 1 are base + sigma eps_i and base - sigma eps_i
};

/// Throws Error naming `what` where sigma is not above 0 or beyond what a float holds.
float checked_sigma(double sigma, const char* what);

/// Key of a generation's noise vector number `direction`: a mirrored pair's, or a member's own.
PhiloxKey direction_key(std::uint64_t seed, std::uint64_t generation, std::size_t direction);

/// Members [first_member, first_member + count) of a generation. Any split into pieces gives the same members.
Population sample_members(const GaussianSampling& sampling, std::shared_ptr<const std::vector<float>> base,
                          std::uint64_t generation, std::size_t first_member, std::size_t count);

/// Rounds float64 parameters to a population's base vector. Throws Error (run_time) where one is not finite or beyond
/// a float's range: the search has diverged.
std::shared_ptr<const std::vector<float>> make_base(std::span<const double> parameters, std::uint64_t generation);

}  // namespace clade
