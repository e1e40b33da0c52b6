#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "core/cpu_inference.hpp"
#include "core/cpu_network.hpp"
#include "core/noise.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/reference_network.hpp"
#include "tests/support/tolerances.hpp"
#include "tools/golden_file.hpp"

using namespace clade;
using clade::testing::reference_numbers;
using clade::testing::ReferenceNetwork;
using clade::testing::ReferenceStatistics;

namespace {

/// The files' formula for weights and inputs (README of the golden data).
std::uint32_t hash32(std::uint32_t i, std::uint32_t tag) {
  std::uint32_t h = i * 2654435761U + tag * 2246822507U;
  h ^= h >> 15U;
  h *= 2246822519U;
  h ^= h >> 13U;
  h *= 3266489917U;
  return h ^ (h >> 16U);
}

float hash_weight(std::size_t i, std::uint32_t tag, double scale) {
  return static_cast<float>((hash32(static_cast<std::uint32_t>(i), tag) / 4294967296.0 - 0.5) * scale);
}

/// The formula's numbers of a network's parameter vector: every array has a tag of its own, in order.
std::vector<float> hash_parameters(const Network& network, std::uint32_t tag) {
  std::vector<float> parameters(network.parameter_count());
  for (const Network::Array& array : network.arrays()) {
    std::size_t size = 1;
    for (std::size_t extent : array.shape) size *= extent;
    const bool weights = array.shape.size() > 1;
    const double scale = weights ? std::sqrt(12.0 / static_cast<double>(size / array.shape.back())) : 0.2;
    for (std::size_t i = 0; i < size; ++i) parameters[array.offset + i] = hash_weight(i, tag, scale);
    ++tag;
  }
  return parameters;
}

/// The formula's images, one after the other: bytes, whose 255ths are the recorded pixels.
std::vector<std::uint8_t> hash_images(std::size_t size, std::uint32_t tag) {
  std::vector<std::uint8_t> images(size);
  for (std::size_t i = 0; i < size; ++i) {
    images[i] = static_cast<std::uint8_t>(hash32(static_cast<std::uint32_t>(i), tag) >> 24U);
  }
  return images;
}

void check_close(const float* actual, const float* expected, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) CHECK(std::abs(actual[i] - expected[i]) <= testing::kNetworkAgainstRecorded);
}

template <class Number>
const std::byte* as_bytes(const std::vector<Number>& numbers) {
  return reinterpret_cast<const std::byte*>(numbers.data());
}

Population population_of(const std::vector<float>& parameters) {
  Population population;
  population.bases.push_back(std::make_shared<const std::vector<float>>(parameters));
  population.members.emplace_back();
  return population;
}

/// The engine's actions for all rows of `observations` at once: the continuous ones, or the choice.
std::vector<double> engine_actions(const Policy& policy, const std::vector<float>& parameters,
                                   const std::byte* observations, std::size_t rows) {
  const auto noise = make_counter_noise();
  const auto engine = make_cpu_inference(policy, *noise, rows);
  const Population population = population_of(parameters);
  const NormalizerSnapshot none;
  engine->begin_generation(population, none);
  engine->prepare(0, 0);

  const std::size_t size = policy.action.discrete() ? 1 : policy.action.size;
  std::vector<double> actions(rows * size);
  std::vector<InferenceRow> batch(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    engine->begin_episode(0, row, {}, {});
    batch[row].lane = row;
    batch[row].observation = observations + row * policy.observation.bytes();
    if (!policy.action.discrete()) batch[row].action.continuous = {actions.data() + row * size, size};
  }
  engine->infer(0, batch);
  if (policy.action.discrete()) {
    for (std::size_t row = 0; row < rows; ++row) actions[row] = static_cast<double>(batch[row].action.choice);
  }
  return actions;
}

