#include "core/cpu_network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/noise.hpp"
#include "core/weight_panels.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/reference_network.hpp"

using namespace clade;
using clade::testing::ReferenceNetwork;

namespace {

constexpr std::uint64_t kSeed = 23;

std::vector<float> random_parameters(const Network& network) {
  std::vector<double> parameters(network.parameter_count());
  initialise(network, Initialisation::uniform, {kSeed, Purpose::initialisation, 0, 0, 0}, parameters);
  return {parameters.begin(), parameters.end()};
}

/// Bytes, a good part of them 0.
std::vector<std::vector<std::uint8_t>> random_images(std::size_t rows, std::size_t size, std::uint64_t stream = 0) {
  RandomStream rng({kSeed, Purpose::test, stream, 0, 0});
  std::vector<std::vector<std::uint8_t>> images(rows, std::vector<std::uint8_t>(size));
  for (auto& image : images) {
    for (std::uint8_t& value : image) {
      const std::uint32_t draw = rng.below(384);
      value = static_cast<std::uint8_t>(draw < 256 ? draw : 0);
    }
  }
  return images;
}

template <class Number>
std::vector<const std::byte*> pointers(const std::vector<std::vector<Number>>& observations) {
  std::vector<const std::byte*> result;
  for (const auto& observation : observations) {
    result.push_back(reinterpret_cast<const std::byte*>(observation.data()));
  }
  return result;
}

std::vector<std::vector<float>> as_floats(const std::vector<std::vector<std::uint8_t>>& images) {
  std::vector<std::vector<float>> result;
  for (const auto& image : images) {
    const std::vector<double> numbers = testing::reference_numbers(image);
    result.emplace_back(numbers.begin(), numbers.end());
  }
  return result;
}

struct Setting {
  Precision precision = Precision::fp32;
  InstructionSet set = preferred_instruction_set();
  std::size_t batch = 1;
};

/// A network with its weights and inputs, and what it should give.
struct Case {
  Network network;
  std::vector<float> parameters;
  ObservationSpec observation;
  std::vector<std::vector<std::uint8_t>> images;
  std::vector<std::vector<std::uint8_t>> reference_batch;

  Case(const std::string& description, const std::vector<std::size_t>& shape, std::size_t outputs, std::size_t rows,
       std::size_t reference_rows = 0)
      : network(parse_network(description), shape, outputs),
        parameters(random_parameters(network)),
        observation{ObservationType::uint8, shape},
        images(random_images(rows, network.inputs())),
        reference_batch(random_images(reference_rows, network.inputs(), 1)) {}

  std::vector<std::vector<float>> expected() const {
    ReferenceNetwork reference(network, parameters);
    if (!reference_batch.empty()) reference.measure(as_floats(reference_batch));
    std::vector<std::vector<float>> outputs;
    for (const auto& image : as_floats(images)) outputs.push_back(reference.run(image).back());
    return outputs;
  }

  std::vector<std::vector<float>> outputs(const Setting& setting) const {
    CpuNetwork cpu(network, setting.precision, setting.batch, reference_batch.size(), setting.set);
    ObservationReader reader(observation, setting.set);
    const auto noise = make_counter_noise();
    Population population;
    population.bases.push_back(std::make_shared<const std::vector<float>>(parameters));
    cpu.load(MemberWeights(population, Member{}, *noise));
    if (!reference_batch.empty()) cpu.measure(reader, pointers(reference_batch));
    const auto rows = pointers(images);
    std::vector<std::vector<float>> result;
    for (std::size_t first = 0; first < rows.size(); first += setting.batch) {
      const std::size_t count = std::min(setting.batch, rows.size() - first);
      cpu.forward(reader, std::span(rows).subspan(first, count));
      for (std::size_t row = 0; row < count; ++row) {
        result.emplace_back(cpu.output(row), cpu.output(row) + network.outputs());
      }
    }
    return result;
  }
};

/// Case number `index` of all combinations of kernel, stride and padding, on an image that fits.
Case swept_case(std::size_t kernel, std::size_t stride, const std::string& padding) {
  constexpr std::array<std::size_t, 4> kChannels{1, 3, 5, 17};
  constexpr std::array<std::size_t, 5> kFilters{1, 7, 16, 20, 33};
  const std::size_t channels = kChannels[(kernel + stride) % kChannels.size()];
  const std::size_t filters = kFilters[(kernel + 3 * stride) % kFilters.size()];
  const std::string description = "conv:" + std::to_string(filters) + "@" + std::to_string(kernel) + "/" +
                                  std::to_string(stride) + ":" + padding + ";fc:5";
  return {description, {kernel + (stride + kernel) % 3, kernel + 2 * stride + 1, channels}, 3, 2};
}

}  // namespace

