#include "core/head.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/math.hpp"
#include "tests/support/catch.hpp"

using namespace clade;
using clade::testing::contains_text;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
const RandomKey kEpisode{5, Purpose::test, 3, 2, 1};

ActionSpec continuous(std::vector<double> low, std::vector<double> high) {
  ActionSpec action;
  action.size = low.size();
  action.low = std::move(low);
  action.high = std::move(high);
  return action;
}

ActionSpec discrete(std::size_t choices) {
  ActionSpec action;
  action.choices = choices;
  return action;
}

std::vector<double> continuous_action(const HeadSpec& head, const ActionSpec& action, std::vector<float> outputs,
                                      std::uint32_t step = 0, bool with_noise = true) {
  std::vector<double> values(action.size);
  HeadResult result;
  result.continuous = values;
  apply_head(head, action, outputs, kEpisode, step, with_noise, result);
  return values;
}

std::size_t choice(const std::string& head, std::vector<float> outputs, std::uint32_t step = 0) {
  HeadResult result;
  apply_head(parse_head(head), discrete(outputs.size()), outputs, kEpisode, step, true, result);
  return result.choice;
}

}  // namespace

TEST_CASE("Head descriptions are read and written back", "[head]") {
  for (const std::string text : {"raw", "clip", "tanh", "binned:10", "binned:3", "argmax", "sample"}) {
    CHECK(parse_head(text).description() == text);
  }
  CHECK(parse_head("binned").bins == 10);
  CHECK_THROWS_WITH(parse_head("rwa"), contains_text("raw"));
  CHECK_THROWS_WITH(parse_head("binned:1"), contains_text("binned:1"));
  CHECK_THROWS_AS(parse_head("binned:"), Error);
  CHECK_THROWS_AS(parse_head("binned:ten"), Error);
  CHECK_THROWS_WITH(parse_head("clip:3"), contains_text("takes no number"));
}

TEST_CASE("A head knows how many outputs it needs and what does not fit", "[head]") {
  const ActionSpec box = continuous({-1, -2, -3}, {1, 2, 3});
  CHECK(head_outputs(parse_head("raw"), box) == 3);
  CHECK(head_outputs(parse_head("binned:7"), box) == 21);
  CHECK(head_outputs(parse_head("argmax"), discrete(4)) == 4);
  CHECK_THROWS_WITH(head_outputs(parse_head("argmax"), box), contains_text("continuous"));
  CHECK_THROWS_WITH(head_outputs(parse_head("clip"), discrete(2)), contains_text("argmax or sample"));

  const ActionSpec open = continuous({-1, -std::numeric_limits<double>::infinity()}, {1, 1});
  CHECK(head_outputs(parse_head("clip"), open) == 2);
  CHECK_THROWS_WITH(head_outputs(parse_head("tanh"), open), contains_text("component 1"));
  CHECK_THROWS_WITH(head_outputs(parse_head("binned"), open), contains_text("finite"));

  HeadSpec noisy = parse_head("raw");
  noisy.action_noise = -0.1;
  CHECK_THROWS_WITH(head_outputs(noisy, box), contains_text("-0.1"));
  noisy.action_noise = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(head_outputs(noisy, box), Error);
  HeadSpec coarse = parse_head("binned");
  coarse.bins = 1;
  CHECK_THROWS_AS(head_outputs(coarse, box), Error);
}

TEST_CASE("Continuous heads", "[head]") {
  const ActionSpec box = continuous({-1, -2, 0}, {1, 2, 10});
  CHECK(continuous_action(parse_head("raw"), box, {5, -7, .5F}) == std::vector<double>{5, -7, .5});
  CHECK(continuous_action(parse_head("clip"), box, {5, -7, .5F}) == std::vector<double>{1, -2, .5});

  const std::vector<double> squashed = continuous_action(parse_head("tanh"), box, {0, .5F, 100});
  CHECK(squashed[0] == 0.0);
  CHECK(squashed[1] == -2.0 + (static_cast<double>(math::tanh(.5F)) + 1.0) * 0.5 * 4.0);
  CHECK(squashed[2] == 10.0);

  const std::vector<double> binned =
      continuous_action(parse_head("binned:3"), box, {0, 1, 0, /**/ 2, 2, 1, /**/ -3, -2, -1});
  CHECK(binned == std::vector<double>{0, -2, 10});
}

