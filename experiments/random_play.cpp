#include "experiments/random_play.hpp"

#include <cmath>

namespace clade {

Action RandomActions::draw() {
  if (spec_.discrete()) return {{}, rng_.below(static_cast<std::uint32_t>(spec_.choices))};
  for (std::size_t index = 0; index < components_.size(); ++index) {
    const double low = std::isfinite(spec_.low[index]) ? spec_.low[index] : -1.0;
    const double high = std::isfinite(spec_.high[index]) ? spec_.high[index] : 1.0;
    components_[index] = rng_.uniform(low, high);
  }
  return {components_, 0};
}

}  // namespace clade
