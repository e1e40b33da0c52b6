#include "ga/genealogy.hpp"

#include <limits>

#include "core/error.hpp"
#include "tests/ga/families.hpp"
#include "tests/support/catch.hpp"

using namespace clade;
using namespace clade::testing;

namespace {

using Individuals = std::vector<Individual>;
using Words = std::vector<std::uint64_t>;

/// 0:0 and 0:1 initial; 1:4 from 0:0; 2:3 a uniform cross of 1:4 and 0:1; 2:5 a one-point cross of 1:4 and 0:0; 3:0 a
/// copy of 2:3; 3:1 from 0:1.
Genealogy family() {
  Genealogy genealogy;
  genealogy.add({0, 0}, initial_birth(1));
  genealogy.add({0, 1}, initial_birth(2));
  genealogy.add({1, 4}, mutation({0, 0}, 3, 0.125F));
  genealogy.add({2, 3}, crossing({1, 4}, {0, 1}, 4, Crossover::uniform));
  genealogy.add({2, 5}, crossing({1, 4}, {0, 0}, 5, Crossover::one_point, 77));
  Birth copy;
  copy.form = PerturbationForm::none;
  copy.parent = Individual{2, 3};
  genealogy.add({3, 0}, copy);
  genealogy.add({3, 1}, mutation({0, 1}, 6));
  return genealogy;
}

State saved(const Genealogy& genealogy) {
  State state;
  genealogy.save(state);
  return state;
}

template <class T>
State changed(const State& state, const std::string& name, std::size_t place, T value) {
  State result = state;
  std::vector<T> values = state.get<std::vector<T>>("genealogy/" + name);
  values.at(place) = value;
  result.set("genealogy/" + name, values);
  return result;
}

void refuses(const State& state, const std::string& part) {
  Genealogy genealogy = chain(2);
  CHECK_THROWS_WITH(genealogy.load(state), contains_text(part));
  CHECK(genealogy == chain(2));
}

}  // namespace

TEST_CASE("a lineage holds all ancestors once, parents before children", "[genealogy]") {
  const Genealogy genealogy = family();
  CHECK(genealogy.size() == 7);
  CHECK(genealogy.lineage({3, 0}) == Individuals{{0, 0}, {0, 1}, {1, 4}, {2, 3}, {3, 0}});
  CHECK(genealogy.lineage({2, 5}) == Individuals{{0, 0}, {1, 4}, {2, 5}});
  CHECK(genealogy.lineage({0, 1}) == Individuals{{0, 1}});
  CHECK_THROWS_WITH(genealogy.lineage({9, 1}), contains_text("9:1"));
}

TEST_CASE("a chain's length counts the mutations along first parents", "[genealogy]") {
  const Genealogy genealogy = family();
  CHECK(genealogy.chain_length({0, 0}) == 0);
  CHECK(genealogy.chain_length({1, 4}) == 1);
  CHECK(genealogy.chain_length({2, 3}) == 2);
  CHECK(genealogy.chain_length({3, 0}) == 2);  // the copy adds none
  CHECK(genealogy.chain_length({3, 1}) == 1);
  CHECK_THROWS_AS(genealogy.chain_length({3, 2}), Error);
}

TEST_CASE("pruning keeps the living and their ancestors", "[genealogy]") {
  Genealogy genealogy = family();
  genealogy.prune(Individuals{{2, 5}, {3, 1}});
  CHECK(genealogy.size() == 5);
  for (const Individual& kept : Individuals{{0, 0}, {1, 4}, {2, 5}, {0, 1}, {3, 1}}) CHECK(genealogy.has(kept));
  CHECK_FALSE(genealogy.has({2, 3}));
  CHECK_FALSE(genealogy.has({3, 0}));
  CHECK_THROWS_WITH(genealogy.prune(Individuals{{3, 0}}), contains_text("3:0"));
  CHECK(genealogy.size() == 5);
  genealogy.prune({});
  CHECK(genealogy.size() == 0);
}

TEST_CASE("a saved genealogy comes back as it was", "[genealogy]") {
  for (const Genealogy& genealogy : {family(), chain(20), Genealogy()}) {
    Genealogy loaded = chain(3);
    loaded.load(saved(genealogy));
    CHECK(loaded == genealogy);
    CHECK(saved(loaded) == saved(genealogy));
  }
}

TEST_CASE("a saved genealogy's arrays", "[genealogy]") {
  const State state = saved(family());
  CHECK(state.get<Words>("genealogy/individuals/generation") == Words{0, 0, 1, 2, 2, 3, 3});
  CHECK(state.get<Words>("genealogy/individuals/member") == Words{0, 1, 4, 3, 5, 0, 1});
  CHECK(state.get<Words>("genealogy/forms") == Words{2, 2, 1, 1, 1, 0, 1});
  CHECK(state.get<Words>("genealogy/parents/generation") == Words{0, 1, 1, 2, 0});
  CHECK(state.get<Words>("genealogy/crossovers") == Words{0, 0, 0, 1, 2, 0, 0});
  CHECK(state.get<Words>("genealogy/mates/member") == Words{1, 0});
  CHECK(state.get<Words>("genealogy/crossover_points") == Words{0, 77});
  CHECK(state.get<std::vector<float>>("genealogy/powers") ==
        std::vector<float>{0.0F, 0.0F, 0.125F, 0.5F, 0.5F, 0.0F, 0.5F});
}

