#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace clade {

/// Columns of the terminal behind a file descriptor; empty where there is none (a file, a pipe).
std::optional<std::size_t> terminal_columns(int file_descriptor);

/// As above for std::cout, std::cerr and std::clog while they write to the process's own output; empty for others.
std::optional<std::size_t> terminal_columns(const std::ostream& stream);

/// Breaks at blanks so that no line is longer than `width` (a single longer word stands alone). '\n' in the text stays
/// a break. Lines after the first start with `indent` blanks, which count; the first is taken to start at `indent`.
std::string wrap_text(std::string_view text, std::size_t width, std::size_t indent = 0);

/// For messages: in single quotes, cut after 80 bytes; control characters and what is not UTF-8 as '?'.
std::string quote_for_message(std::string_view text);

}  // namespace clade
