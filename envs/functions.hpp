#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "envs/catalog.hpp"

namespace clade {

/// A test function for optimisers, minimised, with the value 0 at its optimum:
///   f(x) = g(M (x - o) + z*)
/// g is the classical function and z* its optimum; o, where the optimum lies, is z* unless shifted, and M is the
/// identity unless rotated. A rotation therefore turns the function about its optimum.
class TestFunction {
 public:
  virtual ~TestFunction() = default;
  virtual std::size_t dimension() const = 0;
  virtual double value(std::span<const double> x) const = 0;
  /// Where the value is 0.
  virtual std::vector<double> optimum() const = 0;
};

/// `name` is one of the environments below. Throws Error for a wrong option.
std::unique_ptr<TestFunction> make_test_function(const std::string& name, const EnvironmentOptions& options);

/// The functions as environments: no observation, one step, the action is x and the reward is -f(x). The action's
/// bounds are the function's usual domain; values beyond are evaluated as they are.
std::vector<EnvironmentInfo> function_environments();
EnvironmentFactory make_function_factory(const std::string& name, const EnvironmentOptions& options);

}  // namespace clade
