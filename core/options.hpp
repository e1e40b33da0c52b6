#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run_record.hpp"

namespace clade {

/// What help prints beside an option and what its value is checked against.
struct OptionHelp {
  std::string text;    ///< "standard deviation of the perturbation"
  std::string unit{};  ///< "steps", "seconds", empty for pure numbers
  ResultEffect effect = ResultEffect::fixes_results;
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool minimum_open = false;  ///< the minimum itself is refused
  bool maximum_open = false;
  std::vector<std::string> choices{};  ///< of a string option; an unknown one is refused with the nearest
  bool in_configuration = true;        ///< false for actions such as --print-config
  std::string value_name{};            ///< shown in help, e.g. "FILE"; by default derived from the type
};

/// A program's options: bound to the fields of plain configuration structs, whose present values are the defaults.
/// Precedence: command line, --config file, --preset, default. Built on Boost.Program_options.
/// An unknown option, an unknown or unused key of a config file, a value out of its range or of another type is an
/// Error (input) that names it and the nearest valid name.
class Options {
 public:
  Options(std::string program, std::string summary);
  ~Options();

  /// Following options are listed under `title`.
  void group(const std::string& title);

  void add(const std::string& name, bool& target, OptionHelp help);  ///< --name, --name=false; a switch
  void add(const std::string& name, std::int64_t& target, OptionHelp help);
  void add(const std::string& name, std::uint64_t& target, OptionHelp help);
  void add(const std::string& name, double& target, OptionHelp help);
  void add(const std::string& name, std::string& target, OptionHelp help);
  void add(const std::string& name, std::optional<std::uint64_t>& target, OptionHelp help);  ///< "none" resets
  void add(const std::string& name, std::optional<double>& target, OptionHelp help);
  void add(const std::string& name, std::vector<std::string>& target, OptionHelp help);  ///< repeatable
  /// A positional argument, shown in the usage line; required unless `optional`.
  void add_positional(const std::string& name, std::string& target, const std::string& text, bool optional = false);

  /// A named set of values for this program's options: option name -> value.
  void add_preset(const std::string& name, const std::string& text, std::map<std::string, std::string> values);

  /// Adds --help, --version, --config, --preset (where there are presets), --print-config; reads the command line.
  /// Returns false where --help, --version or --print-config was answered on `out` and the program should exit 0.
  bool parse(int argc, const char* const* argv, std::ostream& out);

  /// Whether the user named the option (command line, config file or preset).
  bool given(const std::string& name) const;
  /// Command line only.
  bool given_on_command_line(const std::string& name) const;
  /// Resolved values in the order added; repeatable options as several entries.
  std::vector<ConfigEntry> configuration() const;
  /// In the config file's own syntax: key = value, groups as comments. parse() of it gives the same values.
  void print_configuration(std::ostream& out) const;
  /// Applies stored entries (a resumed run's configuration) beneath what the command line says. Entries with
  /// ResultEffect::fixes_results that the command line contradicts are refused by name, with both values.
  void apply_stored(const std::vector<ConfigEntry>& stored);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace clade
