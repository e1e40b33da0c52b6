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
/// weights begins at an even vector. kStreamVectors: of one row that leaves inputs out, a power of two.
#if defined(__AVX512F__)
constexpr std::size_t kTileRows = 4;
constexpr std::size_t kTileVectors[kTileRows] = {16, 8, 8, 6};
constexpr std::size_t kStreamVectors = 16;
#elif defined(__AVX2__)
constexpr std::size_t kTileRows = 3;
constexpr std::size_t kTileVectors[kTileRows] = {4, 2, 2};
constexpr std::size_t kStreamVectors = 4;
#else
constexpr std::size_t kTileRows = 1;
constexpr std::size_t kTileVectors[kTileRows] = {2};
constexpr std::size_t kStreamVectors = 2;
#endif

/// The next narrower tile.
constexpr std::size_t narrower(std::size_t vectors) { return vectors > 8 ? 8 : vectors - 1; }

/// Entries of weights that stay in the second-level cache beside the next ones while several tiles read them: 64 KiB.
constexpr std::size_t kCachedEntries = 16384;
/// Inputs looked at at a time for those that count.
constexpr std::size_t kStretchInputs = 1024;
/// Counted inputs between asking for weights and using them.
constexpr std::size_t kAhead = 8;
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
template <std::size_t rows, std::size_t vectors, class Weights, bool skip>
void tile(const TileArguments<typename Weights::Entry>& arguments) {
  simd::Floats sums[rows][vectors];
  CLADE_UNROLL
  for (std::size_t r = 0; r < rows; ++r) {
    CLADE_UNROLL
    for (std::size_t v = 0; v < vectors; ++v) {
      sums[r][v] = simd::load(arguments.start + r * arguments.start_stride + v * kDenseLanes);
    }
  }
  const typename Weights::Entry* weights = arguments.weights;
  const float* input = arguments.input;
  for (std::size_t i = 0; i < arguments.inputs; ++i) {
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
  CLADE_UNROLL
  for (std::size_t r = 0; r < rows; ++r) {
    CLADE_UNROLL
    for (std::size_t v = 0; v < vectors; ++v) {
      simd::store(arguments.output + r * arguments.output_stride + v * kDenseLanes, sums[r][v]);
    }
  }
}

/// `width` vectors of outputs for `rows` rows, in the widest tiles there are.
template <std::size_t rows, class Weights, bool skip, std::size_t vectors = kTileVectors[rows - 1]>
void tiles(TileArguments<typename Weights::Entry> arguments, std::size_t width) {
  while (width >= vectors) {
    tile<rows, vectors, Weights, skip>(arguments);
    arguments.weights += vectors * kDenseLanes / Weights::kColumnsOfEntry;
    arguments.start += vectors * kDenseLanes;
    arguments.output += vectors * kDenseLanes;
    width -= vectors;
  }
  if constexpr (vectors > 1) {
    if (width > 0) tiles<rows, Weights, skip, narrower(vectors)>(arguments, width);
  }
}

/// Inputs of one row that count, in order: their numbers within a stretch of inputs, and kAhead more that follow.
struct Counted {
  std::uint32_t inputs[kStretchInputs + kAhead];
  std::size_t count;
};

/// The inputs of a stretch that are not 0.
CLADE_SIMD void find_counted(const float* values, std::size_t size, Counted& counted) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < size; ++i) {
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
CLADE_SIMD void panel_of_row(TileArguments<typename Weights::Entry> arguments, std::size_t width) {
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

/// Asks for memory that will be read soon.
template <class Entry>
CLADE_SIMD void ask_for(const Entry* entries, std::size_t count) {
  for (std::size_t e = 0; e < count; e += kLineEntries) __builtin_prefetch(entries + e, 0, 2);
}

template <class Weights, bool skip, std::size_t most = kTileRows>
CLADE_SIMD void tiles_of(std::size_t rows, const TileArguments<typename Weights::Entry>& arguments, std::size_t width) {
  if constexpr (most > 1) {
    if (rows < most) {
      tiles_of<Weights, skip, most - 1>(rows, arguments, width);
      return;
    }
  }
  tiles<most, Weights, skip>(arguments, width);
}

/// One panel for all rows. Where several tiles read the weights, they go over a part of the inputs that stays in the
/// second-level cache, while the next part is asked for.
template <class Weights, bool skip>
void panel_of_rows(TileArguments<typename Weights::Entry> arguments, std::size_t width, std::size_t rows) {
  const float* input = arguments.input;
  float* const output = arguments.output;
  const float* start = arguments.start;
  const std::size_t groups = (rows + kTileRows - 1) / kTileRows;
  std::size_t left = arguments.inputs;
  const bool once = groups == 1 && width <= kTileVectors[rows - 1];
  const std::size_t part = once ? left : kCachedEntries / arguments.weight_stride;
  do {
    arguments.inputs = left < part ? left : part;
    left -= arguments.inputs;
    const typename Weights::Entry* const next = arguments.weights + arguments.inputs * arguments.weight_stride;
    const std::size_t next_entries = (left < part ? left : part) * arguments.weight_stride;
    // Numbers of rows that differ by one at most.
    for (std::size_t group = 0, row = 0; group < groups; ++group) {
      const std::size_t end = (group + 1) * rows / groups;
      ask_for(next + row * next_entries / rows, (end - row) * next_entries / rows);
      arguments.start = start + row * arguments.start_stride;
      arguments.input = input + row * arguments.input_stride;
      arguments.output = output + row * arguments.output_stride;
      tiles_of<Weights, skip>(end - row, arguments, width);
      row = end;
    }
    arguments.weights = next;
    input += arguments.inputs;
    start = output;
    arguments.start_stride = arguments.output_stride;
  } while (left > 0);
}

template <class Weights>
void forward_as(const PackedDense& layer, const typename Weights::Entry* weights, const float* input,
                std::size_t input_stride, float* output, std::size_t output_stride, std::size_t rows) {
  constexpr std::size_t kLeast = kDenseLanes * Weights::kColumnsOfEntry;  // a row's columns come in such groups
  for (std::size_t first = 0; first < layer.outputs; first += kPanelOutputs) {
    const std::size_t left = layer.outputs - first;
    const std::size_t width = left < kPanelOutputs ? left : kPanelOutputs;
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
      panel_of_rows<Weights, false>(arguments, width / kDenseLanes, rows);
    } else if (rows == 1) {
      panel_of_row<Weights>(arguments, width / kDenseLanes);
    } else {
      panel_of_rows<Weights, true>(arguments, width / kDenseLanes, rows);
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
