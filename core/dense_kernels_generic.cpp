// The inference kernels for any processor.
#include "core/dense_kernels_body.hpp"

namespace clade {

const DenseKernels kDenseKernelsGeneric = generic::dense::kTable;

}  // namespace clade
