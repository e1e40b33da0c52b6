#include "experiments/reference_batch.hpp"

#include <span>

#include "core/digest.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "experiments/random_play.hpp"

namespace clade {

namespace {

/// Member fields of the keys: start states and actions do not share a stream.
constexpr std::uint64_t kStartStates = 0;
constexpr std::uint64_t kActions = 1;

}  // namespace

std::shared_ptr<const std::vector<std::byte>> make_reference_batch(Environment& environment, std::uint64_t seed,
                                                                   std::size_t count) {
  const EnvironmentSpec& spec = environment.spec();
  const std::size_t bytes = spec.observation.bytes();
  std::vector<std::byte> current(bytes);
  const ObservationRow row(current.data(), spec.observation);
  auto batch = std::make_shared<std::vector<std::byte>>();
  batch->reserve(count * bytes);
  RandomActions actions(spec.action, {seed, Purpose::reference_play, 0, kActions, 0});
  std::uint64_t episode = 0;
  std::uint32_t step = 0;
  bool ended = true;
  while (batch->size() < count * bytes) {
    if (ended) {
      RandomStream rng(RandomKey{seed, Purpose::reference_play, 0, kStartStates, episode++});
      environment.reset(rng, row);
      step = 0;
    }
    const StepOutcome outcome = environment.step(actions.draw(), row);
    if (outcome.failure != nullptr) {
      throw_run_time_error("the random play for virtual batch normalisation failed: " + std::string(outcome.failure) +
                           "; choose a --network without it");
    }
    batch->insert(batch->end(), current.begin(), current.end());
    ended = outcome.terminated || outcome.truncated || ++step >= spec.max_steps;
  }
  return batch;
}

std::string reference_batch_digest(const std::vector<std::byte>& batch) {
  Digest digest;
  digest.add(std::span<const std::byte>(batch));
  return digest.hex();
}

}  // namespace clade
