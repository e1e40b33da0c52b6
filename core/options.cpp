#include "core/options.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "core/config_file.hpp"
#include "core/error.hpp"
#include "core/option_entry.hpp"
#include "core/option_help.hpp"
#include "core/program.hpp"
#include "core/terminal.hpp"

namespace clade {
namespace {

namespace program_options = boost::program_options;
using detail::OptionEntry;
using detail::OptionLayer;
using detail::OptionTarget;
using detail::OptionValues;

constexpr std::size_t kHelpWidthWhereNoTerminal = 100;
constexpr std::size_t kNarrowestHelp = 60;
constexpr std::size_t kWidestHelp = 120;

/// One token of the command line after Boost's parser: an option with its values, or a positional argument.
struct Argument {
  std::string name;  ///< empty: positional
  std::vector<std::string> values;
  std::vector<std::string> tokens;
};

OptionValues words(const std::string& text) {
  std::istringstream in(text);
  OptionValues result;
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

}  // namespace

struct Options::Implementation {
  std::string program;
  std::string summary;
  std::vector<std::string> groups;
  std::size_t group = 0;
  std::vector<OptionEntry> entries;
  std::vector<detail::PositionalEntry> positionals;
  std::vector<detail::PresetEntry> presets;

  // Fields of the options that every program has.
  bool help_wanted = false;
  bool version_wanted = false;
  bool print_config_wanted = false;
  std::string config_name;
  std::string preset_name;

  void select_group(const std::string& title) {
    const auto found = std::find(groups.begin(), groups.end(), title);
    group = static_cast<std::size_t>(found - groups.begin());
    if (found == groups.end()) groups.push_back(title);
  }

  void add(const std::string& name, OptionTarget target, OptionHelp help) {
    CLADE_CHECK(!name.empty() && name.find_first_of("=, *") == std::string::npos && find(name) == nullptr);
    if (groups.empty()) select_group("Options");
    OptionEntry entry{.name = name, .help = std::move(help), .group = group, .target = target, .default_values = {}};
    entry.default_values = entry.current();
    entries.push_back(std::move(entry));
  }

  void add_common_options() {
    const auto action = [](const std::string& text, const std::string& value_name = {}) {
      OptionHelp help;
      help.text = text;
      help.effect = ResultEffect::none;
      help.in_configuration = false;
      help.value_name = value_name;
      return help;
    };
    select_group("General");
    add("config", &config_name,
        action("read options from FILE, lines of 'key = value'; the command line wins", "FILE"));
    if (!presets.empty()) {
      add("preset", &preset_name, action("start from a named set of values, listed below; all else wins", "NAME"));
    }
    add("print-config", &print_config_wanted, action("print the resolved options as a configuration file and exit"));
    add("help", &help_wanted, action("print this text and exit"));
    add("version", &version_wanted, action("print the version and exit"));
  }

  OptionEntry* find(const std::string& name) {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.name == name; });
    return found == entries.end() ? nullptr : &*found;
  }

  const OptionEntry& known(const std::string& name) {
    const OptionEntry* entry = find(name);
    CLADE_CHECK(entry != nullptr);
    return *entry;
  }

  /// "; did you mean '--sigma'?" or what lists the names.
  std::string hint(const std::string& wrong, const std::string& dashes, bool configuration_only) const {
    std::vector<std::string> names;
    for (const OptionEntry& entry : entries) {
      if (!configuration_only || entry.help.in_configuration) names.push_back(entry.name);
    }
    const std::string_view nearest = nearest_name(wrong, names);
    if (nearest.empty()) return "; --help lists the options";
    return "; did you mean '" + dashes + std::string(nearest) + "'?";
  }