void compare_dense_network(const GoldenFile& file, const std::string& group) {
  const auto sizes = file.read<std::int64_t>(group + "/sizes").values;
  REQUIRE(sizes.size() >= 2);
  NetworkSpec spec;
  for (std::size_t i = 1; i + 1 < sizes.size(); ++i) spec.hidden.push_back(static_cast<std::size_t>(sizes[i]));
  const auto outputs = static_cast<std::size_t>(sizes.back());
  const Network network(spec, static_cast<std::size_t>(sizes.front()), outputs);
  const auto parameters =
      hash_parameters(network, static_cast<std::uint32_t>(file.integer_attribute(group, "weight_tag")));

  const auto inputs = file.read<float>(group + "/inputs");
  REQUIRE(inputs.row_size() == network.inputs());
  const auto input_tag = static_cast<std::uint32_t>(file.integer_attribute(group, "input_tag"));
  for (std::size_t i = 0; i < inputs.values.size(); ++i) CHECK(inputs.values[i] == hash_weight(i, input_tag, 4.0));

  const auto output = file.read<float>(group + "/output_f32");
  const auto output_tanh = file.read<float>(group + "/output_tanh_f32");
  for (std::size_t row = 0; row < inputs.rows(); ++row) {
    const auto layers =
        testing::reference_layers(network, parameters, {inputs.row(row), inputs.row(row) + inputs.row_size()});
    for (std::size_t hidden = 0; hidden + 1 < layers.size(); ++hidden) {
      const auto expected = file.read<float>(group + "/hidden" + std::to_string(hidden) + "_f32");
      REQUIRE(expected.row_size() == layers[hidden].size());
      check_close(layers[hidden].data(), expected.row(row), layers[hidden].size());
    }
  }

  ActionSpec action;
  action.size = outputs;
  action.low.assign(outputs, -1.0);
  action.high.assign(outputs, 1.0);
  const ObservationSpec observation{ObservationType::float64, {network.inputs()}};
  const std::vector<double> observations(inputs.values.begin(), inputs.values.end());
  for (const auto& [head, expected] : {std::pair{"raw", &output}, std::pair{"tanh", &output_tanh}}) {
    const std::vector<double> actions = engine_actions({network, parse_head(head), observation, action}, parameters,
                                                       as_bytes(observations), inputs.rows());
    REQUIRE(expected->values.size() == actions.size());
    const std::vector<float> rounded(actions.begin(), actions.end());
    check_close(rounded.data(), expected->values.data(), rounded.size());
  }
}

/// A recorded network's layers: "conv:8x8x4x16/4 conv:4x4x16x32/2 dense:3872x256/1 out:256x18/1".
struct RecordedLayer {
  std::string kind;
  std::vector<std::size_t> shape;
  std::size_t stride = 0;
};

std::vector<RecordedLayer> parse_layers(const std::string& text) {
  std::vector<RecordedLayer> layers;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    RecordedLayer layer;
    layer.kind = word.substr(0, word.find(':'));
    std::istringstream numbers(word.substr(word.find(':') + 1));
    char separator = 'x';
    std::size_t number = 0;
    while (separator == 'x' && numbers >> number) {
      layer.shape.push_back(number);
      numbers >> separator;
    }
    REQUIRE(separator == '/');
    REQUIRE(numbers >> layer.stride);
    layers.push_back(layer);
  }
  return layers;
}

/// Images of all recorded convolutional networks (the README's): height, width, channels.
const std::vector<std::size_t> kImage{84, 84, 4};
constexpr std::size_t kImageSize = 84 * 84 * 4;
constexpr std::uint32_t kImageCheckTag = 1500;

Network recorded_network(const std::vector<RecordedLayer>& layers, bool virtual_batch_norm) {
  NetworkSpec spec;
  spec.activation = Activation::relu;
  spec.virtual_batch_norm = virtual_batch_norm;
  std::size_t outputs = 0;
  for (const RecordedLayer& layer : layers) {
    REQUIRE(layer.shape.size() == (layer.kind == "conv" ? 4 : 2));
    if (layer.kind == "conv") {
      REQUIRE(layer.shape[0] == layer.shape[1]);
      spec.convolutions.push_back({layer.shape[3], layer.shape[0], layer.stride});
    } else if (layer.kind == "dense") {
      spec.hidden.push_back(layer.shape[1]);
    } else {
      REQUIRE(layer.kind == "out");
      outputs = layer.shape[1];
    }
  }
  Network network(spec, kImage, outputs);
  std::size_t index = 0;
  for (const Network::Array& array : network.arrays()) {
    if (array.shape.size() == 1) continue;
    REQUIRE(index < layers.size());
    CHECK(array.shape == layers[index++].shape);
  }
  CHECK(index == layers.size());
  return network;
}

