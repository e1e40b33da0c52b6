#include "core/conv_kernels_source.hpp"

namespace clade::conv {

extern const ConvolutionKernels kGenericKernels;
const ConvolutionKernels kGenericKernels = kTable;

}  // namespace clade::conv
