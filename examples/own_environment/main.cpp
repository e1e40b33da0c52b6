// An environment of one's own, and a linear policy evolved on it with ARS V2.

#include <cstdio>
#include <memory>
#include <vector>

#include "core/cpu_inference.hpp"
#include "core/environment.hpp"
#include "core/episode_scheduler.hpp"
#include "core/error.hpp"
#include "core/noise.hpp"
#include "core/observation_normalizer.hpp"
#include "core/parallel.hpp"
#include "core/statistics.hpp"
#include "es/ars.hpp"

namespace {

/// A sledge on ice is to stop at 0: push it with a force in [-1, 1], ten times a second for 10 s.
class Sledge final : public clade::Environment {
 public:
  Sledge() {
    spec_.name = "Sledge-v0";
    spec_.observation.shape = {2};  // place in m, speed in m/s
    spec_.action.size = 1;
    spec_.action.low = {-1.0};
    spec_.action.high = {1.0};
    spec_.max_steps = 100;
  }
  const clade::EnvironmentSpec& spec() const override { return spec_; }
  void reset(clade::RandomStream& rng, clade::ObservationRow observation) override {
    place_ = rng.uniform(-2.0, 2.0);
    speed_ = rng.uniform(-0.5, 0.5);
    observe(observation);
  }
  clade::StepOutcome step(const clade::Action& action, clade::ObservationRow observation) override {
    speed_ += 0.1 * action.continuous[0];
    place_ += 0.1 * speed_;
    observe(observation);
    return {.reward = -place_ * place_ - 0.1 * speed_ * speed_};
  }

 private:
  void observe(clade::ObservationRow observation) const {
    observation.float64()[0] = place_;
    observation.float64()[1] = speed_;
  }
  clade::EnvironmentSpec spec_;
  double place_ = 0.0;
  double speed_ = 0.0;
};

void evolve() {
  const clade::EnvironmentSpec task = Sledge().spec();
  const clade::HeadSpec head{.kind = clade::HeadKind::clip};
  const clade::Network network(clade::parse_network("linear"), task.observation.size(),
                               clade::head_outputs(head, task.action));
  const clade::Policy policy{network, head, task.observation, task.action};
  const int threads = clade::available_cores();
  const std::unique_ptr<clade::NoiseSource> noise = clade::make_counter_noise();

  clade::EpisodeScheduler scheduler(
      {.threads = threads}, [](std::size_t) { return std::make_unique<Sledge>(); },
      [&](std::size_t lanes) { return clade::make_cpu_inference(policy, *noise, lanes); });
  clade::ObservationNormalizer normalizer(clade::NormalizationKind::ars, task.observation.size());
  clade::EvaluationPlan plan;
  plan.seed = 1;
  plan.episode.max_steps = task.max_steps;
  plan.collects_moments = [](std::uint32_t, std::uint32_t) { return true; };

  const clade::ArsConfig config{.directions = 16, .top = 8, .step_size = 0.05, .noise = 0.05};
  clade::Ars strategy(config, std::vector<double>(network.parameter_count(), 0.0), plan.seed, *noise, threads);
  for (int generation = 0; generation <= 50; ++generation) {
    const clade::Population population = strategy.ask(0, 2 * config.directions);
    const clade::EvaluationResults results = scheduler.evaluate(population, normalizer.snapshot(), plan);
    std::vector<double> returns;
    for (const clade::EpisodeResult& episode : results.episodes) returns.push_back(episode.valid_return());
    strategy.tell(returns);
    normalizer.update(results.moments);
    if (generation % 10 == 0)
      std::printf("generation %d: mean return %.2f\n", generation, clade::summarize(returns).mean);
  }
}

}  // namespace

int main() {
  try {
    evolve();
  } catch (const clade::Error& error) {
    std::fprintf(stderr, "own_environment: %s\n", error.what());
    return error.exit_code();
  }
}
