#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/fitness.hpp"
#include "core/gaussian_sampling.hpp"
#include "core/noise.hpp"
#include "core/optimizer.hpp"
#include "core/strategy.hpp"

namespace clade {

/// What the estimated gradient is divided by, beside the number of members.
enum class GradientScale {
  pairs,  ///< nothing else: OpenAI's starter
  sigma   ///< sigma: the gradient of the smoothed fitness (evosax)
};
std::string_view name_of(GradientScale scale);
GradientScale parse_gradient_scale(std::string_view name);  ///< throws Error naming the nearest valid one

struct OpenAiEsConfig {
  std::size_t population = 256;  ///< members of a generation, a mirrored pair is two; at least 2, even where mirrored
  double sigma = 0.02;           ///< standard deviation of the perturbation, > 0
  OptimizerSpec optimizer;
  double weight_decay = 0.005;  ///< l2 coefficient, >= 0: the gradient has - weight_decay * theta added
  bool mirrored = true;         ///< antithetic pairs
  Shaping shaping = Shaping::centred_rank;
  double shaping_epsilon = 1e-8;  ///< the z-score's, >= 0
  GradientScale gradient_scale = GradientScale::pairs;
  /// Throws Error naming the value and its limit.
  void validate() const;
};

/// OpenAI-ES: Salimans, Ho, Chen, Sidor, Sutskever 2017, "Evolution Strategies as a Scalable Alternative to
/// Reinforcement Learning", Algorithm 2, with the constants of the authors' evolution-strategies-starter.
///
///   w     = shaped fitness over all n members of the generation
///   g     = sum_pairs (w+ - w-) eps / n, or sum_members w eps / n without mirroring   [ / sigma ]
///   theta = theta + optimizer(g - weight_decay theta)
///
/// A generation may have any number of members (even where mirrored), not only config.population. Where all of them
/// score the same the noise tells nothing and g is 0: only weight decay moves theta. Where all failed (NaN) nothing
/// changes but the generation's number. All of it is float64; members are made from theta rounded to float.
class OpenAiEs final : public Strategy {
 public:
  /// `noise` outlives the strategy; `threads` sum the gradient and never alter it. Throws Error.
  OpenAiEs(const OpenAiEsConfig& config, std::span<const double> initial, std::uint64_t seed, const NoiseSource& noise,
           int threads);

  Population ask(std::size_t first_member, std::size_t count) const override;
  void tell(std::span<const double> fitness) override;
  std::span<const double> solution() const override { return theta_; }
  State save() const override;
  void load(const State& state) override;

  std::uint64_t generation() const { return generation_; }
  /// What the last tell handed to the optimiser, weight decay included; zeros before it.
  std::span<const double> gradient() const { return gradient_; }

 private:
  void collect_terms(std::span<const double> weights);

  OpenAiEsConfig config_;
  GaussianSampling sampling_;
  const NoiseSource& noise_;
  int threads_;
  std::uint64_t generation_ = 0;
  std::vector<double> theta_;
  std::shared_ptr<const std::vector<float>> base_;  ///< theta_ as floats
  std::unique_ptr<Optimizer> optimizer_;
  std::vector<double> gradient_;
  std::vector<NoiseTerm> terms_;
};

}  // namespace clade
