// Compiled for its own instruction set where the processor has it; empty elsewhere.
#if defined(__AVX2__)

#include "core/conv_kernels_source.hpp"

namespace clade::conv {

extern const ConvolutionKernels kAvx2Kernels;
const ConvolutionKernels kAvx2Kernels = kTable;

}  // namespace clade::conv

#endif
