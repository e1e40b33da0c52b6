#include "es/openai_es.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/number_text.hpp"

namespace clade {
namespace {

/// Its square is still finite: Adam's second moment can hold it.
constexpr double kLargestGradient = 1e150;

}  // namespace

std::string_view name_of(GradientScale scale) { return scale == GradientScale::pairs ? "pairs" : "sigma"; }

GradientScale parse_gradient_scale(std::string_view name) {
  if (name == "pairs") return GradientScale::pairs;
  if (name == "sigma") return GradientScale::sigma;
  throw_unknown_name("gradient scale", name, std::array<std::string, 2>{"pairs", "sigma"});
}

void OpenAiEsConfig::validate() const {
  if (population < 2 || population > std::size_t{1} << 32) {
    throw_input_error("population " + std::to_string(population) + " is outside [2, 4294967296]");
  }
  if (mirrored && population % 2 != 0) {
    throw_input_error("population " + std::to_string(population) + " is odd, but a mirrored pair is two members; use " +
                      std::to_string(population + 1) + ", or switch mirroring off");
  }
  checked_sigma(sigma, "sigma");
  optimizer.validate();
  if (!(weight_decay >= 0.0) || !std::isfinite(weight_decay)) {
    throw_input_error("weight decay " + number_text(weight_decay) + " must be a finite number of at least 0");
  }
  if (!(shaping_epsilon >= 0.0) || !std::isfinite(shaping_epsilon)) {
    throw_input_error("the z-score's epsilon " + number_text(shaping_epsilon) +
                      " must be a finite number of at least 0");
  }
}

OpenAiEs::OpenAiEs(const OpenAiEsConfig& config, std::span<const double> initial, std::uint64_t seed,
                   const NoiseSource& noise, int threads)
    : config_(config), noise_(noise), threads_(threads), theta_(initial.begin(), initial.end()) {
  config.validate();
  CLADE_CHECK(!initial.empty());
  CLADE_CHECK(threads >= 1);
  sampling_ = {seed, checked_sigma(config.sigma, "sigma"), config.mirrored};
  base_ = make_base(theta_, generation_);
  optimizer_ = make_optimizer(config.optimizer, theta_.size());
  gradient_.assign(theta_.size(), 0.0);
  terms_.reserve(config.mirrored ? config.population / 2 : config.population);
}

Population OpenAiEs::ask(std::size_t first_member, std::size_t count) const {
  return sample_members(sampling_, base_, generation_, first_member, count);
}

void OpenAiEs::collect_terms(std::span<const double> weights) {
  terms_.clear();
  if (config_.mirrored) {
    for (std::size_t pair = 0; pair < weights.size() / 2; ++pair) {
      const double difference = weights[2 * pair] - weights[2 * pair + 1];
      if (difference != 0.0) terms_.push_back({direction_key(sampling_.seed, generation_, pair), difference});
    }
    return;
  }
  const bool flat =
      std::all_of(weights.begin(), weights.end(), [&](double weight) { return weight == weights.front(); });
  if (flat) return;
  for (std::size_t member = 0; member < weights.size(); ++member) {
    if (weights[member] == 0.0) continue;
    terms_.push_back({direction_key(sampling_.seed, generation_, member), weights[member]});
  }
}

void OpenAiEs::tell(std::span<const double> fitness) {
  CLADE_CHECK(!fitness.empty());
  CLADE_CHECK(!config_.mirrored || fitness.size() % 2 == 0);
  if (all_failed(fitness)) {
    ++generation_;
    return;
  }
  collect_terms(shape_fitness(config_.shaping, fitness, config_.shaping_epsilon));
  if (terms_.empty()) {
    std::fill(gradient_.begin(), gradient_.end(), 0.0);
  } else {
    parallel_weighted_sum(noise_, terms_, gradient_, threads_);
  }
  double divisor = static_cast<double>(fitness.size());
  if (config_.gradient_scale == GradientScale::sigma) divisor *= config_.sigma;
  for (std::size_t i = 0; i < theta_.size(); ++i) {
    gradient_[i] = gradient_[i] / divisor - config_.weight_decay * theta_[i];
    if (!(std::abs(gradient_[i]) <= kLargestGradient)) {
      throw_run_time_error("component " + std::to_string(i) + " of generation " + std::to_string(generation_) +
                           "'s gradient is " + number_text(gradient_[i]) + ", beyond " + number_text(kLargestGradient) +
                           "; shape the fitness by centred_rank");
    }
  }
  optimizer_->ascend(gradient_, theta_);
  ++generation_;
  base_ = make_base(theta_, generation_);
}

State OpenAiEs::save() const {
  State state;
  state.set("theta", theta_);
  state.set("generation", std::vector<std::uint64_t>{generation_});
  optimizer_->save(state);
  return state;
}

void OpenAiEs::load(const State& state) {
  std::vector<double> theta = state.array<double>("theta", theta_.size());
  const std::uint64_t generation = state.array<std::uint64_t>("generation", 1).front();
  std::shared_ptr<const std::vector<float>> base = make_base(theta, generation);
  optimizer_->load(state);  // the last that can refuse
  theta_ = std::move(theta);
  base_ = std::move(base);
  generation_ = generation;
}

}  // namespace clade
