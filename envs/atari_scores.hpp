#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace clade {

/// Published scores of a game, in its points: means over episodes that begin with up to 30 no-ops. The data and its
/// sources stand in envs/atari_scores.csv.
struct ReferenceScores {
  std::string_view game;           ///< the ROM's name: "space_invaders"
  double random = 0.0;             ///< of actions drawn uniformly
  double human = 0.0;              ///< of a professional games tester
  std::string_view random_source;  ///< "mnih2015", "wang2016"
  std::string_view human_source;
};

/// All games that have any, by name of the ROM.
std::span<const ReferenceScores> all_reference_scores();

/// By the environment's name ("SpaceInvaders", "ALE/SpaceInvaders-v5") or the ROM's; nothing where no scores were
/// published.
std::optional<ReferenceScores> reference_scores(std::string_view game);

/// 0 is random play, 1 the human: (score - random) / (human - random).
double human_normalised(const ReferenceScores& reference, double score);

/// 0 is random play: score - random, in points. A quotient would say nothing where random play scores 0 or less.
double random_normalised(const ReferenceScores& reference, double score);

}  // namespace clade
