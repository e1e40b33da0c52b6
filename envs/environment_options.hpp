#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "envs/catalog.hpp"

namespace clade {

/// Two bounds, written "low,high" on the command line ("-inf" and "inf" are numbers too).
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool operator==(const Range&) const = default;
};

/// The options of one environment, bound to the fields of a plain struct whose present values are the defaults. The
/// same declaration serves the listing and the parsing. Targets outlive the set.
class EnvironmentOptionSet {
 public:
  /// `environment` is named in refusals.
  explicit EnvironmentOptionSet(std::string environment) : environment_(std::move(environment)) {}
  /// The options hold on to the set.
  EnvironmentOptionSet(const EnvironmentOptionSet&) = delete;
  EnvironmentOptionSet& operator=(const EnvironmentOptionSet&) = delete;

  void add(const std::string& name, double& target, const std::string& text,
           double minimum = -std::numeric_limits<double>::infinity(),
           double maximum = std::numeric_limits<double>::infinity());
  void add(const std::string& name, std::uint64_t& target, const std::string& text, std::uint64_t minimum,
           std::uint64_t maximum);
  void add(const std::string& name, bool& target, const std::string& text);
  void add(const std::string& name, Range& target, const std::string& text);
  void add(const std::string& name, std::string& target, const std::string& text);
  /// An option that may be left open, which `open` says ("auto").
  void add(const std::string& name, std::optional<bool>& target, const std::string& open, const std::string& text);
  void add(const std::string& name, std::optional<std::uint64_t>& target, const std::string& open,
           const std::string& text, std::uint64_t minimum, std::uint64_t maximum);
  /// `target` is an index into `choices`.
  void add_choice(const std::string& name, std::size_t& target, const std::vector<std::string>& choices,
                  const std::string& text);

  std::vector<EnvironmentOptionInfo> infos() const;
  /// Assigns the values. Throws Error (input) for an unknown name, one given twice, a value of another kind or out of
  /// its limits.
  void apply(const EnvironmentOptions& options) const;

 private:
  struct Option {
    EnvironmentOptionInfo info;
    std::function<void(const std::string& value)> assign;
  };
  void add_option(const std::string& name, const std::string& default_value, const std::string& text,
                  std::function<void(const std::string&)> assign);
  [[noreturn]] void refuse(const std::string& name, const std::string& value, const std::string& expected) const;

  std::string environment_;
  std::vector<Option> options_;
};

}  // namespace clade
