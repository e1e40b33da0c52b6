#include "core/cpu_inference.hpp"

#include <vector>

#include "core/cpu_network.hpp"
#include "core/error.hpp"

namespace clade {

namespace {

/// Observations of the policy's reference batch, 0 where its network needs none.
std::size_t reference_rows(const Policy& policy) {
  if (!policy.network.spec().virtual_batch_norm) return 0;
  CLADE_CHECK(policy.reference_batch != nullptr && !policy.reference_batch->empty());
  CLADE_CHECK(policy.reference_batch->size() % policy.observation.bytes() == 0);
  return policy.reference_batch->size() / policy.observation.bytes();
}

class CpuInference final : public InferenceEngine {
 public:
  CpuInference(const Policy& policy, const NoiseSource& noise, std::size_t lanes, InstructionSet set)
      : policy_(policy),
        noise_(noise),
        reader_(policy.observation, set),
        network_(policy.network, policy.precision, lanes, reference_rows(policy), set),
        lanes_(lanes) {
    CLADE_CHECK(lanes >= 1);
    CLADE_CHECK(policy.observation.size() == policy.network.inputs());
    CLADE_CHECK(head_outputs(policy.head, policy.action) == policy.network.outputs());
    observations_.reserve(lanes);
    for (std::size_t row = 0; row < reference_rows(policy); ++row) {
      reference_.push_back(policy.reference_batch->data() + row * policy.observation.bytes());
    }
  }

  void begin_generation(const Population& population, const NormalizerSnapshot& normalizer) override {
    CLADE_CHECK(normalizer.mean.empty() || normalizer.mean.size() == policy_.observation.size());
    CLADE_CHECK(normalizer.inverse_std.size() == normalizer.mean.size());
    CLADE_CHECK(population.parameters() == policy_.network.parameter_count());
    population_ = &population;
    reader_.normalise_by(normalizer);
  }

  void prepare(std::size_t slot, std::size_t member) override {
    CLADE_CHECK(slot == 0 && population_ != nullptr && member < population_->members.size());
    network_.load(MemberWeights(*population_, population_->members[member], noise_));
    if (!reference_.empty()) network_.measure(reader_, reference_);
  }

  void begin_episode(std::size_t slot, std::size_t lane, const EpisodeIdentity& identity,
                     const EpisodeSettings& settings) override {
    CLADE_CHECK(slot == 0 && lane < lanes_.size());
    lanes_[lane] = {identity.policy_key(Purpose::action_noise), settings.action_noise};
  }

  void infer(std::size_t slot, std::span<InferenceRow> rows) override {
    CLADE_CHECK(slot == 0 && rows.size() <= lanes_.size());
    observations_.clear();
    for (const InferenceRow& row : rows) observations_.push_back(row.observation);
    network_.forward(reader_, observations_);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const Lane& lane = lanes_[rows[row].lane];
      apply_head(policy_.head, policy_.action, {network_.output(row), policy_.network.outputs()}, lane.key,
                 rows[row].step, lane.action_noise, rows[row].action);
    }
  }

 private:
  struct Lane {
    RandomKey key;
    bool action_noise = false;
  };

  const Policy& policy_;
  const NoiseSource& noise_;
  ObservationReader reader_;
  CpuNetwork network_;
  std::vector<Lane> lanes_;
  std::vector<const std::byte*> observations_;
  std::vector<const std::byte*> reference_;  // of virtual batch normalisation
  const Population* population_ = nullptr;
};

}  // namespace

std::unique_ptr<InferenceEngine> make_cpu_inference(const Policy& policy, const NoiseSource& noise, std::size_t lanes,
                                                    InstructionSet set) {
  return std::make_unique<CpuInference>(policy, noise, lanes, set);
}

}  // namespace clade
