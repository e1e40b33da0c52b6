#include "ga/ancestor_demand.hpp"

#include <optional>
#include <utility>

namespace clade {

void AncestorDemand::reset(std::shared_ptr<const Genealogy> genealogy, std::span<const Individual> living) {
  genealogy_ = std::move(genealogy);
  living_ = {living.begin(), living.end()};
  held_.clear();
  uses_.clear();
  for (const Individual& individual : living_) expand(individual);
}

std::size_t AncestorDemand::uses(const Individual& individual) const {
  const auto found = uses_.find(individual);
  return found == uses_.end() ? 0 : found->second;
}

void AncestorDemand::expand(const Individual& individual) {
  std::vector<Individual> open{individual};
  while (!open.empty()) {
    const Birth& birth = genealogy_->birth(open.back());
    open.pop_back();
    for (const std::optional<Individual>& parent : {birth.parent, birth.mate}) {
      if (!parent) continue;
      // One that was wanted before has had its own parents counted, or is held.
      const bool new_demand = !wanted(*parent);
      ++uses_[*parent];
      if (new_demand && !held_.contains(*parent)) open.push_back(*parent);
    }
  }
}

void AncestorDemand::hold(const Individual& individual) {
  if (!held_.insert(individual).second || !wanted(individual)) return;
  std::vector<Individual> open{individual};
  while (!open.empty()) {
    const Birth& birth = genealogy_->birth(open.back());
    open.pop_back();
    for (const std::optional<Individual>& parent : {birth.parent, birth.mate}) {
      if (!parent) continue;
      const auto entry = uses_.find(*parent);
      if (--entry->second > 0) continue;
      uses_.erase(entry);
      if (!living_.contains(*parent) && !held_.contains(*parent)) open.push_back(*parent);
    }
  }
}

void AncestorDemand::release(const Individual& individual) {
  if (held_.erase(individual) > 0 && wanted(individual)) expand(individual);
}

}  // namespace clade
