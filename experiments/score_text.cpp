#include "experiments/score_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/number_text.hpp"
#include "core/progress.hpp"
#include "envs/atari_scores.hpp"

namespace clade {
namespace {

/// Episodes of Mnih et al. 2015 ended after 5 minutes of 60 frames a second, those of later papers after 30.
constexpr std::uint64_t kShortestPublishedFrames = 18'000;

std::uint64_t frames_of_step(const RunRecord& record) {
  std::uint64_t frames = 1;
  const auto skip = record.provenance.find("atari_frame_skip");
  if (skip != record.provenance.end() && read_number(skip->second, frames) != NumberProblem::none) frames = 1;
  return frames;
}

}  // namespace

std::string reference_text(const RunRecord& record, double score, std::optional<std::uint32_t> max_steps) {
  for (const char* altered : {"atari_clip_rewards", "atari_episodic_life"}) {
    const auto option = record.provenance.find(altered);
    if (option != record.provenance.end() && option->second != "false") return {};
  }
  const auto environment = std::ranges::find(record.configuration, "env", &ConfigEntry::key);
  if (environment == record.configuration.end()) return {};
  const std::optional<ReferenceScores> reference = reference_scores(environment->value);
  if (!reference) return {};
  constexpr double kDigits = 1000.0;  // three digits are enough for a share
  std::string cap;
  if (max_steps && *max_steps * frames_of_step(record) < kShortestPublishedFrames) {
    cap = ", in episodes of at most " + format_count(*max_steps) + " steps";
  }
  return "human-normalised " + number_text(std::round(human_normalised(*reference, score) * kDigits) / kDigits) +
         " (random play " + number_text(reference->random) + ", a human " + number_text(reference->human) +
         " points), " + format_return(random_normalised(*reference, score)) + " points above random play" + cap;
}

}  // namespace clade