TEST_CASE("Convolutions of every kernel, stride and padding give the reference's bits", "[cpu_network]") {
  for (const std::string padding : {"same", "valid"}) {
    for (std::size_t kernel = 1; kernel <= 8; ++kernel) {
      for (std::size_t stride = 1; stride <= 4; ++stride) {
        const Case tested = swept_case(kernel, stride, padding);
        INFO(tested.network.spec().description());
        const auto expected = tested.expected();
        for (InstructionSet set : available_instruction_sets()) {
          CHECK(tested.outputs({Precision::fp32, set, 2}) == expected);
        }
      }
    }
  }
}

TEST_CASE("Stacked layers give the reference's bits for any batch and instruction set", "[cpu_network]") {
  const std::vector<Case> cases{
      {"conv:5@3/2,17@2/1;fc:9", {7, 10, 3}, 4, 9},     {"conv:16@8/4,32@4/2;fc:20", {19, 23, 4}, 18, 9},
      {"conv:33@5/3,1@2/2:valid", {21, 14, 5}, 2, 9},   {"conv:20@4/4;fc:7,6:tanh", {13, 9, 17}, 1, 9},
      {"conv:2@7/2:valid:elu:nobias", {9, 8, 1}, 3, 9}, {"conv:4@2/3,3@1/1:sigmoid", {8, 11, 3}, 17, 9},
      {"conv:6@3/1:same:identity", {3, 3, 2}, 2, 9},    {"mlp:40,30:relu", {6, 7}, 5, 9}};
  for (const Case& tested : cases) {
    INFO(tested.network.spec().description());
    const auto expected = tested.expected();
    for (InstructionSet set : available_instruction_sets()) {
      for (std::size_t batch = 1; batch <= 9; ++batch) {
        CHECK(tested.outputs({Precision::fp32, set, batch}) == expected);
      }
    }
  }
}

TEST_CASE("The published networks give the reference's bits", "[cpu_network]") {
  for (const std::string name : {"model", "large_model", "nature"}) {
    INFO(name);
    const Case tested(name, {84, 84, 4}, 18, 1);
    CHECK(tested.outputs({}) == tested.expected());
  }
}

TEST_CASE("bf16 storage is fp32 of rounded weights", "[cpu_network]") {
  for (const std::string description : {"conv:5@3/2,33@2/1;fc:40", "conv:16@4/2;fc:300", "mlp:50,20:relu"}) {
    INFO(description);
    Case tested(description, {13, 12, 3}, 6, 5);
    Case rounded = tested;
    for (const Network::Array& array : rounded.network.arrays()) {
      if (array.shape.size() == 1) continue;  // biases stay as they are
      std::size_t size = 1;
      for (std::size_t extent : array.shape) size *= extent;
      for (std::size_t i = 0; i < size; ++i) {
        float& weight = rounded.parameters[array.offset + i];
        weight = round_to_bf16(weight);
      }
    }
    const auto expected = rounded.expected();
    CHECK(expected != tested.expected());
    for (InstructionSet set : available_instruction_sets()) {
      CHECK(tested.outputs({Precision::bf16, set, 1}) == expected);
      CHECK(tested.outputs({Precision::bf16, set, 5}) == expected);
      CHECK(rounded.outputs({Precision::fp32, set, 5}) == expected);
    }
  }
}

TEST_CASE("Virtual batch normalisation gives the reference's bits", "[cpu_network]") {
  const std::vector<Case> cases{{"conv:5@3/2,17@2/1;fc:9;vbn", {7, 10, 3}, 4, 5, 7},
                                {"conv:16@4/4;fc:20,12:tanh;vbn", {12, 11, 4}, 3, 5, 10},
                                {"conv:3@2/1:valid;vbn", {5, 4, 1}, 2, 5, 3},
                                {"conv:8@3/1:elu:nobias;vbn", {6, 6, 2}, 2, 5, 4},
                                {"mlp:18,7:relu;vbn", {4, 5}, 3, 5, 9}};
  for (const Case& tested : cases) {
    INFO(tested.network.spec().description());
    const auto expected = tested.expected();
    for (InstructionSet set : available_instruction_sets()) {
      for (std::size_t batch : {1U, 2U, 5U}) CHECK(tested.outputs({Precision::fp32, set, batch}) == expected);
    }
  }
}

