// Compiled for its own instruction set where the processor has it; empty elsewhere.
#if defined(__AVX512F__)

#include "envs/pixel_kernels_source.hpp"

namespace clade::pixels {

extern const PixelKernels kAvx512Kernels;
const PixelKernels kAvx512Kernels = kTable;

}  // namespace clade::pixels

#endif
