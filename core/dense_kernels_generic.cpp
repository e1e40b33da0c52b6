#include "core/dense_kernels_source.hpp"

namespace clade::dense {

extern const DenseKernels kGenericKernels;
const DenseKernels kGenericKernels = kTable;

}  // namespace clade::dense
