#include "core/simd.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <vector>

#include "core/instruction_set.hpp"
#include "core/random.hpp"
#include "tests/core/simd_probe.hpp"
#include "tests/support/catch.hpp"

namespace clade {
namespace {

using testing::kProbeLanes;
using testing::ProbeInput;
using testing::ProbeOutput;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float random_float(RandomStream& stream) {
  static const std::vector<float> kSpecial = {
      0.0F, -0.0F, 1.0F, -1.0F, kInfinity, -kInfinity, 0x1p-140F, 0x1p127F, std::numeric_limits<float>::quiet_NaN()};
  if (stream.below(4) == 0) return kSpecial[stream.below(static_cast<std::uint32_t>(kSpecial.size()))];
  return std::ldexp(static_cast<float>(stream.uniform(-1.0, 1.0)), static_cast<int>(stream.below(60)) - 30);
}

ProbeInput random_input(RandomStream& stream) {
  ProbeInput input{};
  for (std::size_t i = 0; i < kProbeLanes; ++i) {
    input.a[i] = random_float(stream);
    input.b[i] = stream.below(5) == 0 ? input.a[i] : random_float(stream);
    input.c[i] = random_float(stream);
    input.v[i] = stream.next_u32();
    input.w[i] = stream.below(5) == 0 ? input.v[i] : stream.next_u32() & stream.next_u32() & stream.next_u32();
  }
  input.count = stream.below(kProbeLanes + 1);
  input.factor = stream.next_u32();
  return input;
}

bool same(const ProbeOutput& first, const ProbeOutput& second) {
  if (first.used != second.used) return false;
  for (std::size_t row = 0; row < first.used; ++row) {
    for (std::size_t i = 0; i < kProbeLanes; ++i) {
      const std::uint32_t a = first.rows[row][i];
      const std::uint32_t b = second.rows[row][i];
      const bool both_nan =
          first.is_float[row] && std::isnan(std::bit_cast<float>(a)) && std::isnan(std::bit_cast<float>(b));
      if (a != b && !both_nan) {
        UNSCOPED_INFO("operation " << row << " lane " << i << ": " << a << " and " << b);
        return false;
      }
    }
  }
  return true;
}

TEST_CASE("every operation gives the same bits on every instruction set", "[simd]") {
  RandomStream stream(RandomKey{.seed = 1});
  for (int repetition = 0; repetition < 500; ++repetition) {
    const ProbeInput input = random_input(stream);
    ProbeOutput reference{};
    testing::simd_probe(InstructionSet::generic).operations(input, reference);
    REQUIRE(reference.used <= testing::kProbeSlots);
    for (const InstructionSet set : available_instruction_sets()) {
      ProbeOutput output{};
      testing::simd_probe(set).operations(input, output);
      INFO(name_of(set));
      REQUIRE(same(output, reference));
    }
  }
  if (available_instruction_sets().size() < 3) {
    std::cout << "skipped: vectors of AVX2 or AVX-512, which this processor cannot run\n";
  }
}

/// One value in all lanes; reads back lane 5.
float lane_of(simd::Floats x) {
  float lanes[simd::kLanes];
  simd::store(lanes, x);
  return lanes[5];
}
std::uint32_t lane_of(simd::Words x) {
  std::uint32_t lanes[simd::kLanes];
  simd::store(lanes, x);
  return lanes[5];
}

TEST_CASE("operations do what their names say", "[simd]") {
  using simd::Floats;
  using simd::Words;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(lane_of(simd::fma(Floats(0x1.000002p0F), Floats(0x1.000002p0F), Floats(-0x1.000004p0F))) == 0x1p-46F);
  CHECK(lane_of(simd::minimum(Floats(nan), Floats(2.0F))) == 2.0F);
  CHECK(std::isnan(lane_of(simd::minimum(Floats(2.0F), Floats(nan)))));
  CHECK(std::isnan(lane_of(simd::maximum(Floats(2.0F), Floats(nan)))));
  CHECK(lane_of(simd::maximum(Floats(-3.0F), Floats(2.0F))) == 2.0F);
  CHECK_FALSE(simd::any(simd::less(Floats(nan), Floats(1.0F))));
  CHECK_FALSE(simd::any(simd::equal(Floats(nan), Floats(nan))));
  CHECK(lane_of(simd::shift_right_signed<4>(Words(0x80000000U))) == 0xf8000000U);
  CHECK(lane_of(simd::shift_right<4>(Words(0x80000000U))) == 0x08000000U);
  CHECK(lane_of(Words(0x10001U) * Words(0x10001U)) == 0x20001U);
  CHECK(lane_of(simd::narrow(
            simd::high_half(simd::multiply_wide(simd::widen(Words(0xffffffffU)), Words(0xfffffffeU))))) == 0xfffffffdU);
  CHECK(lane_of(simd::float_of_signed(Words(0xffffffffU))) == -1.0F);
  CHECK(lane_of(simd::float_of_unsigned(Words(0xffffffffU))) == 0x1p32F);
  CHECK(lane_of(simd::float_of_unsigned(Words(0x01000003U))) == 0x1.000004p24F);  // ties go to even
  CHECK(lane_of(simd::to_floats(simd::fma(simd::to_doubles(Floats(3.0F)), simd::Doubles(0.5), simd::Doubles(1.0)))) ==
        2.5F);
}

TEST_CASE("partial loads and stores touch no further lane", "[simd]") {
  float memory[simd::kLanes];
  for (std::size_t count = 0; count <= simd::kLanes; ++count) {
    for (float& value : memory) value = 7.0F;
    simd::store(memory, simd::Floats(1.0F), count);
    float loaded[simd::kLanes];
    simd::store(loaded, simd::load(memory, count));
    for (std::size_t i = 0; i < simd::kLanes; ++i) {
      CHECK(memory[i] == (i < count ? 1.0F : 7.0F));
      CHECK(loaded[i] == (i < count ? 1.0F : 0.0F));
    }
  }
}

}  // namespace
}  // namespace clade
