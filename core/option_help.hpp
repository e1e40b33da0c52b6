#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "core/option_entry.hpp"

namespace clade::detail {

/// An argument without dashes.
struct PositionalEntry {
  std::string name;
  std::string text;
  std::string* target = nullptr;
  bool optional = false;
  bool given = false;
  /// "RUN_FILE" of run-file.
  std::string placeholder() const;
};

struct PresetEntry {
  std::string name;
  std::string text;
  std::map<std::string, std::string> values;
};

/// All that --help shows, in the order of the page.
struct HelpPage {
  std::string program;
  std::string summary;
  std::span<const std::string> groups;
  std::span<const OptionEntry> options;
  std::span<const PositionalEntry> positionals;
  std::span<const PresetEntry> presets;
};

/// No line is longer than `width` unless a single word is; no escape codes.
void print_help(std::ostream& out, const HelpPage& page, std::size_t width);

}  // namespace clade::detail
