#include "core/cpu_inference.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/noise.hpp"
#include "core/weight_panels.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/reference_network.hpp"

using namespace clade;

namespace {

constexpr std::uint64_t kSeed = 11;

Policy make_policy(const std::string& network, const std::string& head, std::size_t observations,
                   std::size_t components) {
  ActionSpec action;
  action.size = components;
  action.low.assign(components, -1.0);
  action.high.assign(components, 1.0);
  const HeadSpec spec = parse_head(head);
  return {Network(parse_network(network), observations, head_outputs(spec, action)), spec,
          ObservationSpec{ObservationType::float64, {observations}}, action};
}

/// Two members: the base vector perturbed by noise, and the base itself.
Population make_population(const Network& network) {
  std::vector<double> parameters(network.parameter_count());
  initialise(network, Initialisation::uniform, {kSeed, Purpose::initialisation, 0, 0, 0}, parameters);
  Population population;
  population.bases.push_back(std::make_shared<const std::vector<float>>(parameters.begin(), parameters.end()));
  Member perturbed;
  perturbed.form = PerturbationForm::dense;
  perturbed.key = pack({kSeed, Purpose::perturbation, 0, 0, 0});
  perturbed.scale = 0.05F;
  population.members = {perturbed, Member{}};
  return population;
}

std::vector<float> weights_of(const Population& population, std::size_t member, const NoiseSource& noise) {
  std::vector<float> weights(population.bases.front()->size());
  materialise(population, population.members[member], noise, 0, weights);
  return weights;
}

NormalizerSnapshot make_normalizer(std::size_t size) {
  RandomStream rng({kSeed, Purpose::test, 1, 0, 0});
  NormalizerSnapshot normalizer;
  for (std::size_t i = 0; i < size; ++i) {
    normalizer.mean.push_back(rng.normal());
    normalizer.inverse_std.push_back(i % 7 == 3 ? 0.0 : 3.0 * rng.uniform());
  }
  normalizer.clip = 2.5;
  return normalizer;
}

std::vector<std::vector<double>> make_observations(std::size_t rows, std::size_t size) {
  RandomStream rng({kSeed, Purpose::test, 2, 0, 0});
  std::vector<std::vector<double>> observations(rows, std::vector<double>(size));
  for (auto& observation : observations) {
    for (double& value : observation) value = 2.0 * rng.normal();
  }
  return observations;
}

/// Answers of the member in slot 0 to `observations`, rows in the order given by `lanes`, `batch` rows at a time.
std::vector<std::vector<double>> answer(InferenceEngine& engine, const Policy& policy,
                                        const std::vector<std::vector<double>>& observations,
                                        const std::vector<std::size_t>& order, std::size_t batch) {
  std::vector<std::vector<double>> actions(observations.size(), std::vector<double>(policy.action.size));
  for (std::size_t first = 0; first < order.size(); first += batch) {
    std::vector<InferenceRow> rows(std::min(batch, order.size() - first));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t lane = order[first + i];
      EpisodeIdentity identity;
      identity.seed = kSeed;
      identity.episode = static_cast<std::uint32_t>(lane);
      engine.begin_episode(0, lane, identity, {});
      rows[i].lane = lane;
      rows[i].step = 5;
      rows[i].observation = reinterpret_cast<const std::byte*>(observations[lane].data());
      rows[i].action.continuous = actions[lane];
    }
    engine.infer(0, rows);
  }
  return actions;
}

std::vector<std::vector<double>> reference_answer(const Policy& policy, const std::vector<float>& weights,
                                                  const NormalizerSnapshot& normalizer,
                                                  const std::vector<std::vector<double>>& observations) {
  std::vector<std::vector<double>> actions(observations.size(), std::vector<double>(policy.action.size));
  for (std::size_t row = 0; row < observations.size(); ++row) {
    const auto layers = testing::reference_layers(policy.network, weights,
                                                  testing::reference_normalised(normalizer, observations[row]));
    EpisodeIdentity identity;
    identity.seed = kSeed;
    identity.episode = static_cast<std::uint32_t>(row);
    HeadResult result;
    result.continuous = actions[row];
    apply_head(policy.head, policy.action, layers.back(), identity.policy_key(Purpose::action_noise), 5, true, result);
  }
  return actions;
}

std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

}  // namespace

