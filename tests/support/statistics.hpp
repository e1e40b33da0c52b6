#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace clade::testing {

// Statistical tests of fixed samples: they pass or fail for good. Each critical value is at the level of 1 in 1000.

/// Kolmogorov's distribution at .999: the limit of sqrt(n) D for a large sample.
inline constexpr double kKolmogorovCritical = 1.9495;

/// The standard normal's two-sided quantile for .001.
inline constexpr double kNormalCritical = 3.2905;

inline double normal_distribution_function(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// sqrt(n) times the largest distance between the sample's distribution function and `distribution`.
template <class Sample, class Distribution>
double kolmogorov_statistic(const Sample& sample, Distribution distribution) {
  std::vector<double> sorted(sample.begin(), sample.end());
  std::sort(sorted.begin(), sorted.end());
  const auto count = static_cast<double>(sorted.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double expected = distribution(sorted[i]);
    distance =
        std::max({distance, static_cast<double>(i + 1) / count - expected, expected - static_cast<double>(i) / count});
  }
  return distance * std::sqrt(count);
}

/// sqrt(n) times the mean product of two samples that are standard normal: itself standard normal where they are
/// independent.
template <class Value>
double correlation_statistic(std::span<const Value> first, std::span<const Value> second) {
  double sum = 0.0;
  for (std::size_t i = 0; i < first.size(); ++i) sum += static_cast<double>(first[i]) * static_cast<double>(second[i]);
  return sum / std::sqrt(static_cast<double>(first.size()));
}

}  // namespace clade::testing
