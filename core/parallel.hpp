#pragma once

#include <cstddef>
#include <functional>

namespace clade {

/// Cores that CPU affinity and the control groups' quota (rounded up) grant to this process, at least 1.
int available_cores();

/// Calls body(index, worker) for every index in [0, count), handed out in order, one at a time, to `threads` OpenMP
/// workers (worker in [0, threads)). Nothing escapes the region: after the first exception no further index is handed
/// out, and the exception of the lowest index is rethrown after the region. `stop`, where given, is asked before
/// each index, by several workers at once; once it says true no further index is handed out. threads >= 1.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t index, int worker)>& body,
                  const std::function<bool()>& stop = {});

}  // namespace clade
