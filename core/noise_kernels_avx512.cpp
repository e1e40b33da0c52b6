// Compiled for its own instruction set where the processor has it; empty elsewhere.
#if defined(__AVX512F__)

#include "core/noise_kernels_source.hpp"

namespace clade::noise {

extern const NoiseKernels kAvx512Kernels;
const NoiseKernels kAvx512Kernels = kKernels;

}  // namespace clade::noise

#endif
