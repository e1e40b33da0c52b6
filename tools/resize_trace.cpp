#include "tools/resize_trace.hpp"

#include <cstdint>
#include <vector>

#include "core/error.hpp"
#include "envs/pixel_kernels.hpp"

namespace clade {
namespace {

using Images = GoldenArray<std::uint8_t>;

void check_planes(const std::string& name, const Images& planes, std::size_t images) {
  if (planes.extents == std::vector<std::size_t>{images, kPlaneSide, kPlaneSide}) return;
  throw_input_error("recorded images '" + name + "' are not " + std::to_string(images) + " of " +
                    std::to_string(kPlaneSide) + " x " + std::to_string(kPlaneSide));
}

/// The recording's images that are made by a formula: pixel number `index` of all of them.
std::uint8_t formula_pixel(std::uint32_t index, std::uint32_t seed) {
  std::uint32_t hash = (index + seed) * 2654435761U;
  hash ^= hash >> 15;
  hash *= 2246822519U;
  return static_cast<std::uint8_t>(hash >> 24);
}

}  // namespace

bool is_resize_trace(const GoldenFile& file, const std::string& group) {
  return file.has(group + "/images") && file.has(group + "/formula_results");
}

TraceReport replay_resize_trace(const GoldenFile& file, const std::string& group) {
  TraceReport report;
  report.task = group;
  report.kind = TraceKind::resize;
  const Images images = file.read<std::uint8_t>(group + "/images");
  if (images.extents.size() != 3 || images.extents[2] != kScreenWidth) {
    throw_input_error("recorded images '" + group + "/images' are no screens of " + std::to_string(kScreenWidth) +
                      " columns");
  }
  const Images results = file.read<std::uint8_t>(group + "/results");
  check_planes(group + "/results", results, images.rows());
  const Images formula_results = file.read<std::uint8_t>(group + "/formula_results");
  check_planes(group + "/formula_results", formula_results, formula_results.rows());
  const auto seed = static_cast<std::uint32_t>(file.integer_attribute(group, "formula_seed"));

  const ResizeTable table(Resize::area, images.extents[1]);
  std::vector<std::uint8_t> plane(kPlaneSize);
  ExactComparison comparison;
  const auto resize_and_compare = [&](const char* name, const std::uint8_t* image, const std::uint8_t* recorded) {
    pixel_kernels().resize(table, image, plane.data());
    comparison.compare(name, plane, {recorded, kPlaneSize});
    ++report.episodes;
  };
  for (std::size_t i = 0; i < images.rows(); ++i) resize_and_compare("results", images.row(i), results.row(i));
  std::vector<std::uint8_t> image(images.row_size());
  std::uint32_t index = 0;
  for (std::size_t i = 0; i < formula_results.rows(); ++i) {
    for (std::uint8_t& pixel : image) pixel = formula_pixel(index++, seed);
    resize_and_compare("formula_results", image.data(), formula_results.row(i));
  }
  report.quantities = comparison.quantities();
  return report;
}

}  // namespace clade
