// How the preset, the config file and the command line add up, and what a resumed run makes of it.

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/options.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

namespace clade {
namespace {

using Values = std::vector<std::string>;

/// A program whose worlds have parameters, and whose model is the program's choice where it is left open.
struct World {
  Values parameters;
  std::string model = "auto";
  Options options{"clade-test", "evolve something for a test"};

  World() {
    options.add("parameter", parameters, {.text = "of the world", .value_name = "K=V", .merged_by_name = true});
    options.add("model", model, {.text = "of the policy", .open_value = "auto"});
    options.add_preset("long", "long episodes", {{"parameter", "limit=108000 skip=4"}, {"model", "large"}});
    options.add_preset("plain", "nothing of the world", {{"model", "small"}});
  }

  std::string parse(Values arguments) {
    arguments.insert(arguments.begin(), "clade-test");
    std::vector<const char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
    std::ostringstream out;
    options.parse(static_cast<int>(pointers.size()), pointers.data(), out);
    return out.str();
  }
};

Values parameters_of(const Values& arguments) {
  World world;
  world.parse(arguments);
  return world.parameters;
}

std::string config(const test::TemporaryFolder& folder, const std::string& text) {
  const std::string file = folder.path() / "world.cfg";
  std::ofstream(file) << text;
  return file;
}

TEST_CASE("values with names add up over preset, config file and command line, the later source first") {
  const test::TemporaryFolder folder;
  const std::string file = config(folder, "parameter = skip=2\nparameter = sticky=0.25\n");
  CHECK(parameters_of({"--preset", "long", "--parameter", "sticky=0.5"}) ==
        Values{"limit=108000", "skip=4", "sticky=0.5"});
  CHECK(parameters_of({"--preset", "long", "--parameter", "limit=500"}) == Values{"limit=500", "skip=4"});
  CHECK(parameters_of({"--preset", "long", "--config", file}) == Values{"limit=108000", "skip=2", "sticky=0.25"});
  CHECK(parameters_of({"--preset", "long", "--config", file, "--parameter", "sticky=0", "--parameter", "limit=9"}) ==
        Values{"limit=9", "skip=2", "sticky=0"});
  CHECK(parameters_of({"--config", file, "--parameter", "none"}).empty());
  CHECK(parameters_of({"--preset", "plain", "--parameter", "a=1"}) == Values{"a=1"});
  CHECK(parameters_of({"--parameter", "limit"}) == Values{"limit"});  // whoever reads it refuses it
}

TEST_CASE("a name that one source gives twice is kept twice, for its reader to refuse") {
  CHECK(parameters_of({"--preset", "long", "--parameter", "skip=1", "--parameter", "skip=2"}) ==
        Values{"limit=108000", "skip=1", "skip=2"});
}

TEST_CASE("the printed configuration holds what the sources give together, and help says that they add up") {
  World world;
  const std::string printed = world.parse({"--preset", "long", "--parameter", "sticky=0.25", "--print-config"});
  CHECK_THAT(printed, testing::contains_text(
                          "parameter = limit=108000\nparameter = skip=4\nparameter = sticky=0.25\nmodel = large\n"));
  World helping;
  CHECK_THAT(helping.parse({"--help"}), testing::contains_text("may be repeated; adds to those of the preset"));
}

TEST_CASE("a resumed run keeps its named values beneath those of the command line, which may only repeat them") {
  World first;
  first.parse({"--preset", "long", "--parameter", "sticky=0.25"});
  const std::vector<ConfigEntry> stored = first.options.configuration();
  World repeated;
  repeated.parse({"--parameter", "sticky=0.25"});
  repeated.options.apply_stored(stored);
  CHECK(repeated.parameters == Values{"limit=108000", "skip=4", "sticky=0.25"});
  World altered;
  altered.parse({"--parameter", "skip=1"});
  CHECK_THROWS_WITH(altered.options.apply_stored(stored),
                    "--parameter: the run was started with limit=108000 skip=4 sticky=0.25; a resumed run cannot "
                    "change it to limit=108000 skip=1 sticky=0.25");
  World emptied;
  emptied.parse({"--parameter", "none"});
  CHECK_THROWS_WITH(emptied.options.apply_stored(stored), testing::contains_text("cannot change it to none"));
}

TEST_CASE("a value that leaves the choice open is, to a resumed run, what the run chose") {
  World first;
  first.parse({});
  first.model = "large";  // the program's choice
  World resumed;
  resumed.parse({"--model", "auto"});
  resumed.options.apply_stored(first.options.configuration());
  CHECK(resumed.model == "large");
  World other;
  other.parse({"--model", "small"});
  CHECK_THROWS_WITH(other.options.apply_stored(first.options.configuration()),
                    "--model: the run was started with large; a resumed run cannot change it to small");
}

TEST_CASE("messages can say where an option was named, and which presets set it") {
  const test::TemporaryFolder folder;
  const std::string file = config(folder, "model = tiny\n");
  World world;
  world.parse({"--preset", "long"});
  CHECK(world.options.where_given("parameter") == "preset long: parameter");
  World configured;
  configured.parse({"--preset", "long", "--config", file, "--parameter", "a=1"});
  CHECK(configured.options.where_given("model") == "config file " + file + ": model");
  CHECK(configured.options.where_given("parameter") == "--parameter");
  CHECK(World().options.where_given("model") == "--model");
  CHECK(world.options.presets_with("parameter") == Values{"long"});
  CHECK(world.options.presets_with("model") == Values{"long", "plain"});
}

}  // namespace
}  // namespace clade
