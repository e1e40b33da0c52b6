// Shows what a run file holds, compares two, or lays out a network.

#include <array>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/file_layer.hpp"
#include "core/network.hpp"
#include "core/options.hpp"
#include "core/program.hpp"
#include "core/run_file.hpp"
#include "tools/learning_curve.hpp"
#include "tools/lineage_report.hpp"
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
  std::uint64_t inputs = 0;
  std::uint64_t outputs = 0;
};

/// More are not counted: sizes of a network are checked by itself.
constexpr double kMostUnits = 4294967295.0;

void add_options(Options& options, InspectSettings& settings) {
  options.add_positional("run.h5", settings.run_file, "run file", true);
  options.group("What to show (one of them; default: a summary)");
  options.add("generations", settings.generations, {.text = "a table with a row for each generation"});
  options.add("csv", settings.csv, {.text = "the same as comma-separated values"});
  options.add("members", settings.members,
              {.text = "recipes, returns and steps of this generation's members", .value_name = "GENERATION"});
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
  options.add("layout", settings.layout, {.text = "how the run's network lies in its parameter vector"});
  options.add("episodes-to", settings.episodes_to,
              {.text = "training episodes until the first evaluation whose mean reaches RETURN; where none does: "
                       "'none' and exit code 1",
               .value_name = "RETURN"});
  options.add(
      "plot", settings.plot,
      {.text = "draw the learning curve into FILE.svg: evaluation mean against training", .value_name = "FILE"});
  options.group("The learning curve (--plot)");
  options.add("with", settings.with,
              {.text = "a further run of another seed: single runs, their mean and range", .value_name = "FILE"});
  options.add("against", settings.against,
              {.text = "training is counted in", .choices = {"episodes", "steps", "frames"}});
  options.add("target", settings.target,
              {.text = "mark this return; by default the runs' --target-return", .value_name = "RETURN"});
  options.group("A network without a run");
  options.add("network", settings.network,
              {.text = "show the layout of a network, as mlp:64,64:tanh", .value_name = "SPEC"});
  options.add("inputs", settings.inputs,
              {.text = "numbers of an observation", .unit = "inputs", .minimum = 0.0, .maximum = kMostUnits});
  options.add("outputs", settings.outputs,
              {.text = "outputs that the head needs", .unit = "outputs", .minimum = 0.0, .maximum = kMostUnits});
}

/// Throws Error where the options contradict each other.
void check_settings(const Options& options, const InspectSettings& settings) {
  std::vector<std::string> given;
  for (const char* name : {"generations", "csv", "members", "lineage", "configuration", "diff", "hash", "verify",
                           "layout", "episodes-to", "plot", "network"}) {
    if (options.given(name)) given.push_back(name);
  }
  if (given.size() > 1) throw_input_error("--" + given[0] + " and --" + given[1] + " exclude each other");
  const bool network_alone = options.given("network");
  if (network_alone && !settings.run_file.empty()) {
    throw_input_error("--network is for a network without a run; --layout shows that of '" + settings.run_file + "'");
  }
  if (network_alone && (settings.inputs == 0 || settings.outputs == 0)) {
    throw_input_error("--network needs --inputs and --outputs, each at least 1");
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
  if (!settings.plot.empty() && !settings.plot.ends_with(".svg")) {
    throw_input_error("--plot " + settings.plot + ": the picture is SVG; name a file that ends in .svg");
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
  for (const std::string& file : settings.with) runs.push_back(load_run_file(file));
  const TrainingUnit unit = settings.against == "frames"  ? TrainingUnit::frames
                            : settings.against == "steps" ? TrainingUnit::steps
                                                          : TrainingUnit::episodes;
  const std::string picture = learning_curve_svg(runs, {unit, settings.target});
  system_file_layer().write_synced(settings.plot, std::as_bytes(std::span(picture)));
}

int inspect(int argc, const char* const* argv) {
  InspectSettings settings;
  Options options("clade-inspect", "shows what a run file holds, compares two, or lays out a network");
  add_options(options, settings);
  if (!options.parse(argc, argv, std::cout)) return 0;
  check_settings(options, settings);

  if (!settings.network.empty()) {
    const Network network(parse_network(settings.network), settings.inputs, settings.outputs);
    std::cout << network.layout_table();
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
    print_lineage(std::cout, record, parse_lineage(record, settings.lineage));
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
