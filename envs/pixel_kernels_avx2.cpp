// Compiled for its own instruction set where the processor has it; empty elsewhere.
#if defined(__AVX2__)

#include "envs/pixel_kernels_source.hpp"

namespace clade::pixels {

extern const PixelKernels kAvx2Kernels;
const PixelKernels kAvx2Kernels = kTable;

}  // namespace clade::pixels

#endif
