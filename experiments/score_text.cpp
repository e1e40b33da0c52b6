#include "experiments/score_text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/number_text.hpp"
#include "core/progress.hpp"
#include "envs/atari_scores.hpp"

namespace clade {

std::string reference_text(const RunRecord& record, double score) {
  for (const char* altered : {"atari_clip_rewards", "atari_episodic_life"}) {
    const auto option = record.provenance.find(altered);
    if (option != record.provenance.end() && option->second != "false") return {};
  }
  const auto environment = std::ranges::find(record.configuration, "env", &ConfigEntry::key);
  if (environment == record.configuration.end()) return {};
  const std::optional<ReferenceScores> reference = reference_scores(environment->value);
  if (!reference) return {};
  constexpr double kDigits = 1000.0;  // three digits are enough for a share
  return "human-normalised " + number_text(std::round(human_normalised(*reference, score) * kDigits) / kDigits) +
         " (random play " + number_text(reference->random) + ", a human " + number_text(reference->human) +
         " points), " + format_return(random_normalised(*reference, score)) + " points above random play";
}

}  // namespace clade
