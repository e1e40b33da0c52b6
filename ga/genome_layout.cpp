#include "ga/genome_layout.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"

namespace clade {

void GenomeLayout::save(State& state) const { state.set("parameters", std::vector<std::uint64_t>{parameter_count}); }

void GenomeLayout::check_saved(const State& state) const {
  const std::uint64_t parameters = state.array<std::uint64_t>("parameters", 1).front();
  if (parameters == parameter_count) return;
  throw_input_error("saved state has networks of " + std::to_string(parameters) + " parameters, expected " +
                    std::to_string(parameter_count));
}

GenomeLayout genome_layout(const Network& network, Initialisation initialisation) {
  GenomeLayout layout;
  layout.parameter_count = network.parameter_count();
  layout.initial_scales = std::make_shared<const std::vector<InitialScale>>(initial_scales(network, initialisation));
  for (const ConvolutionLayer& layer : network.convolutions()) layout.layer_starts.push_back(layer.weight_offset);
  for (const DenseLayer& layer : network.layers()) layout.layer_starts.push_back(layer.weight_offset);
  std::sort(layout.layer_starts.begin(), layout.layer_starts.end());
  layout.layer_starts.erase(layout.layer_starts.begin());
  return layout;
}

}  // namespace clade
