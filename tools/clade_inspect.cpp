// Shows what a run file holds, compares two, or lays out a network.

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/file_layer.hpp"
#include "core/network.hpp"
#include "core/number_text.hpp"
#include "core/options.hpp"
#include "core/program.hpp"
#include "core/progress.hpp"
#include "core/run_file.hpp"
#include "core/terminal.hpp"
#include "tools/learning_curve.hpp"
#include "tools/lineage_report.hpp"
#include "tools/output_file.hpp"
#include "tools/run_report.hpp"

namespace clade {
namespace {

struct InspectSettings {
  std::string run_file;
  bool generations = false;
  bool csv = false;
  std::optional<std::uint64_t> members;
  std::string lineage;
  bool configuration = false;
  std::string other;
  std::uint64_t limit = 20;
  bool hash = false;
  bool verify = false;
  bool layout = false;
  std::optional<double> episodes_to;
  std::string plot;
  std::vector<std::string> with;
  std::string against = "episodes";
  std::optional<double> target;
  std::string network;
  std::string inputs;
  std::uint64_t outputs = 0;
};

/// More are not counted: sizes of a network are checked by itself.
constexpr double kMostUnits = 4294967295.0;

void add_options(Options& options, InspectSettings& settings) {
  options.add_positional("run.h5", settings.run_file, "run file", true);
  options.group("What to show (one of them; default: a summary)");
  options.add("generations", settings.generations,
              {.text = "a table with a row for each generation: members' returns, the evaluation of the solution (of a "
                       "genetic algorithm the elite's validation), totals"});
  options.add("csv", settings.csv,
              {.text = "the same as comma-separated values; where only validation was played, evaluation_mean and "
                       "evaluation_error hold it"});
  options.add(
      "members", settings.members,
      {.text = "this generation's members: how each was made, returns, steps, frames", .value_name = "GENERATION"});
  options.add("lineage", settings.lineage,
              {.text = "ancestors of an individual of a genetic algorithm, GENERATION:MEMBER or elite, back to the "
                       "initial one: mutations, returns, validation",
               .value_name = "G:M|elite"});
  options.add("configuration", settings.configuration, {.text = "the configuration, as a file for --config"});
  options.add(
      "diff", settings.other,
      {.text = "compare the results with those of another run: exit code 0 where they agree, 1 where they differ",
       .value_name = "FILE"});
  options.add("limit", settings.limit, {.text = "most differences shown", .minimum = 1.0, .maximum = kMostUnits});
  options.add("hash", settings.hash,
              {.text = "digest of all that determines results or is one; wall times, budgets, threads left out"});
  options.add("verify", settings.verify, {.text = "check every byte of the file"});
  options.add("layout", settings.layout,
              {.text = "how the run's network (or that of --network) lies in its parameter vector"});
  options.add("episodes-to", settings.episodes_to,
              {.text = "training episodes until the first evaluation (or validation) whose mean reaches RETURN; where "
                       "none does: 'none' and exit code 1",
               .value_name = "RETURN"});
  options.add(
      "plot", settings.plot,
      {.text =
           "draw the learning curve into FILE.svg, replacing it: mean of evaluation (or validation) against training",
       .value_name = "FILE.svg"});
  options.group("The learning curve (--plot)");
  options.add("with", settings.with,
              {.text = "a further run of another seed: single runs, their mean and range", .value_name = "FILE"});
  options.add("against", settings.against,
              {.text = "training is counted in", .choices = {"episodes", "steps", "frames"}});
  options.add("target", settings.target,
              {.text = "mark this return; by default the runs' --target-return", .value_name = "RETURN"});
  options.group("A network without a run");
  options.add("network", settings.network,
              {.text = "show the layout of a network, as mlp:64,64:tanh or model", .value_name = "SPEC"});
  options.add("inputs", settings.inputs,
              {.text = "numbers of an observation, or the shape of an image, as 84,84,4 (height, width, channels)",
               .value_name = "N|H,W,C"});
  options.add("outputs", settings.outputs,
              {.text = "outputs that the head needs", .unit = "outputs", .minimum = 0.0, .maximum = kMostUnits});
}

/// Reads "17" or "84,84,4". Throws Error naming the text.
std::vector<std::size_t> parse_inputs(const std::string& text) {
  std::vector<std::size_t> shape;
  double product = 1.0;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t comma = std::min(text.find(',', first), text.size());
    std::uint64_t size = 0;
    if (read_number(text.substr(first, comma - first), size) != NumberProblem::none || size == 0) size = 0;
    shape.push_back(static_cast<std::size_t>(size));
    product *= static_cast<double>(size);
    first = comma + 1;
  }
  if (product == 0.0 || product > kMostUnits || (shape.size() != 1 && shape.size() != 3)) {
    throw_input_error("--inputs " + quote_for_message(text) +
                      ": give the numbers of an observation, as 17, or the shape of an image, as 84,84,4 (height, "
                      "width, channels), together 1 to 4294967295");
  }
  return shape;
}

/// The network of --network. Throws Error where it does not go with --inputs and --outputs.
Network network_of(const InspectSettings& settings) {
  const NetworkSpec spec = parse_network(settings.network);
  const std::vector<std::size_t> shape = parse_inputs(settings.inputs);
  if (!spec.convolutions.empty() && shape.size() != 3) {
    throw_input_error("--network " + settings.network + " reads an image, --inputs " + settings.inputs +
                      " is none; give its shape, as --inputs 84,84,4 (height, width, channels)");
  }
  return {spec, shape, settings.outputs};
}

/// Throws Error where the options contradict each other.
void check_settings(const Options& options, const InspectSettings& settings) {
  std::vector<std::string> given;
  for (const char* name : {"generations", "csv", "members", "lineage", "configuration", "diff", "hash", "verify",
                           "layout", "episodes-to", "plot", "network"}) {
    if (name == std::string("layout") && options.given("network")) continue;  // says the same twice
    if (options.given(name)) given.push_back(name);
  }
  if (given.size() > 1) throw_input_error("--" + given[0] + " and --" + given[1] + " exclude each other");
  const bool network_alone = options.given("network");
  if (network_alone && !settings.run_file.empty()) {
    throw_input_error("--network is for a network without a run; --layout shows that of '" + settings.run_file + "'");
  }
  if (network_alone && (settings.inputs.empty() || settings.outputs == 0)) {
    throw_input_error(
        "--network needs --inputs, as 17 or 84,84,4 (an image's height, width, channels), and --outputs, at least 1");
  }
  if (!network_alone && (options.given("inputs") || options.given("outputs"))) {
    throw_input_error("--inputs and --outputs belong to --network");
  }
  if (!network_alone && settings.run_file.empty()) throw_input_error("no run file; name one, or --help");
  if (options.given("limit") && settings.other.empty()) throw_input_error("--limit belongs to --diff");
  for (const char* name : {"with", "against", "target"}) {
    if (options.given(name) && settings.plot.empty())
      throw_input_error(std::string("--") + name + " belongs to --plot");
  }
  if (options.given("plot")) {
    std::vector<std::string> inputs = {settings.run_file};
    inputs.insert(inputs.end(), settings.with.begin(), settings.with.end());
    check_output_file("--plot", settings.plot, ".svg", inputs);
  }
}

int print_difference(const RunRecord& record, const InspectSettings& settings) {
  const RunRecord other = load_run_file(settings.other);
  const std::vector<std::string> lines = differences(record, other, static_cast<std::size_t>(settings.limit));
  for (const std::string& line : lines) std::cout << line << '\n';
  if (lines.size() == settings.limit) std::cout << "... and perhaps more; --limit shows it\n";
  if (lines.empty()) std::cout << "same results: " << results_digest(record) << '\n';
  return lines.empty() ? 0 : 1;
}

int print_episodes_to(const RunRecord& record, double target) {
  const std::optional<std::uint64_t> episodes = episodes_to_return(record, target);
  std::cout << (episodes ? std::to_string(*episodes) : "none") << '\n';
  return episodes ? 0 : 1;
}

void plot(const RunRecord& record, const InspectSettings& settings) {
  std::vector<RunRecord> runs = {record};
  std::vector<std::string> files = {settings.run_file};
  for (const std::string& file : settings.with) {
    RunRecord further = load_run_file(file);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (!same_run(runs[i], further)) continue;
      throw_input_error("--with " + file + ": the same run as " + files[i] + " (configuration and seed " +
                        configured(further, "seed").value_or("none") + "); leave it out, or name one of another seed");
    }
    runs.push_back(std::move(further));
    files.push_back(file);
  }
  const TrainingUnit unit = settings.against == "frames"  ? TrainingUnit::frames
                            : settings.against == "steps" ? TrainingUnit::steps
                                                          : TrainingUnit::episodes;
  const std::string picture = learning_curve_svg(runs, {unit, settings.target});
  write_output_file(settings.plot, std::as_bytes(std::span(picture)));
  std::size_t points = 0;
  for (const RunRecord& run : runs) points += learning_curve(run, unit).size();
  std::cout << settings.plot << ": learning curve of " << runs.size() << (runs.size() == 1 ? " run, " : " runs, ")
            << format_count(points) << (points == 1 ? " point" : " points") << " against training " << settings.against
            << '\n';
}

