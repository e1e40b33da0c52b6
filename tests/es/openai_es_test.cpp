#include "es/openai_es.hpp"

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/recorded_noise.hpp"
#include "tests/support/tolerances.hpp"

using namespace clade;
using clade::testing::contains_text;
using clade::testing::kOptimizerStep;
using clade::testing::RecordedNoise;

namespace {

constexpr std::uint64_t kSeed = 5;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Values = std::vector<double>;

/// Plain gradient ascent of rate 1, no weight decay: the update is the gradient.
OpenAiEsConfig plain(std::size_t population, bool mirrored, Shaping shaping) {
  OpenAiEsConfig config;
  config.population = population;
  config.sigma = 0.5;
  config.optimizer.kind = OptimizerKind::sgd;
  config.optimizer.learning_rate = 1.0;
  config.optimizer.momentum = 0.0;
  config.weight_decay = 0.0;
  config.mirrored = mirrored;
  config.shaping = shaping;
  return config;
}

/// Two parameters; noise of directions 0, 1, 2 in generations 0 and 1.
RecordedNoise three_directions() {
  RecordedNoise noise;
  for (std::uint64_t generation : {0U, 1U}) {
    noise.record(direction_key(kSeed, generation, 0), {1.0, 0.0});
    noise.record(direction_key(kSeed, generation, 1), {0.0, 2.0});
    noise.record(direction_key(kSeed, generation, 2), {-4.0, 8.0});
  }
  return noise;
}

Values told(const OpenAiEsConfig& config, const Values& initial, const Values& fitness) {
  const RecordedNoise noise = three_directions();
  OpenAiEs strategy(config, initial, kSeed, noise, 1);
  strategy.tell(fitness);
  return {strategy.solution().begin(), strategy.solution().end()};
}

}  // namespace

TEST_CASE("mirrored pairs: sum of rank differences times noise, over all members", "[openai_es]") {
  // Ranks 3, 0, 2, 1 of 4: centred .5, -.5, 1/6, -1/6.
  const Values theta = told(plain(4, true, Shaping::centred_rank), {0.0, 0.0}, {9.0, -1.0, 5.0, 3.0});
  CHECK(std::abs(theta[0] - 1.0 * 1.0 / 4.0) < kOptimizerStep);
  CHECK(std::abs(theta[1] - (1.0 / 3.0) * 2.0 / 4.0) < kOptimizerStep);
}

TEST_CASE("without mirroring every member's weight multiplies its own noise", "[openai_es]") {
  const Values theta = told(plain(3, false, Shaping::raw), {1.0, 1.0}, {3.0, -6.0, 0.0});
  CHECK(theta == Values{1.0 + 3.0 / 3.0, 1.0 - 12.0 / 3.0});
}

TEST_CASE("gradient scale sigma divides by sigma as well", "[openai_es]") {
  OpenAiEsConfig config = plain(2, true, Shaping::raw);
  const Values pairs = told(config, {0.0, 0.0}, {4.0, 1.0});
  config.gradient_scale = GradientScale::sigma;
  const Values sigma = told(config, {0.0, 0.0}, {4.0, 1.0});
  CHECK(pairs == Values{1.5, 0.0});
  CHECK(sigma == Values{3.0, 0.0});
}

TEST_CASE("weight decay pulls to zero and is all that flat fitness does", "[openai_es]") {
  for (Shaping shaping :
       {Shaping::raw, Shaping::centred_rank, Shaping::sign, Shaping::centred_sign_rank, Shaping::z_score}) {
    for (bool mirrored : {true, false}) {
      OpenAiEsConfig config = plain(2, mirrored, shaping);
      config.weight_decay = 0.25;
      CHECK(told(config, {8.0, -4.0}, {0.1, 0.1}) == Values{6.0, -3.0});
    }
  }
}

TEST_CASE("a generation in which all failed changes nothing but its number", "[openai_es]") {
  OpenAiEsConfig config;
  config.population = 2;
  const RecordedNoise noise = three_directions();
  OpenAiEs strategy(config, Values{8.0, -4.0}, kSeed, noise, 1);
  const State before = strategy.save();
  strategy.tell(Values{kNan, kNan});
  CHECK(strategy.generation() == 1);
  State after = strategy.save();
  after.set("generation", std::vector<std::uint64_t>{0});
  CHECK(after == before);
}

