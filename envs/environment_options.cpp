#include "envs/environment_options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/number_text.hpp"

namespace clade {
namespace {

std::string text_of(const Range& range) { return number_text(range.low) + "," + number_text(range.high); }

template <class T>
std::optional<T> parse(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  T value{};
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<bool> parse_switch(const std::string& text) {
  if (text == "true" || text == "True" || text == "1" || text == "on" || text == "yes") return true;
  if (text == "false" || text == "False" || text == "0" || text == "off" || text == "no") return false;
  return std::nullopt;
}

}  // namespace

void EnvironmentOptionSet::add_option(const std::string& name, const std::string& default_value,
                                      const std::string& text, std::function<void(const std::string&)> assign) {
  options_.push_back({{name, default_value, text}, std::move(assign)});
}

void EnvironmentOptionSet::refuse(const std::string& name, const std::string& value,
                                  const std::string& expected) const {
  throw_input_error("option " + name + "=" + value + " of environment '" + environment_ + "': expected " + expected);
}

void EnvironmentOptionSet::add(const std::string& name, double& target, const std::string& text, double minimum,
                               double maximum) {
  add_option(name, number_text(target), text, [this, name, &target, minimum, maximum](const std::string& value) {
    const std::optional<double> number = parse<double>(value);
    if (!number || !std::isfinite(*number)) refuse(name, value, "a finite number");
    if (*number < minimum) refuse(name, value, "at least " + number_text(minimum));
    if (*number > maximum) refuse(name, value, "at most " + number_text(maximum));
    target = *number;
  });
}

void EnvironmentOptionSet::add(const std::string& name, std::uint64_t& target, const std::string& text,
                               std::uint64_t minimum, std::uint64_t maximum) {
  add_option(name, std::to_string(target), text, [this, name, &target, minimum, maximum](const std::string& value) {
    const std::optional<std::uint64_t> number = parse<std::uint64_t>(value);
    if (!number || *number < minimum || *number > maximum) {
      refuse(name, value, "a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum));
    }
    target = *number;
  });
}

void EnvironmentOptionSet::add(const std::string& name, bool& target, const std::string& text) {
  add_option(name, target ? "true" : "false", text, [this, name, &target](const std::string& value) {
    const std::optional<bool> answer = parse_switch(value);
    if (!answer) refuse(name, value, "true or false");
    target = *answer;
  });
}

void EnvironmentOptionSet::add(const std::string& name, Range& target, const std::string& text) {
  add_option(name, text_of(target), text, [this, name, &target](const std::string& value) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const std::size_t comma = std::min(value.find(','), value.size());
    const double low = parse<double>(std::string_view(value).substr(0, comma)).value_or(kNone);
    const double high =
        parse<double>(std::string_view(value).substr(std::min(comma + 1, value.size()))).value_or(kNone);
    if (!(low <= high)) refuse(name, value, "two numbers low,high with low <= high");
    target = {low, high};
  });
}

void EnvironmentOptionSet::add(const std::string& name, std::string& target, const std::string& text) {
  add_option(name, target, text, [this, name, &target](const std::string& value) {
    if (value.empty()) refuse(name, value, "a text");
    target = value;
  });
}

void EnvironmentOptionSet::add(const std::string& name, std::optional<bool>& target, const std::string& open,
                               const std::string& text) {
  const std::string present = !target ? open : *target ? "true" : "false";
  add_option(name, present, text, [this, name, open, &target](const std::string& value) {
    const std::optional<bool> answer = parse_switch(value);
    if (!answer && value != open) refuse(name, value, "true, false or " + open);
    target = answer;
  });
}

void EnvironmentOptionSet::add(const std::string& name, std::optional<std::uint64_t>& target, const std::string& open,
                               const std::string& text, std::uint64_t minimum, std::uint64_t maximum) {
  const std::string present = target ? std::to_string(*target) : open;
  add_option(name, present, text, [this, name, open, &target, minimum, maximum](const std::string& value) {
    const std::optional<std::uint64_t> number = parse<std::uint64_t>(value);
    if (value != open && (!number || *number < minimum || *number > maximum)) {
      refuse(name, value,
             "a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum) + ", or " + open);
    }
    target = number;
  });
}

void EnvironmentOptionSet::add_choice(const std::string& name, std::size_t& target,
                                      const std::vector<std::string>& choices, const std::string& text) {
  std::string listed;
  for (const std::string& choice : choices) listed += (listed.empty() ? "" : "|") + choice;
  add_option(name, choices[target], text + " (" + listed + ")",
             [this, name, &target, choices, listed](const std::string& value) {
               const auto found = std::find(choices.begin(), choices.end(), value);
               if (found == choices.end()) refuse(name, value, listed);
               target = static_cast<std::size_t>(found - choices.begin());
             });
}

std::vector<EnvironmentOptionInfo> EnvironmentOptionSet::infos() const {
  std::vector<EnvironmentOptionInfo> infos;
  for (const Option& option : options_) infos.push_back(option.info);
  return infos;
}

void EnvironmentOptionSet::apply(const EnvironmentOptions& options) const {
  std::set<std::string> given;
  for (const auto& [name, value] : options) {
    const auto found = std::find_if(options_.begin(), options_.end(),
                                    [&name = name](const Option& option) { return option.info.name == name; });
    if (found == options_.end()) {
      if (options_.empty()) {
        throw_input_error("environment '" + environment_ + "' has no options, but '" + name + "' was given");
      }
      std::vector<std::string> names;
      for (const Option& option : options_) names.push_back(option.info.name);
      throw_unknown_name("option of environment '" + environment_ + "'", name, names);
    }
    if (!given.insert(name).second) {
      throw_input_error("option '" + name + "' of environment '" + environment_ + "' is given twice; give it once");
    }
    found->assign(value);
  }
}

}  // namespace clade
