#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.hpp"

namespace clade {

enum class Activation { identity, tanh, relu, elu, sigmoid };
enum class Initialisation {
  zero,    ///< all parameters 0
  normc,   ///< each output's incoming weights normal, scaled to norm 1.0 (output layer: .01), biases 0 (Salimans 2017)
  fan_in,  ///< weights N(0, 1/fan_in), biases 0
  uniform  ///< weights U(-1/sqrt(fan_in), 1/sqrt(fan_in)), biases the same
};

std::string_view name_of(Activation activation);
std::string_view name_of(Initialisation initialisation);
Activation parse_activation(std::string_view name);          ///< throws Error naming the nearest valid one
Initialisation parse_initialisation(std::string_view name);  ///< throws Error naming the nearest valid one

/// What the user asks for, before the sizes of observation and action are known.
///   linear             one dense layer with bias          linear:nobias     without (ARS)
///   mlp:64,64:tanh     hidden layers and their activation (tanh where left out)
struct NetworkSpec {
  std::vector<std::size_t> hidden;  ///< empty for linear
  Activation activation = Activation::tanh;
  bool bias = true;
  std::string description() const;  ///< canonical text; parse_network(description()) gives the same spec
};
NetworkSpec parse_network(std::string_view description);

/// One dense layer: output[j] = activation(bias[j] + sum_i input[i] * weight[i * outputs + j]), the sum one chain of
/// fused multiply-adds in input order starting from the bias (from 0 without).
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
  /// Throws Error where a size is 0 or the parameters reach 2^32. `inputs` may be 0 for a linear network with bias
  /// alone (tasks without observations): its biases are the outputs.
  Network(const NetworkSpec& spec, std::size_t inputs, std::size_t outputs);

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }
  std::size_t parameter_count() const { return parameter_count_; }
  std::span<const DenseLayer> layers() const { return layers_; }
  const NetworkSpec& spec() const { return spec_; }
  /// One line per array of the parameter vector: name, offset, shape; what `clade-inspect --network` prints.
  std::string layout_table() const;

 private:
  NetworkSpec spec_;
  std::size_t inputs_;
  std::size_t outputs_;
  std::size_t parameter_count_ = 0;
  std::vector<DenseLayer> layers_;
};

/// Fills `parameters` [parameter_count]. Every layer draws from its own stream of `key` (its episode field is used for
/// the layer number).
void initialise(const Network& network, Initialisation initialisation, const RandomKey& key,
                std::span<double> parameters);

}  // namespace clade
