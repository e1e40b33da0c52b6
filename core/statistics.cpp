#include "core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace clade {

ReturnSummary summarize(std::span<const double> returns) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> finite;
  finite.reserve(returns.size());
  for (double value : returns) {
    if (std::isfinite(value)) finite.push_back(value);
  }
  ReturnSummary summary;
  summary.count = finite.size();
  summary.failed = returns.size() - finite.size();
  if (finite.empty()) {
    summary.mean = summary.median = summary.standard_deviation = kNone;
    summary.standard_error = summary.minimum = summary.maximum = kNone;
    return summary;
  }
  std::sort(finite.begin(), finite.end());
  const std::size_t middle = finite.size() / 2;
  summary.median = finite.size() % 2 == 1 ? finite[middle] : 0.5 * (finite[middle - 1] + finite[middle]);
  summary.minimum = finite.front();
  summary.maximum = finite.back();
  const auto count = static_cast<double>(finite.size());
  double sum = 0.0;
  for (double value : finite) sum += value;
  summary.mean = sum / count;
  double squares = 0.0;
  for (double value : finite) squares += (value - summary.mean) * (value - summary.mean);
  summary.standard_deviation = finite.size() < 2 ? kNone : std::sqrt(squares / (count - 1.0));
  summary.standard_error = finite.size() < 2 ? kNone : summary.standard_deviation / std::sqrt(count);
  return summary;
}

}  // namespace clade
