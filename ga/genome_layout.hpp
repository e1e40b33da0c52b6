#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/network.hpp"
#include "core/population.hpp"
#include "core/state.hpp"

namespace clade {

/// What a genetic algorithm knows of the networks that it evolves.
struct GenomeLayout {
  std::size_t parameter_count = 0;
  std::shared_ptr<const std::vector<InitialScale>> initial_scales;  ///< never null
  std::vector<std::uint64_t> layer_starts;     ///< first parameters of the layers but the first, ascending: where a
                                               ///< one-point crossover may cut (a layer is its weights and biases)
  void save(State& state) const;               ///< as "parameters"
  void check_saved(const State& state) const;  ///< throws Error where the state is of networks of another size
};

/// Throws Error for initialisations that are no scales (normc, uniform).
GenomeLayout genome_layout(const Network& network, Initialisation initialisation);

}  // namespace clade
