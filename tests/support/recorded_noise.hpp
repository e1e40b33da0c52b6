#pragma once

#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/noise.hpp"

namespace clade::testing {

/// Noise vectors given by hand: for comparing an update with one computed elsewhere. A key that was not recorded is a
/// bug of the caller.
class RecordedNoise final : public NoiseSource {
 public:
  void record(const PhiloxKey& key, std::vector<double> values) { vectors_.emplace_back(key, std::move(values)); }

  void perturb(const PhiloxKey& key, float scale, std::size_t first, std::span<const float> base,
               std::span<float> output) const override {
    const std::vector<double>& values = vector_of(key);
    for (std::size_t i = 0; i < output.size(); ++i) {
      output[i] = std::fma(scale, static_cast<float>(values.at(first + i)), base.empty() ? 0.0F : base[i]);
    }
  }

  void weighted_sum(std::span<const NoiseTerm> terms, std::size_t first, std::span<double> output) const override {
    for (std::size_t i = 0; i < output.size(); ++i) {
      output[i] = 0.0;
      for (const NoiseTerm& term : terms) {
        output[i] = std::fma(term.weight, vector_of(term.key).at(first + i), output[i]);
      }
    }
  }

  std::string description() const override { return "recorded"; }

 private:
  const std::vector<double>& vector_of(const PhiloxKey& key) const {
    for (const auto& [recorded, values] : vectors_) {
      if (recorded == key) return values;
    }
    CLADE_CHECK(false);
    return vectors_.front().second;
  }

  std::vector<std::pair<PhiloxKey, std::vector<double>>> vectors_;
};

}  // namespace clade::testing
