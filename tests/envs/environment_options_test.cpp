#include "envs/environment_options.hpp"

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace clade {
namespace {

using testing::contains_text;

struct Target {
  double weight = 0.1;
  std::uint64_t count = 3;
  bool flag = true;
  Range range{0.7, std::numeric_limits<double>::infinity()};
  std::string text = "ant.xml";
  std::size_t choice = 1;
};

void declare(EnvironmentOptionSet& set, Target& target) {
  set.add("weight", target.weight, "a weight", 0.0, 10.0);
  set.add("count", target.count, "a count", 1, 5);
  set.add("flag", target.flag, "a switch");
  set.add("range", target.range, "a range");
  set.add("text", target.text, "a text");
  set.add_choice("choice", target.choice, {"red", "green"}, "a colour");
}

}  // namespace

TEST_CASE("Options are listed with their defaults and read back from them", "[options]") {
  Target target;
  EnvironmentOptionSet set("Task-v1");
  declare(set, target);
  const std::vector<EnvironmentOptionInfo> infos = set.infos();
  REQUIRE(infos.size() == 6);
  CHECK(infos[0].default_value == "0.1");
  CHECK(infos[1].default_value == "3");
  CHECK(infos[2].default_value == "true");
  CHECK(infos[3].default_value == "0.7,inf");
  CHECK(infos[4].default_value == "ant.xml");
  CHECK(infos[5].default_value == "green");
  CHECK_THAT(infos[5].text, contains_text("red|green"));
  EnvironmentOptions defaults;
  for (const EnvironmentOptionInfo& info : infos) defaults.emplace_back(info.name, info.default_value);
  set.apply(defaults);
  CHECK(target.weight == 0.1);
  CHECK(target.range == Range{0.7, std::numeric_limits<double>::infinity()});
  CHECK(target.choice == 1);
}

TEST_CASE("Options are assigned", "[options]") {
  Target target;
  EnvironmentOptionSet set("Task-v1");
  declare(set, target);
  set.apply({{"weight", "2.5e-1"},
             {"count", "5"},
             {"flag", "false"},
             {"range", "-inf,1e3"},
             {"text", "/a b/c.xml"},
             {"choice", "red"}});
  CHECK(target.weight == 0.25);
  CHECK(target.count == 5);
  CHECK_FALSE(target.flag);
  CHECK(target.range == Range{-std::numeric_limits<double>::infinity(), 1000.0});
  CHECK(target.text == "/a b/c.xml");
  CHECK(target.choice == 0);
}

TEST_CASE("Wrong options are refused with what is expected", "[options]") {
  Target target;
  EnvironmentOptionSet set("Task-v1");
  declare(set, target);
  const auto refused = [&](const std::string& name, const std::string& value, const std::string& part) {
    CAPTURE(name, value);
    CHECK_THROWS_WITH(set.apply({{name, value}}), contains_text(part));
  };
  refused("wieght", "1", "'weight'");
  refused("weight", "abc", "a finite number");
  refused("weight", "nan", "a finite number");
  refused("weight", "inf", "a finite number");
  refused("weight", "1x", "a finite number");
  refused("weight", "-0.5", "at least 0");
  refused("weight", "11", "at most 10");
  refused("count", "0", "from 1 to 5");
  refused("count", "6", "from 1 to 5");
  refused("count", "-1", "from 1 to 5");
  refused("count", "2.5", "from 1 to 5");
  refused("flag", "maybe", "true or false");
  refused("range", "1", "low,high");
  refused("range", "2,1", "low,high");
  refused("range", "1,2,3", "low,high");
  refused("range", "nan,2", "low,high");
  refused("text", "", "a text");
  refused("choice", "blue", "red|green");
  CHECK_THROWS_WITH(set.apply({{"count", "2"}, {"count", "2"}}), contains_text("twice"));
  CHECK_THROWS_WITH(EnvironmentOptionSet("Task-v1").apply({{"count", "2"}}), contains_text("no options"));
}

}  // namespace clade
