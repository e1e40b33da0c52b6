#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include "core/network.hpp"
#include "core/population.hpp"
#include "core/random.hpp"
#include "core/run_record.hpp"
#include "experiments/score_text.hpp"

namespace clade {

/// The last stored value of an option; empty where the run has none of that name.
std::optional<std::string> configured(const RunRecord& record, const std::string& key);

/// The network of the run, with its sizes. Throws Error where the run's environment cannot be made here.
Network run_network(const RunRecord& record);

/// What a run is and how far it came, a line for each thing.
void print_summary(std::ostream& out, const std::string& path, std::uintmax_t file_bytes, const RunRecord& record);

/// A table with a row for each generation: best, mean and median over the members' mean returns; mean and standard
/// error of the solution's evaluation (of a genetic algorithm's elite: of its validation, and the column is called so);
/// totals of the run.
void print_generations(std::ostream& out, const RunRecord& record);

/// The same as comma-separated values with a header; a number that does not exist is left empty, one that is not
/// finite is "nan".
///   generation,best,mean,median,evaluation_mean,evaluation_error,episodes,steps,frames,seconds,failed
void print_csv(std::ostream& out, const RunRecord& record);

/// A table with a row for each member of a generation: its recipe and its episodes. Of individuals (a genetic
/// algorithm) the recipe is parent, mate, how it was made and the mutation's power, as print_lineage has them; of
/// others form, base and scale, and the pair where members are pairs. Throws Error where the run has no such
/// generation.
void print_members(std::ostream& out, const RunRecord& record, std::uint64_t generation);

/// How an individual was made: "initial", "mutation", "copy", or the crossover that came before its mutation.
std::string made_by_text(PerturbationForm form, Crossover crossover);

/// "00000001:00000000:00000003:00000002:02000000": the key's words, then the counter's, in hexadecimal.
std::string key_text(const PhiloxKey& key);

/// "120 34 136 terminated, 80 20 80 truncated": return, steps, frames and status of the member's episodes.
std::string recorded_episodes_text(const GenerationRecord& generation, std::uint32_t member);

/// The configuration as a file that --config of the run's program reads.
void print_configuration(std::ostream& out, const RunRecord& record);

}  // namespace clade
