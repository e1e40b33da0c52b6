#include "core/parallel.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <fstream>
#include <limits>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace clade {
namespace {

namespace fs = std::filesystem;

int affinity_cores() {
  // The kernel refuses a mask smaller than its own: grow until it fits.
  for (std::size_t cores = CPU_SETSIZE; cores <= std::size_t{1} << 20; cores *= 2) {
    std::vector<cpu_set_t> mask(cores / CPU_SETSIZE);
    const std::size_t bytes = mask.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, mask.data()) == 0) return CPU_COUNT_S(bytes, mask.data());
  }
  return 1;
}

using Quota = std::optional<double>;

Quota smaller(Quota first, Quota second) {
  if (!first) return second;
  if (!second) return first;
  return std::min(*first, *second);
}

Quota quota_of(double microseconds, double period) {
  if (!(microseconds > 0.0) || !(period > 0.0)) return std::nullopt;
  return microseconds / period;
}

/// "max 100000" or "150000 100000".
Quota read_quota_version_2(const fs::path& folder) {
  std::ifstream file(folder / "cpu.max");
  double quota = 0.0;
  double period = 0.0;
  if (!(file >> quota >> period)) return std::nullopt;
  return quota_of(quota, period);
}

/// -1 stands for no limit.
Quota read_quota_version_1(const fs::path& folder) {
  std::ifstream quota_file(folder / "cpu.cfs_quota_us");
  std::ifstream period_file(folder / "cpu.cfs_period_us");
  double quota = 0.0;
  double period = 0.0;
  if (!(quota_file >> quota) || !(period_file >> period)) return std::nullopt;
  return quota_of(quota, period);
}

/// The smallest quota of a group and all groups above it. Inside a container the group's path may not exist below the
/// mount; then the mount's root is the container's own group, and it is looked at in any case.
template <class Read>
Quota smallest_quota(const fs::path& mount, const std::string& group, Read read) {
  Quota result = read(mount);
  fs::path folder = mount;
  for (const fs::path& part : fs::path(group).relative_path()) {
    folder /= part;
    result = smaller(result, read(folder));
  }
  return result;
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

namespace detail {

std::optional<double> control_group_cores(const fs::path& membership, const fs::path& mount) {
  std::ifstream file(membership);
  Quota result;
  std::string line;
  while (std::getline(file, line)) {
    // "0::/user.slice" (version 2) or "4:cpu,cpuacct:/docker/1f" (version 1)
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      result = smaller(result, smallest_quota(mount, group, read_quota_version_2));
      result = smaller(result, smallest_quota(mount / "unified", group, read_quota_version_2));
      continue;
    }
    std::istringstream names(controllers);
    std::string name;
    while (std::getline(names, name, ',')) {
      if (name != "cpu") continue;
      result = smaller(result, smallest_quota(mount / controllers, group, read_quota_version_1));
      result = smaller(result, smallest_quota(mount / "cpu", group, read_quota_version_1));
    }
  }
  return result;
}

}  // namespace detail

int available_cores() {
  const int cores = std::max(1, affinity_cores());
  const Quota quota = detail::control_group_cores("/proc/self/cgroup", "/sys/fs/cgroup");
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
