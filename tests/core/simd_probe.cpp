#include "tests/core/simd_probe.hpp"

#include "core/instruction_set.hpp"

namespace clade::testing {

extern const SimdProbe kGenericProbe;
#if defined(__x86_64__)
extern const SimdProbe kAvx2Probe;
extern const SimdProbe kAvx512Probe;
#endif

const SimdProbe& simd_probe(InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx2) return kAvx2Probe;
  if (set == InstructionSet::avx512) return kAvx512Probe;
#else
  static_cast<void>(set);
#endif
  return kGenericProbe;
}

}  // namespace clade::testing