TEST_CASE("NaN outputs become NaN actions, so that the episode fails", "[head]") {
  const ActionSpec box = continuous({-1, -1}, {1, 1});
  for (const char* head : {"raw", "clip", "tanh"}) {
    const std::vector<double> values = continuous_action(parse_head(head), box, {kNan, .25F});
    CHECK(std::isnan(values[0]));
    CHECK_FALSE(std::isnan(values[1]));
  }
  const std::vector<double> values = continuous_action(parse_head("binned:2"), box, {kNan, kNan, kNan, -5});
  CHECK(std::isnan(values[0]));
  CHECK(values[1] == 1.0);
}

TEST_CASE("argmax takes the first of the largest and passes over NaN", "[head]") {
  CHECK(choice("argmax", {1, 3, 2}) == 1);
  CHECK(choice("argmax", {3, 1, 3}) == 0);
  CHECK(choice("argmax", {kNan, -2, -1}) == 2);
  CHECK(choice("argmax", {-kInfinity, -kInfinity}) == 0);
  CHECK(choice("argmax", {kNan, kNan}) == 0);
}

TEST_CASE("Sampling follows the softmax", "[head]") {
  const std::vector<float> outputs{0, std::log(2.0F), -100, std::log(5.0F)};
  const std::vector<double> expected{1.0 / 8, 2.0 / 8, 0, 5.0 / 8};
  std::vector<int> counts(4, 0);
  constexpr int kDraws = 20000;
  for (int step = 0; step < kDraws; ++step) ++counts[choice("sample", outputs, static_cast<std::uint32_t>(step))];
  for (std::size_t i = 0; i < 4; ++i) {
    const double error = std::sqrt(expected[i] * (1 - expected[i]) / kDraws);
    CHECK(std::abs(counts[i] / static_cast<double>(kDraws) - expected[i]) <= 4 * error);
  }
}

TEST_CASE("Sampling is safe with any numbers and repeatable", "[head]") {
  for (std::uint32_t step = 0; step < 50; ++step) {
    CHECK(choice("sample", {3e38F, -3e38F}, step) == 0);
    CHECK(choice("sample", {0, kInfinity}, step) == 1);
    CHECK(choice("sample", {kNan, -1e30F, kNan}, step) == 1);
    CHECK(choice("sample", {-kInfinity, -kInfinity}, step) < 2);
    CHECK(choice("sample", {kNan, kNan}, step) == 0);
    CHECK(choice("sample", {.1F, .2F, .3F}, step) == choice("sample", {.1F, .2F, .3F}, step));
  }
}

TEST_CASE("sampling outside training draws from a stream of its own") {
  HeadSpec head;
  head.kind = HeadKind::sample;
  ActionSpec action;
  action.choices = 8;
  const std::vector<float> outputs(8, 0.0F);
  int differing = 0;
  for (std::uint32_t step = 0; step < 64; ++step) {
    HeadResult training;
    HeadResult evaluation;
    apply_head(head, action, outputs, kEpisode, step, true, training);
    apply_head(head, action, outputs, kEpisode, step, false, evaluation);
    differing += training.choice != evaluation.choice;
  }
  CHECK(differing > 40);  // 56 expected of independent draws
}

TEST_CASE("Action noise is a function of the episode and the step", "[head]") {
  HeadSpec head = parse_head("clip");
  head.action_noise = 0.5;
  const ActionSpec box = continuous({-1, -1, -1}, {1, 1, 1});
  const std::vector<float> outputs{0, .5F, 2};
  CHECK(continuous_action(head, box, outputs, 4, false) == std::vector<double>{0, .5, 1});

  // Noise comes after the clip: three normals from the stream of purpose
  // action_noise, three blocks a step.
  RandomKey key = kEpisode;
  key.purpose = Purpose::action_noise;
  RandomStream rng(key, 4 * 3);
  std::vector<double> expected{0, .5, 1};
  for (double& value : expected) value += 0.5 * rng.normal();
  CHECK(continuous_action(head, box, outputs, 4) == expected);
  CHECK(continuous_action(head, box, outputs, 5) != expected);

  CHECK_THROWS_WITH(continuous_action(head, box, outputs, 0xffffffffU), contains_text("4294967295"));
}
