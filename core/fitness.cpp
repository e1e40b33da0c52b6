#include "core/fitness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "core/error.hpp"

namespace clade {
namespace {

constexpr std::array<std::pair<Shaping, std::string_view>, 5> kShapings{{
    {Shaping::raw, "raw"},
    {Shaping::centred_rank, "centred_rank"},
    {Shaping::sign, "sign"},
    {Shaping::centred_sign_rank, "centred_sign_rank"},
    {Shaping::z_score, "z_score"},
}};

double sign_of(double value) { return value > 0.0 ? 1.0 : (value < 0.0 ? -1.0 : 0.0); }

std::vector<double> centred_ranks(std::span<const double> fitness) {
  std::vector<double> ranks = average_ranks(fitness);
  const double last = static_cast<double>(fitness.size()) - 1.0;
  for (double& rank : ranks) rank = last > 0.0 ? rank / last - 0.5 : 0.0;
  return ranks;
}

/// Mean and population variance of values * scale. The scale is 1, or a power of two that keeps squares of huge
/// values finite.
struct Spread {
  double scale = 1.0;
  double mean = 0.0;
  double variance = 0.0;
};

Spread spread_of(std::span<const double> values) {
  constexpr double kHuge = 1e140;
  constexpr double kShrink = 0x1p-600;
  Spread spread;
  if (values.empty()) return spread;
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  if (std::max(std::abs(*lowest), std::abs(*highest)) > kHuge) spread.scale = kShrink;
  if (*lowest == *highest) {  // the mean of equal values may round away from them
    spread.mean = *lowest * spread.scale;
    return spread;
  }
  const double count = static_cast<double>(values.size());
  for (double value : values) spread.mean += value * spread.scale;
  spread.mean /= count;
  for (double value : values) {
    const double deviation = value * spread.scale - spread.mean;
    spread.variance += deviation * deviation;
  }
  spread.variance /= count;
  return spread;
}

void z_score(std::span<double> values, double epsilon) {
  const Spread spread = spread_of(values);
  const double divisor = std::sqrt(spread.variance + epsilon * spread.scale * spread.scale);
  for (double& value : values) {
    value = divisor > 0.0 ? (value * spread.scale - spread.mean) / divisor : 0.0;
  }
}

}  // namespace

std::string_view name_of(Shaping shaping) {
  for (const auto& [value, name] : kShapings) {
    if (value == shaping) return name;
  }
  CLADE_CHECK(false);
  return {};
}

std::vector<std::string> shaping_names() {
  std::vector<std::string> names;
  for (const auto& entry : kShapings) names.emplace_back(entry.second);
  return names;
}

Shaping parse_shaping(std::string_view name) {
  for (const auto& [value, known] : kShapings) {
    if (known == name) return value;
  }
  throw_unknown_name("shaping", name, shaping_names());
}

std::vector<double> average_ranks(std::span<const double> fitness) {
  const auto below = [&](std::size_t a, std::size_t b) {
    const bool a_failed = std::isnan(fitness[a]);
    const bool b_failed = std::isnan(fitness[b]);
    return a_failed || b_failed ? a_failed && !b_failed : fitness[a] < fitness[b];
  };
  std::vector<std::size_t> order(fitness.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), below);

  std::vector<double> ranks(fitness.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && !below(order[first], order[last + 1])) ++last;
    const double shared = (static_cast<double>(first) + static_cast<double>(last)) / 2.0;
    for (std::size_t i = first; i <= last; ++i) ranks[order[i]] = shared;
    first = last + 1;
  }
  return ranks;
}

std::vector<double> finite_fitness(std::span<const double> fitness) {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -lowest;
  for (double value : fitness) {
    if (!std::isfinite(value)) continue;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
  const bool none_finite = lowest > highest;
  std::vector<double> result(fitness.begin(), fitness.end());
  for (double& value : result) {
    if (none_finite) {
      value = 0.0;
    } else if (!std::isfinite(value)) {
      value = value > 0.0 ? highest : lowest;
    }
  }
  return result;
}

std::vector<double> shape_fitness(Shaping shaping, std::span<const double> fitness, double epsilon) {
  switch (shaping) {
    case Shaping::raw:
      return finite_fitness(fitness);
    case Shaping::centred_rank:
      return centred_ranks(fitness);
    case Shaping::sign: {
      std::vector<double> signs(fitness.begin(), fitness.end());
      for (double& value : signs) value = std::isnan(value) ? -1.0 : sign_of(value);
      return signs;
    }
    case Shaping::centred_sign_rank: {
      std::vector<double> signs = centred_ranks(fitness);
      for (double& value : signs) value = sign_of(value);
      return signs;
    }
    case Shaping::z_score: {
      std::vector<double> scores = finite_fitness(fitness);
      z_score(scores, epsilon);
      return scores;
    }
  }
  CLADE_CHECK(false);
  return {};
}

double population_deviation(std::span<const double> values) {
  const Spread spread = spread_of(values);
  return std::sqrt(spread.variance) / spread.scale;
}

bool all_failed(std::span<const double> fitness) {
  return std::all_of(fitness.begin(), fitness.end(), [](double value) { return std::isnan(value); });
}

}  // namespace clade
