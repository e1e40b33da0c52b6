// Compiled for its own instruction set where the processor has it; empty elsewhere.
#if defined(__AVX512F__)

#include "tests/benchmarks/machine_limits_source.hpp"

namespace clade::bench {

extern const MachineLimits kAvx512Limits;
const MachineLimits kAvx512Limits = kLimits;

}  // namespace clade::bench

#endif