  /// Boost's parser, with unknown options kept: the messages about them are ours.
  std::vector<Argument> split(const std::vector<std::string>& tokens) const {
    program_options::options_description description;
    for (const OptionEntry& entry : entries) {
      auto* value = program_options::value<std::string>();
      if (entry.is_switch()) value->implicit_value("true");
      description.add_options()(entry.name.c_str(), value);
    }
    namespace style = program_options::command_line_style;
    std::vector<Argument> arguments;
    try {
      const auto parsed = program_options::command_line_parser(tokens)
                              .options(description)
                              .style(style::allow_long | style::long_allow_adjacent | style::long_allow_next)
                              .allow_unregistered()
                              .run();
      for (const auto& option : parsed.options) {
        arguments.push_back({option.string_key, option.value, option.original_tokens});
      }
    } catch (const program_options::invalid_command_line_syntax& problem) {
      using Syntax = program_options::invalid_command_line_syntax;
      const std::string name = problem.get_option_name();
      if (problem.kind() == Syntax::empty_adjacent_parameter) {
        const std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
        const bool is_known =
            std::any_of(entries.begin(), entries.end(), [&](const auto& e) { return e.name == bare; });
        if (!is_known) throw_input_error("unknown option " + quote_for_message("--" + bare) + hint(bare, "--", false));
        throw_input_error(name + ": the value after '=' is missing");
      }
      throw_input_error(name + ": its value is missing");
    } catch (const program_options::error& problem) {
      throw_input_error("command line: " + std::string(problem.what()));
    }
    return arguments;
  }

  void read_command_line(int argc, const char* const* argv) {
    const std::vector<std::string> tokens(argv + std::min(argc, 1), argv + argc);
    const auto terminator = std::find(tokens.begin(), tokens.end(), "--");
    // Whoever asks for help gets it, whatever else is wrong.
    help_wanted = std::any_of(tokens.begin(), terminator, [](const auto& t) { return t == "--help" || t == "-h"; });
    if (help_wanted) return;
    for (const Argument& argument : split({tokens.begin(), terminator})) {
      if (argument.name.empty()) {
        read_bare(argument.tokens.front());
      } else {
        read_named(argument);
      }
    }
    // After "--" everything is an argument, dashes or not.
    for (auto token = terminator; token != tokens.end(); ++token) {
      if (token != terminator) read_positional(*token);
    }
    for (OptionEntry& entry : entries) {
      auto& given = entry.given[detail::kCommandLineLayer];
      if (given) given = entry.canonical_values(*given, "--" + entry.name);
    }
  }

  void read_named(const Argument& argument) {
    OptionEntry* entry = find(argument.name);
    if (entry == nullptr) {
      throw_input_error("unknown option " + quote_for_message("--" + argument.name) + hint(argument.name, "--", false));
    }
    const std::string where = "--" + entry->name;
    OptionValues values = argument.values;
    // Boost gives a switch the next token, which is an argument of its own: a switch takes its value by '=' only.
    const bool took_next = argument.tokens.size() > 1;
    if (entry->is_switch() && (took_next || values.empty())) values = {"true"};
    if (values.empty()) throw_input_error(where + ": its value is missing");
    // "--out --force" is a forgotten file name.
    if (took_next && !entry->is_switch() && values.front().starts_with("--")) {
      throw_input_error(where + ": its value is missing before " + quote_for_message(values.front()) + "; write " +
                        where + "=VALUE where the value itself starts with dashes");
    }
    auto& given = entry->given[detail::kCommandLineLayer];
    if (given && !entry->is_repeatable()) throw_input_error(where + ": given more than once");
    if (!given) given.emplace();
    given->insert(given->end(), values.begin(), values.end());
    if (entry->is_switch() && took_next) read_bare(argument.tokens[1]);
  }

  /// A token before "--" that belongs to no option.
  void read_bare(const std::string& token) {
    if (token.size() > 1 && token.front() == '-') {
      const std::string name = token.substr(std::min(token.find_first_not_of('-'), token.size()));
      throw_input_error("unknown option " + quote_for_message(token) + hint(name, "--", false));
    }
    read_positional(token);
  }

