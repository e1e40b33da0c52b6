#include "core/gaussian_sampling.hpp"

#include <limits>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using namespace clade;
using clade::testing::contains_text;

TEST_CASE("a mirrored pair shares its key and carries opposite scales", "[gaussian_sampling]") {
  const auto base = make_base(std::vector<double>{1.0, 2.0}, 0);
  const Population population = sample_members({7, 0.5F, true}, base, 3, 0, 4);
  CHECK(population.generation == 3);
  CHECK(population.bases.at(0) == base);
  REQUIRE(population.members.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    const Member& member = population.members[i];
    CHECK(member.form == PerturbationForm::dense);
    CHECK(member.base == 0);
    CHECK(member.key == pack({7, Purpose::perturbation, 3, i / 2, 0}));
    CHECK(member.scale == (i % 2 == 0 ? 0.5F : -0.5F));
    CHECK(member.pair == i / 2);
  }
}

TEST_CASE("without mirroring every member has noise of its own", "[gaussian_sampling]") {
  const auto base = make_base(std::vector<double>{1.0}, 0);
  const Population population = sample_members({7, 0.5F, false}, base, 3, 0, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(population.members[i].key == direction_key(7, 3, i));
    CHECK(population.members[i].scale == 0.5F);
    CHECK(population.members[i].pair == i);
  }
}

TEST_CASE("pieces of a generation are the whole cut anywhere", "[gaussian_sampling]") {
  const auto base = make_base(std::vector<double>{1.0}, 0);
  for (bool mirrored : {true, false}) {
    const GaussianSampling sampling{1, 0.1F, mirrored};
    const Population whole = sample_members(sampling, base, 9, 0, 10);
    for (std::size_t cut = 0; cut <= 10; ++cut) {
      const Population piece = sample_members(sampling, base, 9, cut, 10 - cut);
      CHECK(piece.first_member == cut);
      REQUIRE(piece.members.size() == 10 - cut);
      for (std::size_t i = 0; i < piece.members.size(); ++i) {
        CHECK(piece.members[i].key == whole.members[cut + i].key);
        CHECK(piece.members[i].scale == whole.members[cut + i].scale);
        CHECK(piece.members[i].pair == whole.members[cut + i].pair);
      }
    }
  }
}

TEST_CASE("a sigma that a float cannot hold is refused", "[gaussian_sampling]") {
  CHECK(checked_sigma(0.25, "sigma") == 0.25F);
  for (double sigma : {0.0, -1.0, 1e-50, 1e50, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS_WITH(checked_sigma(sigma, "sigma"), contains_text("sigma ") && contains_text("is outside ["));
  }
}

TEST_CASE("a diverged search is an error that names the parameter", "[gaussian_sampling]") {
  CHECK_THROWS_WITH(make_base(std::vector<double>{0.0, 1e39}, 12),
                    contains_text("parameter 1 is 1e39") && contains_text("generation 12"));
  CHECK_THROWS_AS(make_base(std::vector<double>{std::numeric_limits<double>::quiet_NaN()}, 0), Error);
}
