#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/noise.hpp"
#include "core/noise_kernels.hpp"
#include "core/parallel.hpp"

namespace clade {
namespace {

/// Entries filled by a worker at a time.
constexpr std::size_t kFillPiece = std::size_t{1} << 20;

/// Smallest piece of a vector that a thread takes for itself, in entries: whole cache lines of sums.
constexpr std::size_t kSmallestPiece = 256;

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
    const std::vector<PlacedTerm> placed = in_order_of_places(terms);
    for (std::size_t begin = 0; begin < placed.size(); begin += kTermsOfPass) {
      add(std::span(placed).subspan(begin, std::min(kTermsOfPass, placed.size() - begin)), first, output);
    }
  }

  /// One piece a thread: the longer a slice is, the more of it is still in the cache from the terms before, which lie
  /// a few hundred thousand floats away where a thousand of them share the published table.
  std::size_t sum_piece(std::size_t size, int threads) const override {
    const auto pieces = static_cast<std::size_t>(threads);
    const std::size_t piece = (size + pieces - 1) / pieces;
    return std::max<std::size_t>(1, (piece + kSmallestPiece - 1) / kSmallestPiece) * kSmallestPiece;
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

  struct PlacedTerm {
    std::size_t place = 0;
    double weight = 0.0;
  };

  std::vector<PlacedTerm> in_order_of_places(std::span<const NoiseTerm> terms) const {
    std::vector<PlacedTerm> placed;
    placed.reserve(terms.size());
    for (const NoiseTerm& term : terms) placed.push_back({place_of(term.key, size()), term.weight});
    std::stable_sort(placed.begin(), placed.end(),
                     [](const PlacedTerm& a, const PlacedTerm& b) { return a.place < b.place; });
    return placed;
  }

  /// Adds at most kTermsOfPass terms to `output`, whose entries are those from `first` on. Their vectors pass the
  /// table's end at different entries: between two of these all slices are contiguous.
  void add(std::span<const PlacedTerm> terms, std::size_t first, std::span<double> output) const {
    std::array<const float*, kTermsOfPass> slices{};
    std::array<double, kTermsOfPass> weights{};
    for (std::size_t t = 0; t < terms.size(); ++t) weights[t] = terms[t].weight;
    for (std::size_t begin = 0; begin < output.size();) {
      std::size_t count = output.size() - begin;
      for (std::size_t t = 0; t < terms.size(); ++t) {
        slices[t] = entry_at(terms[t].place, first + begin);
        count = std::min(count, static_cast<std::size_t>(end() - slices[t]));
      }
      kernels_.accumulate_from(slices.data(), weights.data(), terms.size(), output.data() + begin, count);
      begin += count;
    }
  }

  const float* end() const { return table_.values().data() + size(); }

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
    const std::size_t before_end = std::min(count, static_cast<std::size_t>(end() - begin));
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