  void read_positional(const std::string& token) {
    const auto next =
        std::find_if(positionals.begin(), positionals.end(), [](const auto& positional) { return !positional.given; });
    if (next == positionals.end()) {
      throw_input_error("unexpected argument " + quote_for_message(token) +
                        (positionals.empty() ? "; options start with --" : "; --help shows the usage"));
    }
    *next->target = token;
    next->given = true;
  }

  void read_config_layer(const std::string& file) {
    std::map<std::string, std::size_t> lines;
    std::map<std::string, OptionValues> values;
    for (const detail::ConfigLine& line : detail::read_config_file(file)) {
      const std::string place = "config file " + file + ", line " + std::to_string(line.line) + ": ";
      const OptionEntry* entry = find(line.key);
      if (entry == nullptr) {
        throw_input_error(place + "unknown key " + quote_for_message(line.key) + hint(line.key, "", true));
      }
      if (!entry->help.in_configuration && line.key != "preset") {
        throw_input_error(place + "'" + line.key + "' belongs on the command line, not in a config file");
      }
      const bool repeated = values.contains(line.key);
      if (repeated && !entry->is_repeatable()) {
        throw_input_error(place + "'" + line.key + "' stands on line " + std::to_string(lines[line.key]) + " already");
      }
      // Checked line by line, so that the message can name the line; "none" is an empty list only where it is alone.
      const bool stays = entry->is_repeatable() && line.value == "none";
      const OptionValues checked =
          stays ? OptionValues{line.value} : entry->canonical_values({line.value}, place + line.key);
      lines[line.key] = line.line;
      values[line.key].insert(values[line.key].end(), checked.begin(), checked.end());
    }
    for (OptionEntry& entry : entries) {
      const auto found = values.find(entry.name);
      if (found == values.end()) continue;
      entry.given[detail::kConfigLayer] =
          entry.is_repeatable() ? entry.canonical_values(found->second, entry.name) : found->second;
    }
  }

  /// A preset that does not suit the program's own options is our mistake, not the user's.
  std::map<std::string, OptionValues> preset_values(const detail::PresetEntry& preset) {
    std::map<std::string, OptionValues> values;
    for (const auto& [name, text] : preset.values) {
      const OptionEntry* entry = find(name);
      if (entry == nullptr || !entry->help.in_configuration) {
        throw std::logic_error("preset '" + preset.name + "' sets the unknown option '" + name + "'");
      }
      try {
        values[name] = entry->canonical_values(entry->is_repeatable() ? words(text) : OptionValues{text}, name);
      } catch (const Error& error) {
        throw std::logic_error("preset '" + preset.name + "': " + error.what());
      }
    }
    return values;
  }

  void read_preset_layer(const std::string& name) {
    std::vector<std::string> names;
    for (const auto& preset : presets) {
      names.push_back(preset.name);
      if (preset.name == name) {
        for (const auto& [option, values] : preset_values(preset)) {
          find(option)->given[detail::kPresetLayer] = values;
        }
        return;
      }
    }
    const std::string_view nearest = nearest_name(name, names);
    throw_input_error(
        "unknown preset " + quote_for_message(name) +
        (nearest.empty() ? "; --help lists the presets" : "; did you mean '" + std::string(nearest) + "'?"));
  }

  /// What a value of the strongest layer is called in a message.
  std::string where_given(const OptionEntry& entry) const {
    if (entry.given[detail::kCommandLineLayer] || !entry.is_given()) return "--" + entry.name;
    if (entry.given[detail::kConfigLayer]) return "config file " + config_name + ": " + entry.name;
    return "preset " + preset_name + ": " + entry.name;
  }
};

Options::Options(std::string program, std::string summary) : implementation_(std::make_unique<Implementation>()) {
  implementation_->program = std::move(program);
  implementation_->summary = std::move(summary);
}

