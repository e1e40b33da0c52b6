#include "envs/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "core/error.hpp"
#include "envs/environment_options.hpp"

namespace clade {
namespace {

using Vector = std::span<const double>;
constexpr double kTurn = 2.0 * std::numbers::pi;

double sphere(Vector z) {
  double sum = 0.0;
  for (const double value : z) sum += value * value;
  return sum;
}

/// Hansen and Ostermeier (2001): condition 10^6.
double ellipsoid(Vector z) {
  const double last = z.size() > 1 ? static_cast<double>(z.size() - 1) : 1.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < z.size(); ++i) sum += std::pow(10.0, 6.0 * static_cast<double>(i) / last) * (z[i] * z[i]);
  return sum;
}

/// Hansen and Ostermeier (2001).
double cigar(Vector z) { return z[0] * z[0] + 1e6 * sphere(z.subspan(1)); }

/// Rosenbrock (1960), chained.
double rosenbrock(Vector z) {
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < z.size(); ++i) {
    const double valley = z[i + 1] - z[i] * z[i];
    sum += 100.0 * (valley * valley) + (1.0 - z[i]) * (1.0 - z[i]);
  }
  return sum;
}

/// Rastrigin (1974), in n dimensions by Muehlenbein et al. (1991).
double rastrigin(Vector z) {
  double sum = 10.0 * static_cast<double>(z.size());
  for (const double value : z) sum += value * value - 10.0 * std::cos(kTurn * value);
  return sum;
}

/// Ackley (1987), with a = 20, b = 0.2, c = 2 pi. Written so that the optimum gives 0 and not its rounding error.
double ackley(Vector z) {
  const double count = static_cast<double>(z.size());
  double cosines = 0.0;
  for (const double value : z) cosines += std::cos(kTurn * value);
  return -20.0 * std::expm1(-0.2 * std::sqrt(sphere(z) / count)) - std::numbers::e * std::expm1(cosines / count - 1.0);
}

constexpr double kSchwefelOptimum = 420.96874635998194;

/// Schwefel (1981), problem 2.26. Beyond +-500, where it has lower values that are not meant, it goes on as in the
/// CEC 2014 competition (Liang, Qu and Suganthan 2013, modified Schwefel): mirrored into the domain plus a penalty.
double schwefel(Vector z) {
  const double count = static_cast<double>(z.size());
  double sum = 0.0;
  for (const double value : z) {
    const double size = std::abs(value);
    if (size <= 500.0) {
      sum += value * std::sin(std::sqrt(size));
    } else {
      const double mirrored = 500.0 - std::fmod(size, 500.0);
      const double beyond = size - 500.0;
      const double term = mirrored * std::sin(std::sqrt(std::abs(mirrored)));
      sum += std::copysign(1.0, value) * term - beyond * beyond / (10000.0 * count);
    }
  }
  const double highest = kSchwefelOptimum * std::sin(std::sqrt(kSchwefelOptimum));
  return count * highest - sum;
}

/// Griewank (1981).
double griewank(Vector z) {
  double product = 1.0;
  for (std::size_t i = 0; i < z.size(); ++i) product *= std::cos(z[i] / std::sqrt(static_cast<double>(i + 1)));
  return sphere(z) / 4000.0 + (1.0 - product);
}

struct Definition {
  const char* name;
  double (*function)(Vector z);
  double optimum;  ///< of the function itself: the same in every component
  double bound;    ///< the usual domain is [-bound, bound]
  std::uint64_t least_dimension;
};

constexpr std::array<Definition, 8> kDefinitions{{{"Sphere", sphere, 0.0, 5.0, 1},
                                                  {"Ellipsoid", ellipsoid, 0.0, 5.0, 1},
                                                  {"Cigar", cigar, 0.0, 5.0, 2},
                                                  {"Rosenbrock", rosenbrock, 1.0, 5.0, 2},
                                                  {"Rastrigin", rastrigin, 0.0, 5.12, 1},
                                                  {"Ackley", ackley, 0.0, 32.768, 1},
                                                  {"Schwefel", schwefel, kSchwefelOptimum, 500.0, 1},
                                                  {"Griewank", griewank, 0.0, 600.0, 1}}};