/// Recorded sums over a layer's outputs: of themselves, of their absolute values, of their squares.
void check_sums(const std::vector<float>& outputs, const double* expected) {
  double sum = 0.0;
  double absolute = 0.0;
  double squares = 0.0;
  for (float value : outputs) {
    sum += static_cast<double>(value);
    absolute += std::abs(static_cast<double>(value));
    squares += static_cast<double>(value) * static_cast<double>(value);
  }
  CHECK(std::abs(sum - expected[0]) <= testing::kLayerSumsAgainstRecorded * expected[1]);
  CHECK(std::abs(absolute - expected[1]) <= testing::kLayerSumsAgainstRecorded * expected[1]);
  CHECK(std::abs(squares - expected[2]) <= testing::kLayerSumsAgainstRecorded * expected[2]);
}

/// The file's own sample of an image: its upper left corner.
void check_image(const GoldenFile& file) {
  if (!file.has("/image_check")) return;
  const auto corner = file.read<float>("/image_check");
  REQUIRE(corner.extents == std::vector<std::size_t>{2, 2, kImage[2]});
  const std::vector<double> numbers = reference_numbers(hash_images(kImageSize, kImageCheckTag));
  for (std::size_t i = 0; i < corner.values.size(); ++i) {
    const std::size_t row = i / (2 * kImage[2]);
    CHECK(corner.values[i] == static_cast<float>(numbers[row * kImage[1] * kImage[2] + i % (2 * kImage[2])]));
  }
}

/// The engine's statistics of the reference batch, compared with the recorded ones.
std::vector<ReferenceStatistics> compare_statistics(const GoldenFile& file, const std::string& group,
                                                    const Policy& policy, const std::vector<float>& parameters) {
  const std::size_t rows = policy.reference_batch->size() / policy.observation.bytes();
  const std::size_t hidden = policy.network.convolutions().size() + policy.network.layers().size() - 1;
  ObservationReader reader(policy.observation, preferred_instruction_set());
  CpuNetwork network(policy.network, Precision::fp32, 1, rows, preferred_instruction_set());
  const auto noise = make_counter_noise();
  const Population population = population_of(parameters);
  network.load(MemberWeights(population, population.members[0], *noise));
  std::vector<const std::byte*> images;
  for (std::size_t row = 0; row < rows; ++row) {
    images.push_back(policy.reference_batch->data() + row * policy.observation.bytes());
  }
  network.measure(reader, images);

  std::vector<ReferenceStatistics> statistics;
  for (std::size_t layer = 0; layer < hidden; ++layer) {
    const std::string name = group + "/layer" + std::to_string(layer);
    const auto mean = file.read<double>(name + "_mean_f64").values;
    const auto variance = file.read<double>(name + "_var_f64").values;
    REQUIRE(mean.size() == variance.size());
    const ChannelStatistics& ours = network.statistics(layer);
    statistics.emplace_back();
    for (std::size_t c = 0; c < mean.size(); ++c) {
      const double expected = 1.0 / std::sqrt(variance[c] + file.real_attribute(group, "epsilon"));
      CHECK(std::abs(static_cast<double>(ours.mean()[c]) - mean[c]) <= testing::kNetworkAgainstRecorded);
      CHECK(std::abs(static_cast<double>(ours.inverse_deviation()[c]) / expected - 1.0) <=
            testing::kNetworkAgainstRecorded);
      statistics.back().mean.push_back(ours.mean()[c]);
      statistics.back().inverse_deviation.push_back(ours.inverse_deviation()[c]);
    }
  }
  return statistics;
}

