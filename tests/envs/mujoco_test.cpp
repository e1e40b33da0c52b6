#include "envs/mujoco.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/rollout.hpp"

namespace clade {
namespace {

using testing::contains_text;
using testing::EnvironmentVariable;
using testing::RolloutPlayer;
using Vector = std::vector<double>;

/// Why MuJoCo's tasks cannot be made here, empty where they can.
std::string missing() {
  for (const EnvironmentInfo& info : mujoco_environments()) {
    if (info.name == "HalfCheetah-v4") return info.unavailable;
  }
  return "no HalfCheetah-v4";
}

#define CLADE_NEED_MUJOCO() \
  if (const std::string reason = missing(); !reason.empty()) CLADE_SKIP(reason)

RolloutPlayer player_of(const std::string& name, const EnvironmentOptions& options = {}) {
  return RolloutPlayer(make_mujoco_factory(name, options)(0));
}

/// The state and reward of some steps of a constant action from a given start.
struct Played {
  Vector state;
  StepOutcome outcome;
};
Played play(RolloutPlayer& player, const Vector& start, double action, int steps = 1) {
  player.access()->reset_to(start, player.row());
  const Vector actions(player.environment().spec().action.size, action);
  Played played;
  for (int step = 0; step < steps; ++step) played.outcome = player.step_with(actions);
  played.state = player.access()->state();
  return played;
}

Vector start_of(RolloutPlayer& player, std::uint64_t episode = 0) {
  player.reset(episode);
  return player.access()->state();
}

/// A file in the temporary folder, gone with the object.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text)
      : path_(std::filesystem::temp_directory_path() / (name + std::to_string(getpid()))) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// What is written to a file descriptor while the object lives.
class Captured {
 public:
  explicit Captured(int descriptor) : descriptor_(descriptor), saved_(dup(descriptor)), file_(std::tmpfile()) {
    std::fflush(nullptr);
    dup2(fileno(file_), descriptor_);
  }
  ~Captured() {
    restore();
    std::fclose(file_);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  std::string text() {
    restore();
    std::string text;
    std::rewind(file_);
    for (int letter = std::fgetc(file_); letter != EOF; letter = std::fgetc(file_)) text += static_cast<char>(letter);
    return text;
  }

 private:
  void restore() {
    if (saved_ < 0) return;
    std::fflush(nullptr);
    dup2(saved_, descriptor_);
    close(saved_);
    saved_ = -1;
  }
  int descriptor_;
  int saved_;
  std::FILE* file_;
};

/// Two sliding boxes on a plane, one of them driven: what InvertedPendulum needs of a model. `size` goes to <size/>.
std::string boxes(const std::string& size, const std::string& range = "ctrlrange='-1 1'") {
  return "<mujoco><size " + size +
         "/><worldbody><geom type='plane' size='5 5 .1'/>"
         "<body pos='0 0 .09'><joint type='slide' axis='1 0 0' name='a'/><geom type='box' size='.1 .1 .1'/></body>"
         "<body pos='.15 0 .09'><joint type='slide' axis='0 0 1'/><geom type='box' size='.1 .1 .1'/></body>"
         "</worldbody><actuator><motor joint='a' " +
         range + "/></actuator></mujoco>";
}

}  // namespace

TEST_CASE("Pusher-v4 is refused with Gymnasium's reason", "[mujoco]") {
  CHECK_THROWS_WITH(make_mujoco_factory("Pusher-v4", {}), contains_text("MuJoCo before 3"));
  for (const EnvironmentInfo& info : mujoco_environments()) {
    if (info.name == "Pusher-v4") CHECK_THAT(info.unavailable, contains_text("Pusher-v5"));
  }
}

TEST_CASE("MuJoCo tasks have their papers' alive bonus and Gymnasium's threshold", "[mujoco]") {
  CLADE_NEED_MUJOCO();
  const auto spec_of = [](const std::string& name, const EnvironmentOptions& options = {}) {
    return make_mujoco_factory(name, options)(0)->spec();
  };
  for (const char* version : {"-v4", "-v5"}) {
    CHECK(spec_of(std::string("HalfCheetah") + version).alive_bonus == 0.0);
    CHECK(spec_of(std::string("Swimmer") + version).alive_bonus == 0.0);
    CHECK(spec_of(std::string("Hopper") + version).alive_bonus == 1.0);
    CHECK(spec_of(std::string("Walker2d") + version).alive_bonus == 1.0);
    CHECK(spec_of(std::string("Ant") + version).alive_bonus == 1.0);
    CHECK(spec_of(std::string("Humanoid") + version).alive_bonus == 5.0);
    CHECK(spec_of(std::string("HalfCheetah") + version).reward_threshold == 4800.0);
    CHECK_FALSE(spec_of(std::string("Walker2d") + version).reward_threshold.has_value());
  }
  CHECK(spec_of("Hopper-v4", {{"healthy_reward", "2"}}).alive_bonus == 2.0);
  CHECK(spec_of("Reacher-v5").max_steps == 50);
  CHECK(spec_of("Pusher-v5").max_steps == 100);
  CHECK(spec_of("Ant-v5").frames_per_step == 5);
  const EnvironmentSpec humanoid = spec_of("Humanoid-v4");
  CHECK(humanoid.action.low == Vector(17, -0.4));
  CHECK(humanoid.action.high == Vector(17, 0.4));
}

TEST_CASE("Start states scatter about the model's by the reset noise", "[mujoco]") {
  CLADE_NEED_MUJOCO();
  struct Case {
    const char* name;
    double position_noise;
    double velocity_noise;  ///< of a uniform distribution, 0 where it is normal
    std::size_t positions;
  };
  for (const Case& task :
       {Case{"HalfCheetah-v4", 0.1, 0.0, 9}, Case{"Hopper-v5", 5e-3, 5e-3, 6}, Case{"Walker2d-v4", 5e-3, 5e-3, 9},
        Case{"Swimmer-v4", 0.1, 0.1, 5}, Case{"Ant-v5", 0.1, 0.0, 15}, Case{"Humanoid-v4", 0.01, 0.01, 24},
        Case{"HumanoidStandup-v5", 0.01, 0.01, 24}, Case{"InvertedPendulum-v4", 0.01, 0.01, 2},
        Case{"InvertedDoublePendulum-v4", 0.1, 0.0, 3}}) {
    CAPTURE(task.name);
    RolloutPlayer player = player_of(task.name);
    constexpr int kEpisodes = 100;
    std::vector<Vector> starts;
    for (std::uint64_t episode = 0; episode < kEpisodes; ++episode) starts.push_back(start_of(player, episode));
    double squares = 0.0;
    std::size_t normals = 0;
    for (std::size_t i = 0; i < starts[0].size(); ++i) {
      double least = starts[0][i];
      double most = least;
      for (const Vector& start : starts) {
        least = std::min(least, start[i]);
        most = std::max(most, start[i]);
        if (i >= task.positions) squares += start[i] * start[i];
      }
      const bool position = i < task.positions;
      if (position || task.velocity_noise > 0.0) {
        const double noise = position ? task.position_noise : task.velocity_noise;
        CHECK(most - least <= 2.0 * noise);
        CHECK(most - least >= 1.7 * noise);
      } else {
        normals += kEpisodes;
      }
    }
    if (normals > 0) CHECK(std::sqrt(squares / static_cast<double>(normals)) == Approx(0.1).epsilon(0.15));
  }
}

TEST_CASE("Reacher and Pusher place their goal and object as Gymnasium", "[mujoco]") {
  CLADE_NEED_MUJOCO();
  RolloutPlayer reacher = player_of("Reacher-v4");
  RolloutPlayer pusher = player_of("Pusher-v5");
  double farthest = 0.0;
  double nearest = 1.0;
  for (std::uint64_t episode = 0; episode < 200; ++episode) {
    const Vector reach = start_of(reacher, episode);
    farthest = std::max(farthest, std::hypot(reach[2], reach[3]));
    CHECK(std::abs(reach[0]) <= 0.1);
    CHECK(std::abs(reach[4]) <= 0.005);
    CHECK(reach[6] == 0.0);
    CHECK(reach[7] == 0.0);
    const Vector push = start_of(pusher, episode);
    REQUIRE(push.size() == 22);
    CHECK(push[7] >= -0.3);
    CHECK(push[7] <= 0.0);
    CHECK(std::abs(push[8]) <= 0.2);
    nearest = std::min(nearest, std::hypot(push[7], push[8]));
    CHECK(push[9] == 0.0);
    CHECK(push[10] == 0.0);
    for (std::size_t i = 18; i < 22; ++i) CHECK(push[i] == 0.0);
  }
  CHECK(farthest < 0.2);
  CHECK(farthest > 0.18);
  CHECK(nearest > 0.17);
  CHECK(nearest < 0.19);
}

TEST_CASE("Weights scale the terms of the reward", "[mujoco]") {
  CLADE_NEED_MUJOCO();
  RolloutPlayer plain = player_of("HalfCheetah-v5");
  const Vector start = start_of(plain);
  const auto reward_of = [&](const EnvironmentOptions& options) {
    RolloutPlayer player = player_of("HalfCheetah-v5", options);
    return play(player, start, 0.5).outcome.reward;
  };
  const double forward = reward_of({{"ctrl_cost_weight", "0"}});
  const double control = reward_of({{"forward_reward_weight", "0"}});
  CHECK(control == Approx(-0.1 * 6 * 0.25));
  CHECK(reward_of({}) == Approx(forward + control));
  CHECK(reward_of({{"forward_reward_weight", "3"}, {"ctrl_cost_weight", "1"}}) == Approx(3 * forward + 10 * control));
  // A longer skip covers more time.
  RolloutPlayer longer = player_of("HalfCheetah-v5", {{"frame_skip", "10"}});
  CHECK(play(longer, start, 0.5).state == play(plain, start, 0.5, 2).state);
}

TEST_CASE("Observations have the parts that options ask for", "[mujoco]") {
  CLADE_NEED_MUJOCO();
  const auto size_of = [](const std::string& name, const EnvironmentOptions& options) {
    return make_mujoco_factory(name, options)(0)->spec().observation.size();
  };
  const char* const positions = "exclude_current_positions_from_observation";
  CHECK(size_of("HalfCheetah-v4", {{positions, "false"}}) == 18);
  CHECK(size_of("Swimmer-v5", {{positions, "false"}}) == 10);
  CHECK(size_of("Ant-v4", {{positions, "false"}}) == 29);
  CHECK(size_of("Ant-v4", {{"use_contact_forces", "true"}}) == 27 + 84);
  CHECK(size_of("Ant-v5", {{"include_cfrc_ext_in_observation", "false"}}) == 27);
  CHECK(size_of("Humanoid-v5", {{"include_cfrc_ext_in_observation", "false"}}) == 348 - 78);
  CHECK(size_of("Humanoid-v5", {{"include_cinert_in_observation", "false"}}) == 348 - 130);
  CHECK(size_of("Humanoid-v5", {{"include_cvel_in_observation", "false"}}) == 348 - 78);
  CHECK(size_of("HumanoidStandup-v5", {{"include_qfrc_actuator_in_observation", "false"}}) == 348 - 17);
  RolloutPlayer with = player_of("Hopper-v4", {{positions, "false"}});
  RolloutPlayer without = player_of("Hopper-v4");
  const Vector start = start_of(with);
  without.access()->reset_to(start, without.row());
  CHECK(Vector(with.observation().begin() + 1, with.observation().end()) == without.observation());
  CHECK(with.observation()[0] == start[0]);
}

// mj_rnePostConstraint is left out where contact forces are neither observed nor paid: nothing else may change.
TEST_CASE("Reading contact forces does not change the simulation", "[mujoco]") {
  CLADE_NEED_MUJOCO();
  RolloutPlayer without = player_of("Ant-v4");
  RolloutPlayer with = player_of("Ant-v4", {{"use_contact_forces", "true"}});
  const Vector start = start_of(without);
  CHECK(play(without, start, 0.7, 100).state == play(with, start, 0.7, 100).state);
  const Vector& row = with.observation();
  CHECK(std::any_of(row.begin() + 27, row.end(), [](double value) { return value != 0.0; }));
  for (std::size_t i = 27; i < row.size(); ++i) CHECK(std::abs(row[i]) <= 1.0);
}

TEST_CASE("Health decides the end and, by version, the last reward", "[mujoco]") {
  CLADE_NEED_MUJOCO();
  RolloutPlayer fourth = player_of("Hopper-v4");
  Vector fallen = start_of(fourth);
  fallen[1] = 0.5;
  const StepOutcome paid = play(fourth, fallen, 0.0).outcome;
  RolloutPlayer fifth = player_of("Hopper-v5");
  const StepOutcome unpaid = play(fifth, fallen, 0.0).outcome;
  CHECK(paid.terminated);
  CHECK(unpaid.terminated);
  CHECK(paid.reward - unpaid.reward == Approx(1.0));
  RolloutPlayer going = player_of("Hopper-v4", {{"terminate_when_unhealthy", "false"}});
  const StepOutcome went = play(going, fallen, 0.0).outcome;
  CHECK_FALSE(went.terminated);
  CHECK(went.reward == Approx(unpaid.reward));
  RolloutPlayer tolerant = player_of("Hopper-v5", {{"healthy_z_range", "0.1,inf"}});
  CHECK_FALSE(play(tolerant, fallen, 0.0).outcome.terminated);
  RolloutPlayer strict = player_of("Hopper-v5", {{"healthy_state_range", "-0.001,0.001"}});
  CHECK(play(strict, start_of(strict), 0.0).outcome.terminated);
}

TEST_CASE("Ant's rewarded body is chosen by name or number", "[mujoco]") {
  CLADE_NEED_MUJOCO();
  RolloutPlayer by_number = player_of("Ant-v5", {{"main_body", "1"}});
  RolloutPlayer by_name = player_of("Ant-v5", {{"main_body", "torso"}});
  RolloutPlayer leg = player_of("Ant-v5", {{"main_body", "4"}});
  const Vector start = start_of(by_number);
  const double reward = play(by_number, start, 1.0, 5).outcome.reward;
  CHECK(play(by_name, start, 1.0, 5).outcome.reward == reward);
  CHECK(play(leg, start, 1.0, 5).outcome.reward != reward);
  CHECK_THROWS_WITH(make_mujoco_factory("Ant-v5", {{"main_body", "14"}}), contains_text("0 to 13"));
  CHECK_THROWS_WITH(make_mujoco_factory("Ant-v5", {{"main_body", "head"}}), contains_text("no body 'head'"));
}

TEST_CASE("A diverged simulation is a failure, and the next reset is as new", "[mujoco]") {
  CLADE_NEED_MUJOCO();
  RolloutPlayer player = player_of("HalfCheetah-v4");
  const Vector once = testing::rollout(player, 0, 20);
  Vector wild = start_of(player);
  wild[10] = 1e11;
  const StepOutcome velocity = play(player, wild, 0.0).outcome;
  REQUIRE(velocity.failure != nullptr);
  CHECK_THAT(std::string(velocity.failure), contains_text("mjWARN_BADQVEL"));

  wild = start_of(player);
  wild[0] = std::numeric_limits<double>::quiet_NaN();
  REQUIRE(play(player, wild, 0.0).outcome.failure != nullptr);

  player.reset(0);
  const StepOutcome action =
      player.step_with(Vector(player.environment().spec().action.size, std::numeric_limits<double>::quiet_NaN()));
  REQUIRE(action.failure != nullptr);
  CHECK_THAT(std::string(action.failure), contains_text("action"));
  CHECK(testing::rollout(player, 0, 20) == once);
}

TEST_CASE("An error inside MuJoCo is an exception, not the end of the process", "[mujoco]") {
  CLADE_NEED_MUJOCO();
  const TemporaryFile roomy("clade_boxes", boxes("memory='1M'"));
  RolloutPlayer fine = player_of("InvertedPendulum-v5", {{"xml_file", roomy.path()}});
  CHECK(play(fine, start_of(fine), 0.1, 3).outcome.failure == nullptr);

  // No room for the solver's work: MuJoCo calls its error handler in the first forward pass.
  const TemporaryFile cramped("clade_cramped", boxes("memory='700'"));
  const EnvironmentFactory factory = make_mujoco_factory("InvertedPendulum-v5", {{"xml_file", cramped.path()}});
  RolloutPlayer broken(factory(0));
  for (int attempt = 0; attempt < 3; ++attempt) {
    try {
      broken.reset(0);
      FAIL("no error was raised");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::run_time);
      CHECK_THAT(error.what(), contains_text("MuJoCo: "));
      CHECK(std::string(error.what()).find('\n') == std::string::npos);
    }
  }
  CHECK(play(fine, start_of(fine), 0.1, 3).outcome.failure == nullptr);
}

TEST_CASE("MuJoCo's warnings stay off the screen and off the disk", "[mujoco]") {
  CLADE_NEED_MUJOCO();
  const bool log_before = std::filesystem::exists("MUJOCO_LOG.TXT");
  std::string printed;
  std::string complained;
  {
    Captured out(STDOUT_FILENO);
    Captured err(STDERR_FILENO);
    RolloutPlayer player = player_of("HalfCheetah-v4");
    Vector wild = start_of(player);
    wild[10] = 1e11;
    play(player, wild, 0.0);
    complained = err.text();
    printed = out.text();
  }
  CHECK(printed.empty());
  CHECK(complained.empty());
  CHECK(std::filesystem::exists("MUJOCO_LOG.TXT") == log_before);
}

TEST_CASE("A missing or foreign library is named", "[mujoco]") {
  CLADE_NEED_MUJOCO();
  {
    const EnvironmentVariable variable("CLADE_MUJOCO_LIBRARY", "/nonexistent/libmujoco.so");
    CHECK_THROWS_WITH(make_mujoco_factory("Ant-v4", {}), contains_text("/nonexistent/libmujoco.so"));
    for (const EnvironmentInfo& info : mujoco_environments()) CHECK_FALSE(info.unavailable.empty());
  }
  {
    const EnvironmentVariable variable("CLADE_MUJOCO_LIBRARY", "libm.so.6");
    CHECK_THROWS_WITH(make_mujoco_factory("Ant-v4", {}), contains_text("mj_version"));
  }
  CHECK_NOTHROW(make_mujoco_factory("Ant-v4", {}));
}

TEST_CASE("A missing or unsuitable model is named", "[mujoco]") {
  CLADE_NEED_MUJOCO();
  {
    const EnvironmentVariable variable("CLADE_MUJOCO_MODELS", "/nonexistent");
    CHECK_THROWS_WITH(make_mujoco_factory("Ant-v4", {}), contains_text("/nonexistent"));
  }
  CHECK_THROWS_WITH(make_mujoco_factory("Ant-v5", {{"xml_file", "ants.xml"}}), contains_text("'ants.xml'"));
  CHECK_THROWS_WITH(make_mujoco_factory("Ant-v5", {{"xml_file", "/nonexistent/a.xml"}}), contains_text("/nonexistent"));
  const TemporaryFile malformed("clade_malformed", "<mujoco><worldbody>");
  CHECK_THROWS_WITH(make_mujoco_factory("Ant-v5", {{"xml_file", malformed.path()}}), contains_text("cannot compile"));
  const TemporaryFile small("clade_small", boxes("memory='1M'"));
  CHECK_THROWS_WITH(make_mujoco_factory("Hopper-v5", {{"xml_file", small.path()}}), contains_text("2 positions"));
  CHECK_THROWS_WITH(make_mujoco_factory("Reacher-v5", {{"xml_file", small.path()}}), contains_text("'fingertip'"));
  const TemporaryFile unbounded("clade_unbounded", boxes("memory='1M'", ""));
  CHECK_THROWS_WITH(make_mujoco_factory("InvertedPendulum-v5", {{"xml_file", unbounded.path()}}),
                    contains_text("no bounds"));
}

TEST_CASE("Provenance names library and model by checksum", "[mujoco]") {
  CLADE_NEED_MUJOCO();
  const auto provenance = mujoco_provenance("Walker2d-v5", {});
  CHECK(provenance.at("model_file") == "walker2d_v5.xml");
  CHECK(provenance.at("model_sha256").size() == 64);
  CHECK(provenance.at("mujoco_library_sha256").size() == 64);
  CHECK(std::count(provenance.at("mujoco_version").begin(), provenance.at("mujoco_version").end(), '.') == 2);
  const auto other = mujoco_provenance("Walker2d-v5", {{"xml_file", "walker2d.xml"}});
  CHECK(other.at("model_file") == "walker2d.xml");
  CHECK(other.at("model_sha256") != provenance.at("model_sha256"));
  CHECK_THROWS_AS(mujoco_provenance("Pusher-v4", {}), Error);
}

}  // namespace clade
