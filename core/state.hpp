#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/error.hpp"

namespace clade {

/// One named array of a saved state.
using StateValue = std::variant<std::vector<double>, std::vector<float>, std::vector<std::int64_t>,
                                std::vector<std::uint64_t>, std::string>;

/// What a strategy, an optimiser or a normaliser needs to go on to the same bits: named arrays, in name order.
/// The run file stores it as it is; names may hold '/' to nest.
class State {
 public:
  template <class T>
  void set(const std::string& name, T value) {
    values_[name] = StateValue(std::move(value));
  }
  bool has(const std::string& name) const { return values_.contains(name); }
  /// Throws Error where the name is absent or of another type.
  template <class T>
  const T& get(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) throw_input_error("saved state has no '" + name + "'");
    const T* value = std::get_if<T>(&found->second);
    if (value == nullptr) throw_input_error("saved state '" + name + "' has another type than expected");
    return *value;
  }
  /// As get<std::vector<T>>, also checking the length.
  template <class T>
  const std::vector<T>& array(const std::string& name, std::size_t size) const {
    const auto& value = get<std::vector<T>>(name);
    if (value.size() != size) {
      throw_input_error("saved state '" + name + "' has " + std::to_string(value.size()) + " numbers, expected " +
                        std::to_string(size));
    }
    return value;
  }
  /// Adds all of `child` under "prefix/".
  void insert(const std::string& prefix, const State& child) {
    for (const auto& [name, value] : child.values_) values_[prefix + "/" + name] = value;
  }
  /// What stands under "prefix/", without the prefix.
  State extract(const std::string& prefix) const {
    State child;
    const std::string start = prefix + "/";
    for (auto entry = values_.lower_bound(start); entry != values_.end() && entry->first.starts_with(start); ++entry) {
      child.values_[entry->first.substr(start.size())] = entry->second;
    }
    return child;
  }
  const std::map<std::string, StateValue>& values() const { return values_; }
  std::map<std::string, StateValue>& values() { return values_; }
  bool operator==(const State&) const = default;

 private:
  std::map<std::string, StateValue> values_;
};

}  // namespace clade
