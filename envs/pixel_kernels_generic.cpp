#include "envs/pixel_kernels_source.hpp"

namespace clade::pixels {

extern const PixelKernels kGenericKernels;
const PixelKernels kGenericKernels = kTable;

}  // namespace clade::pixels
