#include "core/state.hpp"

#include "tests/support/catch.hpp"

using namespace clade;
using clade::testing::contains_text;

TEST_CASE("state gives back what was set, by name and type") {
  State state;
  state.set("a", std::vector<double>{1.0, 2.0});
  state.set("b/c", std::string("text"));
  CHECK(state.has("a"));
  CHECK_FALSE(state.has("c"));
  CHECK(state.get<std::vector<double>>("a") == std::vector<double>{1.0, 2.0});
  CHECK(state.get<std::string>("b/c") == "text");
  CHECK(state.array<double>("a", 2).size() == 2);
  state.set("a", std::vector<float>{3.0F});
  CHECK(state.get<std::vector<float>>("a") == std::vector<float>{3.0F});
}

TEST_CASE("state refuses an absent name, another type and another length") {
  State state;
  state.set("a", std::vector<double>{1.0, 2.0});
  CHECK_THROWS_WITH(state.get<std::string>("b"), contains_text("no 'b'"));
  CHECK_THROWS_WITH(state.get<std::string>("a"), contains_text("'a' has another type"));
  CHECK_THROWS_WITH(state.array<double>("a", 3), contains_text("'a' has 2 numbers, expected 3"));
  CHECK_THROWS_AS(state.get<std::string>("b"), Error);
}
