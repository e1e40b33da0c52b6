#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "ga/genealogy.hpp"

namespace clade {

/// Which weights a cache should hold so that those of `living` are one birth away. An individual is wanted where it is
/// living, or where a wanted one that is not held descends from it directly; held ones end this search, so that beyond
/// the nearest held ancestors nothing is wanted. Not thread-safe.
class AncestorDemand {
 public:
  /// Starts anew, nobody held.
  void reset(std::shared_ptr<const Genealogy> genealogy, std::span<const Individual> living);
  /// The weights of an individual are held now, or no longer. Time in proportion to the births that this makes wanted
  /// or unwanted.
  void hold(const Individual& individual);
  void release(const Individual& individual);

  bool wanted(const Individual& individual) const { return living_.contains(individual) || uses(individual) > 0; }
  /// Whether holding it saves work: a living one, or an ancestor that two births yet to be replayed go through.
  bool worth_holding(const Individual& individual) const {
    return living_.contains(individual) || uses(individual) > 1;
  }

 private:
  std::size_t uses(const Individual& individual) const;
  void expand(const Individual& individual);

  std::shared_ptr<const Genealogy> genealogy_;
  std::set<Individual> living_;
  std::set<Individual> held_;
  std::map<Individual, std::size_t> uses_;  ///< births of wanted individuals that are not held, by parent
};

}  // namespace clade
