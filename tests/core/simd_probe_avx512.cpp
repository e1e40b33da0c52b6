// Compiled for its own instruction set where the processor has it; empty elsewhere.
#if defined(__AVX512F__)

#include "tests/core/simd_probe_source.hpp"

namespace clade::testing {

extern const SimdProbe kAvx512Probe;
const SimdProbe kAvx512Probe = kProbe;

}  // namespace clade::testing

#endif