TEST_CASE("a failed member ranks last, and counts as the lowest finite one where sizes matter", "[openai_es]") {
  const OpenAiEsConfig ranked = plain(4, true, Shaping::centred_rank);
  CHECK(told(ranked, {0.0, 0.0}, {9.0, kNan, 5.0, 3.0}) == told(ranked, {0.0, 0.0}, {9.0, -100.0, 5.0, 3.0}));
  const OpenAiEsConfig raw = plain(4, true, Shaping::raw);
  CHECK(told(raw, {0.0, 0.0}, {9.0, kNan, 5.0, 3.0}) == told(raw, {0.0, 0.0}, {9.0, 3.0, 5.0, 3.0}));
}

TEST_CASE("a generation may be extended", "[openai_es]") {
  const OpenAiEsConfig config = plain(2, true, Shaping::raw);
  CHECK(told(config, {0.0, 0.0}, {4.0, 1.0, 1.0, 3.0}) == Values{3.0 / 4.0, -4.0 / 4.0});
}

TEST_CASE("members are made around the parameters as floats", "[openai_es]") {
  const RecordedNoise noise = three_directions();
  OpenAiEs strategy(plain(2, true, Shaping::raw), Values{0.1, -0.3}, kSeed, noise, 1);
  Population population = strategy.ask(0, 2);
  CHECK(*population.bases.at(0) == std::vector<float>{0.1F, -0.3F});
  CHECK(population.members[0].scale == 0.5F);
  CHECK(population.members[1].scale == -0.5F);
  strategy.tell(Values{4.0, 1.0});
  population = strategy.ask(0, 2);
  CHECK(population.generation == 1);
  CHECK(*population.bases.at(0) == std::vector<float>{static_cast<float>(0.1 + 1.5), -0.3F});
}

TEST_CASE("a gradient that no optimiser could square is an error that says what to do", "[openai_es]") {
  const RecordedNoise noise = three_directions();
  OpenAiEs strategy(plain(2, true, Shaping::raw), Values{0.0, 0.0}, kSeed, noise, 1);
  CHECK_THROWS_WITH(strategy.tell(Values{1e300, 0.0}), contains_text("gradient") && contains_text("centred_rank"));
  CHECK(strategy.generation() == 0);
  CHECK(strategy.solution()[0] == 0.0);
}

TEST_CASE("OpenAI-ES settings out of range are refused with the value and the limit", "[openai_es]") {
  const auto refuses = [](auto change, const std::string& value, const std::string& limit) {
    OpenAiEsConfig config;
    change(config);
    CHECK_THROWS_WITH(config.validate(), contains_text(value) && contains_text(limit));
  };
  refuses([](OpenAiEsConfig& config) { config.population = 0; }, "population 0", "[2, 4294967296]");
  refuses([](OpenAiEsConfig& config) { config.population = 7; }, "population 7 is odd", "use 8");
  refuses([](OpenAiEsConfig& config) { config.sigma = 0.0; }, "sigma 0", "outside");
  refuses([](OpenAiEsConfig& config) { config.weight_decay = -1.0; }, "weight decay -1", "at least 0");
  refuses([](OpenAiEsConfig& config) { config.weight_decay = kNan; }, "weight decay nan", "at least 0");
  refuses([](OpenAiEsConfig& config) { config.shaping_epsilon = -1.0; }, "epsilon -1", "at least 0");
  refuses([](OpenAiEsConfig& config) { config.optimizer.learning_rate = -0.1; }, "learning rate -0.1", "above 0");
  OpenAiEsConfig odd;
  odd.population = 7;
  odd.mirrored = false;
  odd.validate();
}

TEST_CASE("gradient scales are found by name", "[openai_es]") {
  for (GradientScale scale : {GradientScale::pairs, GradientScale::sigma}) {
    CHECK(parse_gradient_scale(name_of(scale)) == scale);
  }
  CHECK_THROWS_WITH(parse_gradient_scale("sigm"), contains_text("sigma"));
}