/// A rotation holds dimension^2 numbers.
constexpr std::uint64_t kMaximumRotatedDimension = 4096;
constexpr std::uint64_t kMaximumDimension = 100'000'000;
/// A shifted optimum lies within this share of the domain.
constexpr double kShiftedShare = 0.8;

struct FunctionOptions {
  std::uint64_t dimension = 10;
  bool shifted = false;
  bool rotated = false;
  std::uint64_t transform_seed = 0;
};

void declare(const Definition& definition, EnvironmentOptionSet& set, FunctionOptions& options) {
  set.add("dimension", options.dimension, "number of variables", definition.least_dimension, kMaximumDimension);
  set.add("shifted", options.shifted, "move the optimum to a random place within 80% of the domain");
  set.add("rotated", options.rotated, "turn the function about its optimum by a random rotation");
  set.add("transform_seed", options.transform_seed, "seed of the shift and the rotation", 0,
          std::numeric_limits<std::uint64_t>::max());
}

FunctionOptions resolve(const Definition& definition, const EnvironmentOptions& given) {
  FunctionOptions options;
  EnvironmentOptionSet set(definition.name);
  declare(definition, set, options);
  set.apply(given);
  if (options.rotated && options.dimension > kMaximumRotatedDimension) {
    throw_input_error("rotated=true with dimension=" + std::to_string(options.dimension) + " needs a matrix of " +
                      std::to_string(options.dimension) +
                      "^2 numbers; the limit is dimension=" + std::to_string(kMaximumRotatedDimension));
  }
  return options;
}

const Definition& definition_of(const std::string& name) {
  const auto found = std::find_if(kDefinitions.begin(), kDefinitions.end(),
                                  [&](const Definition& definition) { return definition.name == name; });
  CLADE_CHECK(found != kDefinitions.end());
  return *found;
}

/// A random orthogonal matrix, row-major: Gram-Schmidt on a Gaussian matrix gives the uniform distribution. Each row is
/// projected twice, which keeps the rows orthogonal to rounding error ("twice is enough", Giraud et al. 2005).
std::vector<double> random_rotation(std::size_t n, RandomStream rng) {
  std::vector<double> matrix(n * n);
  for (double& value : matrix) value = rng.normal();
  for (std::size_t i = 0; i < n; ++i) {
    double* row = matrix.data() + i * n;
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t j = 0; j < i; ++j) {
        const double* other = matrix.data() + j * n;
        double product = 0.0;
        for (std::size_t k = 0; k < n; ++k) product += row[k] * other[k];
        for (std::size_t k = 0; k < n; ++k) row[k] -= product * other[k];
      }
    }
    const double norm = std::sqrt(sphere({row, n}));
    for (std::size_t k = 0; k < n; ++k) row[k] /= norm;
  }
  return matrix;
}

/// The function with its shift and rotation: immutable, shared by the slots.
class TransformedFunction final : public TestFunction {
 public:
  TransformedFunction(const Definition& definition, const FunctionOptions& options)
      : definition_(definition), optimum_(static_cast<std::size_t>(options.dimension), definition.optimum) {
    const RandomKey shift_key{options.transform_seed, Purpose::function_transform, 0, 0, 0};
    const RandomKey rotation_key{options.transform_seed, Purpose::function_transform, 0, 1, 0};
    if (options.shifted) {
      RandomStream rng(shift_key);
      const double reach = kShiftedShare * definition.bound;
      for (double& value : optimum_) value = rng.uniform(-reach, reach);
    }
    if (options.rotated) rotation_ = random_rotation(optimum_.size(), RandomStream(rotation_key));
    plain_ = !options.shifted && !options.rotated;
  }

