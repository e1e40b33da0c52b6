#include "core/dense_kernels.hpp"

#include "core/instruction_set.hpp"

namespace clade {
namespace dense {

extern const DenseKernels kGenericKernels;
#if defined(__x86_64__)
extern const DenseKernels kAvx2Kernels;
extern const DenseKernels kAvx512Kernels;
#endif

}  // namespace dense

const DenseKernels& dense_kernels(InstructionSet set) {
#if defined(__x86_64__)
  switch (set) {
    case InstructionSet::generic:
      break;
    case InstructionSet::avx2:
      return dense::kAvx2Kernels;
    case InstructionSet::avx512:
      return dense::kAvx512Kernels;
  }
#else
  static_cast<void>(set);
#endif
  return dense::kGenericKernels;
}

const DenseKernels& dense_kernels() {
  static const DenseKernels& kernels = dense_kernels(preferred_instruction_set());
  return kernels;
}

}  // namespace clade
