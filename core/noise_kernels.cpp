#include "core/noise_kernels.hpp"

#include "core/instruction_set.hpp"

namespace clade {
namespace noise {

extern const NoiseKernels kGenericKernels;
#if defined(__x86_64__)
extern const NoiseKernels kAvx2Kernels;
extern const NoiseKernels kAvx512Kernels;
#endif

}  // namespace noise

const NoiseKernels& noise_kernels(InstructionSet set) {
#if defined(__x86_64__)
  switch (set) {
    case InstructionSet::generic:
      break;
    case InstructionSet::avx2:
      return noise::kAvx2Kernels;
    case InstructionSet::avx512:
      return noise::kAvx512Kernels;
  }
#else
  static_cast<void>(set);
#endif
  return noise::kGenericKernels;
}

}  // namespace clade
