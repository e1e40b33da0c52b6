#include "ga/birth_replay.hpp"

#include <utility>

#include "core/error.hpp"
#include "core/population.hpp"

namespace clade {
namespace {

/// A crossover or an initial draw, as members of a population are made.
void materialise_birth(const Birth& birth, const Weights& parent, const Weights& mate,
                       const std::shared_ptr<const std::vector<InitialScale>>& scales, const NoiseSource& noise,
                       std::vector<float>& output) {
  Population family;
  family.parameter_count = output.size();
  family.initial_scales = scales;
  Member member;
  member.form = birth.form;
  member.key = birth.key;
  member.scale = birth.power;
  member.crossover = birth.crossover;
  member.crossover_key = birth.crossover_key;
  member.crossover_point = birth.crossover_point;
  if (parent != nullptr) family.bases.push_back(parent);
  if (mate != nullptr) {
    member.mate = 1;
    family.bases.push_back(mate);
  }
  materialise(family, member, noise, 0, output);
}

}  // namespace

BirthReplay::BirthReplay(const Genealogy& genealogy, const Individual& individual,
                         const std::function<std::optional<PromisedWeights>(const Individual&)>& known,
                         const std::function<bool(const Individual&)>& kept) {
  std::map<Individual, std::size_t> open{{individual, 0}};  // and by how many births they are needed
  while (!open.empty()) {
    // All children of the youngest have been seen.
    const auto youngest = std::prev(open.end());
    const auto [who, uses] = *youngest;
    open.erase(youngest);
    Value& value = values_[who];
    value.uses = uses;
    if (std::optional<PromisedWeights> weights = known(who)) {
      value.known = std::move(*weights);
      continue;
    }
    const Birth& birth = genealogy.birth(who);
    steps_.emplace(who, Step{birth, who == individual || kept(who)});
    if (birth.parent) ++open[*birth.parent];
    if (birth.mate) ++open[*birth.mate];
  }
}

std::vector<Individual> BirthReplay::kept() const {
  std::vector<Individual> result;
  for (const auto& [who, step] : steps_) {
    if (step.kept) result.push_back(who);
  }
  return result;
}

std::vector<Individual> BirthReplay::sources() const {
  std::vector<Individual> result;
  for (const auto& [who, value] : values_) {
    if (value.known.valid()) result.push_back(who);
  }
  return result;
}

std::shared_ptr<std::vector<float>> BirthReplay::take(const Individual& individual) {
  const auto entry = values_.find(individual);
  CLADE_CHECK(entry != values_.end() && entry->second.uses > 0);
  if (--entry->second.uses > 0) return nullptr;
  std::shared_ptr<std::vector<float>> own = std::move(entry->second.own);
  values_.erase(entry);
  return own;
}

void BirthReplay::run(std::size_t parameter_count, const std::shared_ptr<const std::vector<InitialScale>>& scales,
                      const NoiseSource& noise,
                      const std::function<void(const Individual&, const Weights&)>& hand_out) {
  for (const auto& [who, step] : steps_) {
    const Birth& birth = step.birth;
    std::shared_ptr<std::vector<float>> weights;
    if (birth.form == PerturbationForm::initial || birth.crossover != Crossover::none) {
      weights = std::make_shared<std::vector<float>>(parameter_count);
      const Weights parent = birth.parent ? values_.at(*birth.parent).get() : nullptr;
      const Weights mate = birth.mate ? values_.at(*birth.mate).get() : nullptr;
      materialise_birth(birth, parent, mate, scales, noise, *weights);
      if (birth.parent) take(*birth.parent);
      if (birth.mate) take(*birth.mate);
    } else {
      const Weights parent = values_.at(*birth.parent).get();
      CLADE_CHECK(parent->size() == parameter_count);
      weights = take(*birth.parent);
      const bool in_place = weights != nullptr;
      if (birth.form == PerturbationForm::dense) {
        if (!in_place) weights = std::make_shared<std::vector<float>>(parameter_count);
        noise.perturb(birth.key, birth.power, 0, *parent, *weights);
      } else if (!in_place) {
        weights = std::make_shared<std::vector<float>>(*parent);
      }
    }
    Value& value = values_.at(who);
    if (step.kept) {
      std::promise<Weights> finished;
      finished.set_value(weights);
      value.known = finished.get_future().share();
      hand_out(who, weights);
    } else {
      value.own = std::move(weights);
    }
  }
  values_.clear();
}

}  // namespace clade
