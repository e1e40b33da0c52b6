#include "envs/functions.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/rollout.hpp"

namespace clade {
namespace {

using testing::contains_text;
using Vector = std::vector<double>;

double value_of(const std::string& name, const Vector& x, EnvironmentOptions options = {}) {
  options.emplace_back("dimension", std::to_string(x.size()));
  return make_test_function(name, options)->value(x);
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const EnvironmentInfo& info : function_environments()) names.push_back(info.name);
  return names;
}

}  // namespace

TEST_CASE("Test functions have their textbook values", "[functions]") {
  CHECK(value_of("Sphere", {1.0, -2.0, 3.0}) == 14.0);
  CHECK(value_of("Ellipsoid", {1.0, 1.0, 1.0}) == Approx(1.0 + 1e3 + 1e6));
  CHECK(value_of("Ellipsoid", {2.0}) == 4.0);
  CHECK(value_of("Cigar", {2.0, 1.0, 1.0}) == 4.0 + 2e6);
  CHECK(value_of("Rosenbrock", {0.0, 0.0, 0.0}) == 2.0);
  CHECK(value_of("Rosenbrock", {-1.0, 2.0}) == 104.0);
  CHECK(value_of("Rastrigin", {1.0, 2.0}) == Approx(5.0));
  CHECK(value_of("Rastrigin", {0.5}) == Approx(20.25));
  const double e = std::numbers::e;
  CHECK(value_of("Ackley", {1.0, 1.0}) == Approx(20.0 + e - 20.0 * std::exp(-0.2) - e));
  CHECK(value_of("Ackley", {0.5}) == Approx(20.0 + e - 20.0 * std::exp(-0.1) - std::exp(-1.0)));
  CHECK(value_of("Schwefel", {0.0, 0.0}) == Approx(2.0 * 418.9828872724338));
  CHECK(value_of("Schwefel", {420.9687, 420.9687}) == Approx(0.0).margin(1e-4));
  CHECK(value_of("Griewank", {std::numbers::pi, 0.0}) == Approx(std::pow(std::numbers::pi, 2) / 4000.0 + 2.0));
}

TEST_CASE("Schwefel's function has no better value beyond its domain", "[functions]") {
  const double inside = value_of("Schwefel", {500.0});
  CHECK(value_of("Schwefel", {500.0 + 1e-9}) > 0.0);
  for (double x = -3000.0; x <= 3000.0; x += 7.0) CHECK(value_of("Schwefel", {x}) >= 0.0);
  CHECK(inside > 0.0);
}

TEST_CASE("The value at the optimum is 0, shifted and rotated or not", "[functions]") {
  for (const std::string& name : function_names()) {
    for (const char* shifted : {"false", "true"}) {
      for (const char* rotated : {"false", "true"}) {
        for (const char* dimension : {"2", "7"}) {
          const auto function = make_test_function(
              name, {{"dimension", dimension}, {"shifted", shifted}, {"rotated", rotated}, {"transform_seed", "5"}});
          CAPTURE(name, shifted, rotated, dimension);
          const Vector optimum = function->optimum();
          REQUIRE(optimum.size() == function->dimension());
          CHECK(function->value(optimum) == Approx(0.0).margin(1e-12));
          Vector beside = optimum;
          beside[0] += 0.01;
          CHECK(function->value(beside) > 0.0);
        }
      }
    }
  }
}

TEST_CASE("A shift moves the optimum within 80% of the domain", "[functions]") {
  for (const std::string& name : function_names()) {
    const auto environment = make_function_factory(name, {{"shifted", "true"}})(0);
    const auto function = make_test_function(name, {{"shifted", "true"}});
    for (const double value : function->optimum()) CHECK(std::abs(value) <= 0.8 * environment->spec().action.high[0]);
    CHECK(function->optimum() != make_test_function(name, {})->optimum());
    CHECK(function->optimum() != make_test_function(name, {{"shifted", "true"}, {"transform_seed", "1"}})->optimum());
  }
}

TEST_CASE("A rotation keeps lengths and angles", "[functions]") {
  const EnvironmentOptions rotated = {{"dimension", "30"}, {"rotated", "true"}};
  const auto sphere = make_test_function("Sphere", rotated);
  RandomStream rng(RandomKey{.purpose = Purpose::test});
  for (int trial = 0; trial < 10; ++trial) {
    Vector x(30);
    double length = 0.0;
    for (double& value : x) {
      value = rng.normal();
      length += value * value;
    }
    CHECK(sphere->value(x) == Approx(length).epsilon(1e-13));
  }
  // It does turn: a function that is not round changes, and another seed gives another rotation.
  Vector axis(30);
  axis[0] = 1.0;
  CHECK(make_test_function("Ellipsoid", rotated)->value(axis) != Approx(1.0));
  EnvironmentOptions other = rotated;
  other.emplace_back("transform_seed", "1");
  CHECK(make_test_function("Ellipsoid", other)->value(axis) != make_test_function("Ellipsoid", rotated)->value(axis));
}

TEST_CASE("A function is an environment of one step", "[functions]") {
  testing::RolloutPlayer player(make_function_factory("Cigar", {{"dimension", "4"}})(0));
  const EnvironmentSpec& spec = player.environment().spec();
  CHECK(spec.max_steps == 1);
  CHECK(spec.observation.size() == 0);
  CHECK(spec.action.size == 4);
  player.reset(0);
  const StepOutcome outcome = player.step_with(Vector{1.0, 2.0, 0.0, 0.0});
  CHECK(outcome.reward == -(1.0 + 4e6));
  CHECK(outcome.terminated);
}

TEST_CASE("Dimensions that do not fit are refused", "[functions]") {
  CHECK_THROWS_WITH(make_test_function("Sphere", {{"dimension", "0"}}), contains_text("dimension=0"));
  CHECK_THROWS_WITH(make_test_function("Rosenbrock", {{"dimension", "1"}}), contains_text("dimension=1"));
  CHECK_THROWS_WITH(make_test_function("Sphere", {{"dimension", "5000"}, {"rotated", "true"}}),
                    contains_text("the limit is dimension=4096"));
}

}  // namespace clade
