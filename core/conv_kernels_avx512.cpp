// Compiled for its own instruction set where the processor has it; empty elsewhere.
#if defined(__AVX512F__)

#include "core/conv_kernels_source.hpp"

namespace clade::conv {

extern const ConvolutionKernels kAvx512Kernels;
const ConvolutionKernels kAvx512Kernels = kTable;

}  // namespace clade::conv

#endif
