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

unsigned char byte_of(char character) { return static_cast<unsigned char>(character); }

bool continues_character(char character) { return (byte_of(character) & 0xc0) == 0x80; }

/// Whether lead and continuation bytes fit each other: a file name in UTF-8, not the bytes of some binary file.
bool looks_like_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const unsigned char lead = byte_of(text[at]);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xc2 ? 0
                               : lead < 0xe0 ? 2
                               : lead < 0xf0 ? 3
                               : lead < 0xf5 ? 4
                                             : 0;
    if (length == 0 || at + length > text.size()) return false;
    const std::string_view rest = text.substr(at + 1, length - 1);
    if (!std::all_of(rest.begin(), rest.end(), continues_character)) return false;
    at += length;
  }
  return true;
}

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
  std::size_t length = std::min(text.size(), kLongestQuote);
  while (length > 0 && length < text.size() && continues_character(text[length])) --length;
  const bool readable = looks_like_utf8(text.substr(0, length));
  std::string result = "'";
  for (const char character : text.substr(0, length)) {
    const unsigned char byte = byte_of(character);
    const bool control = byte < 0x20 || byte == 0x7f;
    result += control || (byte >= 0x80 && !readable) ? '?' : character;
  }
  if (length < text.size()) result += "...";
  return result + "'";
}

}  // namespace clade
