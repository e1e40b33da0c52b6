#include "core/population.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "tests/support/catch.hpp"

namespace clade {
namespace {

PhiloxKey some_key() { return pack(RandomKey{.seed = 3, .purpose = Purpose::perturbation, .member = 4}); }

Population two_bases(std::size_t size) {
  std::vector<float> first(size);
  for (std::size_t i = 0; i < size; ++i) first[i] = 0.1F * static_cast<float>(i);
  Population population;
  population.bases.push_back(std::make_shared<const std::vector<float>>(first));
  population.bases.push_back(std::make_shared<const std::vector<float>>(size, 7.0F));
  return population;
}

std::vector<float> weights(const Population& population, const Member& member, std::size_t first, std::size_t count) {
  std::vector<float> output(count);
  materialise(population, member, *make_counter_noise(), first, output);
  return output;
}

TEST_CASE("a member without noise is its base", "[population]") {
  const Population population = two_bases(100);
  CHECK(weights(population, Member{.base = 0}, 0, 100) == *population.bases[0]);
  CHECK(weights(population, Member{.base = 1}, 40, 3) == std::vector<float>(3, 7.0F));
}

TEST_CASE("a dense member is its base plus scaled noise", "[population]") {
  const Population population = two_bases(100);
  const Member member{.base = 0, .form = PerturbationForm::dense, .key = some_key(), .scale = 0.05F};
  Member mirrored = member;
  mirrored.scale = -member.scale;
  std::vector<float> noise(100);
  make_counter_noise()->perturb(some_key(), 1.0F, 0, {}, noise);

  const std::vector<float> positive = weights(population, member, 0, 100);
  const std::vector<float> negative = weights(population, mirrored, 0, 100);
  for (std::size_t i = 0; i < 100; ++i) {
    CHECK(positive[i] == std::fma(0.05F, noise[i], (*population.bases[0])[i]));
    CHECK(negative[i] == std::fma(-0.05F, noise[i], (*population.bases[0])[i]));
  }
  CHECK(weights(population, member, 33, 50) == std::vector<float>(positive.begin() + 33, positive.begin() + 83));
}

TEST_CASE("a base or a range that is not there is our bug", "[population]") {
  const Population population = two_bases(10);
  CHECK_THROWS_AS(weights(population, Member{.base = 2}, 0, 1), std::logic_error);
  CHECK_THROWS_AS(weights(population, Member{}, 5, 6), std::logic_error);
  CHECK_THROWS_AS(weights(population, Member{}, 11, 0), std::logic_error);
}

}  // namespace
}  // namespace clade
