#include "core/optimizer.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/error.hpp"
#include "core/number_text.hpp"

namespace clade {
namespace {

const std::string kKindKey = "optimizer/kind";
const std::string kFirstMomentKey = "optimizer/m";
const std::string kSecondMomentKey = "optimizer/v";
const std::string kVelocityKey = "optimizer/velocity";
const std::string kStepsKey = "optimizer/steps";

void require_fraction(double value, const char* name) {
  if (!(value >= 0.0 && value < 1.0)) {
    throw_input_error(std::string(name) + " " + number_text(value) + " is outside [0, 1)");
  }
}

void require_positive(double value, const char* name) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    throw_input_error(std::string(name) + " " + number_text(value) + " must be a finite number above 0");
  }
}

/// base^exponent by squaring: the same bits everywhere, which libm's pow does not promise.
double integer_power(double base, std::uint64_t exponent) {
  double result = 1.0;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1U) != 0) result *= base;
    base *= base;
  }
  return result;
}

void require_kind(const State& state, OptimizerKind expected) {
  const std::string& stored = state.get<std::string>(kKindKey);
  if (stored != name_of(expected)) {
    throw_input_error("saved state is of optimizer '" + stored + "', expected '" + std::string(name_of(expected)) +
                      "'");
  }
}

/// Gradient ascent with momentum in the form of OpenAI's evolution-strategies-starter: an exponential average.
class Sgd final : public Optimizer {
 public:
  Sgd(const OptimizerSpec& spec, std::size_t parameters) : spec_(spec), velocity_(parameters, 0.0) {}

  void ascend(std::span<const double> gradient, std::span<double> parameters) override {
    CLADE_CHECK(gradient.size() == velocity_.size() && parameters.size() == velocity_.size());
    const double kept = spec_.momentum;
    const double taken = 1.0 - spec_.momentum;
    for (std::size_t i = 0; i < velocity_.size(); ++i) {
      velocity_[i] = kept * velocity_[i] + taken * gradient[i];
      parameters[i] += spec_.learning_rate * velocity_[i];
    }
  }

  void save(State& state) const override {
    state.set(kKindKey, std::string(name_of(OptimizerKind::sgd)));
    state.set(kVelocityKey, velocity_);
  }

  void load(const State& state) override {
    require_kind(state, OptimizerKind::sgd);
    velocity_ = state.array<double>(kVelocityKey, velocity_.size());
  }

 private:
  OptimizerSpec spec_;
  std::vector<double> velocity_;
};

/// Adam (Kingma and Ba 2015), ascending.
class Adam final : public Optimizer {
 public:
  Adam(const OptimizerSpec& spec, std::size_t parameters) : spec_(spec), m_(parameters, 0.0), v_(parameters, 0.0) {}

  void ascend(std::span<const double> gradient, std::span<double> parameters) override {
    CLADE_CHECK(gradient.size() == m_.size() && parameters.size() == m_.size());
    ++steps_;
    const double beta1 = spec_.beta1;
    const double beta2 = spec_.beta2;
    const double m_correction = 1.0 - integer_power(beta1, steps_);
    const double v_root_correction = std::sqrt(1.0 - integer_power(beta2, steps_));
    // Both forms are rate * m / (sqrt(v) + epsilon); bias-correcting the epsilon multiplies it by sqrt(1 - beta2^t).
    const double rate = spec_.learning_rate * v_root_correction / m_correction;
    const double epsilon =
        spec_.adam_epsilon == AdamEpsilon::corrected ? spec_.epsilon * v_root_correction : spec_.epsilon;
    for (std::size_t i = 0; i < m_.size(); ++i) {
      const double g = gradient[i];
      m_[i] = beta1 * m_[i] + (1.0 - beta1) * g;
      v_[i] = beta2 * v_[i] + (1.0 - beta2) * (g * g);
      parameters[i] += rate * m_[i] / (std::sqrt(v_[i]) + epsilon);
    }
  }

  void save(State& state) const override {
    state.set(kKindKey, std::string(name_of(OptimizerKind::adam)));
    state.set(kFirstMomentKey, m_);
    state.set(kSecondMomentKey, v_);
    state.set(kStepsKey, std::vector<std::uint64_t>{steps_});
  }

  void load(const State& state) override {
    require_kind(state, OptimizerKind::adam);
    const std::vector<double>& m = state.array<double>(kFirstMomentKey, m_.size());
    const std::vector<double>& v = state.array<double>(kSecondMomentKey, v_.size());
    const std::uint64_t steps = state.array<std::uint64_t>(kStepsKey, 1).front();
    m_ = m;
    v_ = v;
    steps_ = steps;
  }

 private:
  OptimizerSpec spec_;
  std::vector<double> m_;
  std::vector<double> v_;
  std::uint64_t steps_ = 0;
};

}  // namespace

std::string_view name_of(OptimizerKind kind) { return kind == OptimizerKind::sgd ? "sgd" : "adam"; }

std::string_view name_of(AdamEpsilon form) { return form == AdamEpsilon::starter ? "starter" : "corrected"; }

OptimizerKind parse_optimizer(std::string_view name) {
  if (name == "sgd") return OptimizerKind::sgd;
  if (name == "adam") return OptimizerKind::adam;
  throw_unknown_name("optimizer", name, std::array<std::string, 2>{"sgd", "adam"});
}

AdamEpsilon parse_adam_epsilon(std::string_view name) {
  if (name == "starter") return AdamEpsilon::starter;
  if (name == "corrected") return AdamEpsilon::corrected;
  throw_unknown_name("adam epsilon form", name, std::array<std::string, 2>{"starter", "corrected"});
}

void OptimizerSpec::validate() const {
  require_positive(learning_rate, "learning rate");
  require_fraction(momentum, "momentum");
  require_fraction(beta1, "beta1");
  require_fraction(beta2, "beta2");
  require_positive(epsilon, "Adam's epsilon");
}

std::unique_ptr<Optimizer> make_optimizer(const OptimizerSpec& spec, std::size_t parameters) {
  spec.validate();
  if (spec.kind == OptimizerKind::sgd) return std::make_unique<Sgd>(spec, parameters);
  return std::make_unique<Adam>(spec, parameters);
}

}  // namespace clade
