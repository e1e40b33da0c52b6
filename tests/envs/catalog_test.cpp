#include "envs/catalog.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace clade {

using testing::contains_text;

TEST_CASE("The catalogue lists every environment once", "[catalog]") {
  std::set<std::string> names;
  for (const EnvironmentInfo& info : list_environments()) {
    CAPTURE(info.name);
    CHECK(names.insert(info.name).second);
    CHECK_FALSE(info.family.empty());
    CHECK_FALSE(info.summary.empty());
    for (const EnvironmentOptionInfo& option : info.options) CHECK_FALSE(option.text.empty());
  }
  CHECK(names.size() == 5 + 22 + 8 + 108);
  for (const char* name : {"CartPole-v1", "HalfCheetah-v4", "Humanoid-v5", "Pusher-v4", "Rastrigin", "SpaceInvaders"}) {
    CHECK(names.contains(name));
  }
}

TEST_CASE("An unknown environment is refused with the nearest one", "[catalog]") {
  CHECK_THROWS_WITH(make_environment_factory("HalfCheeta-v4"), contains_text("HalfCheetah-v4"));
  CHECK_THROWS_WITH(make_environment_factory("cartpole-v1"), contains_text("CartPole-v1"));
  CHECK_THROWS_AS(make_environment_factory(""), Error);
  CHECK_THROWS_WITH(make_environment_factory("ALE/Frostbyte-v5"), contains_text("unknown environment"));
  CHECK_THROWS_WITH(make_environment_factory("Frostbyte"), contains_text("Frostbite"));
  CHECK_THROWS_WITH(environment_provenance("Pendulun-v1"), contains_text("Pendulum-v1"));
}

TEST_CASE("Environments of our own code have no foreign provenance", "[catalog]") {
  CHECK(environment_provenance("CartPole-v1").empty());
  CHECK(environment_provenance("Sphere").empty());
}

TEST_CASE("Options are split at the first equals sign", "[catalog]") {
  CHECK(parse_environment_option("g=9.81") == std::pair<std::string, std::string>("g", "9.81"));
  CHECK(parse_environment_option("xml_file=/a=b") == std::pair<std::string, std::string>("xml_file", "/a=b"));
  CHECK(parse_environment_option("name=").second.empty());
  for (const char* text : {"", "g", "=1"})
    CHECK_THROWS_WITH(parse_environment_option(text), contains_text("NAME=VALUE"));
}

}  // namespace clade
