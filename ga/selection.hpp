#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/population.hpp"
#include "core/random.hpp"

namespace clade {

/// How a child's parent is drawn from the parents, which are sorted best first.
enum class ParentSelection {
  truncation,  ///< uniformly (Such et al. 2017)
  tournament   ///< the best of `tournament_size` uniform draws with replacement
};
std::string_view name_of(ParentSelection selection);
std::vector<std::string> parent_selection_names();
ParentSelection parse_parent_selection(std::string_view name);  ///< throws Error naming the nearest valid one

std::string_view name_of(Crossover crossover);
std::vector<std::string> crossover_names();
Crossover parse_crossover(std::string_view name);  ///< throws Error naming the nearest valid one

/// Places of the `count` best (of all, where there are fewer), best first: higher fitness first, of equal ones the
/// lower place first, NaN last (in place order).
std::vector<std::size_t> best_places(std::span<const double> fitness, std::size_t count);

/// The place of a parent among `parents` sorted ones, drawn from `rng`. parents >= 1.
std::size_t draw_parent(ParentSelection selection, std::size_t parents, std::size_t tournament_size, RandomStream& rng);

}  // namespace clade
