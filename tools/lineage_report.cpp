#include "tools/lineage_report.hpp"

#include <iomanip>
#include <limits>
#include <optional>
#include <ostream>

#include "core/episode.hpp"
#include "core/number_text.hpp"
#include "core/progress.hpp"
#include "core/statistics.hpp"
#include "experiments/record_genealogy.hpp"
#include "ga/genealogy.hpp"
#include "tools/run_report.hpp"

namespace clade {
namespace {

std::string name_or_dash(const std::optional<Individual>& individual) {
  return individual ? individual_text(*individual) : "-";
}

/// "1203.5 +- 33.10 in 60", over its validation episodes of all generations; "-" for one that was no candidate.
std::string validation_text(const std::vector<double>& returns) {
  const ReturnSummary summary = summarize(returns);
  if (returns.empty()) return "-";
  std::string text = format_return(summary.mean);
  if (summary.count > 1) text += " +- " + format_return(summary.standard_error);
  text += " in " + format_count(returns.size());
  if (summary.failed > 0) text += " (" + format_count(summary.failed) + " failed)";
  return text;
}

std::string counted(std::size_t count, const std::string& thing) {
  return format_count(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace

Individual named_individual(const RunRecord& record, const std::string& text, const std::string& option) {
  return text == kElite ? last_elite(record) : parse_individual(text, option);
}

std::vector<double> validation_returns(const RunRecord& record, const Individual& individual) {
  std::vector<double> returns;
  for (const GenerationRecord& generation : record.generations) {
    const Validation& validation = generation.validation;
    for (std::size_t candidate = 0; candidate < validation.candidates.size(); ++candidate) {
      if (validation.candidates[candidate] != individual) continue;
      for (std::size_t episode = 0; episode < validation.episodes_per_candidate; ++episode) {
        const std::size_t index = candidate * validation.episodes_per_candidate + episode;
        const bool failed = validation.status[index] == static_cast<std::uint8_t>(EpisodeStatus::failed);
        returns.push_back(failed ? std::numeric_limits<double>::quiet_NaN() : validation.returns[index]);
      }
    }
  }
  return returns;
}

void print_lineage(std::ostream& out, const RunRecord& record, const Individual& individual) {
  const Genealogy genealogy = genealogy_of(record, individual);
  const std::vector<Individual> lineage = genealogy.lineage(individual);
  out << "    individual        parent          mate              made by       power" << std::setw(46) << "key"
      << std::setw(32) << "validation (all generations)"
      << "  episodes: return steps frames status\n";
  for (const Individual& ancestor : lineage) {
    const Birth& birth = genealogy.birth(ancestor);
    out << std::setw(14) << individual_text(ancestor) << std::setw(14) << name_or_dash(birth.parent) << std::setw(14)
        << name_or_dash(birth.mate) << std::setw(21) << made_by_text(birth.form, birth.crossover) << std::setw(12)
        << (birth.form == PerturbationForm::dense ? single_number_text(birth.power) : "-") << std::setw(46)
        << key_text(birth.key) << std::setw(32) << validation_text(validation_returns(record, ancestor)) << "  "
        << recorded_episodes_text(recorded_generation(record, ancestor), ancestor.member) << '\n';
  }
  Individual founder = individual;
  for (std::optional<Individual> parent = individual; parent; parent = genealogy.birth(founder).parent) {
    founder = *parent;
  }
  out << individual_text(individual) << ": " << counted(genealogy.chain_length(individual), "mutation")
      << " from the initial individual " << individual_text(founder) << ", " << counted(lineage.size() - 1, "ancestor")
      << '\n';
}

}  // namespace clade
