#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/noise.hpp"
#include "core/random.hpp"

namespace clade {

enum class PerturbationForm : std::uint8_t {
  none = 0,    ///< the base vector itself
  dense = 1,   ///< base + scale * noise(key)
  initial = 2  ///< a fresh network: noise(key) times the initial scale of each parameter; no base
};

/// What is mixed into the base before the perturbation. Values are part of the run file's contract.
enum class Crossover : std::uint8_t {
  none = 0,
  uniform = 1,   ///< parameter i is the mate's where noise(crossover_key)[i] < 0
  one_point = 2  ///< parameters from crossover_point on are the mate's
};

/// A member of a population: how to make its weights, never the weights themselves.
struct Member {
  std::uint32_t base = 0;  ///< index into the population's bases
  PerturbationForm form = PerturbationForm::none;
  PhiloxKey key{};         ///< noise key; a mirrored pair shares it
  float scale = 0.0F;      ///< signed: the mirrored half carries -sigma
  std::uint32_t pair = 0;  ///< members of a mirrored pair share this number; otherwise the member's own index
  Crossover crossover = Crossover::none;
  std::uint32_t mate = 0;             ///< second parent, index into the population's bases
  PhiloxKey crossover_key{};          ///< of a uniform crossover
  std::uint64_t crossover_point = 0;  ///< of a one-point crossover: first parameter that is the mate's
  bool operator==(const Member&) const = default;
};

/// Who a member was, for good: the generation it was evaluated in and its identity there.
struct Individual {
  std::uint64_t generation = 0;
  std::uint32_t member = 0;
  auto operator<=>(const Individual&) const = default;
};

/// The standard deviation that parameters [first, first + count) of a fresh network are drawn with.
struct InitialScale {
  std::size_t first = 0;
  std::size_t count = 0;
  float scale = 0.0F;
};

/// Parameter vectors that are made when they are wanted: a GA's parents, behind a cache of limited size. Thread-safe;
/// the vectors' bits do not depend on what is held.
class BaseSupply {
 public:
  virtual ~BaseSupply() = default;
  /// The vector of base `index`, shared with whoever holds it.
  virtual std::shared_ptr<const std::vector<float>> base(std::uint32_t index) const = 0;
};

/// A generation's members, or a piece of them; member i has identity first_member + i.
struct Population {
  std::uint64_t generation = 0;
  std::size_t first_member = 0;     ///< identity of members[0]: pieces of a generation are asked one after the other
  std::size_t parameter_count = 0;  ///< length of every parameter vector; 0: that of bases[0]
  std::vector<std::shared_ptr<const std::vector<float>>> bases;  ///< parameter vectors, all of the same length
  std::shared_ptr<const BaseSupply> supply;  ///< gives the bases instead, where they are not held: `bases` is empty
  std::vector<Individual> ancestors;         ///< who each base was, where bases are individuals (a GA); empty otherwise
  std::shared_ptr<const std::vector<InitialScale>> initial_scales;  ///< of members of form `initial`, in order;
                                                                    ///< parameters outside all of them start at 0
  std::vector<Member> members;

  std::size_t parameters() const { return bases.empty() ? parameter_count : bases.front()->size(); }
};

/// A member's weights, read piece by piece; holds what they are made from meanwhile. `population`'s scales and `noise`
/// outlive it.
class MemberWeights {
 public:
  /// May build the member's parents (BaseSupply). Throws what that throws.
  MemberWeights(const Population& population, const Member& member, const NoiseSource& noise);
  /// Writes parameters [first, first + output.size()). Same bits for any split into ranges.
  void read(std::size_t first, std::span<float> output) const;

 private:
  Member member_;
  const NoiseSource& noise_;
  std::size_t parameters_;
  std::shared_ptr<const std::vector<float>> base_;
  std::shared_ptr<const std::vector<float>> mate_;
  std::shared_ptr<const std::vector<InitialScale>> initial_scales_;
};

/// As MemberWeights(population, member, noise).read(first, output).
void materialise(const Population& population, const Member& member, const NoiseSource& noise, std::size_t first,
                 std::span<float> output);

}  // namespace clade
