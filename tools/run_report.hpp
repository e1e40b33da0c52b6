#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include "core/network.hpp"
#include "core/run_record.hpp"

namespace clade {

/// The last stored value of an option; empty where the run has none of that name.
std::optional<std::string> configured(const RunRecord& record, const std::string& key);

/// The network of the run, with its sizes. Throws Error where the run's environment cannot be made here.
Network run_network(const RunRecord& record);

/// What a run is and how far it came, a line for each thing.
void print_summary(std::ostream& out, const std::string& path, std::uintmax_t file_bytes, const RunRecord& record);

/// A table with a row for each generation.
void print_generations(std::ostream& out, const RunRecord& record);

/// The same as comma-separated values with a header; a number that does not exist is left empty, one that is not
/// finite is "nan".
///   generation,best,mean,median,evaluation_mean,episodes,steps,seconds,failed
/// best, mean and median are over the members' mean returns; episodes, steps and seconds are totals of the run.
void print_csv(std::ostream& out, const RunRecord& record);

/// A table with a row for each member of a generation. Throws Error where the run has no such generation.
void print_members(std::ostream& out, const RunRecord& record, std::uint64_t generation);

/// The configuration as a file that --config of the run's program reads.
void print_configuration(std::ostream& out, const RunRecord& record);

}  // namespace clade
