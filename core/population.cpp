#include "core/population.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace clade {

void materialise(const Population& population, const Member& member, const NoiseSource& noise, std::size_t first,
                 std::span<float> output) {
  CLADE_CHECK(member.base < population.bases.size() && population.bases[member.base] != nullptr);
  const std::span<const float> base = *population.bases[member.base];
  CLADE_CHECK(output.size() <= base.size() && first <= base.size() - output.size());
  const std::span<const float> range = base.subspan(first, output.size());
  switch (member.form) {
    case PerturbationForm::none:
      std::copy(range.begin(), range.end(), output.begin());
      return;
    case PerturbationForm::dense:
      noise.perturb(member.key, member.scale, first, range, output);
      return;
  }
  constexpr bool kKnownForm = false;
  CLADE_CHECK(kKnownForm);
}

}  // namespace clade
