#include "ga/genealogy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/number_text.hpp"

namespace clade {
namespace {

using Words = std::vector<std::uint64_t>;

const std::string kPrefix = "genealogy/";
constexpr std::uint64_t kLargestForm = static_cast<std::uint64_t>(PerturbationForm::initial);
constexpr std::uint64_t kLargestCrossover = static_cast<std::uint64_t>(Crossover::one_point);

[[noreturn]] void refuse(const Individual& individual, const std::string& problem) {
  throw_input_error("genealogy: individual " + individual_text(individual) + " " + problem);
}

/// Keys take two words each: the cipher's key, then the counter's lower words; the third has an array of its own.
void append_key(const PhiloxKey& key, Words& seeds, Words& members, Words& purposes) {
  seeds.push_back(std::uint64_t{key.key[1]} << 32 | key.key[0]);
  members.push_back(std::uint64_t{key.counter[1]} << 32 | key.counter[0]);
  purposes.push_back(key.counter[2]);
}

PhiloxKey key_of(std::uint64_t seed, std::uint64_t member, std::uint64_t purpose) {
  return {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
          {static_cast<std::uint32_t>(member), static_cast<std::uint32_t>(member >> 32),
           static_cast<std::uint32_t>(purpose)}};
}

/// The arrays of a saved genealogy. Those of parents have an entry for each birth that is not initial, those of mates
/// and crossovers one for each birth that has a mate.
struct Arrays {
  std::vector<Individual> individuals, parents, mates;
  Words forms, crossovers;
  Words key_seeds, key_members, key_purposes;
  Words mix_seeds, mix_members, mix_purposes, mix_points;
  std::vector<float> powers;

