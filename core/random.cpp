#include "core/random.hpp"

#include <Random123/philox.h>

#include <bit>
#include <cmath>
#include <string>

#include "core/error.hpp"

namespace clade {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr std::uint64_t kBlocks = std::uint64_t{1} << 32;

void require_below(std::uint64_t value, int bits, const char* field) {
  if (value >> bits == 0) return;
  throw_input_error(std::string("random key: ") + field + " " + std::to_string(value) + " does not fit; the limit is " +
                    std::to_string((std::uint64_t{1} << bits) - 1));
}

/// Natural logarithm of a normal positive number: x = 2^e m with m in [sqrt(1/2), sqrt(2)), s = (m - 1)/(m + 1),
/// ln m = 2 atanh(s) = 2 (s + s^3/3 + s^5/5 + ...); |s| < .172, so that the first term left out is below 2^-56 of s.
double natural_logarithm(double x) {
  constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 52) - 1;
  constexpr double kSqrt2 = 1.41421356237309504880;
  constexpr double kLn2High = 0x1.62e42fefa3800p-1;  // 42 bits: products with an exponent are exact
  constexpr double kLn2Low = 0x1.ef35793c76730p-45;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & kMantissa) | (std::uint64_t{1023} << 52));
  if (m >= kSqrt2) {
    m *= 0.5;
    ++exponent;
  }
  const double f = m - 1.0;
  const double s = f / (m + 1.0);
  const double z = s * s;
  double series = 2.0 / 23.0;
  for (int odd = 21; odd >= 3; odd -= 2) series = series * z + 2.0 / odd;
  series *= z;
  // 2 s = f - s f keeps the leading term exact.
  return exponent * kLn2High + (f - (s * (f - series) - exponent * kLn2Low));
}

struct SineCosine {
  double sine;
  double cosine;
};

/// sin and cos of 2 pi turns, turns in [0, 1) with 53 bits: the quarter turn is taken off exactly, the rest, at most
/// pi/4, goes through the Taylor series to x^17 and x^16.
SineCosine sine_cosine_of_turns(double turns) {
  const int quarter = static_cast<int>(turns * 4.0 + 0.5);
  const double x = (turns - quarter * 0.25) * (2.0 * kPi);
  const double z = x * x;
  double sine = 1.0;
  for (int n = 16; n >= 2; n -= 2) sine = 1.0 - sine * z / (n * (n + 1));
  sine *= x;
  double cosine = 1.0;
  for (int n = 15; n >= 1; n -= 2) cosine = 1.0 - cosine * z / (n * (n + 1));
  switch (quarter & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace

PhiloxKey pack(const RandomKey& key) {
  require_below(key.generation, 32, "generation");
  require_below(key.member, 32, "member");
  require_below(key.episode, 24, "episode");
  return {{static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)},
          {static_cast<std::uint32_t>(key.member), static_cast<std::uint32_t>(key.generation),
           static_cast<std::uint32_t>(key.purpose) << 24 | static_cast<std::uint32_t>(key.episode)}};
}

std::array<std::uint32_t, 4> philox_block(const PhiloxKey& key, std::uint32_t block) {
  const r123::Philox4x32::ctr_type counter = {{block, key.counter[0], key.counter[1], key.counter[2]}};
  const r123::Philox4x32::key_type cipher_key = {{key.key[0], key.key[1]}};
  const auto words = r123::Philox4x32{}(counter, cipher_key);
  return {words[0], words[1], words[2], words[3]};
}

RandomStream::RandomStream(const RandomKey& key, std::uint32_t first_block) : RandomStream(pack(key), first_block) {}

RandomStream::RandomStream(const PhiloxKey& key, std::uint32_t first_block) : key_(key), next_block_(first_block) {}

std::uint32_t RandomStream::next_u32() {
  if (used_ == words_.size()) {
    CLADE_CHECK(next_block_ < kBlocks);
    words_ = philox_block(key_, static_cast<std::uint32_t>(next_block_));
    ++next_block_;
    used_ = 0;
  }
  return words_[used_++];
}

std::uint64_t RandomStream::next_u64() {
  const std::uint64_t low = next_u32();
  const std::uint64_t high = next_u32();
  return high << 32 | low;
}

double RandomStream::uniform() { return static_cast<double>(next_u64() >> 11) * 0x1p-53; }

double RandomStream::uniform(double low, double high) {
  const double value = low + (high - low) * uniform();
  // The rounded sum may reach the upper end.
  return value < high ? value : (low < high ? std::nextafter(high, low) : low);
}

std::uint32_t RandomStream::below(std::uint32_t bound) {
  CLADE_CHECK(bound > 0);
  std::uint64_t product = std::uint64_t{next_u32()} * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    const std::uint32_t threshold = (0U - bound) % bound;
    while (static_cast<std::uint32_t>(product) < threshold) product = std::uint64_t{next_u32()} * bound;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

double RandomStream::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  const double open_uniform = static_cast<double>((next_u64() >> 11) + 1) * 0x1p-53;  // (0, 1]
  const double radius = std::sqrt(-2.0 * natural_logarithm(open_uniform));
  const SineCosine angle = sine_cosine_of_turns(uniform());
  spare_normal_ = radius * angle.sine;
  has_spare_normal_ = true;
  return radius * angle.cosine;
}

}  // namespace clade
