#include "tools/screen_strip.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace clade {
namespace {

constexpr std::size_t kGap = 4;  // pixels
constexpr std::size_t kChannels = 3;
constexpr std::size_t kMostInRow = 8;

std::size_t divided_up(std::size_t count, std::size_t by) { return (count + by - 1) / by; }

}  // namespace

std::vector<std::uint32_t> strip_steps(std::uint32_t steps, std::size_t pictures) {
  CLADE_CHECK(pictures >= 2);
  const std::uint64_t last = std::min<std::uint64_t>(pictures - 1, steps);
  std::vector<std::uint32_t> result = {0};
  for (std::uint64_t i = 1; i <= last; ++i) {
    result.push_back(static_cast<std::uint32_t>((std::uint64_t{steps} * i + last / 2) / last));
  }
  return result;
}

ScreenAccess::Screen strip_of(std::span<const ScreenAccess::Screen> pictures) {
  CLADE_CHECK(!pictures.empty());
  const std::size_t width = pictures.front().width;
  const std::size_t height = pictures.front().height;
  const std::size_t rows = divided_up(pictures.size(), kMostInRow);
  const std::size_t columns = divided_up(pictures.size(), rows);
  ScreenAccess::Screen strip;
  strip.width = columns * (width + kGap) - kGap;
  strip.height = rows * (height + kGap) - kGap;
  strip.rgb.resize(strip.width * strip.height * kChannels);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    CLADE_CHECK(pictures[i].width == width && pictures[i].height == height);
    const std::size_t left = i % columns * (width + kGap);
    const std::size_t top = i / columns * (height + kGap);
    for (std::size_t line = 0; line < height; ++line) {
      const auto from = pictures[i].rgb.begin() + static_cast<std::ptrdiff_t>(line * width * kChannels);
      const std::size_t to = ((top + line) * strip.width + left) * kChannels;
      std::copy_n(from, width * kChannels, strip.rgb.begin() + static_cast<std::ptrdiff_t>(to));
    }
  }
  return strip;
}

std::string strip_text(std::span<const std::uint32_t> steps, std::uint32_t frames) {
  std::string text = std::to_string(steps.size()) + " screens of episode 0, at steps ";
  for (std::size_t i = 0; i < steps.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(steps[i]);
  return text + "; " + std::to_string(frames) + " frames";
}

ScreenRecorder::ScreenRecorder(std::unique_ptr<Environment> environment, std::vector<std::uint32_t> steps,
                               std::vector<ScreenAccess::Screen>& screens)
    : environment_(std::move(environment)),
      access_(&require_screen(*environment_)),
      steps_(std::move(steps)),
      screens_(screens) {}

void ScreenRecorder::reset(RandomStream& rng, ObservationRow observation) {
  environment_->reset(rng, observation);
  screens_.clear();
  step_ = 0;
  take();
}

StepOutcome ScreenRecorder::step(const Action& action, ObservationRow observation) {
  const StepOutcome outcome = environment_->step(action, observation);
  ++step_;
  take();
  return outcome;
}

void ScreenRecorder::take() {
  if (std::ranges::binary_search(steps_, step_)) screens_.push_back(access_->screen());
}

const ScreenAccess& require_screen(const Environment& environment) {
  const auto* access = dynamic_cast<const ScreenAccess*>(&environment);
  if (access == nullptr) {
    throw_input_error(environment.spec().name + " has no screen to take pictures of; games (ALE/...) have");
  }
  return *access;
}

}  // namespace clade