void compare_convolutional_network(const GoldenFile& file, const std::string& group) {
  const bool virtual_batch_norm = file.has_attribute(group, "reference_tag");
  const Network network = recorded_network(parse_layers(file.text_attribute(group, "layers")), virtual_batch_norm);
  CHECK(network.parameter_count() == static_cast<std::size_t>(file.integer_attribute(group, "parameters")));
  const auto tag = [&](const char* name) { return static_cast<std::uint32_t>(file.integer_attribute(group, name)); };
  const auto parameters = hash_parameters(network, tag("weight_tag"));
  const auto logits = file.read<float>(group + "/logits_f32");
  const auto exact = file.read<double>(group + "/logits_f64");
  const auto argmax = file.read<std::int64_t>(group + "/argmax").values;
  const std::size_t rows = logits.rows();
  REQUIRE(logits.row_size() == network.outputs());
  REQUIRE(argmax.size() == rows);
  const std::vector<std::uint8_t> images = hash_images(rows * kImageSize, tag("input_tag"));

  Policy policy{network, parse_head("raw"), {ObservationType::uint8, kImage}, {}};
  policy.action.size = network.outputs();
  policy.action.low.assign(network.outputs(), -1.0);
  policy.action.high.assign(network.outputs(), 1.0);
  ReferenceNetwork reference(network, parameters);
  if (virtual_batch_norm) {
    const auto count = static_cast<std::size_t>(file.integer_attribute(group, "reference_images"));
    const std::vector<std::uint8_t> batch = hash_images(count * kImageSize, tag("reference_tag"));
    policy.reference_batch =
        std::make_shared<const std::vector<std::byte>>(as_bytes(batch), as_bytes(batch) + batch.size());
    reference.use(compare_statistics(file, group, policy, parameters));
  }

  const std::vector<double> outputs = engine_actions(policy, parameters, as_bytes(images), rows);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    CHECK(std::abs(outputs[i] - static_cast<double>(logits.values[i])) <= testing::kNetworkAgainstRecorded);
    CHECK(std::abs(outputs[i] - exact.values[i]) <= testing::kNetworkAgainstRecorded);
  }
  policy.head = parse_head("argmax");
  policy.action = {0, network.outputs(), {}, {}};
  const std::vector<double> choices = engine_actions(policy, parameters, as_bytes(images), rows);
  for (std::size_t row = 0; row < rows; ++row) CHECK(choices[row] == static_cast<double>(argmax[row]));

  // The engine has no way to see hidden layers: they are the reference's, whose outputs have the engine's bits.
  const auto sums = file.read<double>(group + "/layer_sums");
  const auto first = file.read<float>(group + "/conv1_input0");
  REQUIRE(sums.extents == std::vector<std::size_t>{rows, reference.layers(), 3});
  for (std::size_t row = 0; row < rows; ++row) {
    const std::vector<double> numbers = reference_numbers(std::span(images).subspan(row * kImageSize, kImageSize));
    const auto layers = reference.run({numbers.begin(), numbers.end()});
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
      check_sums(layers[layer], sums.row(row) + 3 * layer);
    }
    for (std::size_t i = 0; i < network.outputs(); ++i) {
      CHECK(static_cast<double>(layers.back()[i]) == outputs[row * network.outputs() + i]);
    }
    if (row == 0) {
      REQUIRE(first.values.size() == layers[0].size());
      check_close(layers[0].data(), first.values.data(), first.values.size());
    }
  }
}

/// Compares one recorded network; says what is missing where it cannot be.
std::string compare(const GoldenFile& file, const std::string& group) {
  if (file.has_attribute(group, "layers")) {
    compare_convolutional_network(file, group);
  } else if (file.has(group + "/sizes") && file.has_attribute(group, "weight_tag")) {
    compare_dense_network(file, group);
  } else if (file.has(group + "/weight_ih")) {
    return "recurrent layers";
  } else {
    return "a kind of network that this test does not know";
  }
  return {};
}

}  // namespace

TEST_CASE("Recorded networks give the recorded outputs", "[golden]") {
  bool found = false;
  for (const auto& path : golden_files(golden_directory())) {
    const GoldenFile file(path);
    if (!file.has("/hash_check")) continue;  // not a file of networks
    found = true;
    const auto expected = file.read<std::int64_t>("/hash_check").values;
    const auto tag = static_cast<std::uint32_t>(file.integer_attribute("/", "hash_check_tag"));
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(hash32(static_cast<std::uint32_t>(i), tag) == expected[i]);
    check_image(file);

    for (const std::string& name : file.groups()) {
      const std::string group = "/" + name;
      INFO(path.filename().string() << group);
      const std::string missing = compare(file, group);
      if (!missing.empty()) {
        std::cout << "skipped: " << path.filename().string() << group << ": " << missing << "\n";
      }
    }
  }
  if (!found) CLADE_SKIP("no file of networks in " + golden_directory().string());
}
