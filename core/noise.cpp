#include "core/noise.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "core/noise_kernels.hpp"
#include "core/parallel.hpp"

namespace clade {
namespace {

/// Entries whose sums stay in the first-level cache while the terms pass by. A multiple of the kernels' groups of 64.
constexpr std::size_t kTile = 2048;

/// Entries that a thread takes at a time, at most and at least.
constexpr std::size_t kLargestPiece = 16384;
constexpr std::size_t kSmallestPiece = 256;

NoiseKey words_of(const PhiloxKey& key) {
  return {{key.key[0], key.key[1]}, {key.counter[0], key.counter[1], key.counter[2]}};
}

class CounterNoise final : public NoiseSource {
 public:
  explicit CounterNoise(InstructionSet set) : kernels_(noise_kernels(set)) {}

  void perturb(const PhiloxKey& key, float scale, std::size_t first, std::span<const float> base,
               std::span<float> output) const override {
    CLADE_CHECK(base.empty() || base.size() == output.size());
    require_length(first, output.size());
    kernels_.perturb(words_of(key), scale, first, base.empty() ? nullptr : base.data(), output.data(), output.size());
  }

  void weighted_sum(std::span<const NoiseTerm> terms, std::size_t first, std::span<double> output) const override {
    require_length(first, output.size());
    std::fill(output.begin(), output.end(), 0.0);
    // The first tile ends where a tile of the whole vector does: no group is made twice.
    std::size_t count = std::min(output.size(), kTile - first % kTile);
    for (std::size_t begin = 0; begin < output.size(); begin += count, count = std::min(kTile, output.size() - begin)) {
      for (const NoiseTerm& term : terms) {
        kernels_.accumulate(words_of(term.key), term.weight, first + begin, output.data() + begin, count);
      }
    }
  }

  std::string description() const override { return "counter"; }

 private:
  void require_length(std::size_t first, std::size_t count) const {
    CLADE_CHECK(count <= longest_vector() && first <= longest_vector() - count);
  }

  const NoiseKernels& kernels_;
};

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::size_t NoiseSource::sum_piece(std::size_t size, int threads) const {
  const std::size_t wanted = size / (4 * static_cast<std::size_t>(threads));
  return std::clamp(wanted, kSmallestPiece, kLargestPiece) / kSmallestPiece * kSmallestPiece;
}

std::unique_ptr<NoiseSource> make_counter_noise(InstructionSet set) { return std::make_unique<CounterNoise>(set); }

std::unique_ptr<NoiseSource> make_noise(const std::string& description, int threads) {
  const std::string_view text = description;
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  if (text == "counter") return make_counter_noise();
  if (text == "table") return make_table_noise(kPublishedTableSize, kPublishedTableSeed, threads);
  if (kind == "counter") {
    throw_input_error("noise '" + description + "': counter noise has no size; write counter, or table:SIZE");
  }
  if (kind != "table") throw_unknown_name("noise", text, std::array<std::string, 2>{"counter", "table"});

  const std::string_view rest = text.substr(colon + 1);
  const std::size_t second_colon = rest.find(':');
  const auto size = parse_number<std::size_t>(rest.substr(0, second_colon));
  const auto seed = second_colon == std::string_view::npos ? std::optional<std::uint64_t>(kPublishedTableSeed)
                                                           : parse_number<std::uint64_t>(rest.substr(second_colon + 1));
  if (!size || !seed) {
    throw_input_error("noise '" + description +
                      "': expected counter, table, table:SIZE or table:SIZE:SEED with whole numbers, for example "
                      "table:" +
                      std::to_string(kPublishedTableSize));
  }
  return make_table_noise(*size, *seed, threads);
}

void parallel_weighted_sum(const NoiseSource& source, std::span<const NoiseTerm> terms, std::span<double> output,
                           int threads) {
  CLADE_CHECK(threads >= 1);
  const std::size_t piece = source.sum_piece(output.size(), threads);
  const std::size_t pieces = (output.size() + piece - 1) / piece;
  parallel_for(pieces, threads, [&](std::size_t index, int) {
    const std::size_t first = index * piece;
    source.weighted_sum(terms, first, output.subspan(first, std::min(piece, output.size() - first)));
  });
}

}  // namespace clade
