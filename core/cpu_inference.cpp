#include "core/cpu_inference.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/dense_kernels.hpp"
#include "core/error.hpp"

namespace clade {

namespace {

/// Floats on a vector's boundary.
class AlignedFloats {
 public:
  AlignedFloats() = default;
  explicit AlignedFloats(std::size_t size) : blocks_((size + kDenseLanes - 1) / kDenseLanes) {}
  float* data() { return reinterpret_cast<float*>(blocks_.data()); }

 private:
  struct alignas(kDenseLanes * sizeof(float)) Block {
    std::array<float, kDenseLanes> lanes{};
  };
  std::vector<Block> blocks_;
};

/// Floats materialised at a time where rows need padding: small enough to stay in the first-level cache.
constexpr std::size_t kPieceFloats = 4096;

/// A layer's weights in the kernels' layout, refilled for each member; the padding stays zero.
class LayerWeights {
 public:
  explicit LayerWeights(const DenseLayer& layer)
      : layer_(layer),
        padded_(padded_outputs(layer.outputs)),
        weights_(layer.inputs * padded_),
        bias_(padded_),
        in_place_(layer.outputs == padded_ && padded_ <= kPanelOutputs) {}

  PackedDense packed() { return {weights_.data(), bias_.data(), layer_.inputs, padded_, layer_.activation}; }

  void fill(const Population& population, const Member& member, const NoiseSource& noise, std::span<float> piece) {
    if (layer_.bias) {
      materialise(population, member, noise, layer_.bias_offset, {bias_.data(), layer_.outputs});
    }
    const std::size_t size = layer_.inputs * layer_.outputs;
    if (in_place_) {
      materialise(population, member, noise, layer_.weight_offset, {weights_.data(), size});
      return;
    }
    for (std::size_t first = 0; first < size; first += piece.size()) {
      const std::span<float> part = piece.first(std::min(piece.size(), size - first));
      materialise(population, member, noise, layer_.weight_offset + first, part);
      scatter(first, part);
    }
  }

 private:
  /// Copies weights [first, first + part.size()) of the row-major matrix to their panels.
  void scatter(std::size_t first, std::span<const float> part) {
    std::size_t input = first / layer_.outputs;
    std::size_t output = first % layer_.outputs;
    for (std::size_t done = 0; done < part.size();) {
      const std::size_t panel = output / kPanelOutputs * kPanelOutputs;
      const std::size_t width = std::min(kPanelOutputs, padded_ - panel);
      const std::size_t panel_end = std::min(panel + kPanelOutputs, layer_.outputs);
      const std::size_t count = std::min(panel_end - output, part.size() - done);
      std::copy_n(part.data() + done, count, weights_.data() + panel * layer_.inputs + input * width + output - panel);
      done += count;
      output += count;
      if (output == layer_.outputs) {
        output = 0;
        ++input;
      }
    }
  }

  DenseLayer layer_;
  std::size_t padded_;
  AlignedFloats weights_;
  AlignedFloats bias_;
  bool in_place_;
};

class CpuInference final : public InferenceEngine {
 public:
  CpuInference(const Policy& policy, const NoiseSource& noise, std::size_t lanes)
      : policy_(policy), noise_(noise), kernels_(dense_kernels()), lanes_(lanes), piece_(kPieceFloats) {
    CLADE_CHECK(lanes >= 1);
    CLADE_CHECK(policy.observation.size() == policy.network.inputs());
    CLADE_CHECK(policy.network.convolutions().empty() && !policy.network.spec().virtual_batch_norm);
    CLADE_CHECK(head_outputs(policy.head, policy.action) == policy.network.outputs());
    stride_ = padded_outputs(policy.network.inputs());
    for (const DenseLayer& layer : policy.network.layers()) {
      layers_.emplace_back(layer);
      stride_ = std::max(stride_, padded_outputs(layer.outputs));
    }
    for (AlignedFloats& activations : activations_) activations = AlignedFloats(lanes * stride_);
    if (policy.observation.type == ObservationType::uint8) wide_observation_.resize(policy.observation.size());
  }

  void begin_generation(const Population& population, const NormalizerSnapshot& normalizer) override {
    CLADE_CHECK(normalizer.mean.empty() || normalizer.mean.size() == policy_.observation.size());
    CLADE_CHECK(normalizer.inverse_std.size() == normalizer.mean.size());
    CLADE_CHECK(population.parameters() == policy_.network.parameter_count());
    population_ = &population;
    normalizer_ = &normalizer;
  }

  void prepare(std::size_t slot, std::size_t member) override {
    CLADE_CHECK(slot == 0 && population_ != nullptr && member < population_->members.size());
    for (LayerWeights& layer : layers_) layer.fill(*population_, population_->members[member], noise_, piece_);
  }

  void begin_episode(std::size_t slot, std::size_t lane, const EpisodeIdentity& identity,
                     const EpisodeSettings& settings) override {
    CLADE_CHECK(slot == 0 && lane < lanes_.size());
    lanes_[lane] = {identity.policy_key(Purpose::action_noise), settings.action_noise};
  }

  void infer(std::size_t slot, std::span<InferenceRow> rows) override {
    CLADE_CHECK(slot == 0 && rows.size() <= lanes_.size());
    float* input = activations_[0].data();
    float* output = activations_[1].data();
    for (std::size_t row = 0; row < rows.size(); ++row) read(rows[row].observation, input + row * stride_);
    for (LayerWeights& layer : layers_) {
      kernels_.forward(layer.packed(), input, stride_, output, stride_, rows.size());
      std::swap(input, output);
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const Lane& lane = lanes_[rows[row].lane];
      apply_head(policy_.head, policy_.action, {input + row * stride_, policy_.network.outputs()}, lane.key,
                 rows[row].step, lane.action_noise, rows[row].action);
    }
  }

 private:
  struct Lane {
    RandomKey key;
    bool action_noise = false;
  };

  /// An observation as the network reads it. Bytes are taken as the numbers 0 to 255.
  void read(const std::byte* observation, float* input) {
    const std::size_t size = policy_.observation.size();
    const auto* values = reinterpret_cast<const double*>(observation);
    if (policy_.observation.type == ObservationType::uint8) {
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(observation);
      std::copy_n(bytes, size, wide_observation_.begin());
      values = wide_observation_.data();
    }
    if (normalizer_->mean.empty()) {
      kernels_.convert(values, size, input);
    } else {
      kernels_.normalise(values, normalizer_->mean.data(), normalizer_->inverse_std.data(), normalizer_->clip, size,
                         input);
    }
  }

  const Policy& policy_;
  const NoiseSource& noise_;
  const DenseKernels& kernels_;
  std::vector<LayerWeights> layers_;
  std::vector<Lane> lanes_;
  std::size_t stride_ = 0;                    // floats between rows of activations
  std::array<AlignedFloats, 2> activations_;  // [lanes, stride] each: a layer reads one and writes the other
  std::vector<float> piece_;
  std::vector<double> wide_observation_;  // where observations are bytes
  const Population* population_ = nullptr;
  const NormalizerSnapshot* normalizer_ = nullptr;
};

}  // namespace

std::unique_ptr<InferenceEngine> make_cpu_inference(const Policy& policy, const NoiseSource& noise, std::size_t lanes) {
  return std::make_unique<CpuInference>(policy, noise, lanes);
}

}  // namespace clade
