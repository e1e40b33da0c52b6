#include "core/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace clade {
namespace {

constexpr std::size_t kColumnsWhereUnknown = 80;
constexpr std::size_t kLongestQuote = 80;

// Taken before main: a test or a program that redirects a standard stream by rdbuf() is no terminal any more.
const std::streambuf* const kOutputBuffer = std::cout.rdbuf();
const std::streambuf* const kErrorBuffer = std::cerr.rdbuf();

}  // namespace

std::optional<std::size_t> terminal_columns(int file_descriptor) {
  if (isatty(file_descriptor) == 0) return std::nullopt;
  winsize size{};
  if (ioctl(file_descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kColumnsWhereUnknown;
  return size.ws_col;
}

std::optional<std::size_t> terminal_columns(const std::ostream& stream) {
  if (&stream == &std::cout && stream.rdbuf() == kOutputBuffer) return terminal_columns(STDOUT_FILENO);
  if ((&stream == &std::cerr || &stream == &std::clog) && stream.rdbuf() == kErrorBuffer) {
    return terminal_columns(STDERR_FILENO);
  }
  return std::nullopt;
}

std::string wrap_text(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  bool line_has_word = false;
  const auto break_line = [&] {
    result += '\n';
    result.append(indent, ' ');
    column = indent;
    line_has_word = false;
  };
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '\n') {
      break_line();
      ++at;
      continue;
    }
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::size_t length = end - at;
    if (line_has_word && column + 1 + length > width) break_line();
    if (line_has_word) {
      result += ' ';
      ++column;
    }
    result += text.substr(at, length);
    column += length;
    line_has_word = true;
    at = end;
  }
  return result;
}

std::string quote_for_message(std::string_view text) {
  std::string result = "'";
  for (const char character : text.substr(0, kLongestQuote)) {
    const auto code = static_cast<unsigned char>(character);
    result += code < 0x20 || code == 0x7f ? '?' : character;
  }
  if (text.size() > kLongestQuote) result += "...";
  return result + "'";
}

}  // namespace clade