TEST_CASE("Channel statistics are the mean and the population variance", "[cpu_network]") {
  const std::vector<float> values{1.0F, 10.0F, 2.0F, 10.0F, 6.0F, 10.0F};  // [3, 2]
  ChannelStatistics statistics(2);
  statistics.measure(values.data(), 3);
  CHECK(statistics.mean()[0] == 3.0F);
  CHECK(statistics.mean()[1] == 10.0F);
  CHECK(statistics.inverse_deviation()[0] == static_cast<float>(1.0 / std::sqrt(14.0 / 3.0 + 1e-3)));
  CHECK(statistics.inverse_deviation()[1] == static_cast<float>(1.0 / std::sqrt(1e-3)));
}

TEST_CASE("A reference batch of one observation is centred to the bias", "[cpu_network]") {
  Case tested("mlp:4:identity;vbn", {6}, 2, 1, 1);
  tested.reference_batch = tested.images;
  const DenseLayer& output = tested.network.layers()[1];
  const std::size_t hidden_bias = tested.network.layers()[0].bias_offset;
  std::vector<float> expected(2);
  for (std::size_t j = 0; j < 2; ++j) {
    expected[j] = tested.parameters[output.bias_offset + j];
    for (std::size_t i = 0; i < 4; ++i) {
      expected[j] = std::fma(tested.parameters[hidden_bias + i], tested.parameters[output.weight_offset + 2 * i + j],
                             expected[j]);
    }
  }
  CHECK(tested.outputs({}).front() == expected);
}

TEST_CASE("Another member's weights replace all of the last one's", "[cpu_network]") {
  const auto noise = make_counter_noise();
  for (const std::string description : {"conv:5@3/2,17@2/1;fc:300", "conv:5@3/2;fc:9;vbn"}) {
    for (Precision precision : {Precision::fp32, Precision::bf16}) {
      const Case tested(description, {7, 10, 3}, 4, 1, description.ends_with("vbn") ? 3 : 0);
      CpuNetwork fresh(tested.network, precision, 1, tested.reference_batch.size(), preferred_instruction_set());
      CpuNetwork used(tested.network, precision, 1, tested.reference_batch.size(), preferred_instruction_set());
      ObservationReader reader(tested.observation, preferred_instruction_set());
      Population population;
      population.bases.push_back(std::make_shared<const std::vector<float>>(tested.parameters));
      Member other;
      other.form = PerturbationForm::dense;
      other.scale = 3.0F;
      const auto play = [&](CpuNetwork& network, const Member& member) {
        network.load(MemberWeights(population, member, *noise));
        if (!tested.reference_batch.empty()) network.measure(reader, pointers(tested.reference_batch));
        network.forward(reader, pointers(tested.images));
        return std::vector<float>(network.output(0), network.output(0) + tested.network.outputs());
      };
      const auto different = play(used, other);
      CHECK(play(used, Member{}) == play(fresh, Member{}));
      CHECK(different != play(fresh, Member{}));
    }
  }
}

TEST_CASE("Numbers and normalised bytes reach convolutions as floats", "[cpu_network]") {
  const Case tested("conv:5@3/2,6@2/1;fc:9", {7, 10, 3}, 4, 2);
  const std::size_t size = tested.network.inputs();
  NormalizerSnapshot normalizer;
  for (std::size_t i = 0; i < size; ++i) {
    normalizer.mean.push_back(0.01 * static_cast<double>(i % 50));
    normalizer.inverse_std.push_back(1.0 + 0.1 * static_cast<double>(i % 7));
  }
  normalizer.clip = 1.5;
  std::vector<std::vector<double>> numbers;
  for (const auto& image : tested.images) numbers.push_back(testing::reference_numbers(image));

  const auto noise = make_counter_noise();
  Population population;
  population.bases.push_back(std::make_shared<const std::vector<float>>(tested.parameters));
  CpuNetwork network(tested.network, Precision::fp32, 2, 0, preferred_instruction_set());
  network.load(MemberWeights(population, Member{}, *noise));
  const ReferenceNetwork reference(tested.network, tested.parameters);
  for (const NormalizerSnapshot& snapshot : {NormalizerSnapshot{}, normalizer}) {
    ObservationReader of_numbers({ObservationType::float64, tested.observation.shape}, preferred_instruction_set());
    ObservationReader of_bytes(tested.observation, preferred_instruction_set());
    of_numbers.normalise_by(snapshot);
    of_bytes.normalise_by(snapshot);
    for (const bool bytes : {false, true}) {
      network.forward(bytes ? of_bytes : of_numbers, bytes ? pointers(tested.images) : pointers(numbers));
      for (std::size_t row = 0; row < 2; ++row) {
        const auto expected = reference.run(testing::reference_normalised(snapshot, numbers[row])).back();
        CHECK(std::vector<float>(network.output(row), network.output(row) + 4) == expected);
      }
    }
  }
}
