#include "core/conv_kernels.hpp"

#include "core/instruction_set.hpp"

namespace clade {
namespace conv {

extern const ConvolutionKernels kGenericKernels;
#if defined(__x86_64__)
extern const ConvolutionKernels kAvx2Kernels;
extern const ConvolutionKernels kAvx512Kernels;
#endif

}  // namespace conv

const ConvolutionKernels& convolution_kernels(InstructionSet set) {
#if defined(__x86_64__)
  switch (set) {
    case InstructionSet::generic:
      break;
    case InstructionSet::avx2:
      return conv::kAvx2Kernels;
    case InstructionSet::avx512:
      return conv::kAvx512Kernels;
  }
#else
  static_cast<void>(set);
#endif
  return conv::kGenericKernels;
}

const ConvolutionKernels& convolution_kernels() {
  static const ConvolutionKernels& kernels = convolution_kernels(preferred_instruction_set());
  return kernels;
}

}  // namespace clade
