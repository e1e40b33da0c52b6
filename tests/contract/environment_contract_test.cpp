// What every environment of the catalogue keeps, whatever it is. Atari games have a file of their own: their states are
// the emulator's, and there are many.
#include <cmath>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "envs/catalog.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/rollout.hpp"

namespace clade {
namespace {

using testing::contains_text;
using testing::continue_rollout;
using testing::rollout;
using testing::RolloutPlayer;

constexpr std::uint32_t kSteps = 60;

/// Calls `check` for every environment that can be made here; says which cannot.
void for_each_environment(const std::function<void(const EnvironmentInfo&)>& check) {
  for (const EnvironmentInfo& info : list_environments()) {
    if (info.family == "Atari") continue;
    if (!info.unavailable.empty()) {
      std::cout << "skipped: " << info.name << ": " << info.unavailable << std::endl;
      continue;
    }
    CAPTURE(info.name);
    check(info);
  }
}

EnvironmentOptions default_options(const EnvironmentInfo& info) {
  EnvironmentOptions options;
  for (const EnvironmentOptionInfo& option : info.options) options.emplace_back(option.name, option.default_value);
  return options;
}

}  // namespace

TEST_CASE("Every environment's spec is consistent", "[contract]") {
  for_each_environment([](const EnvironmentInfo& info) {
    const std::unique_ptr<Environment> environment = make_environment_factory(info.name)(0);
    const EnvironmentSpec& spec = environment->spec();
    CHECK(spec.name == info.name);
    CHECK(spec.max_steps > 0);
    CHECK(spec.frames_per_step > 0);
    CHECK((spec.action.size > 0) != spec.action.discrete());
    REQUIRE(spec.action.low.size() == spec.action.size);
    REQUIRE(spec.action.high.size() == spec.action.size);
    for (std::size_t i = 0; i < spec.action.size; ++i) CHECK(spec.action.low[i] < spec.action.high[i]);
    // The catalogue's summary is written by hand for the sizes that a model decides.
    const std::size_t actions = spec.action.discrete() ? spec.action.choices : spec.action.size;
    CHECK_THAT(info.summary, contains_text(std::to_string(spec.observation.size()) + " observations, "));
    CHECK_THAT(info.summary, contains_text(" " + std::to_string(actions) + " "));
    CHECK_THAT(info.summary, contains_text(" " + std::to_string(spec.max_steps) + " step"));
  });
}

TEST_CASE("The same key and actions give the same rollout, bit by bit", "[contract]") {
  for_each_environment([](const EnvironmentInfo& info) {
    const EnvironmentFactory factory = make_environment_factory(info.name);
    RolloutPlayer first(factory(0));
    RolloutPlayer second(factory(1));
    const std::vector<double> once = rollout(first, 0, kSteps);
    for (const double value : once) REQUIRE(std::isfinite(value));
    // Another episode in between leaves no trace.
    const std::vector<double> other = rollout(first, 1, kSteps);
    if (first.environment().spec().observation.size() > 0) CHECK(other != once);
    CHECK(rollout(first, 0, kSteps) == once);
    CHECK(rollout(second, 0, kSteps) == once);
    // Options at their listed defaults change nothing.
    RolloutPlayer explicit_defaults(make_environment_factory(info.name, default_options(info))(0));
    CHECK(rollout(explicit_defaults, 0, kSteps) == once);
  });
}

TEST_CASE("Slots are independent, and may run on different threads", "[contract]") {
  for_each_environment([](const EnvironmentInfo& info) {
    const EnvironmentFactory factory = make_environment_factory(info.name);
    RolloutPlayer alone(factory(0));
    const std::vector<double> expected[] = {rollout(alone, 0, kSteps), rollout(alone, 1, kSteps)};
    RolloutPlayer slots[] = {RolloutPlayer(factory(0)), RolloutPlayer(factory(1))};
    std::vector<double> seen[2];
    std::thread worker([&] { seen[1] = rollout(slots[1], 1, kSteps); });
    seen[0] = rollout(slots[0], 0, kSteps);
    worker.join();
    CHECK(seen[0] == expected[0]);
    CHECK(seen[1] == expected[1]);
  });
}

TEST_CASE("A state that was read can be started from", "[contract]") {
  for_each_environment([](const EnvironmentInfo& info) {
    RolloutPlayer player(make_environment_factory(info.name)(0));
    REQUIRE(player.access() != nullptr);
    const std::vector<double> once = rollout(player, 0, kSteps);
    player.reset(0);
    const std::vector<double> start = player.access()->state();
    rollout(player, 1, kSteps);
    player.access()->reset_to(start, player.row());
    CHECK(player.access()->state() == start);
    CHECK(continue_rollout(player, 0, kSteps) == once);

    std::vector<double> moved = start;
    for (double& value : moved) value += 1.0 / 1024.0;
    player.access()->set_state(moved);
    CHECK(player.access()->state() == moved);
    moved.push_back(0.0);
    CHECK_THROWS_AS(player.access()->set_state(moved), Error);
  });
}

TEST_CASE("Wrong options and actions are refused by name", "[contract]") {
  for_each_environment([](const EnvironmentInfo& info) {
    CHECK_THROWS_WITH(make_environment_factory(info.name, {{"no_such_thing", "1"}}), contains_text("no_such_thing"));
    for (const EnvironmentOptionInfo& option : info.options) {
      CAPTURE(option.name);
      const EnvironmentOptions twice = {{option.name, option.default_value}, {option.name, option.default_value}};
      CHECK_THROWS_WITH(make_environment_factory(info.name, twice), contains_text("twice"));
      CHECK_THROWS_WITH(make_environment_factory(info.name, {{option.name, ""}}), contains_text(option.name));
    }
    RolloutPlayer player(make_environment_factory(info.name)(0));
    player.reset(0);
    const ActionSpec& spec = player.environment().spec().action;
    if (spec.discrete()) {
      CHECK_THROWS_AS(player.environment().step({{}, spec.choices}, player.row()), Error);
    } else {
      CHECK_THROWS_AS(player.step_with(std::vector<double>(spec.size + 1)), Error);
    }
  });
}

}  // namespace clade
