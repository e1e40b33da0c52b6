// clade-bench: how fast this build runs on this machine. One subcommand a question; see --help of each.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/options.hpp"
#include "core/parallel.hpp"
#include "core/program.hpp"
#include "tests/benchmarks/bench_report.hpp"
#include "tests/benchmarks/environment_bench.hpp"
#include "tests/benchmarks/forward_bench.hpp"
#include "tests/benchmarks/inference_bench.hpp"
#include "tests/benchmarks/noise_bench.hpp"
#include "tests/benchmarks/pixel_bench.hpp"
#include "tests/benchmarks/population_bench.hpp"
#include "tests/benchmarks/save_bench.hpp"

namespace clade::bench {
namespace {

constexpr double kMostThreads = 1024;

/// What every subcommand has.
struct CommonSettings {
  std::uint64_t threads = 1;
  double seconds = 3.0;
  bool json = false;
};

OptionHelp help(const std::string& text, const std::string& unit = {}) {
  OptionHelp result;
  result.text = text;
  result.unit = unit;
  result.effect = ResultEffect::none;
  return result;
}

OptionHelp at_least(double minimum, const std::string& text, const std::string& unit = {}) {
  OptionHelp result = help(text, unit);
  result.minimum = minimum;
  return result;
}

void add_common(Options& options, CommonSettings& common) {
  options.group("Measurement");
  OptionHelp seconds = at_least(0.0, "time to measure for, after the warm-up", "seconds");
  seconds.minimum_open = true;
  options.add("seconds", common.seconds, seconds);
  options.add("json", common.json, help("print one JSON object a value"));
}

void add_threads(Options& options, CommonSettings& common) {
  OptionHelp threads = at_least(1.0, "OpenMP workers", "threads");
  threads.maximum = kMostThreads;
  options.add("threads", common.threads, threads);
}

void add_environment(Options& options, EnvironmentSettings& settings) {
  options.group("Task");
  options.add("env", settings.env, help("environment"));
  options.add("env-option", settings.env_options, help("the environment's own, KEY=VALUE; repeatable"));
}

void add_population(Options& options, PopulationSettings& settings) {
  add_environment(options, settings.environment);
  options.group("Population");
  options.add("network", settings.network, help("network, as clade-es takes it"));
  options.add("head", settings.head, help("how outputs become actions"));
  OptionHelp normalize = help("normalisation of observations");
  normalize.choices = {"none", "ars", "openai"};
  options.add("normalize", settings.normalize, normalize);
  options.add("noise", settings.noise, help("counter, table or table:SIZE (floats)"));
  options.add("sigma", settings.sigma, at_least(0.0, "standard deviation of the perturbation"));
  options.add("population", settings.population, at_least(1.0, "members of the generation", "members"));
  options.add("lanes", settings.lanes, at_least(1.0, "episodes of a member in flight", "episodes"));
}

/// A subcommand: its summary, the options it adds, and what it runs.
struct Subcommand {
  std::string name;
  std::string summary;
  std::function<void(Options&)> add_options;
  std::function<void(Report&)> run;
};

/// All subcommands, bound to the settings.
struct Settings {
  CommonSettings common;
  PopulationSettings population;
  InferenceSettings inference;
  ForwardSettings forward;
  GradientSettings gradient;
  SaveSettings save;

