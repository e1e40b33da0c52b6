#pragma once

// The source of the inference kernels: included by one file per instruction set, whose flags choose the vectors of
// core/simd.hpp. Raw pointers only, for the reason stated there.

#include <cstddef>
#include <cstdint>

#include "core/activation_source.hpp"
#include "core/dense_kernels.hpp"
#include "core/simd.hpp"
#include "core/weight_loads_source.hpp"

namespace clade::dense {
inline namespace CLADE_SIMD_NAMESPACE {

static_assert(simd::kLanes == kDenseLanes);

/// Most rows of a tile, and the widest tile, in vectors, of 1, 2, ... rows: its sums, one input a row and a weight stay
/// in registers, and there are chains enough to hide a multiply-add's latency. The first is even, for a tile of bf16
/// weights begins at an even vector. kSkipRows: most rows of a tile that leaves zeros out, whose masks take registers
/// too. kStreamVectors: of one row that leaves inputs out, a power of two.
#if defined(__AVX512F__)
constexpr std::size_t kTileRows = 4;
constexpr std::size_t kTileVectors[kTileRows] = {16, 8, 8, 4};
constexpr std::size_t kSkipRows = 4;
constexpr std::size_t kStreamVectors = 16;
#elif defined(__AVX2__)
constexpr std::size_t kTileRows = 3;
constexpr std::size_t kTileVectors[kTileRows] = {4, 2, 2};
constexpr std::size_t kSkipRows = 2;
constexpr std::size_t kStreamVectors = 4;
#else
constexpr std::size_t kTileRows = 1;
constexpr std::size_t kTileVectors[kTileRows] = {2};
constexpr std::size_t kSkipRows = 1;
constexpr std::size_t kStreamVectors = 2;
#endif

/// The next narrower tile.
constexpr std::size_t narrower(std::size_t vectors) { return vectors > 8 ? 8 : vectors - 1; }

/// Entries of weights that stay in the first-level cache beside the next ones while several tiles read them: 16 KiB.
constexpr std::size_t kCachedEntries = 4096;
/// Entries of a panel of weights that is taken to lie in the second-level cache anyway: 512 KiB.
constexpr std::size_t kNearEntries = 131072;
/// Inputs looked at at a time for those that count.
constexpr std::size_t kStretchInputs = 1024;
/// Counted inputs between asking for weights and using them.
constexpr std::size_t kAhead = 12;
/// Entries of a cache line.
constexpr std::size_t kLineEntries = 16;

/// Some rows' sums over some inputs, for neighbouring outputs.
template <class Entry>
struct TileArguments {
  const Entry* weights;
  std::size_t weight_stride;  ///< entries
  const float* start;         ///< what the chains go on from
  std::size_t start_stride;
  const float* input;
  std::size_t input_stride;
  std::size_t inputs;
  float* output;
  std::size_t output_stride;
};

/// Weights to ask for meanwhile.
template <class Entry>
struct Ask {
  const Entry* weights = nullptr;
  std::size_t entries = 0;  ///< with each input
  std::size_t groups = 0;   ///< groups of rows that share the asking
};

/// fma(value, weight, sum), with `skip` only where the value counts.
template <bool skip>
CLADE_SIMD simd::Floats add(simd::Mask counts, simd::Floats value, simd::Floats weight, simd::Floats sum) {
  if constexpr (skip) {
    return simd::fma_where(counts, value, weight, sum);
  } else {
    return simd::fma(value, weight, sum);
  }
}

/// `rows` x `vectors` sums held in registers over all inputs. With `skip` a row's zeros are left out lane by lane: the
/// weight there may be anything.
template <std::size_t rows, std::size_t vectors, class Weights, bool skip, bool asks>
void tile(const TileArguments<typename Weights::Entry>& arguments, Ask<typename Weights::Entry> ask,
          std::size_t column) {
  simd::Floats sums[rows][vectors];
  const float* const start = arguments.start + column;
  CLADE_UNROLL
  for (std::size_t r = 0; r < rows; ++r) {
    CLADE_UNROLL
    for (std::size_t v = 0; v < vectors; ++v) {
      sums[r][v] = simd::load(start + r * arguments.start_stride + v * kDenseLanes);
    }
  }
  const typename Weights::Entry* weights = arguments.weights + column / Weights::kColumnsOfEntry;
  const float* input = arguments.input;
  for (std::size_t i = 0; i < arguments.inputs; ++i) {
    if constexpr (asks) {
      for (std::size_t e = 0; e < ask.entries; e += kLineEntries) __builtin_prefetch(ask.weights + e);
      ask.weights += ask.entries;
    }
    simd::Floats values[rows];
    simd::Mask counts[rows];
    CLADE_UNROLL
    for (std::size_t r = 0; r < rows; ++r) {
      values[r] = simd::Floats(input[r * arguments.input_stride]);
      if constexpr (skip) counts[r] = !simd::equal(values[r], simd::Floats(0.0F));
    }
    CLADE_UNROLL
    for (std::size_t v = 0; v + 1 < vectors; v += 2) {
      simd::Floats pair[2];
      Weights::load(weights + v * kDenseLanes / Weights::kColumnsOfEntry, pair);
      CLADE_UNROLL
      for (std::size_t r = 0; r < rows; ++r) {
        sums[r][v] = add<skip>(counts[r], values[r], pair[0], sums[r][v]);
        sums[r][v + 1] = add<skip>(counts[r], values[r], pair[1], sums[r][v + 1]);
      }
    }
    if constexpr (vectors % 2 == 1) {
      simd::Floats last[1];
      Weights::load(weights + (vectors - 1) * kDenseLanes / Weights::kColumnsOfEntry, last);
      CLADE_UNROLL
      for (std::size_t r = 0; r < rows; ++r) {
        sums[r][vectors - 1] = add<skip>(counts[r], values[r], last[0], sums[r][vectors - 1]);
      }
    }
    weights += arguments.weight_stride;
    ++input;
  }
  float* const output = arguments.output + column;
  CLADE_UNROLL
  for (std::size_t r = 0; r < rows; ++r) {
    CLADE_UNROLL
    for (std::size_t v = 0; v < vectors; ++v) {
      simd::store(output + r * arguments.output_stride + v * kDenseLanes, sums[r][v]);
    }
  }
}

/// Outputs [column, width) for `rows` rows, in the widest tiles there are.
template <std::size_t rows, class Weights, bool skip, bool asks, std::size_t vectors = kTileVectors[rows - 1]>
CLADE_SIMD void tiles(const TileArguments<typename Weights::Entry>& arguments, Ask<typename Weights::Entry>& ask,
                      std::size_t column, std::size_t width) {
  constexpr std::size_t kWidth = vectors * kDenseLanes;
  if constexpr (asks) {
    if (column + kWidth <= width) ask.entries = (kWidth / Weights::kColumnsOfEntry + ask.groups - 1) / ask.groups;
  }
  for (; column + kWidth <= width; column += kWidth) {
    tile<rows, vectors, Weights, skip, asks>(arguments, ask, column);
    if constexpr (asks) ask.weights += arguments.inputs * ask.entries;
  }
  if constexpr (vectors > 1) {
    if (column < width) tiles<rows, Weights, skip, asks, narrower(vectors)>(arguments, ask, column, width);
  }
}

constexpr std::uint32_t kFirstNumbers[simd::kLanes] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/// Inputs of one row that count, in order: their numbers within a stretch of inputs, and kAhead more that follow.
struct Counted {
  std::uint32_t inputs[kStretchInputs + (kAhead > simd::kLanes ? kAhead : simd::kLanes)];
  std::size_t count;
};

/// The inputs of a stretch that are not 0.
CLADE_SIMD void find_counted(const float* values, std::size_t size, Counted& counted) {
  const simd::Floats zero(0.0F);
  simd::Words numbers = simd::load(kFirstNumbers);
  std::size_t count = 0;
  std::size_t i = 0;
  for (; i + simd::kLanes <= size; i += simd::kLanes) {
    count += simd::store_where(counted.inputs + count, !simd::equal(simd::load(values + i), zero), numbers);
    numbers = numbers + simd::Words(simd::kLanes);
  }
  for (; i < size; ++i) {
    counted.inputs[count] = static_cast<std::uint32_t>(i);
    count += values[i] != 0.0F ? 1 : 0;
  }
  for (std::size_t k = 0; k < kAhead; ++k) counted.inputs[count + k] = static_cast<std::uint32_t>(size + k);
  counted.count = count;
}

/// output[j] = start[j] + value x weight over the counted inputs, for the columns of `vectors` vectors: each sum one
/// chain.
template <std::size_t vectors, class Weights>
void add_counted(const typename Weights::Entry* weights, std::size_t weight_stride, const float* values,
                 const Counted& counted, const float* start, float* output) {
  constexpr std::size_t kEntries = vectors * kDenseLanes / Weights::kColumnsOfEntry;
  simd::Floats sums[vectors];
  CLADE_UNROLL
  for (std::size_t v = 0; v < vectors; ++v) sums[v] = simd::load(start + v * kDenseLanes);
  for (std::size_t k = 0; k < counted.count; ++k) {
    const typename Weights::Entry* const row = weights + counted.inputs[k] * weight_stride;
    const typename Weights::Entry* const next = weights + counted.inputs[k + kAhead] * weight_stride;
    CLADE_UNROLL
    for (std::size_t e = 0; e < kEntries; e += kLineEntries) __builtin_prefetch(next + e);
    const simd::Floats value(values[counted.inputs[k]]);
    CLADE_UNROLL
    for (std::size_t v = 0; v + 1 < vectors; v += 2) {
      simd::Floats pair[2];
      Weights::load(row + v * kDenseLanes / Weights::kColumnsOfEntry, pair);
      sums[v] = simd::fma(value, pair[0], sums[v]);
      sums[v + 1] = simd::fma(value, pair[1], sums[v + 1]);
    }
    if constexpr (vectors == 1) {
      simd::Floats last[1];
      Weights::load(row, last);
      sums[0] = simd::fma(value, last[0], sums[0]);
    }
  }
  CLADE_UNROLL
  for (std::size_t v = 0; v < vectors; ++v) simd::store(output + v * kDenseLanes, sums[v]);
}

/// `width` vectors of outputs in the widest pieces there are.
template <class Weights, std::size_t vectors = kStreamVectors>
void add_columns(const typename Weights::Entry* weights, std::size_t weight_stride, const float* values,
                 const Counted& counted, const float* start, float* output, std::size_t width) {
  while (width >= vectors) {
    add_counted<vectors, Weights>(weights, weight_stride, values, counted, start, output);
    weights += vectors * kDenseLanes / Weights::kColumnsOfEntry;
    start += vectors * kDenseLanes;
    output += vectors * kDenseLanes;
    width -= vectors;
  }
  if constexpr (vectors > 1) {
    if (width > 0) add_columns<Weights, vectors / 2>(weights, weight_stride, values, counted, start, output, width);
  }
}

/// One panel of a row that leaves inputs out: only their weights are read, and asked for a few inputs ahead.
template <class Weights>
CLADE_SIMD void panel_of_row(TileArguments<typename Weights::Entry>& arguments, std::size_t width) {
  Counted counted;
  std::size_t left = arguments.inputs;
  do {
    const std::size_t size = left < kStretchInputs ? left : kStretchInputs;
    find_counted(arguments.input, size, counted);
    add_columns<Weights>(arguments.weights, arguments.weight_stride, arguments.input, counted, arguments.start,
                         arguments.output, width);
    arguments.weights += size * arguments.weight_stride;
    arguments.input += size;
    arguments.start = arguments.output;
    left -= size;
  } while (left > 0);
}

/// `rows` is at most `most`.
template <class Weights, bool skip, bool asks, std::size_t most>
CLADE_SIMD void tiles_of(std::size_t rows, const TileArguments<typename Weights::Entry>& arguments,
                         Ask<typename Weights::Entry>& ask, std::size_t width) {
  if constexpr (most > 1) {
    if (rows < most) {
      tiles_of<Weights, skip, asks, most - 1>(rows, arguments, ask, width);
      return;
    }
  }
  tiles<most, Weights, skip, asks>(arguments, ask, 0, width);
}

/// One panel for all rows, its weights near.
template <class Weights, bool skip>
void near_panel(TileArguments<typename Weights::Entry>& arguments, std::size_t width, std::size_t rows) {
  constexpr std::size_t kMostRows = skip ? kSkipRows : kTileRows;
  Ask<typename Weights::Entry> nothing;
  while (rows > 0) {
    const std::size_t some = rows < kMostRows ? rows : kMostRows;
    tiles_of<Weights, skip, false, kMostRows>(some, arguments, nothing, width);
    arguments.start += some * arguments.start_stride;
    arguments.input += some * arguments.input_stride;
    arguments.output += some * arguments.output_stride;
    rows -= some;
  }
}

/// One panel for all rows, its weights far. All tiles go over a part of the inputs whose weights stay in the
/// first-level cache, while they ask for the next part.
template <class Weights, bool skip>
void far_panel(TileArguments<typename Weights::Entry>& arguments, std::size_t width, std::size_t rows) {
  constexpr std::size_t kMostRows = skip ? kSkipRows : kTileRows;
  const float* input = arguments.input;
  float* const output = arguments.output;
  const float* start = arguments.start;
  Ask<typename Weights::Entry> ask;
  ask.groups = (rows + kMostRows - 1) / kMostRows;
  const std::size_t part = kCachedEntries / arguments.weight_stride;
  std::size_t left = arguments.inputs;
  do {
    arguments.inputs = left < part ? left : part;
    left -= arguments.inputs;
    const std::size_t entries = arguments.inputs * arguments.weight_stride;
    // Numbers of rows that differ by one at most.
    for (std::size_t group = 0, row = 0; group < ask.groups; ++group) {
      const std::size_t end = (group + 1) * rows / ask.groups;
      ask.weights = arguments.weights + entries + group * (entries / ask.groups);
      arguments.start = start + row * arguments.start_stride;
      arguments.input = input + row * arguments.input_stride;
      arguments.output = output + row * arguments.output_stride;
      tiles_of<Weights, skip, true, kMostRows>(end - row, arguments, ask, width);
      row = end;
    }
    arguments.weights += entries;
    input += arguments.inputs;
    start = output;
    arguments.start_stride = arguments.output_stride;
  } while (left > 0);
}

/// One panel for all rows.
template <class Weights, bool skip>
CLADE_SIMD void panel_of_rows(TileArguments<typename Weights::Entry>& arguments, std::size_t width, std::size_t rows) {
  // A single tile reads straight through the weights: the processor sees that coming.
  const bool once = rows == 1 && width <= kTileVectors[0] * kDenseLanes;
  if (once || arguments.inputs * arguments.weight_stride <= kNearEntries) {
    near_panel<Weights, skip>(arguments, width, rows);
  } else {
    far_panel<Weights, skip>(arguments, width, rows);
  }
}

template <class Weights>
void forward_as(const PackedDense& layer, const typename Weights::Entry* weights, const float* input,
                std::size_t input_stride, float* output, std::size_t output_stride, std::size_t rows) {
  constexpr std::size_t kLeast = kDenseLanes * Weights::kColumnsOfEntry;  // a row's columns come in such groups
  const std::size_t panel = panel_outputs(layer.inputs);
  for (std::size_t first = 0; first < layer.outputs; first += panel) {
    const std::size_t left = layer.outputs - first;
    const std::size_t width = left < panel ? left : panel;
    TileArguments<typename Weights::Entry> arguments;
    arguments.weights = weights + first / Weights::kColumnsOfEntry * layer.inputs;
    arguments.weight_stride = (width + kLeast - 1) / kLeast * kDenseLanes;
    arguments.start = layer.bias + first;
    arguments.start_stride = 0;
    arguments.input = input;
    arguments.input_stride = input_stride;
    arguments.inputs = layer.inputs;
    arguments.output = output + first;
    arguments.output_stride = output_stride;
    if (!layer.skip_zeros) {
      panel_of_rows<Weights, false>(arguments, width, rows);
    } else if (rows == 1) {
      panel_of_row<Weights>(arguments, width / kDenseLanes);
    } else {
      panel_of_rows<Weights, true>(arguments, width, rows);
    }
  }
}

inline void forward(const PackedDense& layer, const float* input, std::size_t input_stride, float* output,
                    std::size_t output_stride, std::size_t rows) {
  if (layer.words != nullptr) {
    forward_as<kernels::WordWeights>(layer, layer.words, input, input_stride, output, output_stride, rows);
  } else {
    forward_as<kernels::FloatWeights>(layer, layer.weights, input, input_stride, output, output_stride, rows);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    kernels::activate(layer.activation, output + row * output_stride, layer.outputs);
  }
}

inline void normalise(const double* __restrict x, const double* __restrict mean, const double* __restrict inverse_std,
                      double clip, std::size_t size, float* __restrict output) {
  for (std::size_t i = 0; i < size; ++i) {
    double value = (x[i] - mean[i]) * inverse_std[i];
    value = value < -clip ? -clip : value;
    value = value > clip ? clip : value;
    output[i] = static_cast<float>(value);
  }
}

inline void convert(const double* __restrict x, std::size_t size, float* __restrict output) {
  for (std::size_t i = 0; i < size; ++i) output[i] = static_cast<float>(x[i]);
}

inline void add_moments(const double* __restrict x, std::size_t size, double inverse_count, double* __restrict mean,
                        double* __restrict squares) {
  for (std::size_t i = 0; i < size; ++i) {
    const double before = x[i] - mean[i];
    mean[i] += before * inverse_count;
    squares[i] += before * (x[i] - mean[i]);
  }
}

constexpr DenseKernels kTable{&forward, &normalise, &convert, &add_moments};

}  // namespace CLADE_SIMD_NAMESPACE
}  // namespace clade::dense
