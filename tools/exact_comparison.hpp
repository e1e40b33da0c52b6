#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace clade {

/// How many values of a recorded quantity were compared with ours, and how many of them differ.
struct ComparedQuantity {
  std::string name;
  std::size_t values = 0;
  std::size_t differing = 0;
};

/// Whether something was compared and nothing differs.
bool all_equal(const std::vector<ComparedQuantity>& quantities);

/// Counts over many comparisons, by quantity in the order of their first one.
class ExactComparison {
 public:
  /// Throws Error (input) where the recorded quantity has another number of values than ours.
  void compare(const std::string& name, std::span<const std::uint8_t> ours, std::span<const std::uint8_t> recorded);
  void compare(const std::string& name, std::span<const std::int64_t> ours, std::span<const std::int64_t> recorded);
  void compare(const std::string& name, std::int64_t ours, std::int64_t recorded);

  const std::vector<ComparedQuantity>& quantities() const { return quantities_; }

 private:
  template <class Value>
  void count(const std::string& name, std::span<const Value> ours, std::span<const Value> recorded);

  std::vector<ComparedQuantity> quantities_;
};

}  // namespace clade
