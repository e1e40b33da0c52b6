#include "core/option_entry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/error.hpp"
#include "core/number_text.hpp"
#include "core/terminal.hpp"

namespace clade::detail {
namespace {

constexpr std::string_view kNone = "none";

/// Limits as texts: integers of 64 bits are not doubles.
struct Range {
  std::string minimum{};  ///< empty: no limit
  std::string maximum{};
  bool minimum_open = false;
  bool maximum_open = false;
};

Range range_of(const OptionHelp& help) {
  Range range;
  if (std::isfinite(help.minimum)) range.minimum = number_text(help.minimum);
  if (std::isfinite(help.maximum)) range.maximum = number_text(help.maximum);
  range.minimum_open = help.minimum_open;
  range.maximum_open = help.maximum_open;
  return range;
}

/// What the type itself cannot hold is a limit as well, but only worth naming to whoever exceeds it.
template <class Number>
Range range_with_type_limit(const OptionHelp& help, bool negative) {
  Range range = range_of(help);
  std::string& limit = negative ? range.minimum : range.maximum;
  if (!limit.empty()) return range;
  using Limits = std::numeric_limits<Number>;
  if constexpr (std::is_integral_v<Number>) {
    limit = std::to_string(negative ? Limits::lowest() : Limits::max());
  } else {
    limit = number_text(negative ? Limits::lowest() : Limits::max());
  }
  return range;
}

std::string requirement(const Range& range) {
  if (!range.minimum.empty() && !range.maximum.empty() && !range.minimum_open && !range.maximum_open) {
    return "it must be between " + range.minimum + " and " + range.maximum;
  }
  std::string text;
  if (!range.minimum.empty()) text += (range.minimum_open ? "greater than " : "at least ") + range.minimum;
  if (!range.maximum.empty()) {
    if (!text.empty()) text += " and ";
    text += (range.maximum_open ? "less than " : "at most ") + range.maximum;
  }
  return "it must be " + text;
}

[[noreturn]] void throw_out_of_range(const std::string& where, const std::string& text, const Range& range) {
  throw_input_error(where + ": " + text + " is out of range; " + requirement(range));
}

/// long double holds every 64-bit integer on x86-64, so that limits are exact there.
template <class Number>
void check_range(const OptionHelp& help, Number value, const std::string& text, const std::string& where) {
  const auto wide = static_cast<long double>(value);
  const long double minimum = help.minimum;
  const long double maximum = help.maximum;
  const bool below = help.minimum_open ? wide <= minimum : wide < minimum;
  const bool above = help.maximum_open ? wide >= maximum : wide > maximum;
  if (!below && !above) return;
  throw_out_of_range(where, text, range_of(help));
}

template <class Number>
Number read_checked(const OptionHelp& help, const std::string& text, const std::string& where, bool none_allowed) {
  Number value{};
  const std::string kind = std::is_integral_v<Number> ? "an integer" : "a number";
  const std::string or_none = none_allowed ? " (or none)" : "";
  switch (read_number(text, value)) {
    case NumberProblem::none:
      break;
    case NumberProblem::not_a_number:
      throw_input_error(where + ": " + quote_for_message(text) + " is not " + kind + or_none);
    case NumberProblem::not_whole:
      throw_input_error(where + ": " + quote_for_message(text) + " is not " + kind + "; the value must be whole");
    case NumberProblem::not_finite:
      throw_input_error(where + ": " + quote_for_message(text) + " is not a finite number" + or_none);
    case NumberProblem::too_large:
      throw_out_of_range(where, text, range_with_type_limit<Number>(help, text.front() == '-'));
    case NumberProblem::too_small:
      throw_input_error(where + ": " + quote_for_message(text) +
                        " is too close to zero for a double; write 0 or at least " +
                        number_text(std::numeric_limits<double>::denorm_min()));
  }
  check_range(help, value, text, where);
  return value;
}

std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(std::uint64_t value) { return std::to_string(value); }
std::string text_of(double value) { return number_text(value); }
const std::string& text_of(const std::string& value) { return value; }

std::string read_switch(const std::string& text, const std::string& where) {
  for (const char* yes : {"true", "yes", "on", "1"}) {
    if (text == yes) return "true";
  }
  for (const char* no : {"false", "no", "off", "0"}) {
    if (text == no) return "false";
  }
  throw_input_error(where + ": " + quote_for_message(text) + " is neither true nor false");
}

std::string read_string(const OptionHelp& help, const std::string& text, const std::string& where) {
  if (help.choices.empty() || std::find(help.choices.begin(), help.choices.end(), text) != help.choices.end()) {
    return text;
  }
  const std::string_view nearest = nearest_name(text, help.choices);
  std::string message = where + ": unknown value " + quote_for_message(text);
  if (!nearest.empty()) {
    message += "; did you mean '" + std::string(nearest) + "'?";
  } else {
    message += "; it must be one of ";
    for (std::size_t i = 0; i < help.choices.size(); ++i) message += (i == 0 ? "" : ", ") + help.choices[i];
  }
  throw_input_error(message);
}

/// "frame_skip" of "frame_skip=4".
std::string_view name_in(std::string_view value) { return value.substr(0, value.find('=')); }

/// `beneath` with the values of `layer` in place of those with their names, the others after it; nothing where `layer`
/// is empty ("none"). A name that `layer` itself holds twice stays twice: whoever reads the values refuses it.
OptionValues merged_by_name(const OptionValues& beneath, const OptionValues& layer) {
  if (layer.empty()) return {};
  OptionValues merged = beneath;
  std::vector<bool> replaced(beneath.size(), false);
  for (const std::string& value : layer) {
    std::size_t place = 0;
    while (place < beneath.size() && (replaced[place] || name_in(beneath[place]) != name_in(value))) ++place;
    if (place == beneath.size()) {
      merged.push_back(value);
    } else {
      merged[place] = value;
      replaced[place] = true;
    }
  }
  return merged;
}

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class Number>
Number read_canonical(const std::string& text) {
  Number value{};
  CLADE_CHECK(read_number(text, value) == NumberProblem::none);
  return value;
}

}  // namespace

bool OptionEntry::is_given() const { return strongest() != nullptr; }

const OptionValues* OptionEntry::strongest() const {
  for (std::size_t layer = kOptionLayers; layer-- > 0;) {
    if (given[layer]) return &*given[layer];
  }
  return nullptr;
}

std::optional<OptionValues> OptionEntry::resolved(const OptionValues& beneath) const {
  const OptionValues* own = strongest();
  if (own == nullptr) return std::nullopt;
  if (!help.merged_by_name) return *own;
  OptionValues merged = beneath;
  for (const std::optional<OptionValues>& layer : given) {
    if (layer) merged = merged_by_name(merged, *layer);
  }
  return merged;
}

OptionValues OptionEntry::canonical_values(const OptionValues& raw, const std::string& where) const {
  return std::visit(
      [&](auto* field) -> OptionValues {
        using Field = std::remove_pointer_t<decltype(field)>;
        if constexpr (std::is_same_v<Field, std::vector<std::string>>) {
          if (raw.size() == 1 && raw.front() == kNone) return {};
          OptionValues values;
          for (const std::string& text : raw) values.push_back(read_string(help, text, where));
          return values;
        } else {
          CLADE_CHECK(raw.size() == 1);
          const std::string& text = raw.front();
          if constexpr (std::is_same_v<Field, bool>) {
            return {read_switch(text, where)};
          } else if constexpr (std::is_same_v<Field, std::string>) {
            return {read_string(help, text, where)};
          } else if constexpr (kIsOptional<Field>) {
            if (text == kNone) return {text};
            return {text_of(read_checked<typename Field::value_type>(help, text, where, true))};
          } else {
            return {text_of(read_checked<Field>(help, text, where, false))};
          }
        }
      },
      target);
}

void OptionEntry::assign(const OptionValues& canonical) const {
  std::visit(
      [&](auto* field) {
        using Field = std::remove_pointer_t<decltype(field)>;
        if constexpr (std::is_same_v<Field, std::vector<std::string>>) {
          *field = canonical;
        } else {
          CLADE_CHECK(canonical.size() == 1);
          const std::string& text = canonical.front();
          if constexpr (std::is_same_v<Field, bool>) {
            *field = text == "true";
          } else if constexpr (std::is_same_v<Field, std::string>) {
            *field = text;
          } else if constexpr (kIsOptional<Field>) {
            if (text == kNone) {
              field->reset();
            } else {
              *field = read_canonical<typename Field::value_type>(text);
            }
          } else {
            *field = read_canonical<Field>(text);
          }
        }
      },
      target);
}

OptionValues OptionEntry::current() const {
  return std::visit(
      [](const auto* field) -> OptionValues {
        using Field = std::remove_cv_t<std::remove_pointer_t<decltype(field)>>;
        if constexpr (std::is_same_v<Field, std::vector<std::string>>) {
          return *field;
        } else if constexpr (kIsOptional<Field>) {
          return {field->has_value() ? text_of(**field) : std::string(kNone)};
        } else {
          return {text_of(*field)};
        }
      },
      target);
}

std::string OptionEntry::joined(const OptionValues& values) {
  if (values.empty()) return std::string(kNone);
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : " ") + value;
  return text;
}

std::string OptionEntry::usage() const {
  if (is_switch()) return "--" + name;
  if (!help.value_name.empty()) return "--" + name + " " + help.value_name;
  const bool is_text = std::holds_alternative<std::string*>(target) || is_repeatable();
  if (is_text) return "--" + name + (help.choices.empty() ? " TEXT" : " NAME");
  const bool is_real =
      std::holds_alternative<double*>(target) || std::holds_alternative<std::optional<double>*>(target);
  return "--" + name + (is_real ? " NUMBER" : " INTEGER");
}

std::string OptionEntry::range_in_help() const {
  const Range range = range_of(help);
  if (range.minimum.empty() && range.maximum.empty()) return "";
  if (range.maximum.empty()) return (range.minimum_open ? "above " : "at least ") + range.minimum;
  if (range.minimum.empty()) return (range.maximum_open ? "below " : "at most ") + range.maximum;
  if (!range.minimum_open && !range.maximum_open) return range.minimum + " to " + range.maximum;
  return (range.minimum_open ? "above " : "at least ") + range.minimum +
         (range.maximum_open ? ", below " : ", at most ") + range.maximum;
}

}  // namespace clade::detail
