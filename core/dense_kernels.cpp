#include "core/dense_kernels.hpp"

namespace clade {

const DenseKernels& dense_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl")) {
    return kDenseKernelsAvx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kDenseKernelsAvx2;
#endif
  return kDenseKernelsGeneric;
}

}  // namespace clade