Options::~Options() = default;

void Options::group(const std::string& title) { implementation_->select_group(title); }

void Options::add(const std::string& name, bool& target, OptionHelp help) {
  implementation_->add(name, &target, std::move(help));
}
void Options::add(const std::string& name, std::int64_t& target, OptionHelp help) {
  implementation_->add(name, &target, std::move(help));
}
void Options::add(const std::string& name, std::uint64_t& target, OptionHelp help) {
  implementation_->add(name, &target, std::move(help));
}
void Options::add(const std::string& name, double& target, OptionHelp help) {
  implementation_->add(name, &target, std::move(help));
}
void Options::add(const std::string& name, std::string& target, OptionHelp help) {
  implementation_->add(name, &target, std::move(help));
}
void Options::add(const std::string& name, std::optional<std::uint64_t>& target, OptionHelp help) {
  implementation_->add(name, &target, std::move(help));
}
void Options::add(const std::string& name, std::optional<double>& target, OptionHelp help) {
  implementation_->add(name, &target, std::move(help));
}
void Options::add(const std::string& name, std::vector<std::string>& target, OptionHelp help) {
  implementation_->add(name, &target, std::move(help));
}

void Options::add_positional(const std::string& name, std::string& target, const std::string& text, bool optional) {
  auto& positionals = implementation_->positionals;
  CLADE_CHECK(optional || positionals.empty() || !positionals.back().optional);
  positionals.push_back({.name = name, .text = text, .target = &target, .optional = optional});
}

void Options::add_preset(const std::string& name, const std::string& text, std::map<std::string, std::string> values) {
  auto& presets = implementation_->presets;
  CLADE_CHECK(std::none_of(presets.begin(), presets.end(), [&](const auto& preset) { return preset.name == name; }));
  presets.push_back({name, text, std::move(values)});
}

bool Options::parse(int argc, const char* const* argv, std::ostream& out) {
  Implementation& self = *implementation_;
  CLADE_CHECK(self.find("help") == nullptr);  // a second parse, or a program's own --help
  self.add_common_options();
  for (const auto& preset : self.presets) static_cast<void>(self.preset_values(preset));

  self.read_command_line(argc, argv);
  if (self.help_wanted) {
    const std::size_t columns = terminal_columns(out).value_or(kHelpWidthWhereNoTerminal);
    detail::print_help(out, {self.program, self.summary, self.groups, self.entries, self.positionals, self.presets},
                       std::clamp(columns, kNarrowestHelp, kWidestHelp));
    return false;
  }
  if (const OptionValues* values = self.known("version").strongest(); values != nullptr && values->front() == "true") {
    out << self.program << ' ' << version_string() << '\n';
    return false;
  }
  if (const OptionValues* values = self.known("config").strongest()) {
    self.config_name = values->front();
    self.read_config_layer(values->front());
  }
  if (const OptionEntry* preset = self.find("preset"); preset != nullptr && preset->is_given()) {
    self.read_preset_layer(preset->strongest()->front());
  }
  for (const OptionEntry& entry : self.entries) {
    if (const auto values = entry.resolved(entry.default_values)) entry.assign(*values);
  }
  if (self.print_config_wanted) {
    print_configuration(out);
    return false;
  }
  for (const auto& positional : self.positionals) {
    if (!positional.given && !positional.optional) {
      throw_input_error("the argument " + positional.placeholder() + " is missing: " + positional.text);
    }
  }
  return true;
}

bool Options::given(const std::string& name) const {
  for (const auto& positional : implementation_->positionals) {
    if (positional.name == name) return positional.given;
  }
  return implementation_->known(name).is_given();
}

bool Options::given_on_command_line(const std::string& name) const {
  for (const auto& positional : implementation_->positionals) {
    if (positional.name == name) return positional.given;
  }
  return implementation_->known(name).given[detail::kCommandLineLayer].has_value();
}

