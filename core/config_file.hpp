#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace clade::detail {

/// One "key = value" of a configuration file.
struct ConfigLine {
  std::size_t line = 0;  ///< counted from 1
  std::string key;
  std::string value;
};

/// Reads "key = value" lines; '#' starts a comment, blanks around key and value do not count, blank lines are skipped.
/// A value with '#', or with blanks at an end, stands in double quotes, where \" \\ \n \r \t are escapes. The rest is
/// Boost.Program_options's own parser. Throws Error (input) that names the file and the line.
std::vector<ConfigLine> read_config(std::istream& in, const std::string& file);

/// Opens and reads a file. Throws Error (input) where it is missing, a folder or unreadable.
std::vector<ConfigLine> read_config_file(const std::string& file);

/// The value as read_config reads it back: in quotes where it needs them.
std::string config_value(std::string_view value);

}  // namespace clade::detail
