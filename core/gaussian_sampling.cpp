#include "core/gaussian_sampling.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/number_text.hpp"

namespace clade {

float checked_sigma(double sigma, const char* what) {
  constexpr double kLowest = std::numeric_limits<float>::min();
  constexpr double kHighest = std::numeric_limits<float>::max();
  if (!(sigma >= kLowest && sigma <= kHighest)) {
    throw_input_error(std::string(what) + " " + number_text(sigma) + " is outside [" + number_text(kLowest) + ", " +
                      number_text(kHighest) + "]");
  }
  return static_cast<float>(sigma);
}

PhiloxKey direction_key(std::uint64_t seed, std::uint64_t generation, std::size_t direction) {
  return pack({seed, Purpose::perturbation, generation, direction, 0});
}

Population sample_members(const GaussianSampling& sampling, std::shared_ptr<const std::vector<float>> base,
                          std::uint64_t generation, std::size_t first_member, std::size_t count) {
  CLADE_CHECK(first_member + count <= std::size_t{1} << 32);
  Population population;
  population.generation = generation;
  population.first_member = first_member;
  population.bases.push_back(std::move(base));
  population.members.reserve(count);
  for (std::size_t identity = first_member; identity < first_member + count; ++identity) {
    const std::size_t direction = sampling.mirrored ? identity / 2 : identity;
    const bool reflected = sampling.mirrored && identity % 2 == 1;
    Member member;
    member.form = PerturbationForm::dense;
    member.key = direction_key(sampling.seed, generation, direction);
    member.scale = reflected ? -sampling.sigma : sampling.sigma;
    member.pair = static_cast<std::uint32_t>(direction);
    population.members.push_back(member);
  }
  return population;
}

std::shared_ptr<const std::vector<float>> make_base(std::span<const double> parameters, std::uint64_t generation) {
  auto base = std::make_shared<std::vector<float>>(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!(std::abs(parameters[i]) <= std::numeric_limits<float>::max())) {
      throw_run_time_error("parameter " + std::to_string(i) + " is " + number_text(parameters[i]) +
                           " before generation " + std::to_string(generation) +
                           ", beyond what a float holds; lower the learning rate");
    }
    (*base)[i] = static_cast<float>(parameters[i]);
  }
  return base;
}

}  // namespace clade