std::string Options::where_given(const std::string& name) const {
  return implementation_->where_given(implementation_->known(name));
}

std::vector<std::string> Options::presets_with(const std::string& name) const {
  std::vector<std::string> names;
  for (const detail::PresetEntry& preset : implementation_->presets) {
    if (preset.values.contains(name)) names.push_back(preset.name);
  }
  return names;
}

std::vector<ConfigEntry> Options::configuration() const {
  std::vector<ConfigEntry> configuration;
  for (const OptionEntry& entry : implementation_->entries) {
    if (!entry.help.in_configuration) continue;
    for (const std::string& value : entry.current()) {
      configuration.push_back({entry.name, value, entry.help.effect});
    }
  }
  return configuration;
}

void Options::print_configuration(std::ostream& out) const {
  const Implementation& self = *implementation_;
  out << "# " << self.program << ' ' << version_string();
  if (!self.preset_name.empty()) out << ", preset " << self.preset_name;
  out << '\n';
  for (std::size_t group = 0; group < self.groups.size(); ++group) {
    bool titled = false;
    for (const OptionEntry& entry : self.entries) {
      if (entry.group != group || !entry.help.in_configuration) continue;
      if (!titled) out << "\n# " << self.groups[group] << '\n';
      titled = true;
      OptionValues values = entry.current();
      if (values.empty()) values = {"none"};
      for (const std::string& value : values) {
        out << entry.name << (value.empty() ? " =" : " = ") << detail::config_value(value) << '\n';
      }
    }
  }
}

void Options::apply_stored(const std::vector<ConfigEntry>& stored) {
  Implementation& self = *implementation_;
  std::map<std::string, OptionValues> values;
  std::map<std::string, ResultEffect> effects;
  for (const ConfigEntry& entry : stored) {
    const OptionEntry* option = self.find(entry.key);
    if (option != nullptr && option->help.in_configuration) {
      values[entry.key].push_back(entry.value);
      effects[entry.key] = entry.effect;
    } else if (entry.effect == ResultEffect::fixes_results) {
      throw_input_error("the run was started with " + entry.key + " = " + quote_for_message(entry.value) + ", which " +
                        self.program + " " + version_string() + " does not know; resume it with what started it");
    }
  }
  const std::string advice =
      self.find("init-from") == nullptr ? std::string() : "; use --init-from to start a new run from this one";
  std::vector<std::pair<const OptionEntry*, OptionValues>> assignments;
  for (const OptionEntry& option : self.entries) {
    if (!option.help.in_configuration) continue;
    // An option that the run file does not name: an empty list, or younger than the run, which ran as by its default.
    OptionValues before = option.is_repeatable() ? OptionValues{} : option.default_values;
    const auto found = values.find(option.name);
    if (found != values.end()) {
      if (found->second.size() > 1 && !option.is_repeatable()) {
        throw_input_error("the stored configuration holds '" + option.name + "' more than once");
      }
      before = option.canonical_values(found->second, "stored configuration: " + option.name);
    }
    const std::optional<OptionValues> wanted = option.resolved(before);
    const bool left_open = wanted && !option.help.open_value.empty() && *wanted == OptionValues{option.help.open_value};
    if (!wanted || left_open) {
      if (found != values.end() || option.is_repeatable()) assignments.emplace_back(&option, before);
      continue;
    }
    const bool fixed = option.help.effect == ResultEffect::fixes_results ||
                       (found != values.end() && effects[option.name] == ResultEffect::fixes_results);
    if (fixed && *wanted != before) {
      throw_input_error(self.where_given(option) + ": the run was started with " + OptionEntry::joined(before) +
                        "; a resumed run cannot change it to " + OptionEntry::joined(*wanted) + advice);
    }
    assignments.emplace_back(&option, *wanted);
  }
  for (const auto& [option, resolved] : assignments) option->assign(resolved);
}

}  // namespace clade
