#include "core/huge_page_allocator.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace clade::detail {

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kCacheLine = 64;

std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t{bytes >= kHugePage ? kHugePage : kCacheLine};
}

}  // namespace

void* allocate_aligned(std::size_t bytes) {
  void* memory = ::operator new(bytes, alignment_of(bytes));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  // The rest of the last page stays as it is: it may hold others' memory. A refusal changes the speed alone.
  if (bytes >= kHugePage) madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
  return memory;
}

void free_aligned(void* memory, std::size_t bytes) { ::operator delete(memory, alignment_of(bytes)); }

}  // namespace clade::detail
