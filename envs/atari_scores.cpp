#include "envs/atari_scores.hpp"

#include <algorithm>
#include <iterator>

#include "envs/atari_games.hpp"

namespace clade {
namespace {

// The rows of envs/atari_scores.csv, written by CMake.
constexpr ReferenceScores kScores[] = {
#include "envs/atari_scores_rows.inc"
};

}  // namespace

std::span<const ReferenceScores> all_reference_scores() { return kScores; }

std::optional<ReferenceScores> reference_scores(std::string_view game) {
  const AtariGame* known = find_atari_game(game);
  if (known == nullptr) known = find_atari_game_by_rom(game);
  if (known == nullptr) return std::nullopt;
  const auto scores =
      std::find_if(std::begin(kScores), std::end(kScores), [&](const auto& entry) { return entry.game == known->rom; });
  if (scores == std::end(kScores)) return std::nullopt;
  return *scores;
}

double human_normalised(const ReferenceScores& reference, double score) {
  return (score - reference.random) / (reference.human - reference.random);
}

double random_normalised(const ReferenceScores& reference, double score) { return score - reference.random; }

}  // namespace clade
