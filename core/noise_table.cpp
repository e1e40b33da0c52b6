#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <string>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/noise.hpp"
#include "core/noise_kernels.hpp"
#include "core/parallel.hpp"

namespace clade {
namespace {

/// Entries filled by a worker at a time.
constexpr std::size_t kFillPiece = std::size_t{1} << 20;

/// Entries whose sums, slice and next slice stay in the first-level cache (16 + 8 + 8 kB; measured best of 1024 to
/// 16384).
constexpr std::size_t kTile = 2048;

/// Terms whose places are looked up at once.
constexpr std::size_t kTermsAtOnce = 512;

std::string gibibytes(double bytes) {
  const double hundredths = std::round(bytes / 0x1p30 * 100.0);
  std::string digits = std::to_string(static_cast<long long>(hundredths));
  while (digits.size() < 3) digits.insert(0, "0");
  return digits.substr(0, digits.size() - 2) + "." + digits.substr(digits.size() - 2) + " GiB";
}

[[noreturn]] void throw_no_memory(std::size_t size, const std::string& reason) {
  throw_input_error("noise table of " + std::to_string(size) + " floats needs " +
                    gibibytes(static_cast<double>(size) * sizeof(float)) + ", but " + reason +
                    "; choose a smaller one (table:SIZE) or counter noise");
}

/// A place in [0, size) for a key: Lemire's multiplication with rejection, 64 bits.
std::size_t place_of(const PhiloxKey& key, std::size_t size) {
  __extension__ using Product = unsigned __int128;
  PhiloxKey stream_key = key;
  stream_key.counter[2] = (key.counter[2] & 0x00ffffffU) | static_cast<std::uint32_t>(Purpose::table_offset) << 24;
  RandomStream stream(stream_key);
  const std::uint64_t threshold = (std::uint64_t{0} - size) % size;
  Product product = 0;
  do {
    product = Product{stream.next_u64()} * size;
  } while (static_cast<std::uint64_t>(product) < threshold);
  return static_cast<std::size_t>(product >> 64);
}

class TableNoise final : public NoiseSource {
 public:
  TableNoise(std::size_t size, std::uint64_t seed, int threads, InstructionSet set)
      : kernels_(noise_kernels(set)), seed_(seed), table_(size) {
    const PhiloxKey key = pack(RandomKey{.seed = seed, .purpose = Purpose::noise_table});
    const NoiseKey words = {{key.key[0], key.key[1]}, {key.counter[0], key.counter[1], key.counter[2]}};
    const std::span<float> entries = table_.values();
    parallel_for((size + kFillPiece - 1) / kFillPiece, threads, [&](std::size_t index, int) {
      const std::size_t first = index * kFillPiece;
      kernels_.generate(words, first, entries.data() + first, std::min(kFillPiece, size - first));
    });
  }

  void perturb(const PhiloxKey& key, float scale, std::size_t first, std::span<const float> base,
               std::span<float> output) const override {
    CLADE_CHECK(base.empty() || base.size() == output.size());
    require_length(first, output.size());
    for_each_slice(place_of(key, size()), first, output.size(),
                   [&](std::size_t offset, const float* slice, std::size_t count) {
                     kernels_.perturb_from(slice, scale, base.empty() ? nullptr : base.data() + offset,
                                           output.data() + offset, count);
                   });
  }

  void weighted_sum(std::span<const NoiseTerm> terms, std::size_t first, std::span<double> output) const override {
    require_length(first, output.size());
    std::fill(output.begin(), output.end(), 0.0);
    std::array<std::size_t, kTermsAtOnce> places;
    for (std::size_t first_term = 0; first_term < terms.size(); first_term += kTermsAtOnce) {
      const auto batch = terms.subspan(first_term, std::min(kTermsAtOnce, terms.size() - first_term));
      for (std::size_t t = 0; t < batch.size(); ++t) places[t] = place_of(batch[t].key, size());
      for (std::size_t begin = 0; begin < output.size(); begin += kTile) {
        const std::size_t tile = std::min(kTile, output.size() - begin);
        for (std::size_t t = 0; t < batch.size(); ++t) {
          // Slices lie anywhere in memory: without a hint each would begin with a wait.
          const float* const next = entry_at(places[t + 1 < batch.size() ? t + 1 : t], first + begin);
          for_each_slice(
              places[t], first + begin, tile, [&](std::size_t offset, const float* slice, std::size_t count) {
                kernels_.accumulate_from(slice, next + offset, batch[t].weight, output.data() + begin + offset, count);
              });
        }
      }
    }
  }

  std::string description() const override {
    const std::string text = "table:" + std::to_string(size());
    return seed_ == kPublishedTableSeed ? text : text + ":" + std::to_string(seed_);
  }

  std::size_t longest_vector() const override { return size(); }

 private:
  std::size_t size() const { return table_.values().size(); }

  void require_length(std::size_t first, std::size_t count) const {
    if (count <= size() && first <= size() - count) return;
    throw_input_error("noise table of " + std::to_string(size()) + " floats is shorter than the parameter vector, at " +
                      "least " + std::to_string(first + count) +
                      " long; choose a larger one (table:SIZE) or counter noise");
  }

  /// Entry `first` of the vector at `place`.
  const float* entry_at(std::size_t place, std::size_t first) const {
    const std::size_t position = place + first;  // both are at most the size: no overflow
    return table_.values().data() + (position >= size() ? position - size() : position);
  }

  /// Calls use(offset, slice, count) for the one or two contiguous slices that entries [first, first + count) of the
  /// vector at `place` consist of.
  template <class Use>
  void for_each_slice(std::size_t place, std::size_t first, std::size_t count, Use use) const {
    const float* const begin = entry_at(place, first);
    const float* const end = table_.values().data() + size();
    const std::size_t before_end = std::min(count, static_cast<std::size_t>(end - begin));
    use(std::size_t{0}, begin, before_end);
    if (before_end < count) use(before_end, table_.values().data(), count - before_end);
  }

  const NoiseKernels& kernels_;
  std::uint64_t seed_;
  LargeArray table_;
};

}  // namespace

void require_table_memory(std::size_t size, double available) {
  if (static_cast<double>(size) * sizeof(float) <= available) return;
  throw_no_memory(size, "only " + gibibytes(available) + " of memory are available");
}

std::unique_ptr<NoiseSource> make_table_noise(std::size_t size, std::uint64_t seed, int threads, InstructionSet set) {
  constexpr std::size_t kLargest = std::size_t{1} << 34;
  if (size < kSmallestTableSize) {
    throw_input_error("noise table of " + std::to_string(size) + " floats is too small; the smallest is " +
                      std::to_string(kSmallestTableSize) + ", the published one " +
                      std::to_string(kPublishedTableSize));
  }
  if (size > kLargest) {
    throw_input_error("noise table of " + std::to_string(size) + " floats is too large; the limit is " +
                      std::to_string(kLargest));
  }
  if (const auto available = available_memory()) require_table_memory(size, *available);
  try {
    return std::make_unique<TableNoise>(size, seed, threads, set);
  } catch (const std::bad_alloc&) {
    throw_no_memory(size, "the system refused it");
  }
}

}  // namespace clade
