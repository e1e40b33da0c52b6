#include "tests/benchmarks/machine_limits.hpp"

#include "core/instruction_set.hpp"

namespace clade::bench {

extern const MachineLimits kGenericLimits;
#if defined(__x86_64__)
extern const MachineLimits kAvx2Limits;
extern const MachineLimits kAvx512Limits;
#endif

const MachineLimits& machine_limits(InstructionSet set) {
#if defined(__x86_64__)
  switch (set) {
    case InstructionSet::generic:
      break;
    case InstructionSet::avx2:
      return kAvx2Limits;
    case InstructionSet::avx512:
      return kAvx512Limits;
  }
#else
  static_cast<void>(set);
#endif
  return kGenericLimits;
}

}  // namespace clade::bench
