#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/noise.hpp"
#include "ga/genealogy.hpp"

namespace clade::testing {

inline PhiloxKey test_key(std::uint64_t number) { return pack({7, Purpose::test, 0, number, 0}); }

inline Birth initial_birth(std::uint64_t key) {
  Birth birth;
  birth.key = test_key(key);
  return birth;
}

inline Birth mutation(const Individual& parent, std::uint64_t key, float power = 0.5F) {
  Birth birth;
  birth.form = PerturbationForm::dense;
  birth.key = test_key(key);
  birth.power = power;
  birth.parent = parent;
  return birth;
}

inline Birth crossing(const Individual& parent, const Individual& mate, std::uint64_t key, Crossover crossover,
                      std::uint64_t point = 0, float power = 0.5F) {
  Birth birth = mutation(parent, key, power);
  birth.crossover = crossover;
  birth.mate = mate;
  if (crossover == Crossover::uniform) birth.crossover_key = test_key(key + 1'000'000);
  birth.crossover_point = point;
  return birth;
}

/// One individual a generation, 0:0 to `generations`:0, each a mutation of the one before.
inline Genealogy chain(std::uint64_t generations) {
  Genealogy genealogy;
  genealogy.add({0, 0}, initial_birth(0));
  for (std::uint64_t g = 1; g <= generations; ++g) genealogy.add({g, 0}, mutation({g - 1, 0}, g));
  return genealogy;
}

inline std::shared_ptr<const std::vector<InitialScale>> one_scale(std::size_t parameters, float scale = 0.25F) {
  return std::make_shared<const std::vector<InitialScale>>(std::vector<InitialScale>{{0, parameters, scale}});
}

/// Everyone's weights by the definition, all held, one parameter at a time; the initial scale is one_scale's.
inline std::map<Individual, std::vector<float>> reference_weights(const Genealogy& genealogy,
                                                                  const Individual& individual, std::size_t parameters,
                                                                  const NoiseSource& noise) {
  const auto draw = [&](const PhiloxKey& key) {
    std::vector<float> values(parameters);
    noise.perturb(key, 1.0F, 0, {}, values);
    return values;
  };
  std::map<Individual, std::vector<float>> weights;
  for (const Individual& who : genealogy.lineage(individual)) {
    const Birth& birth = genealogy.birth(who);
    std::vector<float> values(parameters, 0.0F);
    if (birth.parent) values = weights.at(*birth.parent);
    if (birth.crossover == Crossover::uniform) {
      const std::vector<float> chooser = draw(birth.crossover_key);
      for (std::size_t i = 0; i < parameters; ++i) {
        if (chooser[i] < 0.0F) values[i] = weights.at(*birth.mate)[i];
      }
    }
    if (birth.crossover == Crossover::one_point) {
      for (std::size_t i = birth.crossover_point; i < parameters; ++i) values[i] = weights.at(*birth.mate)[i];
    }
    if (birth.form != PerturbationForm::none) {
      const float scale = birth.form == PerturbationForm::initial ? 0.25F : birth.power;
      const std::vector<float> normals = draw(birth.key);
      for (std::size_t i = 0; i < parameters; ++i) values[i] = std::fma(scale, normals[i], values[i]);
    }
    weights[who] = values;
  }
  return weights;
}

}  // namespace clade::testing
