#include "tools/png_file.hpp"

#include <png.h>

#include <string>

#include "core/error.hpp"

namespace clade {
namespace {

[[noreturn]] void refuse(const png_image& image, const ScreenAccess::Screen& picture) {
  throw_run_time_error("cannot make a PNG picture of " + std::to_string(picture.width) + " x " +
                       std::to_string(picture.height) + " pixels: " + image.message);
}

}  // namespace

void require_png() {}

std::vector<std::byte> png_bytes(const ScreenAccess::Screen& picture) {
  CLADE_CHECK(picture.rgb.size() == picture.width * picture.height * 3);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  constexpr int kNoConversion = 0;
  constexpr png_int_32 kPackedRows = 0;
  png_alloc_size_t size = 0;
  if (png_image_write_to_memory(&image, nullptr, &size, kNoConversion, picture.rgb.data(), kPackedRows, nullptr) == 0) {
    refuse(image, picture);
  }
  std::vector<std::byte> bytes(size);
  if (png_image_write_to_memory(&image, bytes.data(), &size, kNoConversion, picture.rgb.data(), kPackedRows, nullptr) ==
      0) {
    refuse(image, picture);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace clade
