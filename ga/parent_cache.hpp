#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/noise.hpp"
#include "core/population.hpp"
#include "ga/genealogy.hpp"

namespace clade {

struct ParentCacheUse {
  std::uint64_t hits = 0;       ///< requests answered by a vector that was held or being built
  std::uint64_t misses = 0;     ///< requests that had to build one
  std::uint64_t mutations = 0;  ///< births replayed for that: 1 a miss where the parent's parent was held
  double hit_rate() const {
    return hits + misses == 0 ? 0.0 : static_cast<double>(hits) / static_cast<double>(hits + misses);
  }
};

/// Weights of individuals that have children: built from the nearest held ancestors, one perturbation a birth, and held
/// within a limit of bytes. What no living individual needs any more leaves first, then what was used longest ago. The
/// bits are those of replaying the whole chain. Thread-safe; workers that want the same vector at once wait for one of
/// them to build it, and get its exception where that fails. For individuals of one run: an individual that was asked
/// for once must not be born in another way later.
///
/// Without crossover a build takes one vector beside those held, however long the chain, and what is needed is never
/// more than a vector for each living individual: a limit of one more than that makes every build one birth long.
class ParentCache {
 public:
  /// `limit_bytes` 0 holds nothing: every request replays the chain. Throws Error where the limit is above 0 and below
  /// one parameter vector. `noise` outlives the cache.
  ParentCache(std::size_t parameter_count, std::size_t limit_bytes,
              std::shared_ptr<const std::vector<InitialScale>> scales, const NoiseSource& noise);
  ~ParentCache();

  /// The weights of an individual of `genealogy`, which does not change during the call.
  std::shared_ptr<const std::vector<float>> weights(const Genealogy& genealogy, const Individual& individual);
  /// Who will be asked for from now on (a generation's parents). What neither they nor the ways to them need is dropped
  /// at once.
  void retain(std::shared_ptr<const Genealogy> genealogy, std::span<const Individual> living);
  ParentCacheUse use() const;
  std::size_t held_bytes() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace clade
