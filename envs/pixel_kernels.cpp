#include "envs/pixel_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "core/error.hpp"
#include "core/instruction_set.hpp"

namespace clade {
namespace pixels {

extern const PixelKernels kGenericKernels;
#if defined(__x86_64__)
extern const PixelKernels kAvx2Kernels;
extern const PixelKernels kAvx512Kernels;
#endif

namespace {

/// What one target pixel covers of its source axis.
struct Cover {
  std::uint32_t source;
  float weight;
};

/// OpenCV's table for INTER_AREA (modules/imgproc/src/resize.cpp): target pixel `target` covers
/// [target * scale, (target + 1) * scale) of `size` source pixels.
std::vector<Cover> area_covers(std::size_t target, std::size_t size) {
  constexpr double kSliver = 1e-3;
  // The reciprocal of a quotient, as there: it may differ from size / kPlaneSide in the last bit.
  const double scale = 1.0 / (static_cast<double>(kPlaneSide) / static_cast<double>(size));
  const double begin = static_cast<double>(target) * scale;
  const double end = begin + scale;
  const double width = std::min(scale, static_cast<double>(size) - begin);
  const double last = std::min(std::floor(end), static_cast<double>(size) - 1.0);
  const double first = std::min(std::ceil(begin), last);

  std::vector<Cover> covers;
  const auto add = [&](double source, double covered) {
    covers.push_back({static_cast<std::uint32_t>(source), static_cast<float>(covered / width)});
  };
  if (first - begin > kSliver) add(first - 1.0, first - begin);
  for (double source = first; source < last; ++source) add(source, 1.0);
  if (end - last > kSliver) add(last, std::min({end - last, 1.0, width}));
  return covers;
}

/// TensorFlow's interpolation with align_corners: the pixel at or before the position, the next one (the same at the
/// edge), and how far from the first to the second the position lies, in float32.
std::vector<Cover> bilinear_covers(std::size_t target, std::size_t size) {
  const float scale = static_cast<float>(size - 1) / static_cast<float>(kPlaneSide - 1);
  const float position = static_cast<float>(target) * scale;
  const auto before = std::min(static_cast<std::uint32_t>(position), static_cast<std::uint32_t>(size - 1));
  const std::uint32_t after = std::min(before + 1, static_cast<std::uint32_t>(size - 1));
  return {{before, 0.0F}, {after, position - static_cast<float>(before)}};
}

std::vector<Cover> covers_of(Resize method, std::size_t target, std::size_t size) {
  return method == Resize::area ? area_covers(target, size) : bilinear_covers(target, size);
}

}  // namespace
}  // namespace pixels

std::uint8_t grey_of(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  return static_cast<std::uint8_t>(std::floor(0.2989 * red + 0.587 * green + 0.114 * blue + 0.5));
}

GreyTable::GreyTable(const std::array<std::uint8_t, 256>& values) {
  std::copy(values.begin(), values.end(), grey);
  for (std::size_t i = 0; i < 128; ++i) {
    const unsigned before = i < 16 ? 0U : values[2 * (i - 16)];
    even_steps[i / 16][i % 16] = static_cast<std::uint8_t>(values[2 * i] ^ before);
  }
}

ResizeTable::ResizeTable(Resize resize_method, std::size_t screen_height)
    : method(resize_method), height(screen_height) {
  if (height < kPlaneSide || height > kMostScreenLines) {
    throw_input_error("a screen of " + std::to_string(height) + " lines cannot be resized to " +
                      std::to_string(kPlaneSide) + ": it must have " + std::to_string(kPlaneSide) + " to " +
                      std::to_string(kMostScreenLines));
  }
  for (std::size_t target = 0; target < kPlaneSide; ++target) {
    const auto covers = pixels::covers_of(method, target, kScreenWidth);
    CLADE_CHECK(!covers.empty() && covers.size() <= std::size(columns));
    for (std::size_t tap = 0; tap < std::size(columns); ++tap) {
      const bool needed = tap < covers.size();
      columns[tap][target] = needed ? covers[tap].source : covers.back().source;
      weights[tap][target] = needed ? covers[tap].weight : 0.0F;
    }
    std::uint32_t next = first_row[target];
    for (const auto& cover : pixels::covers_of(method, target, height)) {
      CLADE_CHECK(next < std::size(rows));
      rows[next++] = {cover.source, cover.weight};
    }
    first_row[target + 1] = next;
  }
}

const PixelKernels& pixel_kernels(InstructionSet set) {
#if defined(__x86_64__)
  switch (set) {
    case InstructionSet::generic:
      break;
    case InstructionSet::avx2:
      return pixels::kAvx2Kernels;
    case InstructionSet::avx512:
      return pixels::kAvx512Kernels;
  }
#else
  static_cast<void>(set);
#endif
  return pixels::kGenericKernels;
}

const PixelKernels& pixel_kernels() {
  static const PixelKernels& kernels = pixel_kernels(preferred_instruction_set());
  return kernels;
}

PlaneMaker::PlaneMaker(Resize method, std::size_t height, const GreyTable& table)
    : PlaneMaker(method, height, table, pixel_kernels()) {}

PlaneMaker::PlaneMaker(Resize method, std::size_t height, const GreyTable& table, const PixelKernels& kernels)
    : table_(table), resize_(method, height), kernels_(&kernels), grey_(height * kScreenWidth) {}

void PlaneMaker::make(const std::uint8_t* first, const std::uint8_t* second, std::uint8_t* plane) {
  kernels_->grey_maximum(table_, first, second, grey_.size(), grey_.data());
  kernels_->resize(resize_, grey_.data(), plane);
}

}  // namespace clade