  void append(const Individual& individual, const Birth& birth) {
    individuals.push_back(individual);
    forms.push_back(static_cast<std::uint64_t>(birth.form));
    crossovers.push_back(static_cast<std::uint64_t>(birth.crossover));
    append_key(birth.key, key_seeds, key_members, key_purposes);
    powers.push_back(birth.power);
    if (birth.parent) parents.push_back(*birth.parent);
    if (!birth.mate) return;
    mates.push_back(*birth.mate);
    append_key(birth.crossover_key, mix_seeds, mix_members, mix_purposes);
    mix_points.push_back(birth.crossover_point);
  }
};

}  // namespace

std::string individual_text(const Individual& individual) {
  return std::to_string(individual.generation) + ":" + std::to_string(individual.member);
}

void Genealogy::add(const Individual& individual, const Birth& birth) {
  if (static_cast<std::uint64_t>(birth.form) > kLargestForm) {
    refuse(individual, "has the unknown key kind " + std::to_string(static_cast<unsigned>(birth.form)) +
                           "; known are 0 (copy), 1 (mutation) and 2 (initial)");
  }
  if (static_cast<std::uint64_t>(birth.crossover) > kLargestCrossover) {
    refuse(individual, "has the unknown crossover kind " + std::to_string(static_cast<unsigned>(birth.crossover)) +
                           "; known are 0 (none), 1 (uniform) and 2 (one-point)");
  }
  if (!std::isfinite(birth.power)) refuse(individual, "has the mutation power " + single_number_text(birth.power));
  const bool initial = birth.form == PerturbationForm::initial;
  const bool crossed = birth.crossover != Crossover::none;
  if (initial && (birth.parent || crossed)) refuse(individual, "is initial and yet has a parent");
  if (!initial && !birth.parent) refuse(individual, "is not initial and has no parent");
  if (crossed != birth.mate.has_value()) {
    refuse(individual, crossed ? "has a crossover and no mate" : "has a mate and no crossover");
  }
  for (const std::optional<Individual>& parent : {birth.parent, birth.mate}) {
    if (!parent) continue;
    if (parent->generation >= individual.generation) {
      refuse(individual, "has the parent " + individual_text(*parent) + ", which is not older than its child");
    }
    if (!has(*parent)) refuse(individual, "has the parent " + individual_text(*parent) + ", whose birth is missing");
  }
  const auto [entry, added] = births_.emplace(individual, birth);
  if (!added && !(entry->second == birth)) refuse(individual, "was born in another way before");
}

const Birth& Genealogy::birth(const Individual& individual) const {
  const auto found = births_.find(individual);
  if (found == births_.end()) refuse(individual, "is unknown");
  return found->second;
}

std::vector<Individual> Genealogy::lineage(const Individual& individual) const {
  std::set<Individual> found{individual};
  std::vector<Individual> open{individual};
  while (!open.empty()) {
    const Birth& born = birth(open.back());
    open.pop_back();
    for (const std::optional<Individual>& parent : {born.parent, born.mate}) {
      if (parent && found.insert(*parent).second) open.push_back(*parent);
    }
  }
  return {found.begin(), found.end()};
}

std::size_t Genealogy::chain_length(const Individual& individual) const {
  std::size_t mutations = 0;
  const Birth* born = &birth(individual);
  while (born->parent) {
    if (born->form == PerturbationForm::dense) ++mutations;
    born = &birth(*born->parent);
  }
  return mutations;
}

void Genealogy::prune(std::span<const Individual> living) {
  std::set<Individual> kept;
  std::vector<Individual> open(living.begin(), living.end());
  while (!open.empty()) {
    const Individual individual = open.back();
    open.pop_back();
    if (!kept.insert(individual).second) continue;
    const Birth& born = birth(individual);
    if (born.parent) open.push_back(*born.parent);
    if (born.mate) open.push_back(*born.mate);
  }
  std::erase_if(births_, [&](const auto& entry) { return !kept.contains(entry.first); });
}

void Genealogy::save(State& state) const {
  Arrays arrays;
  for (const auto& [individual, birth] : births_) arrays.append(individual, birth);
  save_individuals(state, kPrefix + "individuals", arrays.individuals);
  save_individuals(state, kPrefix + "parents", arrays.parents);
  save_individuals(state, kPrefix + "mates", arrays.mates);
  state.set(kPrefix + "forms", arrays.forms);
  state.set(kPrefix + "powers", arrays.powers);
  state.set(kPrefix + "key_seeds", arrays.key_seeds);
  state.set(kPrefix + "key_members", arrays.key_members);
  state.set(kPrefix + "key_purposes", arrays.key_purposes);
  state.set(kPrefix + "crossovers", arrays.crossovers);
  state.set(kPrefix + "crossover_seeds", arrays.mix_seeds);
  state.set(kPrefix + "crossover_members", arrays.mix_members);
  state.set(kPrefix + "crossover_purposes", arrays.mix_purposes);
  state.set(kPrefix + "crossover_points", arrays.mix_points);
}

void Genealogy::load(const State& state) {
  const auto words = [&](const std::string& name, std::size_t size) -> const Words& {
    return state.array<std::uint64_t>(kPrefix + name, size);
  };
  const std::vector<Individual> individuals = load_individuals(state, kPrefix + "individuals");
  const std::vector<Individual> parents = load_individuals(state, kPrefix + "parents");
  const std::vector<Individual> mates = load_individuals(state, kPrefix + "mates");
  const std::size_t count = individuals.size();
  const Words& forms = words("forms", count);
  const Words& crossovers = words("crossovers", count);
  const Words& key_seeds = words("key_seeds", count);
  const Words& key_members = words("key_members", count);
  const Words& key_purposes = words("key_purposes", count);
  const Words& mix_seeds = words("crossover_seeds", mates.size());
  const Words& mix_members = words("crossover_members", mates.size());
  const Words& mix_purposes = words("crossover_purposes", mates.size());
  const Words& mix_points = words("crossover_points", mates.size());
  const std::vector<float>& powers = state.array<float>(kPrefix + "powers", count);

  Genealogy loaded;
  std::size_t parent = 0;
  std::size_t mate = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // Kinds beyond a byte stay unknown when they are narrowed.
    Birth birth;
    birth.form = static_cast<PerturbationForm>(std::min<std::uint64_t>(forms[i], 255));
    birth.crossover = static_cast<Crossover>(std::min<std::uint64_t>(crossovers[i], 255));
    birth.key = key_of(key_seeds[i], key_members[i], key_purposes[i]);
    birth.power = powers[i];
    if (birth.form != PerturbationForm::initial && parent < parents.size()) birth.parent = parents[parent++];
    if (birth.crossover != Crossover::none && mate < mates.size()) {
      birth.mate = mates[mate];
      birth.crossover_key = key_of(mix_seeds[mate], mix_members[mate], mix_purposes[mate]);
      birth.crossover_point = mix_points[mate];
      ++mate;
    }
    loaded.add(individuals[i], birth);
  }
  if (parent != parents.size() || mate != mates.size()) {
    throw_input_error("genealogy: " + std::to_string(parents.size()) + " parents and " + std::to_string(mates.size()) +
                      " mates are saved for births that have " + std::to_string(parent) + " and " +
                      std::to_string(mate));
  }
  births_ = std::move(loaded.births_);
}