  std::size_t dimension() const override { return optimum_.size(); }
  std::vector<double> optimum() const override { return optimum_; }

  double value(std::span<const double> x) const override {
    std::vector<double> moved(2 * optimum_.size());
    return value(x, moved);
  }

  /// As above, with working memory of twice the dimension.
  double value(std::span<const double> x, std::span<double> memory) const {
    CLADE_CHECK(x.size() == optimum_.size());
    if (plain_) return definition_.function(x);
    const std::size_t n = optimum_.size();
    const std::span<double> moved = memory.first(n);
    for (std::size_t i = 0; i < n; ++i) moved[i] = x[i] - optimum_[i];
    if (rotation_.empty()) {
      for (double& component : moved) component += definition_.optimum;
      return definition_.function(moved);
    }
    const std::span<double> turned = memory.subspan(n, n);
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (std::size_t k = 0; k < n; ++k) sum += rotation_[i * n + k] * moved[k];
      turned[i] = sum + definition_.optimum;
    }
    return definition_.function(turned);
  }

  double bound() const { return definition_.bound; }

 private:
  Definition definition_;
  std::vector<double> optimum_;
  std::vector<double> rotation_;  ///< [n, n], empty: the identity
  bool plain_ = true;
};

class FunctionEnvironment final : public Environment, public StateAccess {
 public:
  FunctionEnvironment(std::shared_ptr<const TransformedFunction> function, const std::string& name)
      : function_(std::move(function)), memory_(2 * function_->dimension()) {
    spec_.name = name;
    spec_.action.size = function_->dimension();
    spec_.action.low.assign(function_->dimension(), -function_->bound());
    spec_.action.high.assign(function_->dimension(), function_->bound());
    spec_.max_steps = 1;
    spec_.reward_threshold = -1e-8;
  }

  const EnvironmentSpec& spec() const override { return spec_; }
  void reset(RandomStream&, ObservationRow) override {}

  StepOutcome step(const Action& action, ObservationRow) override {
    if (action.continuous.size() != function_->dimension()) {
      throw_run_time_error(spec_.name + " takes " + std::to_string(function_->dimension()) +
                           " action components, got " + std::to_string(action.continuous.size()));
    }
    return {.reward = -function_->value(action.continuous, memory_), .terminated = true};
  }

  /// There is no state.
  std::vector<double> state() const override { return {}; }
  void reset_to(std::span<const double> state, ObservationRow) override { set_state(state); }
  void set_state(std::span<const double> state) override {
    if (!state.empty())
      throw_input_error(spec_.name + " has no state, got " + std::to_string(state.size()) + " numbers");
  }

 private:
  std::shared_ptr<const TransformedFunction> function_;
  std::vector<double> memory_;
  EnvironmentSpec spec_;
};

}  // namespace

std::unique_ptr<TestFunction> make_test_function(const std::string& name, const EnvironmentOptions& options) {
  const Definition& definition = definition_of(name);
  return std::make_unique<TransformedFunction>(definition, resolve(definition, options));
}

std::vector<EnvironmentInfo> function_environments() {
  std::vector<EnvironmentInfo> infos;
  for (const Definition& definition : kDefinitions) {
    FunctionOptions options;
    EnvironmentOptionSet set(definition.name);
    declare(definition, set, options);
    infos.push_back({definition.name, "functions",
                     "0 observations, " + std::to_string(options.dimension) + " continuous actions, 1 step",
                     set.infos(), ""});
  }
  return infos;
}

EnvironmentFactory make_function_factory(const std::string& name, const EnvironmentOptions& options) {
  const Definition& definition = definition_of(name);
  const auto function = std::make_shared<const TransformedFunction>(definition, resolve(definition, options));
  return [function, name](std::size_t) { return std::make_unique<FunctionEnvironment>(function, name); };
}

}  // namespace clade
