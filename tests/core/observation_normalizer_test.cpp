#include "core/observation_normalizer.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tolerances.hpp"

using namespace clade;
using clade::testing::contains_text;

namespace {

constexpr std::size_t kSize = 5;

std::vector<std::vector<double>> observations(std::size_t count, double offset = 0.0) {
  RandomStream rng({3, Purpose::test, 0, 0, 0});
  std::vector<std::vector<double>> rows(count, std::vector<double>(kSize));
  for (auto& row : rows) {
    for (std::size_t i = 0; i < kSize; ++i) row[i] = offset + static_cast<double>(i) * rng.normal();
  }
  return rows;
}

ObservationMoments moments_of(const std::vector<std::vector<double>>& rows, std::size_t first, std::size_t count) {
  ObservationMoments moments(kSize);
  for (std::size_t i = first; i < first + count; ++i) moments.add(rows[i]);
  return moments;
}

std::vector<double> copy(std::span<const double> values) { return {values.begin(), values.end()}; }

}  // namespace

TEST_CASE("Moments are the mean and the squared deviations", "[normalizer]") {
  const auto rows = observations(1000, 1e4);  // an offset that would cost raw sums of squares eight digits
  const ObservationMoments moments = moments_of(rows, 0, rows.size());
  CHECK(moments.count() == 1000);
  for (std::size_t i = 0; i < kSize; ++i) {
    long double mean = 0.0L;
    for (const auto& row : rows) mean += row[i];
    mean /= 1000.0L;
    long double squares = 0.0L;
    for (const auto& row : rows) squares += (row[i] - mean) * (row[i] - mean);
    CHECK(moments.mean()[i] == Approx(static_cast<double>(mean)).epsilon(testing::kMomentsRelative));
    CHECK(moments.squares()[i] == Approx(static_cast<double>(squares)).epsilon(testing::kMomentsRelative));
  }
}

TEST_CASE("One observation has its own mean and no deviation, exactly", "[normalizer]") {
  const auto rows = observations(1, 0.3);
  const ObservationMoments moments = moments_of(rows, 0, 1);
  CHECK(copy(moments.mean()) == rows[0]);
  CHECK(copy(moments.squares()) == std::vector<double>(kSize, 0.0));
}

TEST_CASE("Merged moments are those of all observations", "[normalizer]") {
  const auto rows = observations(60, 2.0);
  const ObservationMoments whole = moments_of(rows, 0, 60);
  ObservationMoments merged = moments_of(rows, 0, 13);
  merged.merge(ObservationMoments(kSize));
  merged.merge(moments_of(rows, 13, 1));
  merged.merge(moments_of(rows, 14, 46));
  CHECK(merged.count() == 60);
  for (std::size_t i = 0; i < kSize; ++i) {
    CHECK(merged.mean()[i] == Approx(whole.mean()[i]).epsilon(testing::kMomentsRelative));
    CHECK(merged.squares()[i] == Approx(whole.squares()[i]).epsilon(testing::kMomentsRelative));
  }
  ObservationMoments from_empty(kSize);
  from_empty.merge(whole);
  CHECK(copy(from_empty.mean()) == copy(whole.mean()));
  CHECK(copy(from_empty.squares()) == copy(whole.squares()));
}

