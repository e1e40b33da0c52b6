#include "core/head.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/math.hpp"
#include "core/number_text.hpp"

namespace clade {

namespace {

constexpr std::array<std::pair<HeadKind, std::string_view>, 6> kKinds{{{HeadKind::raw, "raw"},
                                                                       {HeadKind::clip, "clip"},
                                                                       {HeadKind::tanh, "tanh"},
                                                                       {HeadKind::binned, "binned"},
                                                                       {HeadKind::argmax, "argmax"},
                                                                       {HeadKind::sample, "sample"}}};

constexpr std::size_t kFewestBins = 2;
constexpr std::size_t kMostBins = 65536;

bool for_discrete_actions(HeadKind kind) { return kind == HeadKind::argmax || kind == HeadKind::sample; }

std::size_t parse_bins(std::string_view text) {
  std::size_t bins = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), bins);
  if (status != std::errc{} || end != text.data() + text.size() || bins < kFewestBins || bins > kMostBins) {
    throw_input_error("head 'binned:" + std::string(text) + "': the number of bins is " + std::to_string(kFewestBins) +
                      " to " + std::to_string(kMostBins) + ", as in binned:10");
  }
  return bins;
}

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// The first of the largest numbers, NaN passed over; kNone where all are NaN.
std::size_t first_maximum(std::span<const float> values) {
  std::size_t best = kNone;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    if (best == kNone || values[i] > values[best]) best = i;
  }
  return best;
}

/// A choice with probability proportional to exp(output). The largest output is
/// subtracted first, so that the greatest weight is 1 and nothing overflows;
/// outputs equal to it (infinite ones too) have exactly that weight, NaN have
/// none.
std::size_t draw_from_softmax(std::span<const float> outputs, double uniform) {
  const std::size_t best = first_maximum(outputs);
  if (best == kNone) return 0;
  const float largest = outputs[best];
  const auto weight = [&](float output) {
    if (std::isnan(output)) return 0.0;
    return output == largest ? 1.0 : static_cast<double>(math::exp(output - largest));
  };
  double total = 0.0;
  for (float output : outputs) total += weight(output);
  const double target = uniform * total;
  double cumulated = 0.0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    cumulated += weight(outputs[i]);
    if (cumulated > target) return i;
  }
  return best;  // only where the product rounded up to the total
}

/// The head's stream for one decision. `blocks` Philox blocks are reserved for
/// each step of an episode.
RandomStream decision_stream(const RandomKey& key, Purpose purpose, std::uint32_t step, std::size_t blocks) {
  const std::uint64_t first = std::uint64_t{step} * blocks;
  if (first + blocks > std::uint64_t{1} << 32U) {
    throw_run_time_error("step " + std::to_string(step) + " of an episode is past the random numbers kept for " +
                         std::to_string(blocks) + " action components; shorten episodes with --max-steps");
  }
  RandomKey own = key;
  own.purpose = purpose;
  return RandomStream(own, static_cast<std::uint32_t>(first));
}

}  // namespace

std::string HeadSpec::description() const {
  for (const auto& [entry, name] : kKinds) {
    if (entry != kind) continue;
    return kind == HeadKind::binned ? std::string(name) + ":" + std::to_string(bins) : std::string(name);
  }
  CLADE_CHECK(false);  // a value outside the enumeration
  return {};
}

HeadSpec parse_head(std::string_view description) {
  const std::size_t colon = description.find(':');
  const std::string_view wanted = description.substr(0, colon);
  std::vector<std::string> names;
  for (const auto& [kind, name] : kKinds) {
    names.emplace_back(name);
    if (name != wanted) continue;
    HeadSpec spec;
    spec.kind = kind;
    if (colon == std::string_view::npos) return spec;
    if (kind != HeadKind::binned) {
      throw_input_error("head '" + std::string(description) + "': '" + std::string(name) + "' takes no number; only " +
                        "binned does, as in binned:10");
    }
    spec.bins = parse_bins(description.substr(colon + 1));
    return spec;
  }
  throw_unknown_name("head", wanted, names);
}

std::size_t head_outputs(const HeadSpec& head, const ActionSpec& action) {
  if (!std::isfinite(head.action_noise) || head.action_noise < 0.0) {
    throw_input_error("action noise " + number_text(head.action_noise) +
                      " is not a standard deviation; give a finite number from 0 on");
  }
  if (for_discrete_actions(head.kind) != action.discrete()) {
    throw_input_error("head '" + head.description() + "' is for " + (action.discrete() ? "continuous" : "discrete") +
                      " actions; this task's are " + (action.discrete() ? "discrete" : "continuous") + ": use " +
                      (action.discrete() ? "argmax or sample" : "raw, clip, tanh or binned:10"));
  }
  if (action.discrete()) return action.choices;
  CLADE_CHECK(action.low.size() == action.size && action.high.size() == action.size);
  if (head.kind == HeadKind::tanh || head.kind == HeadKind::binned) {
    for (std::size_t i = 0; i < action.size; ++i) {
      if (std::isfinite(action.low[i]) && std::isfinite(action.high[i])) continue;
      throw_input_error("head '" + head.description() + "' needs finite action bounds; component " + std::to_string(i) +
                        " has [" + number_text(action.low[i]) + ", " + number_text(action.high[i]) +
                        "]: use raw or clip");
    }
  }
  if (head.kind != HeadKind::binned) return action.size;
  if (head.bins < kFewestBins || head.bins > kMostBins) parse_bins(std::to_string(head.bins));
  return head.bins * action.size;
}

void apply_head(const HeadSpec& head, const ActionSpec& action, std::span<const float> outputs, const RandomKey& key,
                std::uint32_t step, bool training, HeadResult& result) {
  if (head.kind == HeadKind::argmax) {
    const std::size_t best = first_maximum(outputs);
    result.choice = best == kNone ? 0 : best;
    return;
  }
  if (head.kind == HeadKind::sample) {
    RandomStream rng =
        decision_stream(key, training ? Purpose::action_sampling : Purpose::evaluation_sampling, step, 1);
    result.choice = draw_from_softmax(outputs, rng.uniform());
    return;
  }

  const std::span<double> values = result.continuous;
  CLADE_CHECK(values.size() == action.size);
  CLADE_CHECK(outputs.size() == (head.kind == HeadKind::binned ? head.bins * action.size : action.size));
  for (std::size_t i = 0; i < values.size(); ++i) {
    switch (head.kind) {
      case HeadKind::clip:
        // A NaN compares false with both bounds and stays.
        values[i] = std::clamp(static_cast<double>(outputs[i]), action.low[i], action.high[i]);
        break;
      case HeadKind::tanh:
        values[i] = action.low[i] +
                    (static_cast<double>(math::tanh(outputs[i])) + 1.0) * 0.5 * (action.high[i] - action.low[i]);
        break;
      case HeadKind::binned: {
        const std::size_t best = first_maximum(outputs.subspan(i * head.bins, head.bins));
        values[i] = best == kNone ? std::numeric_limits<double>::quiet_NaN()
                                  : action.low[i] + (action.high[i] - action.low[i]) * static_cast<double>(best) /
                                                        static_cast<double>(head.bins - 1);
        break;
      }
      default:
        values[i] = static_cast<double>(outputs[i]);
        break;
    }
  }
  if (!training || head.action_noise == 0.0 || values.empty()) return;
  // One block a component: twice what Box-Muller needs, whatever the number of
  // components.
  RandomStream rng = decision_stream(key, Purpose::action_noise, step, values.size());
  for (double& value : values) value += head.action_noise * rng.normal();
}

}  // namespace clade
