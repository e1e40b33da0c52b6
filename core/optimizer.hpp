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

struct OptimizerSpec {
  OptimizerKind kind = OptimizerKind::adam;
  double learning_rate = 0.01;  ///< > 0
  double momentum = 0.9;  ///< SGD's, in [0, 1): v = momentum v + (1 - momentum) g; step = lr v (the starter's form)
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  AdamEpsilon adam_epsilon = AdamEpsilon::starter;
  void validate() const;
};

/// Gradient ascent in float64.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// parameters += step(gradient)
  virtual void ascend(std::span<const double> gradient, std::span<double> parameters) = 0;
  virtual void save(State& state) const = 0;
  virtual void load(const State& state) = 0;
};
std::unique_ptr<Optimizer> make_optimizer(const OptimizerSpec& spec, std::size_t parameters);

}  // namespace clade
