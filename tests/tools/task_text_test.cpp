#include "tools/task_text.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/run_records.hpp"
#include "tools/learning_curve.hpp"

using namespace clade;
using clade::testing::contains_text;

namespace {

using Texts = std::vector<std::string>;

/// A run on Frostbite by `protocol`, with these values of --env-option.
RunRecord game_run(const std::string& protocol, const Texts& options = {}) {
  RunRecord record = clade::testing::genetic_record(1, {.generations = 2});
  record.provenance["atari_protocol"] = protocol;
  for (const std::string& option : options) record.configuration.push_back({"env-option", option});
  return record;
}

}  // namespace

TEST_CASE("a game is named with its recorded protocol, and with the options that differ from the protocol's") {
  CHECK(task_text(game_run("uber")) == "Frostbite, protocol uber");
  CHECK(task_options(game_run("uber")).empty());
  CHECK(task_options(game_run("dqn", {"max_frames=108000", "noop_max=30", "protocol=dqn"})).empty());
  CHECK(task_options(game_run("uber", {"max_frames=108000", "resize=bilinear"})) == Texts{"max_frames=108000"});
  CHECK(task_options(game_run("machado", {"repeat_action_probability=0.25", "frame_skip=3"})) == Texts{"frame_skip=3"});
  CHECK(task_options(game_run("dqn", {"noop_start=false", "rom_dir=/roms"})) == Texts{"noop_start=false"});
}

TEST_CASE("options of a game that the program has of its own are named as well") {
  RunRecord record = game_run("dqn");
  record.configuration.push_back({"resize", "bilinear"});
  record.configuration.push_back({"full-action-space", "true"});
  CHECK(task_options(record) == Texts{"resize=bilinear", "full_action_space=true"});
  record.provenance["atari_protocol"] = "uber";
  CHECK(task_options(record) == Texts{"full_action_space=true"});
}

TEST_CASE("what this program does not know of a task is shown as it is stored") {
  CHECK(task_options(game_run("uber", {"unheard=of", "max_frames=many"})) == Texts{"unheard=of", "max_frames=many"});
  CHECK(task_options(game_run("2050", {"max_frames=108000"})) == Texts{"max_frames=108000"});
  const RunRecord cheetah = clade::testing::random_record(1);
  CHECK(task_text(cheetah) == "HalfCheetah-v4");
  CHECK(task_options(cheetah) == Texts{"a=1", "b=2"});
  CHECK(task_text(RunRecord{}) == "unknown task");
}

TEST_CASE("a plot of a game names the protocol in its title and what differs from it below") {
  const std::string svg = learning_curve_svg(std::vector{game_run("uber", {"max_frames=108000"})}, {});
  CHECK_THAT(svg, contains_text(">Frostbite, protocol uber<") &&
                      contains_text("<title>Frostbite, protocol uber: mean") &&
                      contains_text(">clade-ga, max_frames=108000, seed 1<"));
}
