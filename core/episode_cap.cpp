#include "core/episode_cap.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "core/number_text.hpp"

namespace clade {
namespace {

constexpr std::string_view kAdaptivePrefix = "adaptive:";
constexpr std::string_view kForms = "use task, a number of steps, or adaptive:start,threshold,ratio,max";
const std::string kCapKey = "episode_cap/steps";

std::uint32_t parse_steps(std::string_view text, std::string_view what) {
  std::uint32_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size() || value == 0) {
    throw_input_error(std::string(what) + " '" + std::string(text) +
                      "' is not a whole number of steps in [1, 4294967295]; " + std::string(kForms));
  }
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

}  // namespace

void EpisodeCapSpec::validate() const {
  if (kind == Kind::task) return;
  if (start == 0) throw_input_error("episode cap 0 must be at least 1 step");
  if (kind == Kind::fixed) return;
  if (!(threshold > 0.0 && threshold <= 1.0)) {
    throw_input_error("episode cap's threshold " + number_text(threshold) + " is outside (0, 1]: it is the share of " +
                      "episodes that hit the cap");
  }
  if (!(ratio > 1.0) || !std::isfinite(ratio)) {
    throw_input_error("episode cap's ratio " + number_text(ratio) + " must be a finite number above 1");
  }
  if (maximum && *maximum < start) {
    throw_input_error("episode cap's maximum " + std::to_string(*maximum) + " is below its start " +
                      std::to_string(start));
  }
}

std::string EpisodeCapSpec::description() const {
  switch (kind) {
    case Kind::task:
      return "task";
    case Kind::fixed:
      return std::to_string(start);
    case Kind::adaptive:
      break;
  }
  std::string text =
      std::string(kAdaptivePrefix) + std::to_string(start) + "," + number_text(threshold) + "," + number_text(ratio);
  if (maximum) text += "," + std::to_string(*maximum);
  return text;
}

EpisodeCapSpec parse_episode_cap(std::string_view text) {
  EpisodeCapSpec spec;
  if (text == "task") return spec;
  if (text.starts_with(kAdaptivePrefix)) {
    const std::vector<std::string_view> parts = split(text.substr(kAdaptivePrefix.size()), ',');
    if (parts.size() != 3 && parts.size() != 4) {
      throw_input_error("episode cap '" + std::string(text) + "' has " + std::to_string(parts.size()) + " numbers; " +
                        std::string(kForms));
    }
    spec.kind = EpisodeCapSpec::Kind::adaptive;
    spec.start = parse_steps(parts[0], "episode cap's start");
    spec.threshold = parse_real(parts[1], "episode cap's threshold");
    spec.ratio = parse_real(parts[2], "episode cap's ratio");
    if (parts.size() == 4) spec.maximum = parse_steps(parts[3], "episode cap's maximum");
  } else {
    spec.kind = EpisodeCapSpec::Kind::fixed;
    spec.start = parse_steps(text, "episode cap");
  }
  spec.validate();
  return spec;
}

AdaptiveEpisodeCap::AdaptiveEpisodeCap(const EpisodeCapSpec& spec, std::uint32_t task_max_steps)
    : spec_(spec), cap_(task_max_steps), maximum_(task_max_steps) {
  spec.validate();
  switch (spec.kind) {
    case EpisodeCapSpec::Kind::task:
      break;
    case EpisodeCapSpec::Kind::fixed:
      cap_ = maximum_ = spec.start;
      break;
    case EpisodeCapSpec::Kind::adaptive:
      if (spec.maximum) maximum_ = *spec.maximum;
      if (spec.start > maximum_) {
        throw_input_error("episode cap's start " + std::to_string(spec.start) + " is above the task's limit of " +
                          std::to_string(maximum_) + " steps; lower it, or name a maximum");
      }
      cap_ = spec.start;
      break;
  }
}

void AdaptiveEpisodeCap::update(double share) {
  CLADE_CHECK(share >= 0.0 && share <= 1.0);
  if (spec_.kind != EpisodeCapSpec::Kind::adaptive || share < spec_.threshold) return;
  const double grown = std::floor(static_cast<double>(cap_) * spec_.ratio);
  if (grown >= static_cast<double>(maximum_)) {
    cap_ = maximum_;
  } else {
    cap_ = std::max(cap_ + 1, static_cast<std::uint32_t>(grown));  // a small ratio must not leave a small cap stuck
  }
}

void AdaptiveEpisodeCap::save(State& state) const { state.set(kCapKey, std::vector<std::uint64_t>{cap_}); }

void AdaptiveEpisodeCap::load(const State& state) {
  const std::uint64_t stored = state.array<std::uint64_t>(kCapKey, 1).front();
  const bool adaptive = spec_.kind == EpisodeCapSpec::Kind::adaptive;
  const std::uint32_t lowest = adaptive ? spec_.start : maximum_;
  if (stored < lowest || stored > maximum_) {
    throw_input_error("saved episode cap " + std::to_string(stored) + " is outside [" + std::to_string(lowest) + ", " +
                      std::to_string(maximum_) + "] of '" + spec_.description() + "'");
  }
  cap_ = static_cast<std::uint32_t>(stored);
}

}  // namespace clade