TEST_CASE("The engine gives the reference's bits for any shape, batch and order", "[inference]") {
  struct Shape {
    const char* network;
    const char* head;
    std::size_t observations;
    std::size_t components;
  };
  const auto noise = make_counter_noise();
  constexpr std::size_t kRows = 9;
  for (const Shape& shape :
       {Shape{"linear:nobias", "raw", 17, 6}, Shape{"linear", "clip", 1, 1}, Shape{"mlp:64,64", "raw", 17, 6},
        Shape{"mlp:16:relu", "tanh", 3, 16}, Shape{"mlp:33,17,5:elu", "raw", 11, 2},
        Shape{"mlp:128:sigmoid", "clip", 40, 17}, Shape{"mlp:129,144:identity:nobias", "raw", 65, 31},
        Shape{"mlp:300,7:tanh", "binned", 8, 3}, Shape{"mlp:100,112:relu", "raw", 50, 241}}) {
    INFO(shape.network);
    Policy policy = make_policy(shape.network, shape.head, shape.observations, shape.components);
    policy.head.action_noise = 0.1;
    const Population population = make_population(policy.network);
    const NormalizerSnapshot normalizer = make_normalizer(shape.observations);
    const auto observations = make_observations(kRows, shape.observations);
    const auto engine = make_cpu_inference(policy, *noise, kRows);
    engine->begin_generation(population, normalizer);
    // Member 0 comes back after member 1: nothing of another member's weights may stay.
    for (std::size_t member : {0U, 1U, 0U}) {
      const auto expected = reference_answer(policy, weights_of(population, member, *noise), normalizer, observations);
      engine->prepare(0, member);
      for (std::size_t batch = 1; batch <= kRows; ++batch) {
        CHECK(answer(*engine, policy, observations, in_order(kRows), batch) == expected);
      }
      std::vector<std::size_t> reversed = in_order(kRows);
      std::reverse(reversed.begin(), reversed.end());
      CHECK(answer(*engine, policy, observations, reversed, 4) == expected);
    }
  }
}

TEST_CASE("The published Humanoid network gives the reference's bits", "[inference]") {
  const auto noise = make_counter_noise();
  const Policy policy = make_policy("mlp:256,256", "raw", 376, 17);
  const Population population = make_population(policy.network);
  const NormalizerSnapshot normalizer = make_normalizer(376);
  const auto observations = make_observations(5, 376);
  const auto engine = make_cpu_inference(policy, *noise, 5);
  engine->begin_generation(population, normalizer);
  engine->prepare(0, 0);
  const auto expected = reference_answer(policy, weights_of(population, 0, *noise), normalizer, observations);
  CHECK(answer(*engine, policy, observations, in_order(5), 1) == expected);
  CHECK(answer(*engine, policy, observations, in_order(5), 5) == expected);
}

TEST_CASE("Without a normaliser observations are only rounded to float32", "[inference]") {
  const auto noise = make_counter_noise();
  const Policy policy = make_policy("linear", "raw", 19, 3);
  const Population population = make_population(policy.network);
  const auto observations = make_observations(2, 19);
  const auto engine = make_cpu_inference(policy, *noise, 2);
  const NormalizerSnapshot none;
  engine->begin_generation(population, none);
  engine->prepare(0, 1);
  CHECK(answer(*engine, policy, observations, in_order(2), 2) ==
        reference_answer(policy, *population.bases.front(), none, observations));
}

TEST_CASE("Bytes are read as fractions of 255", "[inference]") {
  const auto noise = make_counter_noise();
  Policy policy = make_policy("mlp:8", "raw", 20, 3);
  policy.observation = {ObservationType::uint8, {4, 5}};
  const Population population = make_population(policy.network);
  std::vector<std::uint8_t> bytes(20);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(13 * i);
  const std::vector<double> numbers = testing::reference_numbers(bytes);
  const auto engine = make_cpu_inference(policy, *noise, 1);
  for (const NormalizerSnapshot& normalizer : {NormalizerSnapshot{}, make_normalizer(20)}) {
    engine->begin_generation(population, normalizer);
    engine->prepare(0, 1);
    EpisodeIdentity identity;
    identity.seed = kSeed;
    engine->begin_episode(0, 0, identity, {});
    std::vector<double> action(3);
    InferenceRow row;
    row.step = 5;
    row.observation = reinterpret_cast<const std::byte*>(bytes.data());
    row.action.continuous = action;
    engine->infer(0, {&row, 1});
    CHECK(action == reference_answer(policy, *population.bases.front(), normalizer, {numbers}).front());
  }
}

TEST_CASE("Non-finite observations reach only their own row", "[inference]") {
  const auto noise = make_counter_noise();
  const Policy policy = make_policy("mlp:20:relu", "raw", 6, 3);
  const Population population = make_population(policy.network);
  auto observations = make_observations(4, 6);
  const auto engine = make_cpu_inference(policy, *noise, 4);
  const NormalizerSnapshot none;
  engine->begin_generation(population, none);
  engine->prepare(0, 0);
  const auto before = answer(*engine, policy, observations, in_order(4), 4);
  observations[1][2] = std::numeric_limits<double>::quiet_NaN();
  observations[2][0] = 1e300;  // infinite as float32
  const auto after = answer(*engine, policy, observations, in_order(4), 4);
  CHECK(after[0] == before[0]);
  CHECK(after[3] == before[3]);
  for (double value : after[1]) CHECK(std::isnan(value));
}