int inspect(int argc, const char* const* argv) {
  InspectSettings settings;
  Options options("clade-inspect", "shows what a run file holds, compares two, or lays out a network");
  add_options(options, settings);
  if (!options.parse(argc, argv, std::cout)) return 0;
  check_settings(options, settings);

  if (!settings.network.empty()) {
    std::cout << network_of(settings).layout_table();
    return 0;
  }
  const RunRecord record = load_run_file(settings.run_file);
  if (settings.generations) {
    print_generations(std::cout, record);
  } else if (settings.csv) {
    print_csv(std::cout, record);
  } else if (settings.members) {
    print_members(std::cout, record, *settings.members);
  } else if (options.given("lineage")) {
    print_lineage(std::cout, record, named_individual(record, settings.lineage, "--lineage"));
  } else if (settings.configuration) {
    print_configuration(std::cout, record);
  } else if (!settings.other.empty()) {
    return print_difference(record, settings);
  } else if (settings.hash) {
    std::cout << results_digest(record) << '\n';
  } else if (settings.episodes_to) {
    return print_episodes_to(record, *settings.episodes_to);
  } else if (!settings.plot.empty()) {
    plot(record, settings);
  } else if (settings.layout) {
    std::cout << run_network(record).layout_table();
  } else {
    const std::uintmax_t bytes = std::filesystem::file_size(settings.run_file);
    if (settings.verify) {
      std::cout << settings.run_file << ": intact, " << byte_text(bytes) << ", schema " << kRunFileSchema << ", "
                << record.generations.size() << " generations, results " << results_digest(record) << '\n';
    } else {
      print_summary(std::cout, settings.run_file, bytes, record);
    }
  }
  return 0;
}

}  // namespace
}  // namespace clade

int main(int argc, char** argv) { return clade::run_program(argc, argv, clade::inspect); }
