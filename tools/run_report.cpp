#include "tools/run_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <iterator>
#include <optional>
#include <ostream>
#include <set>
#include <string_view>
#include <vector>

#include "core/config_file.hpp"
#include "core/error.hpp"
#include "core/file_layer.hpp"
#include "core/number_text.hpp"
#include "core/options.hpp"
#include "core/progress.hpp"
#include "core/run_file.hpp"
#include "core/statistics.hpp"
#include "core/terminal.hpp"
#include "experiments/replay.hpp"
#include "experiments/run_settings.hpp"
#include "experiments/run_summary.hpp"
#include "experiments/run_task.hpp"
#include "ga/genealogy.hpp"
#include "tools/task_text.hpp"

namespace clade {
namespace {

constexpr int kLabelWidth = 17;

std::ostream& label(std::ostream& out, std::string_view text) {
  return out << std::left << std::setw(kLabelWidth) << text << std::right;
}

/// "1 member", "1,000 members"
std::string counted(std::uint64_t count, const std::string& thing) {
  return format_count(count) + " " + thing + (count == 1 ? "" : "s");
}

std::uint64_t failed_episodes(const GenerationRecord& generation) {
  return static_cast<std::uint64_t>(
      std::ranges::count(generation.status, static_cast<std::uint8_t>(EpisodeStatus::failed)));
}

/// Over the members' mean returns; those with a failed episode are left out.
ReturnSummary summarize_members(const GenerationRecord& generation) {
  return summarize(member_fitness(generation, 0.0));
}

std::string mean_text(const ReturnSummary& summary) {
  std::string text = "mean " + format_return(summary.mean);
  if (summary.count > 1) text += " +- " + format_return(summary.standard_error);
  text += " in " + counted(summary.count + summary.failed, "episode");
  if (summary.failed > 0) text += ", " + format_count(summary.failed) + " of them failed";
  return text;
}

/// What the generation's validated_returns() are.
const char* evaluation_word(const GenerationRecord& generation) {
  return generation.evaluation_returns.empty() ? "validation" : "evaluation";
}

void print_environment(std::ostream& out, const RunRecord& record) {
  label(out, "environment") << task_text(record);
  for (const std::string& option : task_options(record)) out << ", " << option;
  out << '\n';
}

void print_network(std::ostream& out, const RunRecord& record) {
  label(out, "network") << configured(record, "network").value_or("none");
  try {
    const Network network = run_network(record);
    out << ", " << counted(network.inputs(), "input") << ", " << counted(network.outputs(), "output") << ", "
        << counted(network.parameter_count(), "parameter");
  } catch (const Error&) {
    // Sizes follow from the environment, which this machine may not have; the run file is readable all the same.
  }
  out << '\n';
}

void print_progress(std::ostream& out, const RunRecord& record) {
  label(out, "generations") << format_count(record.generations.size());
  if (record.generations.empty()) {
    out << '\n';
    return;
  }
  const GenerationRecord& last = record.generations.back();
  out << ", the last with " << counted(last.members.size(), "member") << " x "
      << counted(last.episodes_per_member, "episode") << '\n';
  label(out, "episodes") << format_count(last.total_episodes) << '\n';
  label(out, "steps") << format_count(last.total_steps) << '\n';
  label(out, "frames") << format_count(last.total_frames) << '\n';
  std::uint64_t failed = 0;
  for (const GenerationRecord& generation : record.generations) failed += failed_episodes(generation);
  if (failed > 0) label(out, "failed episodes") << format_count(failed) << '\n';

  const ReturnSummary members = summarize_members(last);
  label(out, "last generation") << "best " << format_return(members.maximum) << "  mean " << format_return(members.mean)
                                << "  median " << format_return(members.median) << '\n';
  const GenerationRecord* best_evaluated = best_evaluation(record);
  const GenerationRecord* last_evaluated = nullptr;
  for (const GenerationRecord& generation : record.generations) {
    if (!validated_returns(generation).empty()) last_evaluated = &generation;
  }
  const auto print_evaluation = [&](const std::string& which, const GenerationRecord& generation) {
    label(out, which + evaluation_word(generation)) << mean_text(summarize(validated_returns(generation))) << ", after "
                                                    << counted(generation.generation + 1, "generation") << '\n';
  };
  if (!last.validation.elites.empty()) label(out, "elite") << individual_text(last.validation.elites.front()) << '\n';
  if (last_evaluated != nullptr) print_evaluation("last ", *last_evaluated);
  if (best_evaluated != nullptr && best_evaluated != last_evaluated) print_evaluation("best ", *best_evaluated);
  if (best_evaluated == nullptr) return;
  const std::string scores =
      reference_text(record, summarize(validated_returns(*best_evaluated)).mean, validation_cap(*best_evaluated));
  if (!scores.empty()) label(out, "its score") << scores << '\n';
}

/// "0.943": shares of a rate, which three digits are enough for.
std::string share_text(double share) {
  constexpr double kDigits = 1000.0;
  return number_text(std::round(share * kDigits) / kDigits);
}

void print_time(std::ostream& out, const RunRecord& record) {
  const double seconds = record.generations.empty() ? 0.0 : record.generations.back().total_seconds;
  label(out, "wall time") << format_duration(seconds) << " in " << counted(record.sessions.size(), "session");
  if (seconds > 0.0) {
    const GenerationRecord& last = record.generations.back();
    out << ", " << format_rate(static_cast<double>(last.total_steps) / seconds) << " steps/s, "
        << format_rate(static_cast<double>(last.total_frames) / seconds) << " frames/s";
  }
  out << '\n';
  if (!record.sessions.empty() && !record.sessions.back().rates.empty()) {
    label(out, "measured rates");
    const char* separator = "";
    for (const auto& [name, rate] : record.sessions.back().rates) {
      out << separator << name << ' ' << format_rate(rate) << "/s";
      separator = ", ";
    }
    out << '\n';
  }
  if (!record.generations.empty() && record.generations.back().limit_share > 0.0) {
    label(out, "share of limit") << share_text(record.generations.back().limit_share) << " in the last generation\n";
  }
}

void print_platform(std::ostream& out, const RunRecord& record) {
  if (record.sessions.empty()) return;
  label(out, "platform");
  const char* separator = "";
  for (const auto& [name, value] : record.sessions.front().platform) {
    out << separator << name << ' ' << value;
    separator = ", ";
  }
  out << '\n';
  for (std::size_t i = 1; i < record.sessions.size(); ++i) {
    const SessionRecord& session = record.sessions[i];
    if (session.platform == record.sessions.front().platform) continue;
    label(out, "") << "another platform from generation " << session.first_generation << " on"
                   << (session.other_platform_allowed ? ", allowed by --allow-other-platform" : "") << '\n';
  }
}

/// Mean and standard error of the solution's evaluation; `absent` ("-" in tables, nothing in CSV) where there is none.
struct EvaluationText {
  std::string mean;
  std::string error;
  EvaluationText(const GenerationRecord& generation, const std::string& absent, std::string (*text)(double))
      : mean(absent), error(absent) {
    const ReturnSummary summary = summarize(validated_returns(generation));
    if (summary.count + summary.failed == 0) return;
    mean = text(summary.mean);
    if (summary.count > 1) error = text(summary.standard_error);
  }
};

const char* form_text(PerturbationForm form) {
  switch (form) {
    case PerturbationForm::none:
      return "none";
    case PerturbationForm::dense:
      return "dense";
    case PerturbationForm::initial:
      return "initial";
  }
  return "unknown";
}

/// Whether the members are individuals with parents (a genetic algorithm or random search).
bool are_individuals(const GenerationRecord& generation) {
  return !generation.ancestors.empty() || std::ranges::any_of(generation.members, [](const Member& member) {
    return member.form == PerturbationForm::initial;
  });
}

bool has_pairs(const GenerationRecord& generation) {
  std::set<std::uint32_t> pairs;
  return std::ranges::any_of(generation.members,
                             [&pairs](const Member& member) { return !pairs.insert(member.pair).second; });
}

/// Recipes of individuals, in the words of the lineage: parent, mate, made by, power.
void print_birth(std::ostream& out, const GenerationRecord& generation, const Member& member) {
  const Birth birth = birth_of(member, generation.ancestors);
  const auto name = [](const std::optional<Individual>& who) { return who ? individual_text(*who) : "-"; };
  out << std::setw(14) << name(birth.parent) << std::setw(14) << name(birth.mate) << std::setw(21)
      << made_by_text(member.form, member.crossover) << std::setw(12)
      << (member.form == PerturbationForm::dense ? single_number_text(birth.power) : "-");
}

std::string status_text(std::uint8_t status) {
  constexpr std::array<const char*, 4> texts = {"pending", "terminated", "truncated", "failed"};
  return status < texts.size() ? texts[status] : "unknown (" + std::to_string(status) + ")";
}

}  // namespace

std::string made_by_text(PerturbationForm form, Crossover crossover) {
  switch (crossover) {
    case Crossover::uniform:
      return "uniform crossover";
    case Crossover::one_point:
      return "one-point crossover";
    case Crossover::none:
      break;
  }
  switch (form) {
    case PerturbationForm::initial:
      return "initial";
    case PerturbationForm::dense:
      return "mutation";
    case PerturbationForm::none:
      return "copy";
  }
  return "unknown";
}

std::string key_text(const PhiloxKey& key) {
  std::string text;
  const auto add = [&text](std::uint32_t word) {
    std::array<char, 16> digits{};
    std::snprintf(digits.data(), digits.size(), "%08x", static_cast<unsigned>(word));
    text += (text.empty() ? "" : ":") + std::string(digits.data());
  };
  std::ranges::for_each(key.key, add);
  std::ranges::for_each(key.counter, add);
  return text;
}

std::string recorded_episodes_text(const GenerationRecord& generation, std::uint32_t member) {
  std::string text;
  for (std::size_t episode = 0; episode < generation.episodes_per_member; ++episode) {
    const std::size_t index = std::size_t{member} * generation.episodes_per_member + episode;
    text += (episode == 0 ? "" : ", ") + number_text(generation.returns[index]) + ' ' +
            std::to_string(generation.steps[index]) + ' ' + std::to_string(generation.frames[index]) + ' ' +
            status_text(generation.status[index]);
  }
  return text;
}

std::optional<std::string> configured(const RunRecord& record, const std::string& key) {
  std::optional<std::string> value;
  for (const ConfigEntry& entry : record.configuration) {
    if (entry.key == key) value = entry.value;
  }
  return value;
}

Network run_network(const RunRecord& record) {
  RunSettings settings;
  Options options(record.program, "");
  add_run_options(options, settings);
  std::set<std::string> known = {"env-option"};  // repeatable: not listed while it has no value
  for (const ConfigEntry& entry : options.configuration()) known.insert(entry.key);
  std::vector<ConfigEntry> stored;
  std::ranges::copy_if(record.configuration, std::back_inserter(stored),
                       [&](const ConfigEntry& entry) { return known.contains(entry.key); });
  options.apply_stored(stored);
  settings.reference_observations = 1;  // no layer's size depends on them, and they would be played
  return make_run_task(settings).policy.network;
}

void print_summary(std::ostream& out, const std::string& path, std::uintmax_t file_bytes, const RunRecord& record) {
  label(out, "run") << path << '\n';
  label(out, "program") << record.program;
  if (const auto version = record.provenance.find("clade"); version != record.provenance.end()) {
    out << ' ' << version->second;
  }
  out << ", " << record.status << '\n';
  print_environment(out, record);
  print_network(out, record);
  label(out, "seed") << configured(record, "seed").value_or("none") << '\n';
  print_progress(out, record);
  if (!record.final_returns.empty()) {
    const ReturnSummary final_test = summarize(record.final_returns);
    label(out, "final test") << mean_text(final_test) << ", median " << format_return(final_test.median) << ", best "
                             << format_return(final_test.maximum) << ", worst " << format_return(final_test.minimum)
                             << '\n';
    const std::string scores = final_test.count == 0 ? std::string() : reference_text(record, final_test.mean);
    if (!scores.empty()) label(out, "its score") << scores << '\n';
  }
  print_time(out, record);
  print_platform(out, record);
  label(out, "file") << byte_text(file_bytes) << ", " << counted(record.keyframes.size(), "keyframe") << '\n';
  label(out, "results' digest") << results_digest(record) << '\n';
}

void print_generations(std::ostream& out, const RunRecord& record) {
  const bool evaluated = std::ranges::any_of(
      record.generations, [](const GenerationRecord& generation) { return !generation.evaluation_returns.empty(); });
  const bool validated = std::ranges::any_of(
      record.generations, [](const GenerationRecord& generation) { return !generation.validation.returns.empty(); });
  out << "generation        best        mean      median  " << (validated && !evaluated ? "validation" : "evaluation")
      << "          +-      episodes           steps"
      << "          frames        time  failed\n";
  for (const GenerationRecord& generation : record.generations) {
    const ReturnSummary members = summarize_members(generation);
    const EvaluationText evaluation(generation, "-", format_return);
    out << std::setw(10) << generation.generation << std::setw(12) << format_return(members.maximum) << std::setw(12)
        << format_return(members.mean) << std::setw(12) << format_return(members.median) << std::setw(12)
        << evaluation.mean << std::setw(12) << evaluation.error << std::setw(14)
        << format_count(generation.total_episodes) << std::setw(16) << format_count(generation.total_steps)
        << std::setw(16) << format_count(generation.total_frames) << std::setw(12)
        << format_duration(generation.total_seconds) << std::setw(8) << failed_episodes(generation) << '\n';
  }
}

void print_csv(std::ostream& out, const RunRecord& record) {
  out << "generation,best,mean,median,evaluation_mean,evaluation_error,episodes,steps,frames,seconds,failed\n";
  for (const GenerationRecord& generation : record.generations) {
    const ReturnSummary members = summarize_members(generation);
    const EvaluationText evaluation(generation, "", number_text);
    out << generation.generation << ',' << number_text(members.maximum) << ',' << number_text(members.mean) << ','
        << number_text(members.median) << ',' << evaluation.mean << ',' << evaluation.error << ','
        << generation.total_episodes << ',' << generation.total_steps << ',' << generation.total_frames << ','
        << number_text(generation.total_seconds) << ',' << failed_episodes(generation) << '\n';
  }
}

void print_members(std::ostream& out, const RunRecord& record, std::uint64_t generation) {
  const auto found = std::ranges::find(record.generations, generation, &GenerationRecord::generation);
  if (found == record.generations.end()) {
    const std::string there = record.generations.empty()
                                  ? "none"
                                  : std::to_string(record.generations.front().generation) + " to " +
                                        std::to_string(record.generations.back().generation);
    throw_input_error("generation " + std::to_string(generation) + " is not in the run file; it holds " + there);
  }
  const std::vector<double> means = member_fitness(*found, 0.0);
  const bool individuals = are_individuals(*found);
  const bool pairs = has_pairs(*found);
  out << "  member" << (pairs ? "    pair" : "")
      << (individuals ? "        parent          mate              made by       power"
                      : "     form    base       scale")
      << std::setw(46) << "key"
      << "        mean  episodes: return steps frames status\n";
  for (std::uint32_t i = 0; i < found->members.size(); ++i) {
    const Member& member = found->members[i];
    out << std::setw(8) << i;
    if (pairs) out << std::setw(8) << member.pair;
    if (individuals) {
      print_birth(out, *found, member);
    } else {
      out << std::setw(9) << form_text(member.form) << std::setw(8) << member.base << std::setw(12)
          << single_number_text(member.scale);
    }
    out << std::setw(46) << key_text(member.key) << std::setw(12) << format_return(means[i]) << "  "
        << recorded_episodes_text(*found, i) << '\n';
  }
}

void print_configuration(std::ostream& out, const RunRecord& record) {
  out << "# " << record.program << '\n';
  for (const ConfigEntry& entry : record.configuration) {
    out << entry.key << " = " << detail::config_value(entry.value) << '\n';
  }
}

}  // namespace clade