Birth birth_of(const Member& member, std::span<const Individual> ancestors) {
  const auto ancestor = [&](std::uint32_t base) {
    if (base >= ancestors.size()) {
      throw_input_error("genealogy: a member's parent is number " + std::to_string(base) + " of " +
                        std::to_string(ancestors.size()));
    }
    return ancestors[base];
  };
  Birth birth;
  birth.form = member.form;
  birth.key = member.key;
  if (member.form == PerturbationForm::initial) return birth;
  birth.power = member.scale;
  birth.parent = ancestor(member.base);
  birth.crossover = member.crossover;
  if (member.crossover == Crossover::none) return birth;
  birth.mate = ancestor(member.mate);
  birth.crossover_key = member.crossover_key;
  birth.crossover_point = member.crossover_point;
  return birth;
}

Birth birth_of(const Population& population, const Member& member) { return birth_of(member, population.ancestors); }

Genealogy trace_genealogy(const Individual& individual, const std::function<Birth(const Individual&)>& birth) {
  std::map<Individual, Birth> found;
  std::vector<Individual> open{individual};
  while (!open.empty()) {
    const Individual next = open.back();
    open.pop_back();
    if (found.contains(next)) continue;
    const Birth& born = found.emplace(next, birth(next)).first->second;
    if (born.parent) open.push_back(*born.parent);
    if (born.mate) open.push_back(*born.mate);
  }
  Genealogy genealogy;
  for (const auto& [who, born] : found) genealogy.add(who, born);
  return genealogy;
}

void save_individuals(State& state, const std::string& name, std::span<const Individual> individuals) {
  Words generations;
  Words members;
  for (const Individual& individual : individuals) {
    generations.push_back(individual.generation);
    members.push_back(individual.member);
  }
  state.set(name + "/generation", std::move(generations));
  state.set(name + "/member", std::move(members));
}

std::vector<Individual> load_individuals(const State& state, const std::string& name) {
  const auto& generations = state.get<Words>(name + "/generation");
  const Words& members = state.array<std::uint64_t>(name + "/member", generations.size());
  std::vector<Individual> individuals;
  individuals.reserve(generations.size());
  for (std::size_t i = 0; i < generations.size(); ++i) {
    if (members[i] > std::numeric_limits<std::uint32_t>::max()) {
      throw_input_error("saved state '" + name + "/member' has the member number " + std::to_string(members[i]) +
                        "; the limit is 4294967295");
    }
    individuals.push_back({generations[i], static_cast<std::uint32_t>(members[i])});
  }
  return individuals;
}

}  // namespace clade
