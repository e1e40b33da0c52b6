#include "core/episode.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/toy_environment.hpp"

namespace clade {
namespace {

using test::ToyEnvironment;
using test::ToyFaults;

EpisodeIdentity identity_of(std::uint32_t member, std::uint32_t episode = 0) {
  EpisodeIdentity identity;
  identity.seed = 11;
  identity.generation = 2;
  identity.member = member;
  identity.environment_member = member;
  identity.episode = episode;
  return identity;
}

double play(Episode& episode, double action) {
  const std::vector<double> actions{action};
  while (!episode.ended()) episode.step({actions, 0});
  return episode.result().episode_return;
}

TEST_CASE("an episode is a function of its identity") {
  Episode one(std::make_unique<ToyEnvironment>());
  Episode other(std::make_unique<ToyEnvironment>());
  EpisodeSettings settings;
  one.begin(identity_of(3), settings, nullptr);
  const double first = play(one, 0.25);
  other.begin(identity_of(4), settings, nullptr);
  CHECK(play(other, 0.25) != first);
  other.begin(identity_of(3), settings, nullptr);
  CHECK(play(other, 0.25) == first);
  CHECK(other.result().steps == one.result().steps);
}

TEST_CASE("an episode ends by its task or by the cap, and says which") {
  Episode episode(std::make_unique<ToyEnvironment>());
  EpisodeSettings settings;
  settings.max_steps = 1000;
  episode.begin(identity_of(0), settings, nullptr);
  play(episode, 0.0);
  CHECK(episode.result().status == EpisodeStatus::terminated);
  const std::uint32_t length = episode.result().steps;
  REQUIRE(length >= 3);

  settings.max_steps = length - 1;
  episode.begin(identity_of(0), settings, nullptr);
  play(episode, 0.0);
  CHECK(episode.result().status == EpisodeStatus::truncated);
  CHECK(episode.result().steps == length - 1);

  settings.max_steps = length;  // both at once: the task ended it
  episode.begin(identity_of(0), settings, nullptr);
  play(episode, 0.0);
  CHECK(episode.result().status == EpisodeStatus::terminated);
}

TEST_CASE("moments hold every observation that wanted an action") {
  Episode episode(std::make_unique<ToyEnvironment>());
  ObservationMoments moments(2);
  episode.begin(identity_of(5), {}, &moments);
  play(episode, 0.0);
  CHECK(moments.count() == episode.result().steps);
}

TEST_CASE("an environment's exception, a NaN reward and a NaN action end an episode as failed") {
  EpisodeSettings settings;
  {
    Episode episode(std::make_unique<ToyEnvironment>(ToyFaults{.throw_probability = 1.0}));
    episode.begin(identity_of(0), settings, nullptr);
    play(episode, 0.0);
    CHECK(episode.result().status == EpisodeStatus::failed);
    CHECK(episode.failure() == "step threw: toy step fault");
    CHECK(episode.result().steps == 2);
  }
  {
    Episode episode(std::make_unique<ToyEnvironment>(ToyFaults{.nan_probability = 1.0}));
    episode.begin(identity_of(0), settings, nullptr);
    play(episode, 0.0);
    CHECK(episode.result().status == EpisodeStatus::failed);
    CHECK(episode.failure() == "the reward is nan");
    CHECK(std::isfinite(episode.result().episode_return));
  }
  {
    Episode episode(std::make_unique<ToyEnvironment>(ToyFaults{.throw_in_reset = true}));
    episode.begin(identity_of(0), settings, nullptr);
    CHECK(episode.ended());
    CHECK(episode.failure() == "reset threw: toy reset fault");
  }
  {
    Episode episode(std::make_unique<ToyEnvironment>());
    episode.begin(identity_of(0), settings, nullptr);
    play(episode, std::numeric_limits<double>::quiet_NaN());
    CHECK(episode.failure() == "the policy gave an action that is not finite");
  }
}

/// Takes its time over each step.
class SlowEnvironment final : public Environment {
 public:
  explicit SlowEnvironment(std::chrono::nanoseconds step) : step_(step) {
    spec_.name = "Slow";
    spec_.action.size = 1;
    spec_.action.low = {-1.0};
    spec_.action.high = {1.0};
  }
  const EnvironmentSpec& spec() const override { return spec_; }
  void reset(RandomStream&, ObservationRow) override {}
  StepOutcome step(const Action&, ObservationRow) override {
    const auto end = std::chrono::steady_clock::now() + step_;
    while (std::chrono::steady_clock::now() < end) continue;
    return {};
  }

 private:
  EnvironmentSpec spec_;
  std::chrono::nanoseconds step_;
};

TEST_CASE("the environment's time holds every long step, and an estimate of short ones") {
  EpisodeSettings settings;
  settings.max_steps = 100;
  for (const std::uint64_t step : {std::uint64_t{30'000}, std::uint64_t{0}}) {
    Episode episode(std::make_unique<SlowEnvironment>(std::chrono::nanoseconds(step)));
    std::uint64_t last = 0;
    for (std::uint32_t number = 0; number < 3; ++number) {
      episode.begin(identity_of(0, number), settings, nullptr);
      play(episode, 0.0);
      last = episode.environment_nanoseconds();
      CHECK(last > settings.max_steps * step);
    }
    // Anew for each episode.
    episode.begin(identity_of(0), settings, nullptr);
    CHECK(episode.environment_nanoseconds() < last);
  }
}

}  // namespace
}  // namespace clade
