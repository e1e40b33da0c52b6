#include "core/episode.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <exception>
#include <utility>

namespace clade {

namespace {

/// Whether every number is finite: all exponent bits set means NaN or infinity.
bool all_finite(std::span<const double> values) {
  constexpr std::uint64_t kExponent = 0x7FF0000000000000ULL;
  std::uint64_t bad = 0;
  for (double value : values)
    bad |= static_cast<std::uint64_t>((std::bit_cast<std::uint64_t>(value) & kExponent) == kExponent);
  return bad == 0;
}

}  // namespace

Episode::Episode(std::unique_ptr<Environment> environment)
    : environment_(std::move(environment)), observation_(environment_->spec().observation.bytes()) {
  result_.status = EpisodeStatus::truncated;  // nothing is in flight yet
}

void Episode::begin(const EpisodeIdentity& identity, const EpisodeSettings& settings, ObservationMoments* moments) {
  identity_ = identity;
  settings_ = settings;
  moments_ = moments;
  result_ = EpisodeResult{};
  failure_.clear();
  environment_time_.restart();
  try {
    environment_time_.measure_each([&] {
      RandomStream rng(identity_.environment_key());
      environment_->reset(rng, ObservationRow(observation_.data(), environment_->spec().observation));
    });
  } catch (const std::exception& error) {
    fail(std::string("reset threw: ") + error.what());
    return;
  } catch (...) {
    fail("reset threw something that is not a std::exception");
    return;
  }
  observe();
}

void Episode::step(const Action& action) {
  CLADE_CHECK(!ended());
  if (!all_finite(action.continuous)) {
    fail("the policy gave an action that is not finite");
    return;
  }
  StepOutcome outcome;
  try {
    const ObservationRow row(observation_.data(), environment_->spec().observation);
    outcome = environment_time_.measure([&] { return environment_->step(action, row); });
  } catch (const std::exception& error) {
    fail(std::string("step threw: ") + error.what());
    return;
  } catch (...) {
    fail("step threw something that is not a std::exception");
    return;
  }
  ++result_.steps;
  result_.frames += outcome.frames.value_or(environment_->spec().frames_per_step);
  if (outcome.failure != nullptr) {
    fail(outcome.failure);
    return;
  }
  if (!std::isfinite(outcome.reward)) {
    fail("the reward is " + std::to_string(outcome.reward));
    return;
  }
  result_.episode_return += outcome.reward;
  if (outcome.terminated) {
    result_.status = EpisodeStatus::terminated;
  } else if (outcome.truncated || result_.steps >= settings_.max_steps ||
             (settings_.max_frames && result_.frames >= *settings_.max_frames)) {
    result_.status = EpisodeStatus::truncated;
  } else {
    observe();
  }
}

void Episode::observe() {
  const ObservationSpec& spec = environment_->spec().observation;
  if (spec.type != ObservationType::float64) return;
  const std::span<const double> observation = ObservationRow(observation_.data(), spec).float64();
  if (!all_finite(observation)) {
    fail("an observation is not finite");
    return;
  }
  if (moments_ != nullptr) moments_->add(observation);
}

void Episode::fail(const std::string& reason) {
  result_.status = EpisodeStatus::failed;
  failure_ = reason;
}

}  // namespace clade
