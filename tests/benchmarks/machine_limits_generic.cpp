#include "tests/benchmarks/machine_limits_source.hpp"

namespace clade::bench {

extern const MachineLimits kGenericLimits;
const MachineLimits kGenericLimits = kLimits;

}  // namespace clade::bench
