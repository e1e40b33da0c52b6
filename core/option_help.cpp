#include "core/option_help.hpp"

#include <algorithm>
#include <ostream>

#include "core/terminal.hpp"

namespace clade::detail {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
constexpr std::size_t kWidestTerm = 30;  ///< a longer term stands on a line of its own

struct Row {
  std::string term;
  std::string text;
};

/// "1 episode", "2 episodes"
std::string unit_for(const std::string& value, const std::string& unit) {
  return value == "1" && unit.ends_with('s') ? unit.substr(0, unit.size() - 1) : unit;
}

/// What the option's value must be and is by default, in brackets: texts have parentheses of their own.
std::string notes(const OptionEntry& option) {
  std::vector<std::string> parts;
  const std::string& unit = option.help.unit;
  const bool has_default = !option.is_switch() && !option.is_repeatable() && option.help.in_configuration &&
                           !option.default_values.front().empty();
  const bool default_has_unit = has_default && !unit.empty() && option.default_values.front() != "none";
  if (!unit.empty() && !default_has_unit) parts.push_back("in " + unit);
  if (!option.help.choices.empty()) {
    std::string choices = "one of ";
    for (std::size_t i = 0; i < option.help.choices.size(); ++i) {
      choices += (i == 0 ? "" : ", ") + option.help.choices[i];
    }
    parts.push_back(choices);
  }
  if (option.is_switch()) {
    if (option.default_values.front() == "true") {
      parts.push_back("default: true; --" + option.name + "=false turns it off");
    }
  } else if (option.is_repeatable()) {
    parts.push_back(option.help.merged_by_name ? "may be repeated; adds to those of the preset and the config file, "
                                                 "and wins over them name by name; none drops them"
                                               : "may be repeated");
    if (!option.default_values.empty()) parts.push_back("default: " + OptionEntry::joined(option.default_values));
  } else if (has_default) {
    const std::string& value = option.default_values.front();
    parts.push_back("default: " + value + (default_has_unit ? " " + unit_for(value, unit) : ""));
  }
  if (const std::string range = option.range_in_help(); !range.empty()) parts.push_back(range);
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text.empty() ? text : "[" + text + "]";
}

void print_rows(std::ostream& out, const std::string& title, const std::vector<Row>& rows, std::size_t term_width,
                std::size_t width) {
  if (rows.empty()) return;
  out << '\n' << wrap_text(title + ":", width) << '\n';
  const std::size_t text_column = kIndent + term_width + kGap;
  for (const Row& row : rows) {
    out << std::string(kIndent, ' ') << row.term;
    if (!row.text.empty()) {
      if (row.term.size() > term_width) {
        out << '\n' << std::string(text_column, ' ');
      } else {
        out << std::string(term_width + kGap - row.term.size(), ' ');
      }
      out << wrap_text(row.text, std::max(width, text_column + kGap), text_column);
    }
    out << '\n';
  }
}

}  // namespace

std::string PositionalEntry::placeholder() const {
  std::string result = name;
  for (char& character : result) {
    if (character >= 'a' && character <= 'z') character = static_cast<char>(character - 'a' + 'A');
    if (character == '-') character = '_';
  }
  return result;
}

void print_help(std::ostream& out, const HelpPage& page, std::size_t width) {
  out << wrap_text(page.program + ": " + page.summary, width) << '\n';
  std::string usage = "Usage: " + page.program;
  std::vector<Row> arguments;
  for (const PositionalEntry& positional : page.positionals) {
    const std::string placeholder = positional.placeholder();
    usage += positional.optional ? " [" + placeholder + "]" : " " + placeholder;
    arguments.push_back({placeholder, positional.text + (positional.optional ? " (optional)" : "")});
  }
  usage += " [options]";
  out << wrap_text(usage, width, 0) << '\n';

  std::vector<std::vector<Row>> groups(page.groups.size());
  for (const OptionEntry& option : page.options) {
    const std::string note = notes(option);
    groups[option.group].push_back({option.usage(), option.help.text + (note.empty() ? "" : " " + note)});
  }
  std::vector<Row> presets;
  for (const PresetEntry& preset : page.presets) presets.push_back({preset.name, preset.text});

  // One column for the whole page: groups line up with each other.
  std::size_t term_width = 0;
  const auto widen = [&](const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      if (row.term.size() <= kWidestTerm) term_width = std::max(term_width, row.term.size());
    }
  };
  widen(arguments);
  for (const auto& rows : groups) widen(rows);
  widen(presets);

  print_rows(out, "Arguments", arguments, term_width, width);
  for (std::size_t i = 0; i < groups.size(); ++i) print_rows(out, page.groups[i], groups[i], term_width, width);
  print_rows(out, "Presets (--preset NAME)", presets, term_width, width);
}

}  // namespace clade::detail
