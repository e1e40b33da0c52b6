// The inference kernels for AVX-512 (F, DQ, BW, VL).
#include "core/dense_kernels_body.hpp"

namespace clade {

const DenseKernels kDenseKernelsAvx512 = avx512::dense::kTable;

}  // namespace clade
