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
  std::string open_value{};            ///< "auto": the program chooses; to a resumed run, whatever it chose
  bool merged_by_name = false;         ///< of a repeatable option whose values are NAME=VALUE: layers add up by NAME
};

/// A program's options: bound to the fields of plain configuration structs, whose present values are the defaults.
/// Precedence: command line, --config file, --preset, default. Built on Boost.Program_options.
///
/// Command line: --name VALUE or --name=VALUE, names in full; a switch is --name or --name=false; an option given twice
/// is refused, but for repeatable ones; what follows "--" is an argument. Numbers are finite decimals, integers also as
/// "1e6". A repeatable option's values replace those of the layers beneath as a whole or, where it is merged by name,
/// those of the same names; "none" alone drops all that is beneath.
/// Config file: lines of key = value, '#' comments, values in double quotes where they hold '#' or outer blanks;
/// `preset` is a key as well.
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

  /// A named set of values for this program's options: option name -> value; a repeatable option's are separated by
  /// blanks. One that does not suit the options is a bug: parse() throws std::logic_error.
  void add_preset(const std::string& name, const std::string& text, std::map<std::string, std::string> values);

  /// Adds --help, --version, --config, --preset (where there are presets), --print-config; reads the command line.
  /// Returns false where --help, --version or --print-config was answered on `out` and the program should exit 0.
  /// To be called once. On an Error no field but those of positional arguments has changed.
  bool parse(int argc, const char* const* argv, std::ostream& out);

  /// Whether the user named the option (command line, config file or preset).
  bool given(const std::string& name) const;
  /// Command line only.
  bool given_on_command_line(const std::string& name) const;
  /// What a message calls the option where the user named it: "--sigma", "config file a.cfg: sigma",
  /// "preset Swimmer: sigma"; as on the command line where nobody named it.
  std::string where_given(const std::string& name) const;
  /// The presets that set the option, in the order added.
  std::vector<std::string> presets_with(const std::string& name) const;
  /// The fields' present values, in the order added; a repeatable option as several entries, or none.
  std::vector<ConfigEntry> configuration() const;
  /// In the config file's own syntax: key = value, groups as comments. parse() of it gives the same values.
  void print_configuration(std::ostream& out) const;
  /// After parse(): applies stored entries (a resumed run's configuration) beneath what the user named on the command
  /// line, in a config file or by a preset (of an option merged by name, what these give over the stored values).
  /// Where that contradicts an entry with ResultEffect::fixes_results, the
  /// option is refused by name, with both values. An option that `stored` does not hold ran with its default.
  void apply_stored(const std::vector<ConfigEntry>& stored);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace clade
