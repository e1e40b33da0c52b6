#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/noise.hpp"
#include "core/population.hpp"
#include "ga/genealogy.hpp"

namespace clade {

struct ParentCacheUse {
  std::uint64_t hits = 0;       ///< requests answered by a held vector
  std::uint64_t misses = 0;     ///< requests that had to build one
  std::uint64_t mutations = 0;  ///< perturbations computed for that: 1 a miss where the parent's parent was held
  double hit_rate() const {
    return hits + misses == 0 ? 0.0 : static_cast<double>(hits) / static_cast<double>(hits + misses);
  }
};

/// Weights of individuals that have children: built from the nearest held ancestor, one perturbation a birth, and held
/// within a limit of bytes, those used longest ago leaving first. The bits are those of replaying the whole chain.
/// Thread-safe; workers that want the same vector at once wait for one of them to build it.
class ParentCache {
 public:
  /// `limit_bytes` 0 holds nothing: every request replays the chain. Throws Error where the limit is above 0 and below
  /// one parameter vector. `scales` and `noise` outlive the cache.
  ParentCache(std::size_t parameter_count, std::size_t limit_bytes,
              std::shared_ptr<const std::vector<InitialScale>> scales, const NoiseSource& noise);
  ~ParentCache();

  /// The weights of an individual of `genealogy`, which does not change during the call.
  std::shared_ptr<const std::vector<float>> weights(const Genealogy& genealogy, const Individual& individual);
  /// Drops what is not among `living` (a generation's parents): their children are no longer made.
  void keep_only(std::span<const Individual> living);
  ParentCacheUse use() const;
  std::size_t held_bytes() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace clade
