#include "experiments/ga_experiment.hpp"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "experiments/random_search_experiment.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

namespace clade {
namespace {

using clade::testing::contains_text;

/// The experiment that a command line asks for.
template <class Experiment>
Experiment parsed(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), Experiment::kProgram);
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  Experiment experiment;
  Options options(Experiment::kProgram, "");
  experiment.add_options(options);
  std::ostringstream out;
  REQUIRE(options.parse(static_cast<int>(pointers.size()), pointers.data(), out));
  return experiment;
}

TEST_CASE("the cache of parents' weights is none, or as many megabytes as one vector takes at least") {
  RunSettings settings;
  settings.environment = "CartPole-v1";
  settings.network = "mlp:1000,1000";
  const RunTask task = make_run_task(settings);
  CHECK(parse_parent_cache("none", task) == 0);
  CHECK(parse_parent_cache("100", task) == 100'000'000);
  CHECK(parse_parent_cache("4.5", task) == 4'500'000);
  CHECK_THROWS_WITH(parse_parent_cache("4", task),
                    "--parent-cache 4: below one member's 4.0 MB of weights; give 5 or more, none, or auto");
  CHECK_THROWS_WITH(parse_parent_cache("0", task), contains_text("a number of megabytes above 0"));
  CHECK_THROWS_WITH(parse_parent_cache("much", task), contains_text("--parent-cache much: give auto, none"));
  CHECK_THROWS_WITH(parse_parent_cache("1e9", task), contains_text("of memory are available; give less, or auto"));
}

TEST_CASE("the cache's use is told in look-ups, vectors computed anew and mutations") {
  CHECK(cache_text({.hits = 985, .misses = 15, .mutations = 15}) ==
        "parents' weights (--parent-cache): 98.5% of 1,000 look-ups found them in memory, 15 were computed anew by "
        "replaying 15 mutations");
  CHECK(cache_text({.hits = 0, .misses = 1, .mutations = 1}) ==
        "parents' weights (--parent-cache): 0.0% of 1 look-up found them in memory, 1 was computed anew by replaying 1 "
        "mutation");
}

TEST_CASE("the algorithm's options reach it, and values that contradict each other are refused") {
  const auto noise = make_counter_noise();
  const std::vector<std::string> task = {"--env", "CartPole-v1", "--network", "mlp:4"};
  const auto make = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = task;
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto experiment = parsed<GaExperiment>(arguments);
    return experiment.make_strategy(make_run_task(experiment.run), *noise);
  };
  const std::unique_ptr<DeepGa> strategy = make({"--population", "6", "--parents", "2", "--power", "0.5"});
  CHECK(strategy->ask(0, 6).members.size() == 6);
  CHECK_THROWS_WITH(make({"--population", "6"}), contains_text("number of parents 20 is outside [1, 6]"));
  CHECK_THROWS_WITH(make({"--elites", "3", "--parents", "2"}), contains_text("number of elites 3 is outside [1, 2]"));
  CHECK_THROWS_WITH(make({"--elites", "3", "--validation-candidates", "2"}),
                    contains_text("number of elites 3 is outside [1, 2]"));
  CHECK_THROWS_WITH(make({"--power", "0"}), contains_text("mutation power 0 must be"));
  CHECK_THROWS_WITH(make({"--initialisation", "normc"}), contains_text("initialisation 'normc'"));
}

TEST_CASE("every preset of a program is a set of values that the program takes") {
  const auto noise = make_counter_noise();
  for (const std::string preset : {"such2017", "atari-workstation", "humanoid", "CartPole", "HalfCheetah"}) {
    CAPTURE(preset);
    const auto ga = parsed<GaExperiment>({"--preset", preset});
    CHECK(ga.parents <= ga.run.population);
    CHECK(ga.run.validation_episodes >= 10);
    CHECK(parsed<RandomSearchExperiment>({"--preset", preset}).run.population == ga.run.population);
  }
  const auto such = parsed<GaExperiment>({"--preset", "such2017", "--env", "CartPole-v1"});
  CHECK(such.run.population == 1000);
  CHECK(such.elitist.candidates == 10);
  CHECK(such.run.validation_episodes == 30);
  CHECK(such.run.final_episodes == 200);
  CHECK(such.run.budget_frames == 1'000'000'000U);
  CHECK(such.run.max_steps == "5000");
  CHECK(such.power == "0.002");
  CHECK(such.run.network == "large_model");
  const auto nowhere = parsed<GaExperiment>({"--preset", "such2017"});
  CHECK_THROWS_WITH(make_run_task(nowhere.run), contains_text("no environment; name one with --env"));
}

TEST_CASE("a preset's options of the environment stay beside those of the command line") {
  using Values = std::vector<std::string>;
  const auto options_of = [](std::vector<std::string> arguments) {
    return parsed<GaExperiment>(std::move(arguments)).run.environment_options;
  };
  CHECK(options_of({"--preset", "such2017", "--env-option", "repeat_action_probability=0.25"}) ==
        Values{"max_frames=108000", "repeat_action_probability=0.25"});
  CHECK(options_of({"--preset", "such2017", "--env-option", "max_frames=18000"}) == Values{"max_frames=18000"});
  CHECK(options_of({"--preset", "such2017", "--env-option", "none"}).empty());
}

TEST_CASE("a setting that the others make meaningless is refused, unless a config file names it") {
  const test::TemporaryFolder folder;
  const auto check = [](const std::vector<std::string>& arguments) {
    std::vector<const char*> pointers = {"clade-ga"};
    for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
    GaExperiment experiment;
    Options options(GaExperiment::kProgram, "");
    experiment.add_options(options);
    std::ostringstream out;
    if (options.parse(static_cast<int>(pointers.size()), pointers.data(), out)) experiment.check_options(options);
    return out.str();
  };
  CHECK_THROWS_WITH(check({"--crossover", "none", "--crossover-rate", "0.25"}),
                    "--crossover-rate 0.25: there is no crossover; give --crossover uniform or one_point as well, or "
                    "leave it out");
  CHECK_THROWS_WITH(check({"--crossover-rate", "0.5"}), contains_text("there is no crossover"));
  CHECK_THROWS_WITH(check({"--tournament-size", "3"}),
                    "--tournament-size 3: there are no tournaments; give --parent-selection tournament as well, or "
                    "leave it out");
  CHECK_NOTHROW(check({"--crossover", "uniform", "--crossover-rate", "0.25"}));
  CHECK_NOTHROW(check({"--parent-selection", "tournament", "--tournament-size", "3"}));
  std::ofstream(folder.file("printed.cfg")) << check({"--env", "CartPole-v1", "--print-config"});
  CHECK_NOTHROW(check({"--config", folder.file("printed.cfg")}));
}

}  // namespace
}  // namespace clade
