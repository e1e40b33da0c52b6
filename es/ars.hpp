#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/gaussian_sampling.hpp"
#include "core/noise.hpp"
#include "core/strategy.hpp"

namespace clade {

/// Defaults: HalfCheetah, V2-t.
struct ArsConfig {
  std::size_t directions = 32;  ///< N, mirrored pairs of a generation; at least 1
  std::size_t top = 4;          ///< b, the best directions that the update uses, in [1, N]; "-t" is b < N
  double step_size = 0.02;      ///< alpha, > 0
  double noise = 0.03;          ///< nu, standard deviation of the exploration noise, > 0
  /// Throws Error naming the value and its limit.
  void validate() const;
};

/// Augmented random search: Mania, Guy, Recht 2018, "Simple random search of static linear policies is competitive for
/// reinforcement learning", Algorithm 2, in the form of the authors' code. V1 and V2 differ in the observation
/// normaliser, which is not the strategy's; the fitness is the shifted return (alive bonus subtracted).
///
///   members 2i, 2i + 1 = theta + nu delta_i, theta - nu delta_i
///   kept               = the b directions with the largest max(r+, r-)
///   theta              = theta + alpha / (b sigma_R) sum_kept (r+ - r-) delta, in direction order
///
/// sigma_R is the population standard deviation of the 2b kept returns. As in the authors' code, which compares with a
/// percentile, directions that tie with the b-th best are kept as well, and b is then the number kept: no order among
/// equals decides. A generation of another size than N keeps the same share b/N, rounded up. A failed evaluation (NaN)
/// counts as the lowest finite return of the generation; where sigma_R is 0 or no return is finite, theta stays.
class Ars final : public Strategy {
 public:
  /// `noise` outlives the strategy; `threads` sum the update and never alter it. Throws Error.
  Ars(const ArsConfig& config, std::span<const double> initial, std::uint64_t seed, const NoiseSource& noise,
      int threads);

  Population ask(std::size_t first_member, std::size_t count) const override;
  void tell(std::span<const double> fitness) override;
  std::span<const double> solution() const override { return theta_; }
  State save() const override;
  void load(const State& state) override;

  std::uint64_t generation() const { return generation_; }

 private:
  void collect_terms(std::span<const double> returns);

  ArsConfig config_;
  GaussianSampling sampling_;
  const NoiseSource& noise_;
  int threads_;
  std::uint64_t generation_ = 0;
  std::vector<double> theta_;
  std::shared_ptr<const std::vector<float>> base_;  ///< theta_ as floats
  std::vector<double> sum_;
  std::vector<NoiseTerm> terms_;  ///< one per kept direction, in direction order
};

}  // namespace clade
