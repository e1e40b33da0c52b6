#include "core/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <new>
#include <string>

#include "core/control_group.hpp"

namespace clade {
namespace {

std::optional<double> kernel_estimate() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  double kibibytes = 0.0;
  std::string unit;
  while (file >> name >> kibibytes && std::getline(file, unit)) {
    if (name == "MemAvailable:") return kibibytes * 1024.0;
  }
  return std::nullopt;
}

float* map_pages(std::size_t bytes) {
  void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
  madvise(data, bytes, MADV_HUGEPAGE);  // a wish: small pages do as well
#endif
  return static_cast<float*>(data);
}

std::size_t bytes_of(std::size_t size) {
  if (size == 0 || size > std::numeric_limits<std::size_t>::max() / sizeof(float)) throw std::bad_alloc();
  return size * sizeof(float);
}

}  // namespace

std::optional<double> available_memory() {
  const std::optional<double> system = kernel_estimate();
  const std::optional<double> groups = control_group_memory();
  if (system && groups) return std::min(*system, *groups);
  return system ? system : groups;
}

LargeArray::LargeArray(std::size_t size) : size_(size), data_(map_pages(bytes_of(size)), Unmap{bytes_of(size)}) {}

void LargeArray::Unmap::operator()(float* data) const { munmap(data, bytes); }

}  // namespace clade
