#include "tests/benchmarks/inference_bench.hpp"

#include <cstddef>
#include <memory>
#include <vector>

#include "core/cpu_inference.hpp"
#include "core/instruction_set.hpp"
#include "core/network.hpp"
#include "core/noise.hpp"
#include "core/observation_normalizer.hpp"
#include "core/population.hpp"
#include "core/random.hpp"

namespace clade::bench {
namespace {

constexpr int kPassesATurn = 64;  // calls between two looks at the clock

Policy make_policy(const InferenceSettings& settings) {
  ActionSpec action;
  action.size = settings.actions;
  action.low.assign(action.size, -1.0);
  action.high.assign(action.size, 1.0);
  const HeadSpec head = parse_head("raw");
  return {Network(parse_network(settings.network), settings.observations, head_outputs(head, action)), head,
          ObservationSpec{ObservationType::float64, {settings.observations}}, action};
}

Population make_population(const Network& network) {
  std::vector<double> parameters(network.parameter_count());
  initialise(network, Initialisation::fan_in, {.purpose = Purpose::benchmark}, parameters);
  Population population;
  population.bases.push_back(std::make_shared<const std::vector<float>>(parameters.begin(), parameters.end()));
  Member member;
  member.form = PerturbationForm::dense;
  member.key = pack({.purpose = Purpose::benchmark, .generation = 1});
  member.scale = 0.02F;
  population.members.push_back(member);
  return population;
}

}  // namespace

void bench_inference(const InferenceSettings& settings, Report& report) {
  const Policy policy = make_policy(settings);
  const Population population = make_population(policy.network);
  const std::size_t observation_size = policy.network.inputs();
  const std::size_t lanes = settings.lanes;

  // Observations of unit variance, and the normaliser that has seen them.
  RandomStream rng({.purpose = Purpose::benchmark, .generation = 2});
  std::vector<double> observations(lanes * observation_size);
  for (double& value : observations) value = rng.normal();
  NormalizerSnapshot normalizer;
  normalizer.mean.assign(observation_size, 0.1);
  normalizer.inverse_std.assign(observation_size, 1.1);

  const std::unique_ptr<NoiseSource> noise = make_counter_noise();
  const std::unique_ptr<InferenceEngine> engine = make_cpu_inference(policy, *noise, lanes);
  engine->begin_generation(population, normalizer);
  engine->prepare(0, 0);
  std::vector<double> actions(lanes * settings.actions);
  std::vector<InferenceRow> rows(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    engine->begin_episode(0, lane, {}, {});
    rows[lane].lane = lane;
    rows[lane].observation = reinterpret_cast<const std::byte*>(observations.data() + lane * observation_size);
    rows[lane].action.continuous = {actions.data() + lane * settings.actions, settings.actions};
  }
  ObservationMoments moments(observation_size);

  const Work infer = [&] {
    for (int pass = 0; pass < kPassesATurn; ++pass) engine->infer(0, rows);
    return static_cast<double>(kPassesATurn) * static_cast<double>(lanes);
  };
  const Work prepare = [&] {
    engine->prepare(0, 0);
    return 1.0;
  };
  const Work add_moments = [&] {
    for (int pass = 0; pass < kPassesATurn; ++pass) {
      moments.add({observations.data(), observation_size});
    }
    return static_cast<double>(kPassesATurn);
  };

  double weights = 0.0;
  for (const DenseLayer& layer : policy.network.layers()) weights += static_cast<double>(layer.inputs * layer.outputs);
  const Details details{{"network", policy.network.spec().description()},
                        {"observations", std::to_string(settings.observations)},
                        {"actions", std::to_string(settings.actions)},
                        {"lanes", std::to_string(lanes)},
                        {"isa", std::string(name_of(preferred_instruction_set()))}};
  const double steps = rate(settings.seconds / 2, infer);
  report.value("inference", steps, "steps/s", details);
  report.value("arithmetic", 2.0 * weights * steps, "FLOP/s", details);
  report.value("prepare", rate(settings.seconds / 4, prepare), "members/s", details);
  report.value("moments", rate(settings.seconds / 4, add_moments), "observations/s", details);
}

}  // namespace clade::bench
