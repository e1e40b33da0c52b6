// Compiled for its own instruction set where the processor has it; empty elsewhere.
#if defined(__AVX2__)

#include "tests/core/simd_probe_source.hpp"

namespace clade::testing {

extern const SimdProbe kAvx2Probe;
const SimdProbe kAvx2Probe = kProbe;

}  // namespace clade::testing

#endif
