#pragma once

#include <cstddef>
#include <vector>

#include "core/environment.hpp"

namespace clade {

/// Throws Error where this build cannot write PNG files: libpng was not there when it was configured.
void require_png();

/// The picture as a PNG file, 8 bits a channel. Throws Error as require_png, and where libpng refuses the picture.
std::vector<std::byte> png_bytes(const ScreenAccess::Screen& picture);

}  // namespace clade
