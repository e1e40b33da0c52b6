// The inference kernels for AVX2 and FMA.
#include "core/dense_kernels_body.hpp"

namespace clade {

const DenseKernels kDenseKernelsAvx2 = avx2::dense::kTable;

}  // namespace clade
