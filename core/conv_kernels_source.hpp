#pragma once

// The source of the convolutions: included by one file per instruction set, whose flags choose the vectors of
// core/simd.hpp. Raw pointers only, for the reason stated there.
//
// A direct convolution. A tile is a few neighbouring pixels of one output row by one or two vectors of filters; its
// sums stay in registers over all places of the kernel, an input value is broadcast and multiplied by the weights of
// its place. Along a kernel's row the values (kx, c) of all pixels lie contiguously, so that where every pixel is
// inside the image one loop runs over them; where some are outside, over stretches of kx with the same pixels inside.

#include <cstddef>
#include <cstdint>

#include "core/activation_source.hpp"
#include "core/conv_kernels.hpp"
#include "core/simd.hpp"
#include "core/weight_loads_source.hpp"

namespace clade::conv {
inline namespace CLADE_SIMD_NAMESPACE {

using simd::Floats;

/// Most pixels and vectors of a tile: the sums, a row of weights and an input value stay in registers, and there are
/// chains enough to hide a multiply-add's latency.
#if defined(__AVX512F__)
constexpr std::size_t kTilePixels = 12;
constexpr std::size_t kTileVectors = 2;
#elif defined(__AVX2__)
constexpr std::size_t kTilePixels = 6;
constexpr std::size_t kTileVectors = 1;
#else
constexpr std::size_t kTilePixels = 1;
constexpr std::size_t kTileVectors = 1;
#endif

/// Floats between neighbouring pixels of the usual first layer, stride 4 over 4 frames: known beforehand, so that all
/// pixels share one address.
constexpr std::size_t kUsualStep = 16;

/// A tile's place. Columns may lie outside the image, rows of the kernel do not.
template <class Entry>
struct TileArguments {
  const Entry* weights;       ///< of the first row of the kernel that is inside
  std::size_t weight_stride;  ///< entries between places of the kernel
  const float* bias;          ///< or null
  const float* input;         ///< row of the image under that row of the kernel
  std::size_t row_floats;     ///< of the image
  std::size_t kernel_rows;    ///< that are inside
  std::size_t kernel;
  std::size_t channels;
  std::size_t stride;
  std::ptrdiff_t column;  ///< of the image, under the first pixel's first place
  std::ptrdiff_t columns;
  float* output;
  std::size_t output_stride;  ///< floats between pixels
  std::size_t lanes;          ///< filters of the last vector that exist
  bool rectify;
};

/// kx in [first, last) for which the same pixels [pixel, pixel_end) are inside the image.
struct Stretch {
  std::ptrdiff_t last;
  std::ptrdiff_t pixel;
  std::ptrdiff_t pixel_end;
};

/// The stretch that begins at kx = first.
CLADE_SIMD Stretch stretch_from(std::ptrdiff_t first, std::ptrdiff_t column, std::ptrdiff_t columns,
                                std::ptrdiff_t stride, std::ptrdiff_t pixels, std::ptrdiff_t kernel) {
  Stretch result{kernel, 0, pixels};
  std::ptrdiff_t left = column + first;  // of the first pixel
  if (left < 0) {
    while (result.pixel < pixels && left < 0) {
      left += stride;
      ++result.pixel;
    }
    // The pixel before comes inside at its column 0.
    const std::ptrdiff_t change = first - (left - stride);
    result.last = change < result.last ? change : result.last;
  }
  std::ptrdiff_t right = column + first + (pixels - 1) * stride;  // of the last pixel
  while (result.pixel_end > result.pixel && right >= columns) {
    right -= stride;
    --result.pixel_end;
  }
  // The last pixel inside goes outside at column `columns`.
  if (result.pixel_end > result.pixel) {
    const std::ptrdiff_t change = first + columns - right;
    result.last = change < result.last ? change : result.last;
  }
  return result;
}

/// sums += input values x weights for `count` places in which all pixels are inside the image.
template <std::size_t pixels, std::size_t vectors, class Weights>
CLADE_SIMD void add_all(Floats (&sums)[pixels][vectors], const typename Weights::Entry* weights,
                        std::size_t weight_stride, const float* input, std::size_t step, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    Floats row[vectors];
    Weights::load(weights, row);
    CLADE_UNROLL
    for (std::size_t p = 0; p < pixels; ++p) {
      const Floats value(input[p * step]);
      CLADE_UNROLL
      for (std::size_t v = 0; v < vectors; ++v) sums[p][v] = simd::fma(value, row[v], sums[p][v]);
    }
    weights += weight_stride;
    ++input;
  }
}

/// The same for the pixels in [first, last) alone. `input` belongs to pixel 0 and may lie outside the image.
template <std::size_t pixels, std::size_t vectors, class Weights>
CLADE_SIMD void add_some(Floats (&sums)[pixels][vectors], const typename Weights::Entry* weights,
                         std::size_t weight_stride, const float* image, std::ptrdiff_t offset, std::size_t step,
                         std::size_t count, std::size_t first, std::size_t last) {
  for (std::size_t i = 0; i < count; ++i) {
    Floats row[vectors];
    Weights::load(weights, row);
    CLADE_UNROLL
    for (std::size_t p = 0; p < pixels; ++p) {
      if (p < first || p >= last) continue;
      const Floats value(image[offset + static_cast<std::ptrdiff_t>(p * step)]);
      CLADE_UNROLL
      for (std::size_t v = 0; v < vectors; ++v) sums[p][v] = simd::fma(value, row[v], sums[p][v]);
    }
    weights += weight_stride;
    ++offset;
  }
}

template <std::size_t pixels, std::size_t vectors, class Weights, std::size_t known_step>
void tile(const TileArguments<typename Weights::Entry>& arguments) {
  using Entry = typename Weights::Entry;
  Floats sums[pixels][vectors];
  CLADE_UNROLL
  for (std::size_t v = 0; v < vectors; ++v) {
    const Floats start = arguments.bias != nullptr ? simd::load(arguments.bias + v * kPanelLanes) : Floats(0.0F);
    CLADE_UNROLL
    for (std::size_t p = 0; p < pixels; ++p) sums[p][v] = start;
  }
  const std::size_t step = known_step > 0 ? known_step : arguments.stride * arguments.channels;
  const auto kernel = static_cast<std::ptrdiff_t>(arguments.kernel);
  const float* row = arguments.input;
  const Entry* weights = arguments.weights;
  for (std::size_t y = 0; y < arguments.kernel_rows; ++y) {
    for (std::ptrdiff_t kx = 0; kx < kernel;) {
      const Stretch stretch =
          stretch_from(kx, arguments.column, arguments.columns, static_cast<std::ptrdiff_t>(arguments.stride),
                       static_cast<std::ptrdiff_t>(pixels), kernel);
      const std::size_t count = static_cast<std::size_t>(stretch.last - kx) * arguments.channels;
      const std::ptrdiff_t offset = (arguments.column + kx) * static_cast<std::ptrdiff_t>(arguments.channels);
      if (stretch.pixel == 0 && stretch.pixel_end == static_cast<std::ptrdiff_t>(pixels)) {
        add_all<pixels, vectors, Weights>(sums, weights, arguments.weight_stride, row + offset, step, count);
      } else {
        add_some<pixels, vectors, Weights>(sums, weights, arguments.weight_stride, row, offset, step, count,
                                           static_cast<std::size_t>(stretch.pixel),
                                           static_cast<std::size_t>(stretch.pixel_end));
      }
      weights += count * arguments.weight_stride;
      kx = stretch.last;
    }
    row += arguments.row_floats;
  }
  CLADE_UNROLL
  for (std::size_t p = 0; p < pixels; ++p) {
    float* const output = arguments.output + p * arguments.output_stride;
    CLADE_UNROLL
    for (std::size_t v = 0; v < vectors; ++v) {
      const Floats value = arguments.rectify ? math::relu(sums[p][v]) : sums[p][v];
      if (v + 1 < vectors) {
        simd::store(output + v * kPanelLanes, value);
      } else {
        simd::store(output + v * kPanelLanes, value, arguments.lanes);
      }
    }
  }
}

/// The tile of so many pixels, at most `most`.
template <std::size_t vectors, class Weights, std::size_t known_step, std::size_t most = kTilePixels>
void tile_of(std::size_t pixels, const TileArguments<typename Weights::Entry>& arguments) {
  if constexpr (most > 1) {
    if (pixels < most) {
      tile_of<vectors, Weights, known_step, most - 1>(pixels, arguments);
      return;
    }
  }
  tile<most, vectors, Weights, known_step>(arguments);
}

/// Vectors [vector, vector + vectors) of the filters of one panel, over the whole image.
template <std::size_t vectors, class Weights>
void panel(const PackedConvolution& convolution, const typename Weights::Entry* weights, std::size_t weight_stride,
           std::size_t filter, const float* input, float* output) {
  const ConvolutionLayer& layer = *convolution.layer;
  TileArguments<typename Weights::Entry> arguments;
  arguments.weight_stride = weight_stride;
  arguments.bias = convolution.bias != nullptr ? convolution.bias + filter : nullptr;
  arguments.row_floats = layer.input_width * layer.input_channels;
  arguments.kernel = layer.kernel;
  arguments.channels = layer.input_channels;
  arguments.stride = layer.stride;
  arguments.columns = static_cast<std::ptrdiff_t>(layer.input_width);
  arguments.output_stride = layer.filters;
  const std::size_t left = layer.filters - filter - (vectors - 1) * kPanelLanes;
  arguments.lanes = left < kPanelLanes ? left : kPanelLanes;
  arguments.rectify = convolution.activation == Activation::relu;
  const std::size_t tiles = (layer.output_width + kTilePixels - 1) / kTilePixels;
  for (std::size_t y = 0; y < layer.output_height; ++y) {
    // Row of the image under the kernel's row ky: y stride + ky - pad_y.
    const std::size_t top = y * layer.stride;
    const std::size_t ky = top < layer.pad_y ? layer.pad_y - top : 0;
    const std::size_t room = layer.input_height + layer.pad_y - top;  // rows of the kernel above the lower edge
    const std::size_t ky_end = room < layer.kernel ? room : layer.kernel;
    arguments.kernel_rows = ky < ky_end ? ky_end - ky : 0;
    arguments.weights = weights + ky * layer.kernel * layer.input_channels * weight_stride;
    arguments.input = input + (arguments.kernel_rows > 0 ? top + ky - layer.pad_y : 0) * arguments.row_floats;
    // Widths that differ by one at most.
    for (std::size_t t = 0, x = 0; t < tiles; ++t) {
      const std::size_t end = (t + 1) * layer.output_width / tiles;
      arguments.column = static_cast<std::ptrdiff_t>(x * layer.stride) - static_cast<std::ptrdiff_t>(layer.pad_x);
      arguments.output = output + (y * layer.output_width + x) * layer.filters + filter;
      if (layer.stride * layer.input_channels == kUsualStep) {
        tile_of<vectors, Weights, kUsualStep>(end - x, arguments);
      } else {
        tile_of<vectors, Weights, 0>(end - x, arguments);
      }
      x = end;
    }
  }
}

/// All panels; `Upper` reads the second vector of a pair.
template <class Weights, class Upper>
void panels(const PackedConvolution& convolution, const typename Weights::Entry* weights, const float* input,
            float* output) {
  const ConvolutionLayer& layer = *convolution.layer;
  const std::size_t places = layer.kernel * layer.kernel * layer.input_channels;
  constexpr std::size_t kLeast = kPanelLanes * Weights::kColumnsOfEntry;  // a row's columns come in such groups
  for (std::size_t filter = 0; filter < layer.filters; filter += kPanelFilters) {
    const std::size_t left = layer.filters - filter;
    const std::size_t width = left < kPanelFilters ? (left + kLeast - 1) / kLeast * kLeast : kPanelFilters;
    const std::size_t stride = width / Weights::kColumnsOfEntry;
    const typename Weights::Entry* const first = weights + filter / Weights::kColumnsOfEntry * places;
    if (left <= kPanelLanes) {
      panel<1, Weights>(convolution, first, stride, filter, input, output);
    } else if constexpr (kTileVectors >= 2) {
      panel<2, Weights>(convolution, first, stride, filter, input, output);
    } else {
      constexpr std::size_t kSecond = Weights::kColumnsOfEntry == 1 ? kPanelLanes : 0;
      panel<1, Weights>(convolution, first, stride, filter, input, output);
      panel<1, Upper>(convolution, first + kSecond, stride, filter + kPanelLanes, input, output);
    }
  }
}

inline void forward(const PackedConvolution& convolution, const float* input, float* output) {
  using namespace kernels;
  if (convolution.words != nullptr) {
    panels<WordWeights, UpperWordWeights>(convolution, convolution.words, input, output);
  } else {
    panels<FloatWeights, FloatWeights>(convolution, convolution.weights, input, output);
  }
  const ConvolutionLayer& layer = *convolution.layer;
  if (convolution.activation != Activation::relu) {
    kernels::activate(convolution.activation, output, layer.output_height * layer.output_width * layer.filters);
  }
}

/// float(b / 255.0). The product with the reciprocal, corrected once, is the quotient rounded to nearest for every byte
/// (a test tries them all).
inline void convert(const std::uint8_t* bytes, std::size_t size, float* output) {
  const Floats reciprocal(1.0F / 255.0F);
  const Floats divisor(-255.0F);
  const auto quotient = [&](Floats value) {
    const Floats estimate = value * reciprocal;
    return simd::fma(simd::fma(estimate, divisor, value), reciprocal, estimate);
  };
  std::size_t i = 0;
  for (; i + simd::kLanes <= size; i += simd::kLanes) {
    simd::store(output + i, quotient(simd::float_of_signed(simd::load_bytes(bytes + i))));
  }
  for (; i < size; ++i) simd::store(output + i, quotient(Floats(static_cast<float>(bytes[i]))), 1);
}

inline void normalise(float* values, std::size_t places, std::size_t channels, const float* mean,
                      const float* inverse_deviation, const float* bias, Activation activation) {
  for (std::size_t p = 0; p < places; ++p) {
    float* const place = values + p * channels;
    for (std::size_t c = 0; c < channels; c += simd::kLanes) {
      const std::size_t count = channels - c < simd::kLanes ? channels - c : simd::kLanes;
      const Floats centred = simd::load(place + c, count) - simd::load(mean + c, count);
      simd::store(place + c, simd::fma(centred, simd::load(inverse_deviation + c, count), simd::load(bias + c, count)),
                  count);
    }
  }
  kernels::activate(activation, values, places * channels);
}

constexpr ConvolutionKernels kTable{&convert, &forward, &normalise};

}  // namespace CLADE_SIMD_NAMESPACE
}  // namespace clade::conv
