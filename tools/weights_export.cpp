#include "tools/weights_export.hpp"

#include <cstring>
#include <string>

#include "core/error.hpp"
#include "tools/npz_file.hpp"

namespace clade {
namespace {

void add_reference_batch(NpzWriter& file, const Policy& policy) {
  if (policy.reference_batch == nullptr || policy.reference_batch->empty()) return;
  const std::vector<std::byte>& bytes = *policy.reference_batch;
  std::vector<std::size_t> shape = policy.observation.shape;
  shape.insert(shape.begin(), bytes.size() / policy.observation.bytes());
  const std::string name = "reference_batch";
  if (policy.observation.type == ObservationType::uint8) {
    file.add(name, std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), shape);
    return;
  }
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  file.add(name, std::span<const double>(values), shape);
}

}  // namespace

std::vector<std::byte> weights_npz(const Policy& policy, std::span<const float> parameters,
                                   const NormalizerSnapshot& normalizer) {
  CLADE_CHECK(parameters.size() == policy.network.parameter_count());
  NpzWriter file;
  for (const Network::Array& array : policy.network.arrays()) {
    std::size_t size = 1;
    for (const std::size_t extent : array.shape) size *= extent;
    file.add(array.name, parameters.subspan(array.offset, size), array.shape);
  }
  if (!normalizer.mean.empty()) {
    file.add("normalizer.mean", std::span<const double>(normalizer.mean), {normalizer.mean.size()});
    file.add("normalizer.inverse_std", std::span<const double>(normalizer.inverse_std),
             {normalizer.inverse_std.size()});
    file.add("normalizer.clip", std::span<const double>(&normalizer.clip, 1), {});
  }
  add_reference_batch(file, policy);
  return file.finish();
}

}  // namespace clade