TEST_CASE("The ARS filter is the reference's", "[normalizer]") {
  ObservationNormalizer normalizer(NormalizationKind::ars, kSize);
  const NormalizerSnapshot before = normalizer.snapshot();
  CHECK(before.mean == std::vector<double>(kSize, 0.0));
  CHECK(before.inverse_std == std::vector<double>(kSize, 1.0 / (1.0 + 1e-8)));
  CHECK(before.clip == std::numeric_limits<double>::infinity());

  const auto rows = observations(50, -3.0);
  const std::vector<ObservationMoments> one{moments_of(rows, 0, 1)};
  normalizer.update(one);
  CHECK(normalizer.snapshot().inverse_std[1] == 1.0 / (std::abs(rows[0][1]) + 1e-8));

  const std::vector<ObservationMoments> rest{moments_of(rows, 1, 20), moments_of(rows, 21, 29)};
  normalizer.update(rest);
  CHECK(normalizer.moments().count() == 50);
  const NormalizerSnapshot after = normalizer.snapshot();
  // Component 0 is constant: its std is below 1e-7, so it is divided by
  // infinity.
  CHECK(after.inverse_std[0] == 0.0);
  for (std::size_t i = 1; i < kSize; ++i) {
    CHECK(after.mean[i] == normalizer.moments().mean()[i]);
    CHECK(after.inverse_std[i] == 1.0 / (std::sqrt(normalizer.moments().squares()[i] / 49.0) + 1e-8));
  }
}

TEST_CASE("The OpenAI statistics are the starter's", "[normalizer]") {
  ObservationNormalizer normalizer(NormalizationKind::openai, kSize);
  const NormalizerSnapshot before = normalizer.snapshot();
  CHECK(before.mean == std::vector<double>(kSize, 0.0));
  CHECK(before.inverse_std == std::vector<double>(kSize, 1.0));
  CHECK(before.clip == 5.0);

  const auto rows = observations(40, 0.5);
  const std::vector<ObservationMoments> episodes{moments_of(rows, 0, 40)};
  normalizer.update(episodes);
  const NormalizerSnapshot after = normalizer.snapshot();
  for (std::size_t i = 0; i < kSize; ++i) {
    // The starter's raw sums, begun at count .01, sum 0, sum of squares .01.
    long double count = 0.01L, sum = 0.0L, squares = 0.01L;
    for (const auto& row : rows) {
      count += 1.0L;
      sum += row[i];
      squares += static_cast<long double>(row[i]) * row[i];
    }
    const long double mean = sum / count;
    const long double variance = std::max(squares / count - mean * mean, 1e-2L);
    CHECK(after.mean[i] == Approx(static_cast<double>(mean)).epsilon(testing::kMomentsRelative));
    CHECK(after.inverse_std[i] ==
          Approx(static_cast<double>(1.0L / std::sqrt(variance))).epsilon(testing::kMomentsRelative));
  }
  CHECK(after.inverse_std[0] == Approx(10.0));  // a constant component: the floor of the variance
}

TEST_CASE("Without normalisation the snapshot is empty", "[normalizer]") {
  ObservationNormalizer normalizer(NormalizationKind::none, kSize);
  CHECK(normalizer.snapshot() == NormalizerSnapshot{});
}

TEST_CASE("Saved statistics go on to the same bits", "[normalizer]") {
  const auto rows = observations(30);
  ObservationNormalizer normalizer(NormalizationKind::ars, kSize);
  const std::vector<ObservationMoments> first{moments_of(rows, 0, 17)};
  const std::vector<ObservationMoments> second{moments_of(rows, 17, 13)};
  normalizer.update(first);
  State state;
  normalizer.save(state);
  ObservationNormalizer restored(NormalizationKind::ars, kSize);
  restored.load(state);
  CHECK(restored.snapshot() == normalizer.snapshot());
  normalizer.update(second);
  restored.update(second);
  CHECK(restored.snapshot() == normalizer.snapshot());

  ObservationNormalizer other_size(NormalizationKind::ars, kSize + 1);
  CHECK_THROWS_AS(other_size.load(state), Error);
  ObservationNormalizer other_kind(NormalizationKind::openai, kSize);
  CHECK_THROWS_WITH(other_kind.load(state), contains_text("'ars'"));
}

TEST_CASE("Normalisation names", "[normalizer]") {
  for (const std::string name : {"none", "ars", "openai"}) CHECK(name_of(parse_normalization(name)) == name);
  CHECK_THROWS_WITH(parse_normalization("opnai"), contains_text("openai"));
}
