#include "tools/exact_comparison.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace clade {

bool all_equal(const std::vector<ComparedQuantity>& quantities) {
  std::size_t values = 0;
  for (const ComparedQuantity& quantity : quantities) {
    if (quantity.differing > 0) return false;
    values += quantity.values;
  }
  return values > 0;
}

template <class Value>
void ExactComparison::count(const std::string& name, std::span<const Value> ours, std::span<const Value> recorded) {
  if (ours.size() != recorded.size()) {
    throw_input_error("recorded '" + name + "' has " + std::to_string(recorded.size()) + " values, ours " +
                      std::to_string(ours.size()));
  }
  auto quantity = std::find_if(quantities_.begin(), quantities_.end(), [&](const auto& q) { return q.name == name; });
  if (quantity == quantities_.end()) quantity = quantities_.insert(quantity, {name, 0, 0});
  quantity->values += ours.size();
  for (std::size_t i = 0; i < ours.size(); ++i) quantity->differing += ours[i] != recorded[i] ? 1 : 0;
}

void ExactComparison::compare(const std::string& name, std::span<const std::uint8_t> ours,
                              std::span<const std::uint8_t> recorded) {
  count(name, ours, recorded);
}

void ExactComparison::compare(const std::string& name, std::span<const std::int64_t> ours,
                              std::span<const std::int64_t> recorded) {
  count(name, ours, recorded);
}

void ExactComparison::compare(const std::string& name, std::int64_t ours, std::int64_t recorded) {
  count(name, std::span<const std::int64_t>(&ours, 1), std::span<const std::int64_t>(&recorded, 1));
}

}  // namespace clade
