#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace clade {

/// Why a token was not read as a number.
enum class NumberProblem {
  none,
  not_a_number,  ///< not a decimal number from its first to its last character
  not_whole,     ///< a number, but not an integer ("1.5" for an integer)
  not_finite,    ///< inf or nan
  too_large,     ///< beyond what the type holds, either way
  too_small      ///< not zero, but closer to it than the type can hold
};

/// Strict reading in the C locale: the whole token, decimal digits, optionally "-", a point and an exponent. No blanks,
/// no "+", no hexadecimal, no separators. Integers may be written with a point or an exponent where the value is whole
/// ("1e6", "2.50e2") and are exact up to the limits of their type. `value` is written only where the result is none.
NumberProblem read_number(std::string_view text, std::int64_t& value);
NumberProblem read_number(std::string_view text, std::uint64_t& value);
NumberProblem read_number(std::string_view text, double& value);

/// As number_text, the shortest text that reads back to the same bits, but written as people write it: "1000000" for
/// "1e+06", "1e-8" for "1e-08".
std::string plain_number_text(double value);

}  // namespace clade
