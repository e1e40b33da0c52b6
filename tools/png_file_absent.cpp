#include "core/error.hpp"
#include "tools/png_file.hpp"

namespace clade {

void require_png() {
  throw_input_error("this build writes no PNG pictures: install libpng-dev, configure and build again");
}

std::vector<std::byte> png_bytes(const ScreenAccess::Screen& /*picture*/) {
  require_png();
  return {};
}

}  // namespace clade
