#include "tests/core/simd_probe_source.hpp"

namespace clade::testing {

extern const SimdProbe kGenericProbe;
const SimdProbe kGenericProbe = kProbe;

}  // namespace clade::testing
