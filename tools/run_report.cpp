#include "tools/run_report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iomanip>
#include <ostream>
#include <string_view>
#include <vector>

#include "core/config_file.hpp"
#include "core/error.hpp"
#include "core/file_layer.hpp"
#include "core/number_text.hpp"
#include "core/progress.hpp"
#include "core/run_file.hpp"
#include "core/statistics.hpp"
#include "core/terminal.hpp"
#include "experiments/replay.hpp"
#include "experiments/run_settings.hpp"
#include "experiments/run_summary.hpp"
#include "experiments/run_task.hpp"

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

void print_environment(std::ostream& out, const RunRecord& record) {
  label(out, "environment") << configured(record, "env").value_or("none");
  for (const ConfigEntry& entry : record.configuration) {
    if (entry.key == "env-option") out << ' ' << entry.value;
  }
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
  std::uint64_t failed = 0;
  for (const GenerationRecord& generation : record.generations) failed += failed_episodes(generation);
  if (failed > 0) label(out, "failed episodes") << format_count(failed) << '\n';

  const ReturnSummary members = summarize_members(last);
  label(out, "last generation") << "best " << format_return(members.maximum) << "  mean " << format_return(members.mean)
                                << "  median " << format_return(members.median) << '\n';
  const GenerationRecord* best_evaluated = best_evaluation(record);
  const GenerationRecord* last_evaluated = nullptr;
  for (const GenerationRecord& generation : record.generations) {
    if (!generation.evaluation_returns.empty()) last_evaluated = &generation;
  }
  const auto print_evaluation = [&](std::string_view name, const GenerationRecord& generation) {
    label(out, name) << mean_text(summarize(generation.evaluation_returns)) << ", after "
                     << counted(generation.generation + 1, "generation") << '\n';
  };
  if (last_evaluated != nullptr) print_evaluation("last evaluation", *last_evaluated);
  if (best_evaluated != nullptr && best_evaluated != last_evaluated)
    print_evaluation("best evaluation", *best_evaluated);
}

void print_time(std::ostream& out, const RunRecord& record) {
  const double seconds = record.generations.empty() ? 0.0 : record.generations.back().total_seconds;
  label(out, "wall time") << format_duration(seconds) << " in " << counted(record.sessions.size(), "session");
  if (seconds > 0.0) {
    out << ", " << format_rate(static_cast<double>(record.generations.back().total_steps) / seconds) << " steps/s";
  }
  out << '\n';
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

/// "-" in tables, nothing in CSV.
std::string evaluation_mean(const GenerationRecord& generation, const std::string& absent,
                            std::string (*text)(double)) {
  if (generation.evaluation_returns.empty()) return absent;
  return text(summarize(generation.evaluation_returns).mean);
}

std::string status_text(std::uint8_t status) {
  constexpr std::array<const char*, 4> texts = {"pending", "terminated", "truncated", "failed"};
  return status < texts.size() ? texts[status] : "unknown (" + std::to_string(status) + ")";
}

/// The key's words, then the counter's, in hexadecimal.
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

}  // namespace

std::optional<std::string> configured(const RunRecord& record, const std::string& key) {
  std::optional<std::string> value;
  for (const ConfigEntry& entry : record.configuration) {
    if (entry.key == key) value = entry.value;
  }
  return value;
}

Network run_network(const RunRecord& record) {
  RunSettings settings;
  settings.environment = configured(record, "env").value_or("");
  for (const ConfigEntry& entry : record.configuration) {
    if (entry.key == "env-option") settings.environment_options.push_back(entry.value);
  }
  settings.network = configured(record, "network").value_or(settings.network);
  settings.head = configured(record, "head").value_or(settings.head);
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
  }
  print_time(out, record);
  print_platform(out, record);
  label(out, "file") << byte_text(file_bytes) << ", " << counted(record.keyframes.size(), "keyframe") << '\n';
  label(out, "results' digest") << results_digest(record) << '\n';
}

void print_generations(std::ostream& out, const RunRecord& record) {
  out << "generation        best        mean      median  evaluation      episodes           steps        time"
      << "  failed\n";
  for (const GenerationRecord& generation : record.generations) {
    const ReturnSummary members = summarize_members(generation);
    out << std::setw(10) << generation.generation << std::setw(12) << format_return(members.maximum) << std::setw(12)
        << format_return(members.mean) << std::setw(12) << format_return(members.median) << std::setw(12)
        << evaluation_mean(generation, "-", format_return) << std::setw(14) << format_count(generation.total_episodes)
        << std::setw(16) << format_count(generation.total_steps) << std::setw(12)
        << format_duration(generation.total_seconds) << std::setw(8) << failed_episodes(generation) << '\n';
  }
}

void print_csv(std::ostream& out, const RunRecord& record) {
  out << "generation,best,mean,median,evaluation_mean,episodes,steps,seconds,failed\n";
  for (const GenerationRecord& generation : record.generations) {
    const ReturnSummary members = summarize_members(generation);
    out << generation.generation << ',' << number_text(members.maximum) << ',' << number_text(members.mean) << ','
        << number_text(members.median) << ',' << evaluation_mean(generation, "", number_text) << ','
        << generation.total_episodes << ',' << generation.total_steps << ',' << number_text(generation.total_seconds)
        << ',' << failed_episodes(generation) << '\n';
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
  out << "  member    pair   form  base       scale                                           key        mean"
      << "  episodes: return steps status\n";
  for (std::size_t i = 0; i < found->members.size(); ++i) {
    const Member& member = found->members[i];
    out << std::setw(8) << i << std::setw(8) << member.pair << std::setw(7)
        << (member.form == PerturbationForm::none ? "none" : "dense") << std::setw(6) << member.base << std::setw(12)
        << single_number_text(member.scale) << std::setw(46) << key_text(member.key) << std::setw(12)
        << format_return(means[i]) << ' ';
    for (std::size_t episode = 0; episode < found->episodes_per_member; ++episode) {
      const std::size_t index = i * found->episodes_per_member + episode;
      out << (episode == 0 ? " " : ", ") << number_text(found->returns[index]) << ' ' << found->steps[index] << ' '
          << status_text(found->status[index]);
    }
    out << '\n';
  }
}

void print_configuration(std::ostream& out, const RunRecord& record) {
  out << "# " << record.program << '\n';
  for (const ConfigEntry& entry : record.configuration) {
    out << entry.key << " = " << detail::config_value(entry.value) << '\n';
  }
}

}  // namespace clade
