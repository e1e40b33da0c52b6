#pragma once

#include <cstddef>
#include <span>

namespace clade {

/// Summary of returns. NaN (failed episodes) are counted and left out of every figure.
struct ReturnSummary {
  std::size_t count = 0;   ///< finite values
  std::size_t failed = 0;  ///< values that are not finite
  double mean = 0.0;       ///< NaN where count is 0, as all figures
  double median = 0.0;
  double standard_deviation = 0.0;  ///< of the sample (n - 1); NaN where count < 2
  double standard_error = 0.0;      ///< of the mean; NaN where count < 2
  double minimum = 0.0;
  double maximum = 0.0;
};

ReturnSummary summarize(std::span<const double> returns);

}  // namespace clade
