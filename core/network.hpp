#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/population.hpp"
#include "core/random.hpp"

namespace clade {

enum class Activation { identity, tanh, relu, elu, sigmoid };
enum class Initialisation {
  zero,    ///< all parameters 0
  normc,   ///< each output's incoming weights normal, scaled to norm 1.0 (output layer: .01), biases 0 (Salimans 2017)
  fan_in,  ///< weights N(0, 1/fan_in), biases 0
  uber,    ///< as fan_in, the output layer's weights N(0, .1^2/fan_in) (Such et al. 2017)
  uniform  ///< weights U(-1/sqrt(fan_in), 1/sqrt(fan_in)), biases the same
};

std::string_view name_of(Activation activation);
std::string_view name_of(Initialisation initialisation);
Activation parse_activation(std::string_view name);          ///< throws Error naming the nearest valid one
Initialisation parse_initialisation(std::string_view name);  ///< throws Error naming the nearest valid one

/// One convolution of a NetworkSpec: square kernel, same stride both ways. "32@8/4" is 32 filters of 8x8, stride 4.
struct ConvolutionSpec {
  std::size_t filters = 0;
  std::size_t kernel = 0;
  std::size_t stride = 1;
  bool operator==(const ConvolutionSpec&) const = default;
};

enum class Padding {
  same,  ///< as TensorFlow: out = ceil(in / stride), zeros around, the odd one after
  valid  ///< no padding: out = (in - kernel) / stride + 1
};

/// What the user asks for, before the sizes of observation and action are known.
///   linear             one dense layer with bias          linear:nobias     without (ARS)
///   mlp:64,64:tanh     hidden layers and their activation (tanh where left out)
///   conv:32@8/4,64@4/2,64@3/1;fc:512     convolutions, then hidden dense layers; options behind a colon:
///                      conv:...:same (default) or :valid, fc:512:relu (default relu, for the convolutions too);
///                      without fc the activation stands behind conv; nobias comes last
///   mlp:64,64;vbn, conv:...;vbn          every hidden layer normalised by a reference batch
///   model, large_model, model_vbn (Such et al. 2017), nature (Mnih et al. 2015): names of such descriptions
/// Observations are read as float(x), bytes (pixels, RAM) as float(b / 255.0).
struct NetworkSpec {
  std::vector<ConvolutionSpec> convolutions;  ///< empty for linear and mlp
  Padding padding = Padding::same;
  std::vector<std::size_t> hidden;  ///< dense layers before the output
  Activation activation = Activation::tanh;
  bool bias = true;
  /// Virtual batch normalisation (Salimans et al. 2016, 2017): hidden layers give
  /// activation((x w - mean)/sqrt(var + 1e-3) + b), mean and variance of each channel over a reference batch that goes
  /// through the same weights, no scale; the output layer is plain.
  bool virtual_batch_norm = false;
  std::string description() const;  ///< canonical text; parse_network(description()) gives the same spec
};
NetworkSpec parse_network(std::string_view description);

/// One convolution: output[y, x, f] = activation(bias[f] + sum over (ky, kx, c) of
/// input[y stride + ky - pad_y, x stride + kx - pad_x, c] weight[ky, kx, c, f]), the sum one chain of fused
/// multiply-adds in that order starting from the bias; places outside the image are left out. With virtual batch
/// normalisation the chain starts from 0 and the bias is added after.
struct ConvolutionLayer {
  std::size_t input_height = 0, input_width = 0, input_channels = 0;  ///< input [height, width, channels]
  std::size_t kernel = 0, stride = 1;
  std::size_t pad_y = 0, pad_x = 0;  ///< zeros before the first row and column
  std::size_t output_height = 0, output_width = 0, filters = 0;
  std::size_t weight_offset = 0;  ///< [kernel, kernel, input_channels, filters] row-major
  std::size_t bias_offset = 0;    ///< [filters]
  bool bias = true;
  Activation activation = Activation::relu;
  std::size_t weight_count() const { return kernel * kernel * input_channels * filters; }
  std::size_t output_size() const { return output_height * output_width * filters; }
};

/// One dense layer: output[j] = activation(bias[j] + sum_i input[i] * weight[i * outputs + j]), the sum one chain of
/// fused multiply-adds in input order starting from the bias (from 0 without); behind a rectifier, inputs that are 0
/// are left out of the chain. After convolutions the input is flattened [height, width, channels].
struct DenseLayer {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t weight_offset = 0;  ///< into the parameter vector; [inputs, outputs] row-major
  std::size_t bias_offset = 0;    ///< [outputs], behind the layer's weights; meaningless without bias
  bool bias = true;
  Activation activation = Activation::identity;
};

/// A network's shape: layers and the layout of its parameter vector. Immutable.
class Network {
 public:
  /// `shape` is the observation's: {height, width, channels} where the spec has convolutions, any otherwise. Throws
  /// Error where a size is 0, a kernel exceeds its input, or the parameters reach 2^32. The product of the shape may be
  /// 0 for a linear network with bias alone (tasks without observations): its biases are the outputs.
  Network(const NetworkSpec& spec, std::span<const std::size_t> shape, std::size_t outputs);
  /// A flat observation.
  Network(const NetworkSpec& spec, std::size_t inputs, std::size_t outputs);

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }
  std::size_t parameter_count() const { return parameter_count_; }
  std::span<const ConvolutionLayer> convolutions() const { return convolutions_; }
  std::span<const DenseLayer> layers() const { return layers_; }  ///< dense ones, behind the convolutions
  const NetworkSpec& spec() const { return spec_; }
  /// One line per array of the parameter vector: name, offset, shape; what `clade-inspect --layout` prints.
  std::string layout_table() const;
  /// The arrays themselves: "conv0.weight", "conv0.bias", "layer0.weight", ...
  struct Array {
    std::string name;
    std::size_t offset = 0;
    std::vector<std::size_t> shape;
  };
  std::vector<Array> arrays() const;

 private:
  NetworkSpec spec_;
  std::size_t inputs_;
  std::size_t outputs_;
  std::size_t parameter_count_ = 0;
  std::vector<ConvolutionLayer> convolutions_;
  std::vector<DenseLayer> layers_;
};

/// The initialisation as one scale per array, for members drawn afresh from their own keys (PerturbationForm::initial).
/// Throws Error for initialisations that are none (normc, uniform).
std::vector<InitialScale> initial_scales(const Network& network, Initialisation initialisation);

/// Fills `parameters` [parameter_count]. Every layer draws from its own stream of `key` (its episode field is used for
/// the layer number).
void initialise(const Network& network, Initialisation initialisation, const RandomKey& key,
                std::span<double> parameters);

}  // namespace clade
