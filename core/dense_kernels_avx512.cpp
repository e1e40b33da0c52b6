// Compiled for its own instruction set where the processor has it; empty elsewhere.
#if defined(__AVX512F__)

#include "core/dense_kernels_source.hpp"

namespace clade::dense {

extern const DenseKernels kAvx512Kernels;
const DenseKernels kAvx512Kernels = kTable;

}  // namespace clade::dense

#endif
