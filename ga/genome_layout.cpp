#include "ga/genome_layout.hpp"

#include <algorithm>

namespace clade {

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
