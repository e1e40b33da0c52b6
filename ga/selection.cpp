#include "ga/selection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.hpp"

namespace clade {
namespace {

constexpr std::array<std::pair<ParentSelection, std::string_view>, 2> kSelections{{
    {ParentSelection::truncation, "truncation"},
    {ParentSelection::tournament, "tournament"},
}};

constexpr std::array<std::pair<Crossover, std::string_view>, 3> kCrossovers{{
    {Crossover::none, "none"},
    {Crossover::uniform, "uniform"},
    {Crossover::one_point, "one_point"},
}};

template <class Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.second);
  return names;
}

template <class Table, class Value>
std::string_view name_in(const Table& table, Value value) {
  for (const auto& [known, name] : table) {
    if (known == value) return name;
  }
  return {};
}

template <class Table>
auto parse_in(const Table& table, std::string_view what, std::string_view name) {
  for (const auto& [value, known] : table) {
    if (known == name) return value;
  }
  throw_unknown_name(what, name, names_in(table));
}

}  // namespace

std::string_view name_of(ParentSelection selection) { return name_in(kSelections, selection); }
std::vector<std::string> parent_selection_names() { return names_in(kSelections); }
ParentSelection parse_parent_selection(std::string_view name) {
  return parse_in(kSelections, "parent selection", name);
}

std::string_view name_of(Crossover crossover) { return name_in(kCrossovers, crossover); }
std::vector<std::string> crossover_names() { return names_in(kCrossovers); }
Crossover parse_crossover(std::string_view name) { return parse_in(kCrossovers, "crossover", name); }

std::vector<std::size_t> best_places(std::span<const double> fitness, std::size_t count) {
  std::vector<std::size_t> places(fitness.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto better = [&](std::size_t a, std::size_t b) {
    const bool a_failed = std::isnan(fitness[a]);
    const bool b_failed = std::isnan(fitness[b]);
    if (a_failed != b_failed) return b_failed;
    if (!a_failed && fitness[a] != fitness[b]) return fitness[a] > fitness[b];
    return a < b;
  };
  const std::size_t kept = std::min(count, places.size());
  const auto end = places.begin() + static_cast<std::ptrdiff_t>(kept);
  std::partial_sort(places.begin(), end, places.end(), better);
  places.erase(end, places.end());
  return places;
}

std::size_t draw_parent(ParentSelection selection, std::size_t parents, std::size_t tournament_size,
                        RandomStream& rng) {
  CLADE_CHECK(parents >= 1 && parents <= std::size_t{1} << 31);
  CLADE_CHECK(selection == ParentSelection::truncation || tournament_size >= 1);
  const std::size_t draws = selection == ParentSelection::tournament ? tournament_size : 1;
  const auto bound = static_cast<std::uint32_t>(parents);
  std::size_t best = rng.below(bound);
  for (std::size_t draw = 1; draw < draws; ++draw) best = std::min<std::size_t>(best, rng.below(bound));
  return best;
}

}  // namespace clade