TEST_CASE("Evaluation episodes play without action noise", "[inference]") {
  const auto noise = make_counter_noise();
  Policy policy = make_policy("linear", "raw", 3, 2);
  policy.head.action_noise = 0.3;
  const Population population = make_population(policy.network);
  const auto observations = make_observations(1, 3);
  const auto engine = make_cpu_inference(policy, *noise, 1);
  const NormalizerSnapshot none;
  engine->begin_generation(population, none);
  engine->prepare(0, 1);
  const auto noisy = answer(*engine, policy, observations, {0}, 1);
  CHECK(noisy == reference_answer(policy, *population.bases.front(), none, observations));

  EpisodeSettings settings;
  settings.action_noise = false;
  engine->begin_episode(0, 0, {}, settings);
  std::vector<double> quiet(2);
  InferenceRow row;
  row.observation = reinterpret_cast<const std::byte*>(observations[0].data());
  row.action.continuous = quiet;
  engine->infer(0, {&row, 1});
  policy.head.action_noise = 0.0;
  CHECK(quiet == reference_answer(policy, *population.bases.front(), none, observations).front());
  CHECK(quiet != noisy.front());
}

TEST_CASE("A task without observations acts by the biases", "[inference]") {
  const auto noise = make_counter_noise();
  Policy policy = make_policy("linear", "raw", 0, 5);
  policy.observation.shape.clear();
  const Population population = make_population(policy.network);
  const auto engine = make_cpu_inference(policy, *noise, 1);
  const NormalizerSnapshot none;
  engine->begin_generation(population, none);
  engine->prepare(0, 1);
  const auto actions = answer(*engine, policy, {{}}, {0}, 1);
  const std::vector<double> biases(population.bases.front()->begin(), population.bases.front()->end());
  CHECK(actions.front() == biases);
}

TEST_CASE("A policy whose parts do not fit is a bug", "[inference]") {
  const auto noise = make_counter_noise();
  Policy policy = make_policy("linear", "raw", 3, 2);
  CHECK_THROWS_AS(make_cpu_inference(policy, *noise, 0), std::logic_error);
  policy.observation.shape = {4};
  CHECK_THROWS_AS(make_cpu_inference(policy, *noise, 1), std::logic_error);
}

namespace {

/// Pixels to a choice of 6.
Policy make_pixel_policy(const std::string& network) {
  const std::vector<std::size_t> shape{9, 8, 3};
  ActionSpec action;
  action.choices = 6;
  return {Network(parse_network(network), shape, 6), parse_head("argmax"), {ObservationType::uint8, shape}, action};
}

std::vector<std::byte> make_pixels(std::size_t size, std::uint64_t stream) {
  RandomStream rng({kSeed, Purpose::test, stream, 0, 0});
  std::vector<std::byte> pixels(size);
  for (std::byte& pixel : pixels) pixel = static_cast<std::byte>(rng.below(256));
  return pixels;
}

std::size_t choose(InferenceEngine& engine, const std::vector<std::byte>& pixels) {
  engine.begin_episode(0, 0, {}, {});
  InferenceRow row;
  row.observation = pixels.data();
  engine.infer(0, {&row, 1});
  return row.action.choice;
}

std::vector<float> pixel_numbers(const std::vector<std::byte>& pixels) {
  const auto numbers =
      testing::reference_numbers({reinterpret_cast<const std::uint8_t*>(pixels.data()), pixels.size()});
  return {numbers.begin(), numbers.end()};
}

std::size_t largest(const std::vector<float>& outputs) {
  return static_cast<std::size_t>(std::max_element(outputs.begin(), outputs.end()) - outputs.begin());
}

/// One base vector that is made when it is wanted and counts who holds it.
class CountedSupply final : public BaseSupply {
 public:
  explicit CountedSupply(std::vector<float> base)
      : base_(std::make_shared<const std::vector<float>>(std::move(base))) {}
  std::shared_ptr<const std::vector<float>> base(std::uint32_t) const override {
    ++asked;
    return base_;
  }
  long holders() const { return base_.use_count() - 1; }
  mutable int asked = 0;

 private:
  std::shared_ptr<const std::vector<float>> base_;
};

}  // namespace

