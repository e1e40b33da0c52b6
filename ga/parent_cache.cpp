#include "ga/parent_cache.hpp"

#include <algorithm>
#include <exception>
#include <future>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "ga/ancestor_demand.hpp"
#include "ga/birth_replay.hpp"

namespace clade {

struct ParentCache::Implementation {
  struct Entry {
    PromisedWeights weights;
    std::optional<std::list<Individual>::iterator> place;  ///< in `order`; empty while it is being built
  };

  std::size_t parameter_count = 0;
  std::size_t limit_bytes = 0;
  std::shared_ptr<const std::vector<InitialScale>> scales;
  const NoiseSource& noise;

  mutable std::mutex mutex{};  ///< of all that follows; never held while weights are computed or waited for
  std::map<Individual, Entry> entries{};
  std::list<Individual> order{};  ///< held ones, the last used first
  AncestorDemand demand{};
  ParentCacheUse use{};

  std::size_t vector_bytes() const { return parameter_count * sizeof(float); }

  void touch(Entry& entry) {
    if (entry.place) order.splice(order.begin(), order, *entry.place);
  }

  /// By value: the individual may be named by the entry of `order` that goes.
  void drop(Individual individual) {
    const auto entry = entries.find(individual);
    order.erase(*entry->second.place);
    entries.erase(entry);
    demand.release(individual);
  }

  /// Makes room for one vector.
  void evict() {
    while (!order.empty() && (order.size() + 1) * vector_bytes() > limit_bytes) {
      const auto unwanted =
          std::find_if(order.rbegin(), order.rend(), [&](const Individual& held) { return !demand.wanted(held); });
      drop(unwanted == order.rend() ? order.back() : *unwanted);
    }
  }

  /// A vector that was being built is there.
  void finish(const Individual& individual) {
    if (limit_bytes == 0) {
      entries.erase(individual);
      return;
    }
    evict();
    order.push_front(individual);
    entries.at(individual).place = order.begin();
    demand.hold(individual);
  }
};

ParentCache::ParentCache(std::size_t parameter_count, std::size_t limit_bytes,
                         std::shared_ptr<const std::vector<InitialScale>> scales, const NoiseSource& noise)
    : implementation_(new Implementation{.parameter_count = parameter_count,
                                         .limit_bytes = limit_bytes,
                                         .scales = std::move(scales),
                                         .noise = noise}) {
  const std::size_t bytes = implementation_->vector_bytes();
  if (limit_bytes > 0 && limit_bytes < bytes) {
    throw_input_error("parent cache of " + std::to_string(limit_bytes) + " bytes is below one member of " +
                      std::to_string(parameter_count) + " parameters (" + std::to_string(bytes) +
                      " bytes): give it more, or none to replay every chain");
  }
}

ParentCache::~ParentCache() = default;

std::shared_ptr<const std::vector<float>> ParentCache::weights(const Genealogy& genealogy,
                                                               const Individual& individual) {
  Implementation& cache = *implementation_;
  std::unique_lock lock(cache.mutex);
  const auto known = [&](const Individual& who) -> std::optional<PromisedWeights> {
    const auto entry = cache.entries.find(who);
    if (entry == cache.entries.end()) return std::nullopt;
    cache.touch(entry->second);
    return entry->second.weights;
  };
  if (const std::optional<PromisedWeights> weights = known(individual)) {
    ++cache.use.hits;
    lock.unlock();
    return weights->get();
  }

  const auto kept = [&](const Individual& who) { return cache.limit_bytes > 0 && cache.demand.worth_holding(who); };
  BirthReplay replay(genealogy, individual, known, kept);
  ++cache.use.misses;
  cache.use.mutations += replay.births();
  // Whoever waits, waits for builds that were registered before its own: no circle of waiters can arise.
  std::map<Individual, std::promise<Weights>> promises;
  for (const Individual& who : replay.kept()) {
    cache.entries[who].weights = promises[who].get_future().share();
  }
  lock.unlock();

  Weights result;
  try {
    replay.run(cache.parameter_count, cache.scales, cache.noise, [&](const Individual& who, const Weights& weights) {
      {
        const std::lock_guard guard(cache.mutex);
        cache.finish(who);
      }
      promises.at(who).set_value(weights);
      promises.erase(who);
      result = weights;
    });
  } catch (...) {
    {
      const std::lock_guard guard(cache.mutex);
      for (const auto& [who, promise] : promises) cache.entries.erase(who);
    }
    for (auto& [who, promise] : promises) promise.set_exception(std::current_exception());
    throw;
  }
  return result;
}

void ParentCache::retain(std::shared_ptr<const Genealogy> genealogy, std::span<const Individual> living) {
  Implementation& cache = *implementation_;
  const std::lock_guard guard(cache.mutex);
  cache.demand.reset(std::move(genealogy), living);
  for (const Individual& held : cache.order) cache.demand.hold(held);
  std::vector<Individual> unwanted;
  for (const Individual& held : cache.order) {
    if (!cache.demand.wanted(held)) unwanted.push_back(held);
  }
  for (const Individual& held : unwanted) cache.drop(held);
}

ParentCacheUse ParentCache::use() const {
  const std::lock_guard guard(implementation_->mutex);
  return implementation_->use;
}

std::size_t ParentCache::held_bytes() const {
  const std::lock_guard guard(implementation_->mutex);
  return implementation_->order.size() * implementation_->vector_bytes();
}

}  // namespace clade
