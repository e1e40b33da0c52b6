#include "envs/classic_control.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/rollout.hpp"

namespace clade {
namespace {

using testing::contains_text;
using testing::RolloutPlayer;
using Vector = std::vector<double>;

RolloutPlayer player_of(const std::string& name, const EnvironmentOptions& options = {}) {
  return RolloutPlayer(make_classic_control_factory(name, options)(0));
}

StepOutcome choose(RolloutPlayer& player, std::size_t choice) {
  return player.environment().step({{}, choice}, player.row());
}

double float32(double value) { return static_cast<double>(static_cast<float>(value)); }

}  // namespace

TEST_CASE("Start states lie in the published ranges", "[classic]") {
  struct Case {
    const char* name;
    Vector low;
    Vector high;
  };
  const double pi = std::numbers::pi;
  const std::vector<Case> cases = {
      {"CartPole-v1", {-.05, -.05, -.05, -.05}, {.05, .05, .05, .05}},
      {"Acrobot-v1", {-.1, -.1, -.1, -.1}, {.1, .1, .1, .1}},
      {"MountainCar-v0", {-.6, 0.0}, {-.4, 0.0}},
      {"MountainCarContinuous-v0", {-.6, 0.0}, {-.4, 0.0}},
      {"Pendulum-v1", {-pi, -1.0}, {pi, 1.0}},
  };
  for (const Case& task : cases) {
    RolloutPlayer player = player_of(task.name);
    Vector least = task.high;
    Vector most = task.low;
    for (std::uint64_t episode = 0; episode < 200; ++episode) {
      player.reset(episode);
      const Vector state = player.access()->state();
      REQUIRE(state.size() == task.low.size());
      for (std::size_t i = 0; i < state.size(); ++i) {
        CHECK(state[i] >= float32(task.low[i]) - 1e-8);
        CHECK(state[i] <= float32(task.high[i]) + 1e-8);
        least[i] = std::min(least[i], state[i]);
        most[i] = std::max(most[i], state[i]);
        if (task.name == std::string("Acrobot-v1")) CHECK(state[i] == float32(state[i]));
      }
    }
    for (std::size_t i = 0; i < least.size(); ++i) {
      CAPTURE(task.name, i);
      CHECK(most[i] - least[i] >= 0.9 * (task.high[i] - task.low[i]));
    }
  }
}

TEST_CASE("CartPole moves positions with the velocities of before", "[classic]") {
  RolloutPlayer player = player_of("CartPole-v1");
  player.access()->reset_to(Vector{0.0, 1.0, 0.0, 0.5}, player.row());
  const StepOutcome outcome = choose(player, 1);
  const Vector state = player.access()->state();
  CHECK(state[0] == 0.02);
  CHECK(state[2] == 0.01);
  const double pull = 10.0 / 1.1;
  const double turn = -pull / (0.5 * (4.0 / 3.0 - 0.1 / 1.1));
  CHECK(state[3] == Approx(0.5 + 0.02 * turn));
  CHECK(state[1] == Approx(1.0 + 0.02 * (pull - 0.05 * turn / 1.1)));
  CHECK(outcome.reward == 1.0);
  CHECK_FALSE(outcome.terminated);
}

TEST_CASE("CartPole pays for the fall too, unless told otherwise", "[classic]") {
  const Vector falling = {0.0, 0.0, 0.2, 3.0};
  RolloutPlayer player = player_of("CartPole-v1");
  player.access()->reset_to(falling, player.row());
  StepOutcome outcome = choose(player, 0);
  CHECK(outcome.terminated);
  CHECK(outcome.reward == 1.0);

  RolloutPlayer sutton = player_of("CartPole-v1", {{"sutton_barto_reward", "true"}});
  sutton.access()->reset_to(Vector{0.0, 0.0, 0.0, 0.0}, sutton.row());
  CHECK(choose(sutton, 0).reward == 0.0);
  sutton.access()->reset_to(falling, sutton.row());
  CHECK(choose(sutton, 0).reward == -1.0);
}

TEST_CASE("Acrobot wraps its angles and ends above the line", "[classic]") {
  RolloutPlayer player = player_of("Acrobot-v1");
  player.access()->reset_to(Vector{3.1, 0.0, 2.0, 0.0}, player.row());
  const StepOutcome outcome = choose(player, 1);
  const Vector state = player.access()->state();
  CHECK(state[0] < 0.0);
  CHECK(state[0] >= -std::numbers::pi);
  CHECK(outcome.terminated);
  CHECK(outcome.reward == 0.0);
  player.access()->reset_to(Vector{0.0, 0.0, 0.0, 0.0}, player.row());
  CHECK(choose(player, 1).reward == -1.0);
  CHECK(std::abs(player.access()->state()[0]) < 1e-15);
}

TEST_CASE("Acrobot reports a state that has left all bounds", "[classic]") {
  RolloutPlayer player = player_of("Acrobot-v1");
  player.access()->reset_to(Vector{0.0, 0.0, 1e200, 0.0}, player.row());
  CHECK(choose(player, 1).failure != nullptr);
}

TEST_CASE("MountainCar stops at the left wall and asks for speed at the goal", "[classic]") {
  RolloutPlayer player = player_of("MountainCar-v0");
  player.access()->reset_to(Vector{-1.19, -0.07}, player.row());
  choose(player, 0);
  CHECK(player.access()->state() == Vector{-1.2, 0.0});
  player.access()->reset_to(Vector{0.49, 0.05}, player.row());
  CHECK(choose(player, 2).terminated);
  RolloutPlayer fast = player_of("MountainCar-v0", {{"goal_velocity", "0.06"}});
  fast.access()->reset_to(Vector{0.49, 0.05}, fast.row());
  CHECK_FALSE(choose(fast, 2).terminated);
}

TEST_CASE("MountainCarContinuous pays the unclipped action and keeps float32 states", "[classic]") {
  for (const char* precision : {"float32", "float64"}) {
    RolloutPlayer player = player_of("MountainCarContinuous-v0", {{"action_precision", precision}});
    player.access()->reset_to(Vector{-0.5, 0.0}, player.row());
    const StepOutcome outcome = player.step_with(Vector{3.0});
    CHECK(outcome.reward == -9.0 * 0.1);
    for (const double value : player.access()->state()) CHECK(value == float32(value));
    CHECK(player.access()->state()[1] == float32(0.0015 - 0.0025 * std::cos(-1.5)));
  }
  // The action's precision shows in the reward.
  RolloutPlayer single = player_of("MountainCarContinuous-v0");
  RolloutPlayer exact = player_of("MountainCarContinuous-v0", {{"action_precision", "float64"}});
  for (RolloutPlayer* player : {&single, &exact}) player->access()->reset_to(Vector{-0.5, 0.0}, player->row());
  CHECK(single.step_with(Vector{0.1}).reward == -(float32(0.1) * float32(0.1) * 0.1));
  CHECK(exact.step_with(Vector{0.1}).reward == -(0.1 * 0.1 * 0.1));
}

TEST_CASE("Pendulum pays for the state before the step, with the clipped torque", "[classic]") {
  RolloutPlayer player = player_of("Pendulum-v1", {{"action_precision", "float64"}});
  const double turn = 2.0 * std::numbers::pi;
  player.access()->reset_to(Vector{turn + 1.0, 2.0}, player.row());
  const StepOutcome outcome = player.step_with(Vector{-5.0});
  CHECK(outcome.reward == Approx(-(1.0 + 0.1 * 4.0 + 0.001 * 4.0)));
  const double speed = 2.0 + (15.0 * std::sin(1.0) - 6.0) * 0.05;
  CHECK(player.access()->state()[1] == Approx(speed));
  CHECK(player.access()->state()[0] == Approx(turn + 1.0 + speed * 0.05));
  CHECK(player.observation()[0] == float32(std::cos(player.access()->state()[0])));

  RolloutPlayer moon = player_of("Pendulum-v1", {{"g", "1.62"}});
  moon.access()->reset_to(Vector{1.0, 0.0}, moon.row());
  moon.step_with(Vector{0.0});
  CHECK(moon.access()->state()[1] == Approx(1.5 * 1.62 * std::sin(1.0) * 0.05));
}

TEST_CASE("Options of other tasks are refused", "[classic]") {
  CHECK_THROWS_WITH(make_classic_control_factory("CartPole-v1", {{"g", "9.8"}}), contains_text("'g'"));
  CHECK_THROWS_WITH(make_classic_control_factory("Acrobot-v1", {{"g", "9.8"}}), contains_text("no options"));
  CHECK_THROWS_WITH(make_classic_control_factory("Pendulum-v1", {{"action_precision", "float16"}}),
                    contains_text("float32|float64"));
}

}  // namespace clade
