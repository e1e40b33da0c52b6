#include "core/population.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"

namespace clade {

namespace {

constexpr std::size_t kMixedAtOnce = 1024;

std::shared_ptr<const std::vector<float>> base_of(const Population& population, std::uint32_t index) {
  if (population.supply != nullptr) {
    auto base = population.supply->base(index);
    CLADE_CHECK(base != nullptr && base->size() == population.parameters());
    return base;
  }
  CLADE_CHECK(index < population.bases.size() && population.bases[index] != nullptr);
  return population.bases[index];
}

/// Replaces output[i] by mate[i] where noise(key)[first + i] is negative.
void mix_uniformly(const NoiseSource& noise, const PhiloxKey& key, std::size_t first, std::span<const float> mate,
                   std::span<float> output) {
  std::array<float, kMixedAtOnce> draws;
  for (std::size_t done = 0; done < output.size(); done += kMixedAtOnce) {
    const std::size_t count = std::min(kMixedAtOnce, output.size() - done);
    noise.perturb(key, 1.0F, first + done, {}, {draws.data(), count});
    for (std::size_t i = 0; i < count; ++i) {
      if (draws[i] < 0.0F) output[done + i] = mate[done + i];
    }
  }
}

}  // namespace

MemberWeights::MemberWeights(const Population& population, const Member& member, const NoiseSource& noise)
    : member_(member), noise_(noise), parameters_(population.parameters()) {
  if (member.form == PerturbationForm::initial) {
    CLADE_CHECK(population.initial_scales != nullptr && member.crossover == Crossover::none);
    initial_scales_ = population.initial_scales;
    return;
  }
  base_ = base_of(population, member.base);
  if (member.crossover != Crossover::none) mate_ = base_of(population, member.mate);
}

void MemberWeights::read(std::size_t first, std::span<float> output) const {
  CLADE_CHECK(output.size() <= parameters_ && first <= parameters_ - output.size());
  const std::size_t end = first + output.size();
  if (member_.form == PerturbationForm::initial) {
    std::fill(output.begin(), output.end(), 0.0F);
    for (const InitialScale& part : *initial_scales_) {
      const std::size_t from = std::max(first, part.first);
      const std::size_t to = std::min(end, part.first + part.count);
      if (from < to) noise_.perturb(member_.key, part.scale, from, {}, output.subspan(from - first, to - from));
    }
    return;
  }
  const std::span<const float> base = std::span(*base_).subspan(first, output.size());
  if (member_.crossover == Crossover::none && member_.form == PerturbationForm::dense) {
    noise_.perturb(member_.key, member_.scale, first, base, output);
    return;
  }
  std::copy(base.begin(), base.end(), output.begin());
  if (member_.crossover == Crossover::uniform) {
    mix_uniformly(noise_, member_.crossover_key, first, std::span(*mate_).subspan(first, output.size()), output);
  } else if (member_.crossover == Crossover::one_point && member_.crossover_point < end) {
    const std::size_t from = std::max<std::size_t>(first, member_.crossover_point);
    std::copy(mate_->begin() + static_cast<std::ptrdiff_t>(from), mate_->begin() + static_cast<std::ptrdiff_t>(end),
              output.begin() + static_cast<std::ptrdiff_t>(from - first));
  }
  if (member_.form == PerturbationForm::dense) {
    noise_.perturb(member_.key, member_.scale, first, output, output);
  }
}

void materialise(const Population& population, const Member& member, const NoiseSource& noise, std::size_t first,
                 std::span<float> output) {
  MemberWeights(population, member, noise).read(first, output);
}

}  // namespace clade
