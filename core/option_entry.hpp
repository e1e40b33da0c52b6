#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/options.hpp"

namespace clade::detail {

using OptionTarget = std::variant<bool*, std::int64_t*, std::uint64_t*, double*, std::string*,
                                  std::optional<std::uint64_t>*, std::optional<double>*, std::vector<std::string>*>;

/// Texts of an option's value: one, or any number for a repeatable option. Canonical texts come from canonical_values:
/// two values are equal exactly where their canonical texts are.
using OptionValues = std::vector<std::string>;

/// Where a value was named, the strongest last.
enum OptionLayer : std::size_t { kPresetLayer = 0, kConfigLayer = 1, kCommandLineLayer = 2, kOptionLayers = 3 };

/// One option: what help prints, the field it is bound to, and the values it was given.
struct OptionEntry {
  std::string name;
  OptionHelp help;
  std::size_t group = 0;
  OptionTarget target;
  OptionValues default_values;
  std::array<std::optional<OptionValues>, kOptionLayers> given{};

  bool is_switch() const { return std::holds_alternative<bool*>(target); }
  bool is_repeatable() const { return std::holds_alternative<std::vector<std::string>*>(target); }
  bool is_given() const;
  /// The strongest layer's values; null where no layer names the option.
  const OptionValues* strongest() const;
  /// What the layers give over `beneath`: the strongest layer's values, or those of all layers merged by name where the
  /// option is (a value takes the place of the one with its name). Empty where no layer names the option.
  std::optional<OptionValues> resolved(const OptionValues& beneath) const;

  /// Checks type, range and choices. Throws Error (input) whose message starts with `where`, e.g. "--sigma".
  OptionValues canonical_values(const OptionValues& raw, const std::string& where) const;
  /// Sets the bound field from canonical texts.
  void assign(const OptionValues& canonical) const;
  /// The bound field's present value as canonical texts.
  OptionValues current() const;
  /// The field's value for people: a repeatable option's values joined by blanks, "none" where there are none.
  static std::string joined(const OptionValues& values);

  /// "--sigma NUMBER", "--quiet"
  std::string usage() const;
  /// "above 0, at most 1", "1 to 10", empty without a limit.
  std::string range_in_help() const;
};

}  // namespace clade::detail
