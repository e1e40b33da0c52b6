#include "experiments/run_checks.hpp"

#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using namespace clade;
using clade::testing::contains_text;

namespace {

RunSettings cart_pole(const std::string& network) {
  RunSettings settings;
  settings.environment = "CartPole-v1";
  settings.network = network;
  settings.population = 1000;
  return settings;
}

}  // namespace

TEST_CASE("a run's memory grows with parameters, workers, members, episodes and observation statistics") {
  RunSettings settings = cart_pole("mlp:1000,1000");
  const RunTask task = make_run_task(settings);
  REQUIRE(task.policy.network.parameter_count() == 1'008'002);
  // 160 bytes a parameter and 4 a worker, 120 a member and 60 an episode.
  CHECK_NOTHROW(check_memory(settings, task, 2, 170e6));
  CHECK_THROWS_WITH(check_memory(settings, task, 2, 169e6),
                    "the 1008002 parameters of network mlp:1000,1000:tanh of 4 inputs and 2 outputs need about 169.3 "
                    "MB of memory, of which 169.0 MB are available; choose smaller layers");
  CHECK_THROWS_WITH(check_memory(settings, task, 10, 170e6), contains_text("choose smaller layers"));
  settings.episodes = 1000;
  CHECK_NOTHROW(check_memory(settings, task, 2, 230e6));
  CHECK_THROWS_WITH(check_memory(settings, task, 2, 229e6),
                    contains_text("population 1000 with --episodes 1000 needs about 229.5 MB"));
  settings.normalize = "ars";  // 120 + 4 x 16 bytes more an episode
  CHECK_THROWS_WITH(check_memory(settings, task, 2, 413e6), contains_text("needs about 413.5 MB"));
}

TEST_CASE("a noise table must hold the parameter vector") {
  const RunTask task = make_run_task(cart_pole("mlp:64,64"));
  CHECK_NOTHROW(check_noise_length(*make_noise("table:4610", 1), task));
  CHECK_NOTHROW(check_noise_length(*make_noise("counter", 1), task));
  CHECK_THROWS_WITH(check_noise_length(*make_noise("table:4609", 1), task),
                    "--noise table:4609: the network mlp:64,64:tanh of 4 inputs and 2 outputs has 4610 parameters, "
                    "more than the 4609 floats of the noise; choose a longer table or counter");
}

TEST_CASE("a solution is taken over by the same network only, also from runs that did not say theirs") {
  const RunSettings settings = cart_pole("linear");
  const RunTask task = make_run_task(settings);
  CHECK(network_text(task) == "linear of 4 inputs and 2 outputs");
  RunRecord source;
  source.state.set("solution", std::vector<double>(10, 0.5));
  CHECK(initial_solution(source, settings, task).size() == 10);
  source.provenance["network"] = "linear of 4 inputs and 2 outputs";
  CHECK(initial_solution(source, settings, task).size() == 10);
  source.provenance["network"] = "linear of 1 input and 5 outputs";  // as many parameters
  CHECK_THROWS_WITH(initial_solution(source, settings, task), contains_text("its network is linear of 1 input and 5"));
  source.provenance.clear();
  source.state.set("solution", std::vector<double>(9, 0.5));
  CHECK_THROWS_WITH(initial_solution(source, settings, task), contains_text("its solution has 9 parameters"));
}

TEST_CASE("options of games are refused for other tasks, by whoever gave them") {
  const auto check = [](const std::vector<const char*>& arguments) {
    RunSettings settings;
    Options options("clade-test", "");
    add_run_options(options, settings);
    options.add_preset("games", "", {{"atari-protocol", "uber"}});
    std::ostringstream out;
    REQUIRE(options.parse(static_cast<int>(arguments.size()), arguments.data(), out));
    check_atari_options(options, settings);
    return preset_note(options, settings);
  };
  CHECK_THROWS_WITH(check({"", "--env", "CartPole-v1", "--atari-protocol", "uber"}),
                    "--atari-protocol: for Atari games only, and --env is CartPole-v1; leave the option out, or name a "
                    "game (--list-envs shows all)");
  CHECK_THROWS_WITH(check({"", "--env", "CartPole-v1", "--preset", "games"}),
                    "preset games: atari-protocol: for Atari games only, and --env is CartPole-v1; leave the preset "
                    "out, or name a game (--list-envs shows all)");
  CHECK_THROWS_WITH(check({"", "--env", "CartPole-v1", "--resize", "area"}), contains_text("--resize: for Atari"));
  CHECK_NOTHROW(check({"", "--env", "CartPole", "--atari-protocol", "uber"}));  // there is none: said elsewhere
  CHECK(check({"", "--env", "CartPole-v1"}).empty());
  CHECK(check({"", "--env", "ALE/Frostbite-v5", "--preset", "games"}).empty());
  CHECK(check({"", "--env", "ALE/Frostbite-v5", "--network", "model"}) ==
        "note: no preset, so the general defaults hold where no option says otherwise (network model, population 64); "
        "made for Atari games: --preset games");
}

TEST_CASE("the network that is left open is a model for images, else two small layers") {
  const auto resolved = [](std::vector<std::size_t> shape) {
    ObservationSpec observation;
    observation.shape = std::move(shape);
    return resolve_network("auto", observation);
  };
  CHECK(resolved({84, 84, 4}) == "model");
  CHECK(resolved({8, 8, 1}) == "model");
  CHECK(resolved({7, 8, 1}) == "mlp:64,64:tanh");
  CHECK(resolved({128}) == "mlp:64,64:tanh");
  CHECK(resolved({}) == "mlp:64,64:tanh");
  CHECK(resolve_network("linear", {}) == "linear");
  CHECK(network_text(make_run_task(cart_pole("auto"))) == "mlp:64,64:tanh of 4 inputs and 2 outputs");
}

TEST_CASE("a session on another platform is refused by what differs, unless that is allowed") {
  RunSettings settings;
  settings.resume = "run.h5";
  RunRecord record;
  record.sessions.resize(2);
  record.sessions[0].platform = {{"libm", "12"}, {"libc", "a"}};
  record.sessions[1].platform = {{"libm", "34"}, {"libc", "a"}};
  CHECK_THROWS_WITH(check_platform(record, settings),
                    "--resume run.h5: results would not go on to the same bits here (libm: 34 here, 12 in the run); "
                    "--allow-other-platform goes on and records it");
  settings.allow_other_platform = true;
  CHECK_NOTHROW(check_platform(record, settings));
  settings.allow_other_platform = false;
  record.sessions.back() = record.sessions.front();
  CHECK_NOTHROW(check_platform(record, settings));
}
