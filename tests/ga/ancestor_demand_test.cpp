#include "ga/ancestor_demand.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "tests/ga/families.hpp"
#include "tests/support/catch.hpp"

using namespace clade;
using namespace clade::testing;

namespace {

using Individuals = std::vector<Individual>;

/// 0:0 - 1:0 - 2:0 - 3:0, 3:1 (from 2:0), 3:2 (from 1:0).
std::shared_ptr<const Genealogy> tree() {
  Genealogy genealogy = chain(3);
  genealogy.add({3, 1}, mutation({2, 0}, 11));
  genealogy.add({3, 2}, mutation({1, 0}, 12));
  return std::make_shared<const Genealogy>(genealogy);
}

Individuals wanted(const AncestorDemand& demand, const Genealogy& genealogy, const Individuals& living) {
  std::set<Individual> all;
  for (const Individual& individual : living) {
    for (const Individual& ancestor : genealogy.lineage(individual)) all.insert(ancestor);
  }
  Individuals result;
  std::copy_if(all.begin(), all.end(), std::back_inserter(result),
               [&](const Individual& who) { return demand.wanted(who); });
  return result;
}

/// By the definition: the living, and all that are reached from those not held without passing a held one.
std::set<Individual> reached(const Genealogy& genealogy, const Individuals& living, const std::set<Individual>& held) {
  std::set<Individual> result;
  Individuals open = living;
  while (!open.empty()) {
    const Individual who = open.back();
    open.pop_back();
    if (!result.insert(who).second || held.contains(who)) continue;
    const Birth& birth = genealogy.birth(who);
    if (birth.parent) open.push_back(*birth.parent);
    if (birth.mate) open.push_back(*birth.mate);
  }
  return result;
}

}  // namespace

TEST_CASE("with nobody held the whole way is wanted, and branches are worth holding", "[demand]") {
  const auto genealogy = tree();
  const Individuals living{{3, 0}, {3, 1}, {3, 2}};
  AncestorDemand demand;
  demand.reset(genealogy, living);
  CHECK(wanted(demand, *genealogy, living) == Individuals{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}, {3, 2}});
  CHECK_FALSE(demand.worth_holding({0, 0}));
  CHECK(demand.worth_holding({1, 0}));
  CHECK(demand.worth_holding({2, 0}));
  CHECK(demand.worth_holding({3, 0}));
}

TEST_CASE("beyond held ancestors nothing is wanted", "[demand]") {
  const auto genealogy = tree();
  const Individuals living{{3, 0}, {3, 1}, {3, 2}};
  AncestorDemand demand;
  demand.reset(genealogy, living);
  demand.hold({1, 0});
  CHECK(wanted(demand, *genealogy, living) == Individuals{{1, 0}, {2, 0}, {3, 0}, {3, 1}, {3, 2}});
  demand.hold({2, 0});
  CHECK(wanted(demand, *genealogy, living) == Individuals{{1, 0}, {2, 0}, {3, 0}, {3, 1}, {3, 2}});
  CHECK_FALSE(demand.worth_holding({1, 0}));
  demand.hold({3, 2});
  CHECK(wanted(demand, *genealogy, living) == Individuals{{2, 0}, {3, 0}, {3, 1}, {3, 2}});
  demand.hold({3, 0});
  demand.hold({3, 1});
  CHECK(wanted(demand, *genealogy, living) == living);
  // One that leaves needs its way again, up to the nearest that is held.
  demand.release({2, 0});
  demand.release({3, 1});
  CHECK(wanted(demand, *genealogy, living) == Individuals{{1, 0}, {2, 0}, {3, 0}, {3, 1}, {3, 2}});
}

TEST_CASE("demand is the definition's after any holding and releasing", "[demand]") {
  RandomStream rng(RandomKey{3, Purpose::test, 0, 0, 0});
  for (int repeat = 0; repeat < 20; ++repeat) {
    Genealogy genealogy;
    constexpr std::uint32_t kMembers = 4;
    for (std::uint32_t member = 0; member < kMembers; ++member) genealogy.add({0, member}, initial_birth(member));
    const std::uint64_t generations = 8;
    for (std::uint64_t g = 1; g <= generations; ++g) {
      for (std::uint32_t member = 0; member < kMembers; ++member) {
        const Individual parent{rng.below(static_cast<std::uint32_t>(g)), rng.below(kMembers)};
        const Individual mate{rng.below(static_cast<std::uint32_t>(g)), rng.below(kMembers)};
        const bool crossed = rng.below(3) == 0 && !(parent == mate);
        genealogy.add({g, member}, crossed ? crossing(parent, mate, 10 * g + member, Crossover::uniform)
                                           : mutation(parent, 10 * g + member));
      }
    }
    const Individuals living{{generations, 0}, {generations, 2}, {3, 1}};
    AncestorDemand demand;
    demand.reset(std::make_shared<const Genealogy>(genealogy), living);
    std::set<Individual> held;
    for (int step = 0; step < 60; ++step) {
      const Individual who{rng.below(static_cast<std::uint32_t>(generations) + 1), rng.below(kMembers)};
      if (held.contains(who)) {
        held.erase(who);
        demand.release(who);
      } else {
        held.insert(who);
        demand.hold(who);
      }
      const std::set<Individual> expected = reached(genealogy, living, held);
      for (std::uint64_t g = 0; g <= generations; ++g) {
        for (std::uint32_t member = 0; member < kMembers; ++member) {
          REQUIRE(demand.wanted({g, member}) == expected.contains({g, member}));
        }
      }
    }
  }
}
