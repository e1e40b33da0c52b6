#include "core/parallel.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include "core/control_group.hpp"
#include "core/error.hpp"

namespace clade {
namespace {

int affinity_cores() {
  // The kernel refuses a mask smaller than its own: grow until it fits.
  for (std::size_t cores = CPU_SETSIZE; cores <= std::size_t{1} << 20; cores *= 2) {
    std::vector<cpu_set_t> mask(cores / CPU_SETSIZE);
    const std::size_t bytes = mask.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, mask.data()) == 0) return CPU_COUNT_S(bytes, mask.data());
  }
  return 1;
}

/// Collects what workers throw.
class FirstException {
 public:
  bool any() const { return any_.load(std::memory_order_relaxed); }

  void keep(std::size_t index, std::exception_ptr exception) {
    const std::lock_guard lock(mutex_);
    any_.store(true, std::memory_order_relaxed);
    if (!exception_ || index < index_) {
      exception_ = std::move(exception);
      index_ = index;
    }
  }

  void rethrow_if_any() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::atomic<bool> any_ = false;
  std::mutex mutex_;
  std::exception_ptr exception_;
  std::size_t index_ = 0;
};

}  // namespace

int available_cores() {
  const int cores = std::max(1, affinity_cores());
  const std::optional<double> quota = control_group_cores();
  if (!quota || *quota >= cores) return cores;
  return std::max(1, static_cast<int>(std::ceil(*quota)));
}

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t index, int worker)>& body,
                  const std::function<bool()>& stop) {
  CLADE_CHECK(threads >= 1);
  const auto workers = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), count));
  if (workers <= 1) {
    for (std::size_t index = 0; index < count; ++index) {
      if (stop && stop()) return;
      body(index, 0);
    }
    return;
  }

  // An index that was handed out is always worked on, and they are handed out in order: hence every index below a
  // failed one runs, and which exception is the lowest does not depend on timing.
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stopped = false;
  FirstException failure;
#pragma omp parallel num_threads(workers)
  {
    const int worker = omp_get_thread_num();
    while (!failure.any() && !stopped.load(std::memory_order_relaxed)) {
      std::size_t index = std::numeric_limits<std::size_t>::max();  // a failure of stop() comes last
      try {
        if (stop && stop()) {
          stopped.store(true, std::memory_order_relaxed);
          break;
        }
        index = next.fetch_add(1, std::memory_order_relaxed);
        if (index >= count) break;
        body(index, worker);
      } catch (...) {
        failure.keep(index, std::current_exception());
      }
    }
  }
  failure.rethrow_if_any();
}

}  // namespace clade
