// Compiled for its own instruction set where the processor has it; empty elsewhere.
#if defined(__AVX2__)

#include "core/dense_kernels_source.hpp"

namespace clade::dense {

extern const DenseKernels kAvx2Kernels;
const DenseKernels kAvx2Kernels = kTable;

}  // namespace clade::dense

#endif
