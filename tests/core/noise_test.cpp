#include "core/noise.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/tolerances.hpp"

namespace clade {
namespace {

RandomKey member_key(std::uint64_t member) {
  return {.seed = 11, .purpose = Purpose::perturbation, .generation = 3, .member = member, .episode = 0};
}

std::vector<float> entries(const NoiseSource& source, const PhiloxKey& key, std::size_t first, std::size_t count) {
  std::vector<float> result(count);
  source.perturb(key, 1.0F, first, {}, result);
  return result;
}

std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits(values.size());
  std::transform(values.begin(), values.end(), bits.begin(), [](float x) { return std::bit_cast<std::uint32_t>(x); });
  return bits;
}

std::vector<NoiseTerm> some_terms(std::size_t count) {
  std::vector<NoiseTerm> terms;
  for (std::size_t t = 0; t < count; ++t) terms.push_back({pack(member_key(t)), 0.1 * static_cast<double>(t) - 0.37});
  return terms;
}

/// Both kinds, on every instruction set that runs here.
std::vector<std::unique_ptr<NoiseSource>> all_sources() {
  std::vector<std::unique_ptr<NoiseSource>> sources;
  for (const InstructionSet set : available_instruction_sets()) {
    sources.push_back(make_counter_noise(set));
    sources.push_back(make_table_noise(5000, 1, 1, set));
  }
  return sources;
}

TEST_CASE("counter noise is Box and Muller's of the documented words", "[noise]") {
  constexpr double kTwoPi = 6.28318530717958647693;
  const auto source = make_counter_noise();
  const PhiloxKey key = pack(member_key(0));
  const std::vector<float> values = entries(*source, key, 0, 64'000);
  double largest = 0.0;
  double largest_away_from_zero = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t place = i % 64;
    const auto words = philox_block(key, static_cast<std::uint32_t>(16 * (i / 64) + place % 16));
    const double u = words[2 * (place / 32)] * 0x1p-32 + 0x1p-33;
    const double angle = kTwoPi * (words[2 * (place / 32) + 1] * 0x1p-32);
    const double radius = std::sqrt(-2.0 * std::log(u));
    const double exact = radius * (place / 16 % 2 == 0 ? std::cos(angle) : std::sin(angle));
    const double error = std::fabs(static_cast<double>(values[i]) - exact);
    largest = std::max(largest, error);
    if (radius > 0.03) largest_away_from_zero = std::max(largest_away_from_zero, error);
  }
  CHECK(largest < testing::kCounterNoise);
  CHECK(largest_away_from_zero < testing::kCounterNoiseAwayFromZero);
}

TEST_CASE("counter noise never changes", "[noise]") {
  // Stored runs depend on these bits: whoever changes them changes the meaning of every key.
  const auto source = make_counter_noise();
  const std::vector<std::uint32_t> bits = bits_of(entries(*source, pack(member_key(0)), 0, 1'000'000));
  CHECK(bits[0] == 0x3edc6b7bU);
  CHECK(bits[17] == 0x3f5104dcU);
  CHECK(bits[999'999] == 0x3f825e84U);
  std::uint64_t sum = 0;
  for (const std::uint32_t each : bits) sum = sum * 6364136223846793005U + each;
  CHECK(sum == 0x912452c914c12edaU);
}

TEST_CASE("noise has the same bits on every instruction set", "[noise]") {
  const auto terms = some_terms(5);
  const auto reference = make_counter_noise(InstructionSet::generic);
  const auto table_reference = make_table_noise(5000, 1, 1, InstructionSet::generic);
  const std::vector<float> base(3000, 0.3F);
  for (const InstructionSet set : available_instruction_sets()) {
    INFO(name_of(set));
    const std::unique_ptr<NoiseSource> sources[] = {make_counter_noise(set), make_table_noise(5000, 1, 1, set)};
    for (const auto& source : sources) {
      const NoiseSource& expected = source->description() == "counter" ? *reference : *table_reference;
      for (const std::size_t first : std::vector<std::size_t>{0, 1, 63, 64, 777}) {
        for (const std::size_t count : std::vector<std::size_t>{0, 1, 15, 16, 17, 64, 65, 127, 1000, 3000}) {
          std::vector<float> output(count);
          std::vector<float> expected_output(count);
          const auto part = std::span(base).first(count);
          source->perturb(terms[0].key, 0.02F, first, part, output);
          expected.perturb(terms[0].key, 0.02F, first, part, expected_output);
          REQUIRE(bits_of(output) == bits_of(expected_output));
          std::vector<double> sum(count);
          std::vector<double> expected_sum(count);
          source->weighted_sum(terms, first, sum);
          expected.weighted_sum(terms, first, expected_sum);
          REQUIRE(sum == expected_sum);
        }
      }
    }
  }
}

TEST_CASE("perturb is one fused multiply-add, whatever the split", "[noise]") {
  for (const auto& source : all_sources()) {
    const PhiloxKey key = pack(member_key(4));
    const std::vector<float> noise = entries(*source, key, 0, 700);
    std::vector<float> base(noise.size());
    for (std::size_t i = 0; i < base.size(); ++i) base[i] = 0.01F * static_cast<float>(i) - 2.0F;
    std::vector<float> expected(noise.size());
    for (std::size_t i = 0; i < base.size(); ++i) expected[i] = std::fma(-0.02F, noise[i], base[i]);

    std::vector<float> whole(noise.size());
    source->perturb(key, -0.02F, 0, base, whole);
    CHECK(whole == expected);
    for (const std::size_t cut : std::vector<std::size_t>{1, 16, 50, 64, 100, 699}) {
      std::vector<float> parts = base;  // in place
      const std::span<float> span = parts;
      source->perturb(key, -0.02F, 0, span.first(cut), span.first(cut));
      source->perturb(key, -0.02F, cut, span.subspan(cut), span.subspan(cut));
      REQUIRE(parts == expected);
    }
    CHECK(entries(*source, key, 123, 400) == std::vector<float>(noise.begin() + 123, noise.begin() + 523));
    CHECK_NOTHROW(source->perturb(key, 1.0F, 0, {}, {}));
  }
}

/// The place of a key's first entry in a table of `size` floats under seed 1, found by comparing.
std::size_t place_in_table(const NoiseSource& table, std::size_t size, const PhiloxKey& key) {
  const std::vector<float> ring =
      entries(*make_counter_noise(), pack({.seed = 1, .purpose = Purpose::noise_table}), 0, size);
  const std::vector<float> begin = entries(table, key, 0, 3);
  for (std::size_t place = 0; place < size; ++place) {
    if (ring[place] == begin[0] && ring[(place + 1) % size] == begin[1] && ring[(place + 2) % size] == begin[2]) {
      return place;
    }
  }
  FAIL("the vector is not in the table");
  return size;
}

/// The terms in the documented order of their sum.
std::vector<NoiseTerm> summing_order(const NoiseSource& source, std::vector<NoiseTerm> terms) {
  if (source.description() == "counter") return terms;
  std::vector<std::pair<std::size_t, NoiseTerm>> placed;
  for (const NoiseTerm& term : terms) {
    placed.emplace_back(place_in_table(source, source.longest_vector(), term.key), term);
  }
  std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t t = 0; t < terms.size(); ++t) terms[t] = placed[t].second;
  return terms;
}

/// Term by term, entry by entry.
std::vector<double> plain_sum(const NoiseSource& source, const std::vector<NoiseTerm>& terms, std::size_t size) {
  std::vector<double> sum(size, 0.0);
  for (const NoiseTerm& term : summing_order(source, terms)) {
    const std::vector<float> noise = entries(source, term.key, 0, size);
    for (std::size_t i = 0; i < size; ++i) sum[i] = std::fma(static_cast<double>(noise[i]), term.weight, sum[i]);
  }
  return sum;
}

TEST_CASE("a weighted sum adds its terms in the documented order in float64", "[noise]") {
  for (const std::size_t count : std::vector<std::size_t>{1, 3, 4, 7, 8, 9, 15, 20}) {
    const auto terms = some_terms(count);
    for (const auto& source : all_sources()) {
      // More than a tile, and vectors that wrap around a table at different entries.
      for (const std::size_t size : std::vector<std::size_t>{1, 17, 63, 4500}) {
        std::vector<double> sum(size, 99.0);
        source->weighted_sum(terms, 0, sum);
        REQUIRE(sum == plain_sum(*source, terms, size));
      }
    }
  }
}

TEST_CASE("terms of one place in the table are summed as they are given", "[noise]") {
  const auto table = make_table_noise(2000, 1, 1);
  const PhiloxKey key = pack(member_key(3));
  std::vector<NoiseTerm> terms;
  for (const double weight : {1.0, 0x1p-60, -1.0, 0.3, 1e-9}) terms.push_back({key, weight});
  const std::vector<float> noise = entries(*table, key, 0, 50);
  std::vector<double> expected(noise.size(), 0.0);
  for (const NoiseTerm& term : terms) {
    for (std::size_t i = 0; i < noise.size(); ++i) {
      expected[i] = std::fma(static_cast<double>(noise[i]), term.weight, expected[i]);
    }
  }
  std::vector<double> sum(noise.size());
  table->weighted_sum(terms, 0, sum);
  CHECK(sum == expected);
}

TEST_CASE("the order of a sum from a table does not depend on the order of its terms", "[noise]") {
  auto terms = some_terms(30);
  const auto table = make_table_noise(5000, 1, 1);
  std::vector<double> expected(3000);
  table->weighted_sum(terms, 0, expected);
  std::reverse(terms.begin(), terms.end());
  std::vector<double> sum(expected.size());
  table->weighted_sum(terms, 0, sum);
  CHECK(sum == expected);
}

TEST_CASE("a weighted sum has the same bits for any split", "[noise]") {
  const auto terms = some_terms(9);
  for (const auto& source : all_sources()) {
    const std::vector<double> expected = plain_sum(*source, terms, 4500);
    std::vector<double> sum(expected.size(), 99.0);
    source->weighted_sum(terms, 0, sum);
    CHECK(sum == expected);
    for (const std::size_t cut : std::vector<std::size_t>{1, 17, 2000, 4100}) {
      const std::span<double> span = sum;
      std::fill(sum.begin(), sum.end(), 99.0);
      source->weighted_sum(terms, 0, span.first(cut));
      source->weighted_sum(terms, cut, span.subspan(cut));
      REQUIRE(sum == expected);
    }
    source->weighted_sum({}, 0, sum);
    CHECK(sum == std::vector<double>(sum.size(), 0.0));
  }
}

TEST_CASE("the parallel sum has the bits of the serial one", "[noise]") {
  const auto terms = some_terms(3);
  const auto counter = make_counter_noise();
  const auto table = make_table_noise(100'000, 1, 2);
  for (const NoiseSource* source : {counter.get(), table.get()}) {
    for (const std::size_t size : std::vector<std::size_t>{0, 1, 255, 5000, 70'001}) {
      std::vector<double> expected(size);
      source->weighted_sum(terms, 0, expected);
      for (const int threads : {1, 2, 3, 8}) {
        std::vector<double> sum(size, 99.0);
        parallel_weighted_sum(*source, terms, sum, threads);
        REQUIRE(sum == expected);
      }
    }
  }
}

TEST_CASE("table noise is a ring of counter noise", "[noise]") {
  constexpr std::size_t kSize = 3000;
  const auto counter = make_counter_noise();
  const auto table = make_table_noise(kSize, 42, 2);
  const std::vector<float> ring =
      entries(*counter, pack(RandomKey{.seed = 42, .purpose = Purpose::noise_table}), 0, kSize);
  std::size_t wrapped = 0;
  for (std::uint64_t member = 0; member < 50; ++member) {
    const std::vector<float> vector = entries(*table, pack(member_key(member)), 0, kSize);
    const auto place = std::search(ring.begin(), ring.end(), vector.begin(), vector.begin() + 4);
    if (place == ring.end()) {  // the first four entries straddle the end
      ++wrapped;
      continue;
    }
    std::vector<float> expected = ring;
    std::rotate(expected.begin(), expected.begin() + (place - ring.begin()), expected.end());
    REQUIRE(vector == expected);
  }
  CHECK(wrapped < 3);
}

TEST_CASE("places in the table are uniform", "[noise]") {
  // Entry 0 tells the place where all entries differ; the table is small enough that repetitions are rare.
  constexpr std::size_t kSize = 4096;
  const auto table = make_table_noise(kSize, 1, 1);
  const std::vector<float> ring =
      entries(*make_counter_noise(), pack({.seed = 1, .purpose = Purpose::noise_table}), 0, kSize);
  std::vector<double> places;
  for (std::uint64_t member = 0; member < 5000; ++member) {
    const float entry = entries(*table, pack(member_key(member)), 0, 1)[0];
    const auto place = std::find(ring.begin(), ring.end(), entry);
    REQUIRE(place != ring.end());
    places.push_back((static_cast<double>(place - ring.begin()) + 0.5) / kSize);
  }
  CHECK(testing::kolmogorov_statistic(places, [](double x) { return x; }) < testing::kKolmogorovCritical);
}

TEST_CASE("a table's contents do not depend on the threads that fill it", "[noise]") {
  constexpr std::size_t kSize = 2'500'000;
  const auto first = make_table_noise(kSize, 5, 1);
  const auto second = make_table_noise(kSize, 5, 3);
  const PhiloxKey key = pack(member_key(1));
  CHECK(entries(*first, key, 0, kSize) == entries(*second, key, 0, kSize));
}

TEST_CASE("a vector longer than the table is refused with both numbers", "[noise]") {
  const auto table = make_table_noise(2000, 1, 1);
  CHECK(table->longest_vector() == 2000);
  CHECK_NOTHROW(entries(*table, pack(member_key(0)), 1000, 1000));
  CHECK_THROWS_WITH(entries(*table, pack(member_key(0)), 1000, 1001),
                    testing::contains_text("2000") && testing::contains_text("2001"));
  std::vector<double> sum(2001);
  CHECK_THROWS_AS(table->weighted_sum(some_terms(1), 0, sum), Error);
  CHECK_THROWS_AS(parallel_weighted_sum(*table, some_terms(1), sum, 2), Error);
  CHECK(make_counter_noise()->longest_vector() == std::size_t{1} << 34);
}

TEST_CASE("descriptions make the same noise again", "[noise]") {
  for (const std::string description : {"counter", "table:5000", "table:5000:7"}) {
    const auto source = make_noise(description, 1);
    CHECK(source->description() == description);
    CHECK(entries(*make_noise(source->description(), 1), pack(member_key(0)), 0, 100) ==
          entries(*source, pack(member_key(0)), 0, 100));
  }
  CHECK(make_noise("table:5000:123", 1)->description() == "table:5000");
  CHECK(entries(*make_noise("table:5000:7", 1), pack(member_key(0)), 0, 10) !=
        entries(*make_noise("table:5000", 1), pack(member_key(0)), 0, 10));
}

TEST_CASE("a description that makes no sense is refused", "[noise]") {
  CHECK_THROWS_WITH(make_noise("conter", 1), testing::contains_text("did you mean 'counter'?"));
  CHECK_THROWS_WITH(make_noise("counter:5", 1), testing::contains_text("counter noise has no size"));
  for (const std::string description : {"table:", "table:abc", "table:1e6", "table:-5", "table:5000:", "table:5000:x",
                                        "table:99999999999999999999", "table:5000 "}) {
    CHECK_THROWS_WITH(make_noise(description, 1),
                      testing::contains_text(description) && testing::contains_text("table:SIZE"));
  }
  CHECK_THROWS_WITH(make_noise("table:12", 1),
                    testing::contains_text("12 floats is too small") && testing::contains_text("1024"));
  CHECK_THROWS_WITH(make_noise("table:99999999999", 1),
                    testing::contains_text("99999999999") && testing::contains_text("17179869184"));
}

TEST_CASE("a table that does not fit in memory is refused with its size", "[noise]") {
  CHECK_NOTHROW(require_table_memory(1'000'000, 4e6));
  CHECK_THROWS_WITH(require_table_memory(kPublishedTableSize, 0x1p29),
                    testing::contains_text("250000000 floats needs 0.93 GiB") &&
                        testing::contains_text("only 0.50 GiB") && testing::contains_text("table:SIZE"));
}

// Statistics of fixed keys: tests/support/statistics.hpp has the critical values.

constexpr std::size_t kSample = 200'000;

TEST_CASE("noise has a normal's moments", "[noise][statistics]") {
  const auto source = make_counter_noise();
  for (std::uint64_t member = 0; member < 3; ++member) {
    const std::vector<float> sample = entries(*source, pack(member_key(member)), 0, kSample);
    std::array<double, 5> moments{};
    for (const float value : sample) {
      double power = 1.0;
      for (double& moment : moments) {
        moment += power / kSample;
        power *= static_cast<double>(value);
      }
    }
    // Variances of x, x^2, x^3 and x^4 are 1, 2, 15 and 96.
    const std::array<double, 5> expected = {1.0, 0.0, 1.0, 0.0, 3.0};
    const std::array<double, 5> variance = {1.0, 1.0, 2.0, 15.0, 96.0};
    for (std::size_t k = 1; k < moments.size(); ++k) {
      INFO("moment " << k << " of member " << member);
      CHECK(std::fabs(moments[k] - expected[k]) < testing::kNormalCritical * std::sqrt(variance[k] / kSample));
    }
  }
}

TEST_CASE("noise is distributed normally, far tails included", "[noise][statistics]") {
  const auto source = make_counter_noise();
  for (std::uint64_t member = 0; member < 3; ++member) {
    const std::vector<float> sample = entries(*source, pack(member_key(member)), 0, kSample);
    CHECK(testing::kolmogorov_statistic(sample, testing::normal_distribution_function) < testing::kKolmogorovCritical);
  }
  const std::vector<float> table = entries(*make_table_noise(kSample, 9, 2), pack(member_key(0)), 0, kSample);
  CHECK(testing::kolmogorov_statistic(table, testing::normal_distribution_function) < testing::kKolmogorovCritical);

  std::vector<float> many(4'000'000);
  source->perturb(pack(member_key(7)), 1.0F, 0, {}, many);
  // Beyond 4: 6.33e-5, beyond 5: 5.7e-7.
  const auto beyond = [&](float limit) {
    return static_cast<double>(std::count_if(many.begin(), many.end(), [&](float x) { return std::fabs(x) > limit; }));
  };
  const double expected = 6.334e-5 * static_cast<double>(many.size());
  CHECK(std::fabs(beyond(4.0F) - expected) < testing::kNormalCritical * std::sqrt(expected));
  CHECK(beyond(5.0F) <= 9.0);  // 2.3 expected; more than 9 has probability 1e-4
  CHECK(beyond(6.77F) == 0.0);
}

TEST_CASE("neighbouring keys are independent", "[noise][statistics]") {
  const auto source = make_counter_noise();
  const RandomKey key = member_key(5);
  std::vector<RandomKey> neighbours(8, key);
  ++neighbours[0].member;
  ++neighbours[1].generation;
  ++neighbours[2].seed;
  ++neighbours[3].episode;
  neighbours[4].purpose = Purpose::test;
  neighbours[5].seed += std::uint64_t{1} << 32;
  std::swap(neighbours[6].member, neighbours[6].generation);
  neighbours[7].member += 16;
  const std::vector<float> sample = entries(*source, pack(key), 0, kSample);
  for (std::size_t n = 0; n < neighbours.size(); ++n) {
    const std::vector<float> other = entries(*source, pack(neighbours[n]), 0, kSample);
    INFO("neighbour " << n);
    CHECK(std::fabs(testing::correlation_statistic<float>(sample, other)) < testing::kNormalCritical);
    // Squares too: they see what shared radii would do.
    double squares = 0.0;
    for (std::size_t i = 0; i < kSample; ++i) {
      squares += (static_cast<double>(sample[i]) * static_cast<double>(sample[i]) - 1.0) *
                 (static_cast<double>(other[i]) * static_cast<double>(other[i]) - 1.0);
    }
    CHECK(std::fabs(squares) / (2.0 * std::sqrt(static_cast<double>(kSample))) < testing::kNormalCritical);
  }
}

TEST_CASE("entries of one vector are independent", "[noise][statistics]") {
  const auto source = make_counter_noise();
  const std::vector<float> sample = entries(*source, pack(member_key(6)), 0, kSample);
  // 16 separates cosine and sine of one pair, 64 the same place of neighbouring groups.
  for (const std::size_t lag : std::vector<std::size_t>{1, 2, 15, 16, 17, 32, 48, 63, 64, 65, 128, 1024}) {
    const std::span<const float> span = sample;
    INFO("lag " << lag);
    CHECK(std::fabs(testing::correlation_statistic<float>(span.first(kSample - lag), span.subspan(lag))) <
          testing::kNormalCritical);
  }
}

TEST_CASE("sums over many members are normal too", "[noise][statistics]") {
  // What a gradient estimate adds up: 64 members with weights +-1/8.
  const auto source = make_counter_noise();
  std::vector<NoiseTerm> terms;
  for (std::uint64_t member = 0; member < 64; ++member) {
    terms.push_back({pack(member_key(member)), member % 2 == 0 ? 0.125 : -0.125});
  }
  std::vector<double> sum(20'000);
  parallel_weighted_sum(*source, terms, sum, 2);
  CHECK(testing::kolmogorov_statistic(sum, testing::normal_distribution_function) < testing::kKolmogorovCritical);
}

}  // namespace
}  // namespace clade
