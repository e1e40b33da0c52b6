#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/state.hpp"

namespace clade {

enum class OptimizerKind { sgd, adam };
enum class AdamEpsilon {
  starter,   ///< lr sqrt(1-b2^t)/(1-b1^t) m/(sqrt(v) + eps): OpenAI's starter and Uber
  corrected  ///< lr m^/(sqrt(v^) + eps): Kingma and Ba's Algorithm 1, torch
};

std::string_view name_of(OptimizerKind kind);
std::string_view name_of(AdamEpsilon form);
OptimizerKind parse_optimizer(std::string_view name);   ///< "sgd", "adam"; throws Error naming the nearest valid one
AdamEpsilon parse_adam_epsilon(std::string_view name);  ///< "starter", "corrected"

struct OptimizerSpec {
  OptimizerKind kind = OptimizerKind::adam;
  double learning_rate = 0.01;  ///< > 0
  double momentum = 0.9;  ///< SGD's, in [0, 1): v = momentum v + (1 - momentum) g; step = lr v (the starter's form)
  double beta1 = 0.9;     ///< Adam's, in [0, 1)
  double beta2 = 0.999;   ///< Adam's, in [0, 1)
  double epsilon = 1e-8;  ///< Adam's, > 0
  AdamEpsilon adam_epsilon = AdamEpsilon::starter;
  /// Throws Error naming the value and its limit.
  void validate() const;
};

/// Gradient ascent in float64. No libm function decides its bits: square roots are exact, powers are products.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// parameters += step(gradient). A gradient of zeros and no momentum leaves the parameters as they are.
  virtual void ascend(std::span<const double> gradient, std::span<double> parameters) = 0;
  /// Adds "optimizer/..." to the state.
  virtual void save(State& state) const = 0;
  /// Throws Error where the state is another optimiser's or of another size; the optimiser is then as before.
  virtual void load(const State& state) = 0;
};
std::unique_ptr<Optimizer> make_optimizer(const OptimizerSpec& spec, std::size_t parameters);

}  // namespace clade
