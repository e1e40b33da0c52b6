#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/noise.hpp"
#include "core/random.hpp"

namespace clade {

enum class PerturbationForm : std::uint8_t {
  none,  ///< the base vector itself
  dense  ///< base + scale * noise(key)
};

/// A member of a population: how to make its weights, never the weights themselves.
struct Member {
  std::uint32_t base = 0;  ///< index into Population::bases
  PerturbationForm form = PerturbationForm::none;
  PhiloxKey key{};         ///< noise key; a mirrored pair shares it
  float scale = 0.0F;      ///< signed: the mirrored half carries -sigma
  std::uint32_t pair = 0;  ///< members of a mirrored pair share this number; otherwise the member's own index
};

/// A generation's members, or a piece of them; member i has identity first_member + i.
struct Population {
  std::uint64_t generation = 0;
  std::size_t first_member = 0;  ///< identity of members[0]: pieces of a generation are asked one after the other
  std::vector<std::shared_ptr<const std::vector<float>>> bases;  ///< parameter vectors, all of the same length
  std::vector<Member> members;
};

/// Writes member's weights for parameters [first, first + output.size()).
void materialise(const Population& population, const Member& member, const NoiseSource& noise, std::size_t first,
                 std::span<float> output);

}  // namespace clade
