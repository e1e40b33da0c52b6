#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace clade {

// Numbers as text, whatever the locale: the one way in which options, messages, tables and presets read and write them.

/// Why a text was not read as a number.
enum class NumberProblem {
  none,
  not_a_number,  ///< not a decimal number from its first to its last character
  not_whole,     ///< a number, but not an integer ("1.5" for an integer)
  not_finite,    ///< inf or nan
  too_large,     ///< beyond what the type holds, either way
  too_small      ///< not zero, but closer to it than the type can hold
};

/// Strict reading: the whole text, decimal digits, optionally "-", a point and an exponent. No blanks, no "+", no
/// hexadecimal, no separators. Integers may be written with a point or an exponent where the value is whole ("1e6",
/// "2.50e2") and are exact up to the limits of their type. `value` is written only where the result is none.
NumberProblem read_number(std::string_view text, std::int64_t& value);
NumberProblem read_number(std::string_view text, std::uint64_t& value);
NumberProblem read_number(std::string_view text, double& value);

/// As read_number. Throws Error naming `what` and the text where it is no finite number.
double parse_real(std::string_view text, std::string_view what);

/// The shortest decimal text that reads back as the same value, as people write it: "0.02", "1000000", "1e-8", "nan".
std::string number_text(double value);
/// The same for single precision: "0.02", where number_text would show how far from 0.02 the float is.
std::string single_number_text(float value);

}  // namespace clade