TEST_CASE("chains of 100,000 births need no deep recursion", "[genealogy]") {
  constexpr std::uint64_t kGenerations = 100'000;
  Genealogy genealogy = chain(kGenerations);
  CHECK(genealogy.chain_length({kGenerations, 0}) == kGenerations);
  CHECK(genealogy.lineage({kGenerations, 0}).size() == kGenerations + 1);
  Genealogy loaded;
  loaded.load(saved(genealogy));
  CHECK(loaded == genealogy);
  genealogy.prune(Individuals{{kGenerations / 2, 0}});
  CHECK(genealogy.size() == kGenerations / 2 + 1);
}

TEST_CASE("a birth that cannot be is refused and adds nothing", "[genealogy]") {
  const auto refused = [](const Individual& individual, const Birth& birth, const std::string& part) {
    Genealogy genealogy = family();
    CHECK_THROWS_WITH(genealogy.add(individual, birth), contains_text(part));
    CHECK(genealogy == family());
  };
  refused({4, 0}, mutation({3, 7}, 9), "4:0 has the parent 3:7, whose birth is missing");
  refused({4, 0}, crossing({3, 1}, {2, 9}, 9, Crossover::uniform), "2:9, whose birth is missing");
  refused({2, 9}, mutation({3, 1}, 9), "2:9 has the parent 3:1, which is not older");
  refused({3, 9}, mutation({3, 1}, 9), "not older");
  refused({3, 1}, mutation({3, 1}, 9), "not older");
  refused({3, 1}, mutation({0, 1}, 7), "3:1 was born in another way");
  refused({4, 0}, mutation({3, 1}, 9, std::numeric_limits<float>::quiet_NaN()), "power nan");
  Birth odd = mutation({3, 1}, 9);
  odd.parent.reset();
  refused({4, 0}, odd, "has no parent");
  odd = initial_birth(9);
  odd.parent = Individual{3, 1};
  refused({4, 0}, odd, "is initial and yet has a parent");
  odd = mutation({3, 1}, 9);
  odd.mate = Individual{0, 0};
  refused({4, 0}, odd, "a mate and no crossover");
  odd = crossing({3, 1}, {0, 0}, 9, Crossover::uniform);
  odd.mate.reset();
  refused({4, 0}, odd, "a crossover and no mate");

  Genealogy genealogy = family();
  genealogy.add({3, 1}, mutation({0, 1}, 6));
  CHECK(genealogy == family());
}

TEST_CASE("a damaged genealogy is refused by name and changes nothing", "[genealogy]") {
  const State good = saved(family());
  refuses(changed<std::uint64_t>(good, "forms", 2, 3), "1:4 has the unknown key kind 3");
  refuses(changed<std::uint64_t>(good, "forms", 2, 257), "unknown key kind 255");
  refuses(changed<std::uint64_t>(good, "crossovers", 3, 3), "2:3 has the unknown crossover kind 3");
  refuses(changed<std::uint64_t>(good, "parents/member", 0, 9), "1:4 has the parent 0:9, whose birth is missing");
  refuses(changed<std::uint64_t>(good, "parents/generation", 0, 1), "which is not older than its child");
  refuses(changed<std::uint64_t>(good, "mates/generation", 1, 5), "2:5 has the parent 5:0, which is not older");
  refuses(changed<std::uint64_t>(good, "individuals/member", 1, 0), "0:0 was born in another way before");
  refuses(changed<std::uint64_t>(good, "individuals/member", 1, std::uint64_t{1} << 32), "4294967296");
  refuses(changed<std::uint64_t>(good, "forms", 0, 1), "not older");
  refuses(changed<std::uint64_t>(good, "forms", 6, 2), "5 parents and 2 mates are saved for births that have 4 and 2");
  refuses(changed<float>(good, "powers", 2, std::numeric_limits<float>::infinity()), "power inf");
  for (const auto& [name, value] : good.values()) {
    State incomplete = good;
    incomplete.values().erase(name);
    refuses(incomplete, name);
  }
  State longer = good;
  longer.set("genealogy/powers", std::vector<float>(8, 0.0F));
  refuses(longer, "genealogy/powers");
}

TEST_CASE("a member's birth is its recipe with its ancestors' names", "[genealogy]") {
  const Individuals ancestors{{4, 2}, {0, 9}};
  Member member;
  member.base = 1;
  member.form = PerturbationForm::dense;
  member.key = test_key(3);
  member.scale = 0.25F;
  CHECK(birth_of(member, ancestors) == mutation({0, 9}, 3, 0.25F));
  member.crossover = Crossover::one_point;
  member.mate = 0;
  member.crossover_point = 12;
  CHECK(birth_of(member, ancestors) == crossing({0, 9}, {4, 2}, 3, Crossover::one_point, 12, 0.25F));
  member.mate = 2;
  CHECK_THROWS_WITH(birth_of(member, ancestors), contains_text("number 2 of 2"));
  Member initial;
  initial.form = PerturbationForm::initial;
  initial.key = test_key(5);
  CHECK(birth_of(initial, {}) == initial_birth(5));
}

TEST_CASE("a genealogy traced birth by birth is the individual's own", "[genealogy]") {
  const Genealogy whole = family();
  std::size_t asked = 0;
  const auto look_up = [&](const Individual& individual) {
    ++asked;
    return whole.birth(individual);
  };
  Genealogy expected = family();
  expected.prune(Individuals{{3, 0}});
  CHECK(trace_genealogy({3, 0}, look_up) == expected);
  CHECK(asked == expected.size());
}
