#include "es/ars.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/fitness.hpp"
#include "core/number_text.hpp"

namespace clade {

void ArsConfig::validate() const {
  if (directions < 1 || directions > std::size_t{1} << 31) {
    throw_input_error("number of directions " + std::to_string(directions) + " is outside [1, 2147483648]");
  }
  if (top < 1 || top > directions) {
    throw_input_error("number of top directions " + std::to_string(top) + " is outside [1, " +
                      std::to_string(directions) + "], the number of directions (half the population)");
  }
  if (!(step_size > 0.0) || !std::isfinite(step_size)) {
    throw_input_error("step size " + number_text(step_size) + " must be a finite number above 0");
  }
  checked_sigma(noise, "exploration noise");
}

Ars::Ars(const ArsConfig& config, std::span<const double> initial, std::uint64_t seed, const NoiseSource& noise,
         int threads)
    : config_(config), noise_(noise), threads_(threads), theta_(initial.begin(), initial.end()) {
  config.validate();
  CLADE_CHECK(!initial.empty());
  CLADE_CHECK(threads >= 1);
  sampling_ = {seed, checked_sigma(config.noise, "exploration noise"), true};
  base_ = make_base(theta_, generation_);
  sum_.assign(theta_.size(), 0.0);
  terms_.reserve(config.directions);
}

Population Ars::ask(std::size_t first_member, std::size_t count) const {
  return sample_members(sampling_, base_, generation_, first_member, count);
}

void Ars::collect_terms(std::span<const double> returns) {
  terms_.clear();
  const std::size_t directions = returns.size() / 2;
  const std::size_t wanted = (config_.top * directions + config_.directions - 1) / config_.directions;

  std::vector<double> best(directions);
  for (std::size_t i = 0; i < directions; ++i) best[i] = std::max(returns[2 * i], returns[2 * i + 1]);
  std::vector<double> sorted = best;
  const auto last_kept = sorted.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
  std::nth_element(sorted.begin(), last_kept, sorted.end(), std::greater<>());
  const double threshold = *last_kept;

  std::vector<double> kept;
  kept.reserve(2 * directions);
  for (std::size_t i = 0; i < directions; ++i) {
    if (best[i] >= threshold) kept.insert(kept.end(), {returns[2 * i], returns[2 * i + 1]});
  }
  const double deviation = population_deviation(kept);
  if (!(deviation > 0.0)) return;
  for (std::size_t i = 0; i < directions; ++i) {
    if (best[i] < threshold) continue;
    const double weight = returns[2 * i] / deviation - returns[2 * i + 1] / deviation;
    terms_.push_back({direction_key(sampling_.seed, generation_, i), weight});
  }
}

void Ars::tell(std::span<const double> fitness) {
  CLADE_CHECK(!fitness.empty() && fitness.size() % 2 == 0);
  collect_terms(finite_fitness(fitness));
  if (!terms_.empty()) {
    parallel_weighted_sum(noise_, terms_, sum_, threads_);
    const double rate = config_.step_size / static_cast<double>(terms_.size());
    for (std::size_t i = 0; i < theta_.size(); ++i) theta_[i] += rate * sum_[i];
  }
  ++generation_;
  base_ = make_base(theta_, generation_);
}

State Ars::save() const {
  State state;
  state.set("theta", theta_);
  state.set("generation", std::vector<std::uint64_t>{generation_});
  return state;
}

void Ars::load(const State& state) {
  std::vector<double> theta = state.array<double>("theta", theta_.size());
  const std::uint64_t generation = state.array<std::uint64_t>("generation", 1).front();
  base_ = make_base(theta, generation);
  theta_ = std::move(theta);
  generation_ = generation;
}

}  // namespace clade
