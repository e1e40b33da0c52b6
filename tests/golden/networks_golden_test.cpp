#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "core/cpu_inference.hpp"
#include "core/noise.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/reference_network.hpp"
#include "tests/support/tolerances.hpp"
#include "tools/golden_file.hpp"

using namespace clade;

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

std::vector<float> hash_parameters(const Network& network, std::uint32_t tag) {
  std::vector<float> parameters(network.parameter_count());
  std::uint32_t layer_tag = tag;
  for (const DenseLayer& layer : network.layers()) {
    const double scale = std::sqrt(12.0 / static_cast<double>(layer.inputs));
    for (std::size_t i = 0; i < layer.inputs * layer.outputs; ++i) {
      parameters[layer.weight_offset + i] = hash_weight(i, layer_tag, scale);
    }
    for (std::size_t i = 0; i < layer.outputs; ++i)
      parameters[layer.bias_offset + i] = hash_weight(i, layer_tag + 1, 0.2);
    layer_tag += 2;
  }
  return parameters;
}

void check_close(const float* actual, const float* expected, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) CHECK(std::abs(actual[i] - expected[i]) <= testing::kNetworkAgainstRecorded);
}

/// The engine's actions for all rows of `inputs` at once.
std::vector<double> engine_actions(const Policy& policy, const std::vector<float>& parameters,
                                   const GoldenArray<float>& inputs) {
  const std::size_t rows = inputs.rows();
  const auto noise = make_counter_noise();
  const auto engine = make_cpu_inference(policy, *noise, rows);
  Population population;
  population.bases.push_back(std::make_shared<const std::vector<float>>(parameters));
  population.members.emplace_back();
  const NormalizerSnapshot none;
  engine->begin_generation(population, none);
  engine->prepare(0, 0);

  const std::vector<double> observations(inputs.values.begin(), inputs.values.end());
  std::vector<double> actions(rows * policy.action.size);
  std::vector<InferenceRow> batch(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    engine->begin_episode(0, row, {}, {});
    batch[row].lane = row;
    batch[row].observation = reinterpret_cast<const std::byte*>(observations.data() + row * inputs.row_size());
    batch[row].action.continuous = {actions.data() + row * policy.action.size, policy.action.size};
  }
  engine->infer(0, batch);
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
  for (const auto& [head, expected] : {std::pair{"raw", &output}, std::pair{"tanh", &output_tanh}}) {
    const std::vector<double> actions =
        engine_actions({network, parse_head(head), observation, action}, parameters, inputs);
    REQUIRE(expected->values.size() == actions.size());
    const std::vector<float> rounded(actions.begin(), actions.end());
    check_close(rounded.data(), expected->values.data(), rounded.size());
  }
}

/// What a recorded network needs that is not there yet; empty where it can be compared.
std::string missing_feature(const GoldenFile& file, const std::string& group) {
  if (file.has(group + "/sizes") && file.has_attribute(group, "weight_tag")) return {};
  if (file.has(group + "/weight_ih")) return "recurrent layers";
  if (file.has(group + "/layer0_mean_f32")) return "convolutions and virtual batch normalisation";
  if (file.has(group + "/conv1_input0")) return "convolutions";
  return "a kind of network that this test does not know";
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

    for (const std::string& name : file.groups()) {
      const std::string group = "/" + name;
      const std::string missing = missing_feature(file, group);
      if (!missing.empty()) {
        std::cout << "skipped: " << path.filename().string() << group << ": " << missing << "\n";
        continue;
      }
      INFO(path.filename().string() << group);
      compare_dense_network(file, group);
    }
  }
  if (!found) CLADE_SKIP("no file of networks in " + golden_directory().string());
}
