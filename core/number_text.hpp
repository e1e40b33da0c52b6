#pragma once

#include <string>
#include <string_view>

namespace clade {

/// The shortest decimal text that reads back as the same value: "0.02", "1e+30", "nan".
std::string number_text(double value);
/// The same for single precision: "0.02", where number_text would show how far from 0.02 the float is.
std::string single_number_text(float value);

/// Reads a whole text as one number (no spaces, nothing behind it). Throws Error naming `what` and the text.
double parse_real(std::string_view text, std::string_view what);

}  // namespace clade
