#include "core/math.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/instruction_set.hpp"
#include "core/random.hpp"
#include "tests/core/simd_probe.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tolerances.hpp"

namespace clade {
namespace {

using testing::Function;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr double kTwoPi = 6.28318530717958647693;

const std::vector<Function> kFunctions = {Function::exp,     Function::expm1,     Function::log,        Function::tanh,
                                          Function::sigmoid, Function::elu,       Function::relu,       Function::sine,
                                          Function::cosine,  Function::word_sine, Function::word_cosine};

/// Floats in order: consecutive integers are consecutive floats.
std::int64_t rank_of(float x) {
  const auto bits = std::bit_cast<std::int32_t>(x);
  return bits < 0 ? std::int64_t{std::numeric_limits<std::int32_t>::min()} - bits : std::int64_t{bits};
}
float float_of_rank(std::int64_t rank) {
  const std::int64_t bits = rank < 0 ? std::int64_t{std::numeric_limits<std::int32_t>::min()} - rank : rank;
  return std::bit_cast<float>(static_cast<std::int32_t>(bits));
}

/// About `count` floats from low to high, evenly spread over the representable ones.
std::vector<float> spread(float low, float high, std::int64_t count) {
  const std::int64_t step = std::max<std::int64_t>(1, (rank_of(high) - rank_of(low)) / count);
  std::vector<float> values;
  for (std::int64_t rank = rank_of(low); rank < rank_of(high); rank += step) values.push_back(float_of_rank(rank));
  values.push_back(high);
  while (values.size() % testing::kProbeLanes != 0) values.push_back(high);
  return values;
}

std::vector<float> evaluate(InstructionSet set, Function function, const std::vector<float>& input) {
  std::vector<float> output(input.size());
  testing::simd_probe(set).by_vectors(function, input.data(), output.data(), input.size());
  return output;
}

/// Distance of neighbouring floats at x.
double unit_in_last_place(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, std::max(exponent - 24, -149));
}

struct Errors {
  double units = 0.0;     ///< largest error in units of the last place
  double absolute = 0.0;  ///< largest absolute error
  double descent = 0.0;   ///< largest step down from one argument to the next, in units of the last place
};

Errors errors_of(Function function, const std::vector<float>& arguments,
                 const std::function<double(double)>& reference) {
  const std::vector<float> values = evaluate(preferred_instruction_set(), function, arguments);
  Errors errors;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double exact = reference(static_cast<double>(arguments[i]));
    const double error = std::fabs(static_cast<double>(values[i]) - exact);
    errors.absolute = std::max(errors.absolute, error);
    errors.units = std::max(errors.units, error / unit_in_last_place(exact));
    if (i > 0 && values[i] < values[i - 1]) {
      const double step = static_cast<double>(values[i - 1]) - static_cast<double>(values[i]);
      errors.descent = std::max(errors.descent, step / unit_in_last_place(static_cast<double>(values[i - 1])));
    }
  }
  return errors;
}

constexpr std::int64_t kArguments = 400'000;

