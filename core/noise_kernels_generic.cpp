#include "core/noise_kernels_source.hpp"

namespace clade::noise {

extern const NoiseKernels kGenericKernels;
const NoiseKernels kGenericKernels = kKernels;

}  // namespace clade::noise
