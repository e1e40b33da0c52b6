#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/noise.hpp"
#include "core/options.hpp"
#include "core/strategy.hpp"
#include "es/openai_es.hpp"
#include "experiments/run_settings.hpp"

namespace clade {

/// Settings of clade-es.
struct EsExperiment {
  static constexpr const char* kProgram = "clade-es";

  RunSettings run;
  OpenAiEsConfig es;
  std::string optimizer = "adam";
  std::string adam_epsilon = "starter";
  std::string shaping = "centred_rank";
  std::string gradient_scale = "pairs";

  void add_options(Options& options);
  /// Throws Error where a parameter is out of range. `noise` outlives the strategy.
  std::unique_ptr<Strategy> make_strategy(std::span<const double> initial, const NoiseSource& noise, int threads);
};

}  // namespace clade