TEST_CASE("vectors give the bits of numbers, on every instruction set", "[math]") {
  RandomStream stream(RandomKey{.seed = 1});
  std::vector<float> arguments = {kInfinity, -kInfinity, kNan, 0.0F, -0.0F, 0x1p-149F, -0x1p-149F, 0x1.fffffep127F};
  while (arguments.size() < 4096) {
    arguments.push_back(arguments.size() % 2 == 0 ? std::bit_cast<float>(stream.next_u32())  // all exponents, NaNs too
                                                  : static_cast<float>(stream.uniform(-20.0, 20.0)));
  }
  for (const Function function : kFunctions) {
    std::vector<float> reference(arguments.size());
    testing::simd_probe(InstructionSet::generic)
        .by_numbers(function, arguments.data(), reference.data(), arguments.size());
    for (const InstructionSet set : available_instruction_sets()) {
      const std::vector<float> by_vectors = evaluate(set, function, arguments);
      std::vector<float> by_numbers(arguments.size());
      testing::simd_probe(set).by_numbers(function, arguments.data(), by_numbers.data(), arguments.size());
      std::size_t different = 0;
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        // sin and cos of turns hold below 2^20 only.
        const bool turns = function == Function::sine || function == Function::cosine;
        if (turns && !(std::fabs(arguments[i]) < 0x1p20F)) continue;
        for (const float value : {by_vectors[i], by_numbers[i]}) {
          const bool both_nan = std::isnan(value) && std::isnan(reference[i]);
          if (!both_nan && std::bit_cast<std::uint32_t>(value) != std::bit_cast<std::uint32_t>(reference[i])) {
            ++different;
            UNSCOPED_INFO("argument " << arguments[i] << ": " << value << " and " << reference[i]);
          }
        }
      }
      INFO("function " << static_cast<int>(function) << " on " << name_of(set));
      CHECK(different == 0);
    }
  }
}

TEST_CASE("exp is accurate from end to end", "[math]") {
  const Errors errors =
      errors_of(Function::exp, spread(-104.0F, 88.72F, kArguments), [](double x) { return std::exp(x); });
  CHECK(errors.units < testing::kExpUnits);
  CHECK(errors.descent == 0.0);
  CHECK(math::exp(0.0F) == 1.0F);
  CHECK(math::exp(89.0F) == kInfinity);
  CHECK(math::exp(kInfinity) == kInfinity);
  CHECK(math::exp(-104.5F) == 0.0F);
  CHECK(math::exp(-kInfinity) == 0.0F);
  CHECK(std::isnan(math::exp(kNan)));
}

TEST_CASE("expm1 is accurate up to 60", "[math]") {
  const Errors errors =
      errors_of(Function::expm1, spread(-70.0F, 60.0F, kArguments), [](double x) { return std::expm1(x); });
  CHECK(errors.units < testing::kExpm1Units);
  CHECK(math::expm1(-kInfinity) == -1.0F);
  CHECK(math::expm1(1e-30F) == 1e-30F);
  CHECK(std::isnan(math::expm1(kNan)));
}

TEST_CASE("log is accurate for all positive numbers", "[math]") {
  const auto reference = [](double x) { return std::log(x); };
  const Errors everywhere = errors_of(Function::log, spread(0x1p-149F, 0x1.fffffep127F, kArguments), reference);
  CHECK(everywhere.units < testing::kLogUnits);
  CHECK(everywhere.descent == 0.0);
  CHECK(errors_of(Function::log, spread(0.5F, 2.0F, kArguments), reference).units < testing::kLogUnits);
  CHECK(math::log(1.0F) == 0.0F);
  CHECK(math::log(0.0F) == -kInfinity);
  CHECK(math::log(-0.0F) == -kInfinity);
  CHECK(math::log(kInfinity) == kInfinity);
  CHECK(std::isnan(math::log(-1.0F)));
  CHECK(std::isnan(math::log(-kInfinity)));
  CHECK(std::isnan(math::log(kNan)));
}

TEST_CASE("tanh is accurate, odd and saturates", "[math]") {
  const Errors errors =
      errors_of(Function::tanh, spread(-12.0F, 12.0F, kArguments), [](double x) { return std::tanh(x); });
  CHECK(errors.absolute < testing::kTanhAbsolute);
  CHECK(errors.units < testing::kTanhUnits);
  CHECK(errors.descent == 0.0);
  for (const float x : {1e-40F, 1e-10F, 0.1F, 0.7F, 3.0F, 9.0F, 50.0F}) CHECK(math::tanh(-x) == -math::tanh(x));
  for (const float x : spread(9.1F, kInfinity, 1000)) REQUIRE(math::tanh(x) == 1.0F);
  CHECK(math::tanh(-kInfinity) == -1.0F);
  CHECK(math::tanh(0x1p-149F) == 0x1p-149F);
  CHECK(std::signbit(math::tanh(-0.0F)));
  CHECK(std::isnan(math::tanh(kNan)));
  // On a grid coarser than its error it never falls.
  float before = -1.0F;
  for (int i = -40000; i <= 40000; ++i) {
    const float value = math::tanh(static_cast<float>(i) * 0.25e-3F);
    REQUIRE(value >= before);
    before = value;
  }
}

