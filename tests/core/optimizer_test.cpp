#include "core/optimizer.hpp"

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tolerances.hpp"

using namespace clade;
using clade::testing::contains_text;
using clade::testing::kOptimizerStep;

namespace {

using Values = std::vector<double>;

OptimizerSpec sgd(double rate, double momentum) {
  OptimizerSpec spec;
  spec.kind = OptimizerKind::sgd;
  spec.learning_rate = rate;
  spec.momentum = momentum;
  return spec;
}

}  // namespace

TEST_CASE("momentum is an exponential average of the gradient", "[optimizer]") {
  const auto optimizer = make_optimizer(sgd(2.0, 0.75), 2);
  Values parameters{1.0, 0.0};
  optimizer->ascend(Values{4.0, -8.0}, parameters);  // v = {1, -2}
  CHECK(parameters == Values{3.0, -4.0});
  optimizer->ascend(Values{0.0, 0.0}, parameters);  // v = {0.75, -1.5}
  CHECK(parameters == Values{4.5, -7.0});
}

TEST_CASE("without momentum a step is rate times gradient", "[optimizer]") {
  const auto optimizer = make_optimizer(sgd(0.5, 0.0), 1);
  Values parameters{1.0};
  for (int step = 0; step < 3; ++step) optimizer->ascend(Values{2.0}, parameters);
  CHECK(parameters == Values{4.0});
}

TEST_CASE("Adam's forms differ by where epsilon stands", "[optimizer]") {
  OptimizerSpec spec;
  spec.learning_rate = 0.1;
  spec.epsilon = 1e-3;
  const double g = 0.25;
  // First step: m = .1 g, v = .001 g^2; bias-corrected they are g and g^2.
  Values corrected{0.0};
  spec.adam_epsilon = AdamEpsilon::corrected;
  make_optimizer(spec, 1)->ascend(Values{g}, corrected);
  CHECK(std::abs(corrected[0] - 0.1 * g / (g + 1e-3)) < kOptimizerStep);

  Values starter{0.0};
  spec.adam_epsilon = AdamEpsilon::starter;
  make_optimizer(spec, 1)->ascend(Values{g}, starter);
  const double rate = 0.1 * std::sqrt(1.0 - 0.999) / (1.0 - 0.9);
  CHECK(std::abs(starter[0] - rate * 0.1 * g / (std::sqrt(0.001) * g + 1e-3)) < kOptimizerStep);
}

TEST_CASE("Adam follows its recurrence over many steps", "[optimizer]") {
  OptimizerSpec spec;
  const auto optimizer = make_optimizer(spec, 1);
  Values parameters{0.0};
  double m = 0.0;
  double v = 0.0;
  double expected = 0.0;
  for (int t = 1; t <= 2000; ++t) {
    const double g = std::sin(t);
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    expected += 0.01 * std::sqrt(1.0 - std::pow(0.999, t)) / (1.0 - std::pow(0.9, t)) * m / (std::sqrt(v) + 1e-8);
    optimizer->ascend(Values{g}, parameters);
  }
  CHECK(std::abs(parameters[0] - expected) < kOptimizerStep);
}

TEST_CASE("a gradient of zeros moves nothing", "[optimizer]") {
  for (OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::adam}) {
    OptimizerSpec spec;
    spec.kind = kind;
    const auto optimizer = make_optimizer(spec, 1);
    Values parameters{3.0};
    for (int step = 0; step < 10000; ++step) optimizer->ascend(Values{0.0}, parameters);
    CHECK(parameters == Values{3.0});
  }
}

TEST_CASE("an optimiser goes on from its saved state to the same bits", "[optimizer]") {
  for (OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::adam}) {
    OptimizerSpec spec;
    spec.kind = kind;
    const auto straight = make_optimizer(spec, 3);
    Values parameters{1.0, 2.0, 3.0};
    for (int step = 0; step < 5; ++step) straight->ascend(Values{0.1, -0.2, 0.3}, parameters);
    State state;
    straight->save(state);
    Values resumed_parameters = parameters;
    const auto resumed = make_optimizer(spec, 3);
    resumed->load(state);
    for (int step = 0; step < 5; ++step) {
      straight->ascend(Values{-0.4, 0.5, 0.6}, parameters);
      resumed->ascend(Values{-0.4, 0.5, 0.6}, resumed_parameters);
    }
    CHECK(parameters == resumed_parameters);
  }
}

TEST_CASE("another optimiser's state and another size are refused", "[optimizer]") {
  State adam_state;
  make_optimizer(OptimizerSpec{}, 3)->save(adam_state);
  CHECK_THROWS_WITH(make_optimizer(sgd(0.1, 0.9), 3)->load(adam_state),
                    contains_text("'adam'") && contains_text("'sgd'"));
  CHECK_THROWS_WITH(make_optimizer(OptimizerSpec{}, 4)->load(adam_state), contains_text("3 numbers, expected 4"));
  CHECK_THROWS_AS(make_optimizer(OptimizerSpec{}, 3)->load(State{}), Error);
}

TEST_CASE("settings out of range are refused with the value and the limit", "[optimizer]") {
  const auto refuses = [](auto change, const std::string& value, const std::string& limit) {
    OptimizerSpec spec;
    change(spec);
    CHECK_THROWS_WITH(make_optimizer(spec, 1), contains_text(value) && contains_text(limit));
  };
  refuses([](OptimizerSpec& spec) { spec.learning_rate = 0.0; }, "learning rate 0", "above 0");
  refuses([](OptimizerSpec& spec) { spec.learning_rate = std::numeric_limits<double>::infinity(); },
          "learning rate inf", "finite");
  refuses([](OptimizerSpec& spec) { spec.learning_rate = std::nan(""); }, "learning rate nan", "finite");
  refuses([](OptimizerSpec& spec) { spec.momentum = 1.0; }, "momentum 1", "[0, 1)");
  refuses([](OptimizerSpec& spec) { spec.beta1 = -0.1; }, "beta1 -0.1", "[0, 1)");
  refuses([](OptimizerSpec& spec) { spec.beta2 = 1.5; }, "beta2 1.5", "[0, 1)");
  refuses([](OptimizerSpec& spec) { spec.epsilon = 0.0; }, "epsilon 0", "above 0");
}

TEST_CASE("optimisers and epsilon forms are found by name", "[optimizer]") {
  for (OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::adam}) CHECK(parse_optimizer(name_of(kind)) == kind);
  for (AdamEpsilon form : {AdamEpsilon::starter, AdamEpsilon::corrected}) {
    CHECK(parse_adam_epsilon(name_of(form)) == form);
  }
  CHECK_THROWS_WITH(parse_optimizer("adm"), contains_text("adam"));
  CHECK_THROWS_WITH(parse_adam_epsilon("start"), contains_text("starter"));
}