TEST_CASE("Pixels go through convolutions to a choice", "[inference]") {
  const auto noise = make_counter_noise();
  const Policy policy = make_pixel_policy("conv:16@4/2,20@2/1;fc:30");
  const Population population = make_population(policy.network);
  const auto engine = make_cpu_inference(policy, *noise, 1);
  const NormalizerSnapshot none;
  engine->begin_generation(population, none);
  for (std::size_t member : {0U, 1U}) {
    engine->prepare(0, member);
    const auto weights = weights_of(population, member, *noise);
    for (std::uint64_t image = 0; image < 20; ++image) {
      const auto pixels = make_pixels(9 * 8 * 3, image);
      const auto outputs = testing::reference_layers(policy.network, weights, pixel_numbers(pixels)).back();
      CHECK(choose(*engine, pixels) == largest(outputs));
    }
  }
}

TEST_CASE("Each member has reference statistics of its own", "[inference]") {
  const auto noise = make_counter_noise();
  Policy policy = make_pixel_policy("conv:16@4/2;fc:30;vbn");
  const std::size_t size = policy.observation.bytes();
  policy.reference_batch = std::make_shared<const std::vector<std::byte>>(make_pixels(5 * size, 100));
  const Population population = make_population(policy.network);
  const auto engine = make_cpu_inference(policy, *noise, 1);
  const NormalizerSnapshot none;
  engine->begin_generation(population, none);
  for (std::size_t member : {0U, 1U, 0U}) {
    engine->prepare(0, member);
    const auto weights = weights_of(population, member, *noise);
    testing::ReferenceNetwork reference(policy.network, weights);
    std::vector<std::vector<float>> batch;
    for (std::size_t row = 0; row < 5; ++row) {
      const auto first = policy.reference_batch->begin() + static_cast<std::ptrdiff_t>(row * size);
      batch.push_back(pixel_numbers({first, first + static_cast<std::ptrdiff_t>(size)}));
    }
    reference.measure(batch);
    for (std::uint64_t image = 0; image < 20; ++image) {
      const auto pixels = make_pixels(size, image);
      CHECK(choose(*engine, pixels) == largest(reference.run(pixel_numbers(pixels)).back()));
    }
  }
}

TEST_CASE("The policy's precision rounds the weights", "[inference]") {
  const auto noise = make_counter_noise();
  Policy policy = make_policy("mlp:24:relu", "raw", 10, 3);
  const Population population = make_population(policy.network);
  const auto observations = make_observations(3, 10);
  std::vector<float> rounded = *population.bases.front();
  for (const DenseLayer& layer : policy.network.layers()) {
    for (std::size_t i = 0; i < layer.inputs * layer.outputs; ++i) {
      rounded[layer.weight_offset + i] = round_to_bf16(rounded[layer.weight_offset + i]);
    }
  }
  policy.precision = Precision::bf16;
  const NormalizerSnapshot none;
  const auto expected = reference_answer(policy, rounded, none, observations);
  for (InstructionSet set : available_instruction_sets()) {
    const auto engine = make_cpu_inference(policy, *noise, 3, set);
    engine->begin_generation(population, none);
    engine->prepare(0, 1);
    CHECK(answer(*engine, policy, observations, in_order(3), 3) == expected);
  }
}

TEST_CASE("A member's parents are asked for once and held during prepare alone", "[inference]") {
  const auto noise = make_counter_noise();
  const Policy policy = make_policy("mlp:24:relu", "raw", 10, 3);
  Population population = make_population(policy.network);
  const auto supply = std::make_shared<const CountedSupply>(*population.bases.front());
  const auto observations = make_observations(2, 10);
  const NormalizerSnapshot none;
  const auto expected = reference_answer(policy, weights_of(population, 0, *noise), none, observations);
  population.parameter_count = policy.network.parameter_count();
  population.bases.clear();
  population.supply = supply;
  const auto engine = make_cpu_inference(policy, *noise, 2);
  engine->begin_generation(population, none);
  engine->prepare(0, 0);
  CHECK(supply->asked == 1);
  CHECK(supply->holders() == 0);
  CHECK(answer(*engine, policy, observations, in_order(2), 2) == expected);
}

TEST_CASE("A reference batch that does not fit is a bug", "[inference]") {
  const auto noise = make_counter_noise();
  Policy policy = make_pixel_policy("conv:16@4/2;fc:30;vbn");
  CHECK_THROWS_AS(make_cpu_inference(policy, *noise, 1), std::logic_error);
  policy.reference_batch = std::make_shared<const std::vector<std::byte>>();
  CHECK_THROWS_AS(make_cpu_inference(policy, *noise, 1), std::logic_error);
  policy.reference_batch = std::make_shared<const std::vector<std::byte>>(policy.observation.bytes() + 1);
  CHECK_THROWS_AS(make_cpu_inference(policy, *noise, 1), std::logic_error);
}
