#include "core/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace clade {
namespace {

bool is_digit(char character) { return character >= '0' && character <= '9'; }

/// The number as 0.DIGITS * 10^point, its digits without zeros at either end; zero has none.
struct Decimal {
  bool negative = false;
  std::string digits;
  std::int64_t point = 0;
};

/// False where the text is not a decimal number.
bool read_decimal(std::string_view text, Decimal& number) {
  std::size_t at = 0;
  if (text.starts_with('-')) {
    number.negative = true;
    ++at;
  }
  for (; at < text.size() && is_digit(text[at]); ++at, ++number.point) number.digits += text[at];
  if (at < text.size() && text[at] == '.') {
    for (++at; at < text.size() && is_digit(text[at]); ++at) number.digits += text[at];
  }
  if (number.digits.empty()) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    bool negative = false;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) negative = text[at++] == '-';
    if (at == text.size()) return false;
    constexpr std::int64_t kBeyondAnyToken = 1'000'000'000'000;
    std::int64_t exponent = 0;
    for (; at < text.size() && is_digit(text[at]); ++at) {
      exponent = std::min(kBeyondAnyToken, exponent * 10 + (text[at] - '0'));
    }
    number.point += negative ? -exponent : exponent;
  }
  if (at != text.size()) return false;
  const std::size_t zeros = std::min(number.digits.find_first_not_of('0'), number.digits.size());
  number.digits.erase(0, zeros);
  number.point -= static_cast<std::int64_t>(zeros);
  while (!number.digits.empty() && number.digits.back() == '0') number.digits.pop_back();
  return true;
}

/// Exact: works on the digits, never through a floating-point number.
NumberProblem read_whole(std::string_view text, bool& negative, std::uint64_t& magnitude) {
  Decimal number;
  if (!read_decimal(text, number)) return NumberProblem::not_a_number;
  negative = number.negative;
  magnitude = 0;
  if (number.digits.empty()) return NumberProblem::none;
  if (number.point < static_cast<std::int64_t>(number.digits.size())) return NumberProblem::not_whole;
  if (number.point > std::numeric_limits<std::uint64_t>::digits10 + 1) return NumberProblem::too_large;
  number.digits.resize(static_cast<std::size_t>(number.point), '0');
  const char* const last = number.digits.data() + number.digits.size();
  const auto [end, error] = std::from_chars(number.digits.data(), last, magnitude);
  return error == std::errc{} && end == last ? NumberProblem::none : NumberProblem::too_large;
}

bool names_no_finite_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  std::string lower(text);
  for (char& character : lower) {
    if (character >= 'A' && character <= 'Z') character = static_cast<char>(character - 'A' + 'a');
  }
  return lower == "inf" || lower == "infinity" || lower == "nan";
}

/// As number_text, for both precisions.
template <class Real>
std::string shortest_text(Real value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  constexpr Real kSmallestFixed = static_cast<Real>(1e-4);
  constexpr Real kLargestFixed = static_cast<Real>(1e15);
  const Real magnitude = std::fabs(value);
  const bool fixed = magnitude == Real{0} || (magnitude >= kSmallestFixed && magnitude < kLargestFixed);
  std::array<char, 64> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          fixed ? std::chars_format::fixed : std::chars_format::scientific);
  CLADE_CHECK(error == std::errc{});
  std::string text(buffer.data(), end);
  // to_chars writes a sign and two digits of every exponent.
  if (const std::size_t exponent = text.find('e'); exponent != std::string::npos) {
    std::size_t digits = exponent + 1;
    if (text[digits] == '+') {
      text.erase(digits, 1);
    } else {
      ++digits;
    }
    while (digits + 1 < text.size() && text[digits] == '0') text.erase(digits, 1);
  }
  return text;
}

}  // namespace

NumberProblem read_number(std::string_view text, std::int64_t& value) {
  if (names_no_finite_number(text)) return NumberProblem::not_finite;
  bool negative = false;
  std::uint64_t magnitude = 0;
  const NumberProblem problem = read_whole(text, negative, magnitude);
  if (problem != NumberProblem::none) return problem;
  constexpr auto kLimit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (magnitude > kLimit + (negative ? 1u : 0u)) return NumberProblem::too_large;
  value = static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
  return NumberProblem::none;
}

NumberProblem read_number(std::string_view text, std::uint64_t& value) {
  if (names_no_finite_number(text)) return NumberProblem::not_finite;
  bool negative = false;
  std::uint64_t magnitude = 0;
  const NumberProblem problem = read_whole(text, negative, magnitude);
  if (problem != NumberProblem::none) return problem;
  if (negative && magnitude != 0) return NumberProblem::too_large;
  value = magnitude;
  return NumberProblem::none;
}

NumberProblem read_number(std::string_view text, double& value) {
  if (names_no_finite_number(text)) return NumberProblem::not_finite;
  Decimal decimal;
  if (!read_decimal(text, decimal)) return NumberProblem::not_a_number;
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) {
    return decimal.point > 0 ? NumberProblem::too_large : NumberProblem::too_small;
  }
  if (error != std::errc{} || end != text.data() + text.size()) return NumberProblem::not_a_number;
  value = number;
  return NumberProblem::none;
}

double parse_real(std::string_view text, std::string_view what) {
  double value = 0.0;
  const NumberProblem problem = read_number(text, value);
  if (problem == NumberProblem::none) return value;
  throw_input_error(std::string(what) + " '" + std::string(text) + "' is not a " +
                    (problem == NumberProblem::not_a_number ? "number" : "finite number"));
}

std::string number_text(double value) { return shortest_text(value); }

std::string single_number_text(float value) { return shortest_text(value); }

}  // namespace clade
