#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/state.hpp"

namespace clade {

/// Count, mean and sum of squared deviations of observations, float64 (Welford 1962; merged as Chan et al. 1979).
/// Kept per episode and merged in identity order, so that the result does not depend on the schedule.
class ObservationMoments {
 public:
  ObservationMoments() = default;
  explicit ObservationMoments(std::size_t size) : mean_(size, 0.0), squares_(size, 0.0) {}
  void add(std::span<const double> observation);
  void merge(const ObservationMoments& other);
  std::uint64_t count() const { return count_; }
  std::span<const double> mean() const { return mean_; }
  std::span<const double> squares() const { return squares_; }  ///< sum of squared deviations from the mean
  void save(State& state, const std::string& prefix) const;
  void load(const State& state, const std::string& prefix, std::size_t size);

 private:
  std::uint64_t count_ = 0;
  std::vector<double> mean_;
  std::vector<double> squares_;
};

enum class NormalizationKind {
  none,
  /// (x - mean) / (std + 1e-8), std with n - 1, std < 1e-7 taken as infinite (Mania 2018's code). As there, mean 0 and
  /// std 1 before any observation, and std |mean| after a single one.
  ars,
  /// (x - mean) / sqrt(max(E[x^2] - mean^2, 1e-2)), clipped to +-5 (Salimans 2017). As in that code, the statistics
  /// begin as if .01 of an observation of mean 0 and variance 1 had been seen.
  openai
};
std::string_view name_of(NormalizationKind kind);
NormalizationKind parse_normalization(std::string_view name);

/// What one generation's episodes see: normalised = clip((x - mean) * inverse_std). Immutable while they run.
struct NormalizerSnapshot {
  std::vector<double> mean;         ///< [obs], empty where observations are not normalised
  std::vector<double> inverse_std;  ///< [obs]
  double clip = std::numeric_limits<double>::infinity();
  bool operator==(const NormalizerSnapshot&) const = default;
};

/// Running observation statistics of a run. Changes between generations only.
class ObservationNormalizer {
 public:
  ObservationNormalizer(NormalizationKind kind, std::size_t size) : kind_(kind), moments_(size) {}
  NormalizationKind kind() const { return kind_; }
  const ObservationMoments& moments() const { return moments_; }
  /// Merges episodes' moments, in the order given (identity order).
  void update(std::span<const ObservationMoments> episodes);
  NormalizerSnapshot snapshot() const;
  void save(State& state) const;
  void load(const State& state);

 private:
  NormalizationKind kind_;
  ObservationMoments moments_;
};

}  // namespace clade
