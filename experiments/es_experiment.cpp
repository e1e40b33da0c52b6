#include "experiments/es_experiment.hpp"

#include "core/fitness.hpp"
#include "core/optimizer.hpp"
#include "es/presets.hpp"

namespace clade {

void EsExperiment::add_options(Options& options) {
  run.population = es.population;
  add_run_options(options, run);
  add_initial_solution_option(options, run);

  options.group("OpenAI-ES (Salimans et al. 2017)");
  options.add("sigma", es.sigma,
              {.text = "standard deviation of the perturbation", .minimum = 0.0, .minimum_open = true});
  options.add("learning-rate", es.optimizer.learning_rate,
              {.text = "step size of the optimiser", .minimum = 0.0, .minimum_open = true});
  options.add("optimizer", optimizer, {.text = "gradient ascent by", .choices = {"adam", "sgd"}});
  options.add("momentum", es.optimizer.momentum,
              {.text = "SGD's momentum", .minimum = 0.0, .maximum = 1.0, .maximum_open = true});
  options.add("adam-epsilon", adam_epsilon,
              {.text = "Adam's epsilon: starter (as OpenAI's code) or corrected (as in the paper and torch)",
               .choices = {"starter", "corrected"}});
  options.add("weight-decay", es.weight_decay, {.text = "l2 coefficient", .minimum = 0.0});
  options.add("mirrored", es.mirrored,
              {.text = "antithetic pairs: members 2i and 2i+1 share their noise, signs apart"});
  options.add("shaping", shaping, {.text = "fitness shaping", .choices = shaping_names()});
  options.add("gradient-scale", gradient_scale,
              {.text = "what the gradient is divided by beside the members: pairs (nothing) or sigma",
               .choices = {"pairs", "sigma"}});
  options.add("minimum-steps", run.minimum_steps,
              {.text = "a generation is extended by further populations until it has so many",
               .unit = "steps",
               .minimum = 0.0,
               .maximum = 4294967295.0});
  for (const Preset& preset : openai_es_presets()) options.add_preset(preset.name, preset.text, preset.values);
}

std::unique_ptr<Strategy> EsExperiment::make_strategy(std::span<const double> initial, const NoiseSource& noise,
                                                      int threads) {
  es.population = run.population;
  es.optimizer.kind = parse_optimizer(optimizer);
  es.optimizer.adam_epsilon = parse_adam_epsilon(adam_epsilon);
  es.shaping = parse_shaping(shaping);
  es.gradient_scale = parse_gradient_scale(gradient_scale);
  return std::make_unique<OpenAiEs>(es, initial, run.seed, noise, threads);
}

}  // namespace clade