  int threads() const { return static_cast<int>(common.threads); }
  EnvironmentSettings environment() const {
    EnvironmentSettings result = population.environment;
    result.threads = threads();
    result.seconds = common.seconds;
    return result;
  }
  PopulationSettings resolved_population() const {
    PopulationSettings result = population;
    result.environment = environment();
    return result;
  }
  std::vector<Subcommand> subcommands();
};

std::vector<Subcommand> Settings::subcommands() {
  const auto environment_options = [this](Options& options) {
    add_environment(options, population.environment);
    add_threads(options, common);
  };
  const auto inference_options = [this](Options& options) {
    options.group("Problem");
    options.add("network", inference.network, help("network, as clade-es takes it"));
    options.add("observations", inference.observations, at_least(1.0, "numbers of an observation", "numbers"));
    options.add("actions", inference.actions, at_least(1.0, "components of an action", "numbers"));
    options.add("lanes", inference.lanes, at_least(1.0, "episodes of a member that share a pass", "episodes"));
  };
  const auto forward_options = [this](Options& options) {
    options.group("Problem");
    options.add("network", forward.network, help("network with convolutions, as clade-ga takes it"));
    options.add("members", forward.members, at_least(1.0, "networks that take turns", "networks"));
    options.add("rows", forward.rows, at_least(1.0, "observations of a member that share a pass", "observations"));
    OptionHelp zeros = help("zeros among what the dense layers read");
    zeros.choices = {"none", "half"};
    options.add("zeros", forward.zeros, zeros);
    OptionHelp precision = help("how weights are stored");
    precision.choices = {"fp32", "bf16"};
    options.add("precision", forward.precision, precision);
  };
  const auto gradient_options = [this](Options& options) {
    options.group("Problem");
    OptionHelp source = help("where the noise comes from");
    source.choices = {"counter", "table"};
    options.add("source", gradient.source, source);
    options.add("members", gradient.members, at_least(1.0, "noise vectors summed", "members"));
    options.add("parameters", gradient.parameters, at_least(1.0, "length of each", "parameters"));
    options.add("table", gradient.table, at_least(1.0, "size of the noise table", "floats"));
    add_threads(options, common);
  };
  const auto save_options = [this](Options& options) {
    options.group("Run");
    OptionHelp history = help("whose run: OpenAI-ES, or a genetic algorithm without or with crossover");
    history.choices = {"es", "ga", "ga-crossover"};
    options.add("history", save.history, history);
    options.add("parameters", save.parameters, at_least(1.0, "size of the network", "parameters"));
    options.add("members", save.members, at_least(0.0, "members of each generation in the history", "members"));
    options.add("generations", save.generations, at_least(0.0, "generations in the history", "generations"));
    options.add("folder", save.folder, help("where the file is written, and removed afterwards"));
  };
  return {{"environment", "Steps a second through the environment interface, uniform random actions.",
           environment_options, [this](Report& report) { bench_environment(environment(), report); }},
          {"bare", "The interface beside a bare loop on the engine's own that plays the same episodes.",
           environment_options, [this](Report& report) { bench_bare(environment(), report); }},
          {"pixels", "Seconds of an Atari decision's preprocessing, and its limit over it.",
           [this](Options& options) { add_environment(options, population.environment); },
           [this](Report& report) { bench_pixels(environment(), report); }},
          {"population", "Steps a second of evaluating a population: network, normalisation and bookkeeping included.",
           [this](Options& options) {
             add_population(options, population);
             options.add("replay", population.replay,
                         help("also the environments alone with the same actions, in turn"));
             add_threads(options, common);
           },
           [this](Report& report) { bench_population(resolved_population(), report); }},
          {"scaling", "Gain of --threads threads over one: evaluating a population, and a bare loop.",
           [this](Options& options) {
             add_population(options, population);
             add_threads(options, common);
           },
           [this](Report& report) { bench_scaling(resolved_population(), report); }},
          {"inference", "Steps a second of the network alone, and members a second whose weights are made.",
           inference_options,
           [this](Report& report) {
             inference.seconds = common.seconds;
             bench_inference(inference, report);
           }},
          {"forward", "An Atari network's passes beside the core's limits and oneDNN.", forward_options,
           [this](Report& report) {
             forward.seconds = common.seconds;
             bench_forward(forward, report);
           }},
          {"noise", "Standard normal floats a second.", [this](Options& options) { add_threads(options, common); },
           [this](Report& report) { bench_noise(threads(), common.seconds, report); }},
          {"gradient", "Seconds of one gradient estimate, its limit and its memory.", gradient_options,
           [this](Report& report) {
             gradient.threads = threads();
             gradient.seconds = common.seconds;
             bench_gradient(gradient, report);
           }},
          {"save", "Seconds of saving a run, and the file's size.", save_options, [this](Report& report) {
             save.seconds = common.seconds;
             bench_save(save, report);
           }}};
}

void print_usage(const std::vector<Subcommand>& subcommands) {
  std::cout << "usage: clade-bench SUBCOMMAND [options]\n\nHow fast this build runs on this machine.\n\n";
  for (const Subcommand& subcommand : subcommands) {
    std::cout << "  " << subcommand.name << std::string(14 - subcommand.name.size(), ' ') << subcommand.summary << "\n";
  }
  std::cout << "\nclade-bench SUBCOMMAND --help lists a subcommand's options.\n";
}

int run(int argc, const char* const* argv) {
  Settings settings;
  const std::vector<Subcommand> subcommands = settings.subcommands();
  std::vector<std::string> names;
  for (const Subcommand& subcommand : subcommands) names.push_back(subcommand.name);
  if (argc < 2) throw_input_error("no subcommand given; clade-bench --help lists them");
  const std::string name = argv[1];
  if (name == "--help" || name == "-h") {
    print_usage(subcommands);
    return 0;
  }
  if (name == "--version") {
    std::cout << "clade-bench " << version_string() << "\n";
    return 0;
  }
  const auto found = std::find_if(subcommands.begin(), subcommands.end(),
                                  [&](const Subcommand& subcommand) { return subcommand.name == name; });
  if (found == subcommands.end()) throw_unknown_name("subcommand", name, names);
  Options options("clade-bench " + name, found->summary);
  found->add_options(options);
  add_common(options, settings.common);
  if (!options.parse(argc - 1, argv + 1, std::cout)) return 0;
  if (settings.threads() > available_cores()) {
    std::cerr << "clade-bench: --threads is " << settings.threads() << ", but only " << available_cores()
              << " cores are granted: rates a thread will be lower\n";
  }
  Report report(std::cout, settings.common.json);
  found->run(report);
  return 0;
}

}  // namespace
}  // namespace clade::bench

int main(int argc, char** argv) { return clade::run_program(argc, argv, clade::bench::run); }
