#include "core/config_file.hpp"

#include <boost/program_options.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <istream>
#include <optional>
#include <sstream>
#include <system_error>

#include "core/error.hpp"
#include "core/terminal.hpp"

namespace clade::detail {
namespace {

namespace program_options = boost::program_options;

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// The place that messages start with.
std::string place(const std::string& file, std::size_t line) {
  return "config file " + file + ", line " + std::to_string(line) + ": ";
}

/// The quoted value of a line (escapes resolved) where it has one; `line` is then cut to what precedes it.
std::optional<std::string> take_quoted_value(std::string& line, const std::string& where) {
  const std::size_t equals = line.find('=');
  if (equals == std::string::npos || line.find('#') < equals) return std::nullopt;
  const std::size_t start = line.find_first_not_of(kBlanks, equals + 1);
  if (start == std::string::npos || line[start] != '"') return std::nullopt;
  std::string value;
  std::size_t at = start + 1;
  for (; at < line.size() && line[at] != '"'; ++at) {
    if (line[at] != '\\') {
      value += line[at];
      continue;
    }
    if (++at == line.size()) break;
    switch (line[at]) {
      case 'n':
        value += '\n';
        break;
      case 'r':
        value += '\r';
        break;
      case 't':
        value += '\t';
        break;
      case '"':
      case '\\':
        value += line[at];
        break;
      default:
        throw_input_error(where + "unknown escape '\\" + std::string(1, line[at]) +
                          "' in a quoted value; write \\\\ for a backslash");
    }
  }
  if (at >= line.size()) throw_input_error(where + "the closing quote is missing");
  const std::size_t rest = line.find_first_not_of(kBlanks, at + 1);
  if (rest != std::string::npos && line[rest] != '#') {
    throw_input_error(where + "only a comment may follow the closing quote");
  }
  line.erase(equals + 1);
  return value;
}

}  // namespace

std::vector<ConfigLine> read_config(std::istream& in, const std::string& file) {
  const program_options::options_description no_description;  // keys are checked by the caller, which knows them
  std::vector<ConfigLine> lines;
  std::string text;
  for (std::size_t number = 1; std::getline(in, text); ++number) {
    if (number == 1 && text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    const std::string where = place(file, number);
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string::npos || text[first] == '#') continue;
    if (text[first] == '[') throw_input_error(where + "sections are not used; write 'key = value' lines");
    std::string rest = text;
    const std::optional<std::string> quoted = take_quoted_value(rest, where);
    // A line at a time, so that messages can name it.
    std::istringstream line(rest);
    try {
      const auto parsed = program_options::parse_config_file(line, no_description, true);
      for (const auto& option : parsed.options) {
        std::string value = option.value.empty() ? std::string() : option.value.front();
        lines.push_back({number, option.string_key, quoted ? *quoted : value});
      }
    } catch (const program_options::error&) {
      throw_input_error(where + quote_for_message(text.substr(first)) + " is not 'key = value'");
    }
  }
  if (in.bad()) throw_input_error("config file " + file + ": cannot be read");
  return lines;
}

std::vector<ConfigLine> read_config_file(const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw_input_error("config file " + file + ": it is a folder");
  errno = 0;
  std::ifstream in(file);
  if (!in) throw_input_error("config file " + file + ": cannot be opened: " + std::strerror(errno));
  return read_config(in, file);
}

std::string config_value(std::string_view value) {
  const auto is_blank = [](char character) { return kBlanks.find(character) != std::string_view::npos; };
  const bool plain = value.empty() || (!is_blank(value.front()) && !is_blank(value.back()) && value.front() != '"' &&
                                       value.find_first_of("#\n\r") == std::string_view::npos);
  if (plain) return std::string(value);
  std::string text = "\"";
  for (const char character : value) {
    switch (character) {
      case '\n':
        text += "\\n";
        break;
      case '\r':
        text += "\\r";
        break;
      case '\t':
        text += "\\t";
        break;
      case '"':
      case '\\':
        text += '\\';
        [[fallthrough]];
      default:
        text += character;
    }
  }
  return text + '"';
}

}  // namespace clade::detail