TEST_CASE("sigmoid is accurate on both sides", "[math]") {
  const Errors errors = errors_of(Function::sigmoid, spread(-104.0F, 104.0F, kArguments),
                                  [](double x) { return 1.0 / (1.0 + std::exp(-x)); });
  CHECK(errors.units < testing::kSigmoidUnits);
  CHECK(errors.descent <= 1.0);
  CHECK(math::sigmoid(0.0F) == 0.5F);
  CHECK(math::sigmoid(kInfinity) == 1.0F);
  CHECK(math::sigmoid(-kInfinity) == 0.0F);
  CHECK(std::isnan(math::sigmoid(kNan)));
}

TEST_CASE("elu and relu", "[math]") {
  const Errors errors = errors_of(Function::elu, spread(-104.0F, 104.0F, kArguments),
                                  [](double x) { return x > 0.0 ? x : std::expm1(x); });
  CHECK(errors.units < testing::kExpm1Units);
  CHECK(errors.descent == 0.0);
  CHECK(math::elu(-kInfinity) == -1.0F);
  CHECK(math::elu(kInfinity) == kInfinity);
  CHECK(math::elu(123.0F) == 123.0F);
  CHECK(std::isnan(math::elu(kNan)));
  CHECK(math::relu(2.0F) == 2.0F);
  CHECK(math::relu(-2.0F) == 0.0F);
  CHECK(math::relu(-kInfinity) == 0.0F);
  CHECK(std::isnan(math::relu(kNan)));
}

TEST_CASE("sine and cosine of turns are accurate, and exact at quarters", "[math]") {
  const std::vector<float> arguments = spread(-4.0F, 4.0F, kArguments);
  const auto sine = [](double x) { return std::sin(kTwoPi * (x - std::nearbyint(x))); };
  const auto cosine = [](double x) { return std::cos(kTwoPi * (x - std::nearbyint(x))); };
  CHECK(errors_of(Function::sine, arguments, sine).absolute < testing::kSineAbsolute);
  CHECK(errors_of(Function::cosine, arguments, cosine).absolute < testing::kSineAbsolute);
  for (const float whole : {-7.0F, 0.0F, 3.0F, 1000.0F}) {
    CHECK(math::sine_cosine_of_turns(whole).sine == 0.0F);
    CHECK(math::sine_cosine_of_turns(whole).cosine == 1.0F);
    CHECK(math::sine_cosine_of_turns(whole + 0.25F).sine == 1.0F);
    CHECK(math::sine_cosine_of_turns(whole + 0.25F).cosine == 0.0F);
    CHECK(math::sine_cosine_of_turns(whole + 0.5F).cosine == -1.0F);
    CHECK(math::sine_cosine_of_turns(whole + 0.75F).sine == -1.0F);
  }
}

TEST_CASE("sine and cosine of a word are accurate all the way round", "[math]") {
  double largest = 0.0;
  for (std::uint64_t w = 0; w < std::uint64_t{1} << 32; w += 20011) {
    const auto value = math::sine_cosine_of_word(static_cast<std::uint32_t>(w));
    const double angle = kTwoPi * static_cast<double>(w) * 0x1p-32;
    largest = std::max({largest, std::fabs(static_cast<double>(value.sine) - std::sin(angle)),
                        std::fabs(static_cast<double>(value.cosine) - std::cos(angle))});
  }
  CHECK(largest < testing::kSineAbsolute);
}

}  // namespace
}  // namespace clade
