#include "core/number_text.hpp"

#include <array>
#include <charconv>

#include "core/error.hpp"

namespace clade {

namespace {

template <class Real>
std::string shortest_text(Real value) {
  std::array<char, 32> buffer{};  // the longest shortest form of a double has 24 characters
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  CLADE_CHECK(result.ec == std::errc{});
  return std::string(buffer.data(), result.ptr);
}

}  // namespace

std::string number_text(double value) { return shortest_text(value); }

std::string single_number_text(float value) { return shortest_text(value); }

double parse_real(std::string_view text, std::string_view what) {
  double value = 0.0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) {
    throw_input_error(std::string(what) + " '" + std::string(text) + "' is not a number");
  }
  return value;
}

}  // namespace clade
