// Compiled for its own instruction set where the processor has it; empty elsewhere.
#if defined(__AVX2__)

#include "tests/benchmarks/machine_limits_source.hpp"

namespace clade::bench {

extern const MachineLimits kAvx2Limits;
const MachineLimits kAvx2Limits = kLimits;

}  // namespace clade::bench

#endif
