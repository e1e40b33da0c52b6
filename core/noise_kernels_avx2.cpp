// Compiled for its own instruction set where the processor has it; empty elsewhere.
#if defined(__AVX2__)

#include "core/noise_kernels_source.hpp"

namespace clade::noise {

extern const NoiseKernels kAvx2Kernels;
const NoiseKernels kAvx2Kernels = kKernels;

}  // namespace clade::noise

#endif
