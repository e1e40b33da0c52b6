#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "core/run_record.hpp"

namespace clade {

/// The name of the elite chosen last.
inline constexpr const char* kElite = "elite";

/// Reads "12:3", or kElite. Throws Error naming `option` and the text, or where the run has no elite.
Individual named_individual(const RunRecord& record, const std::string& text, const std::string& option);

/// Returns of all validation episodes that an individual played as a candidate, in the order of the generations, NaN
/// where one failed.
std::vector<double> validation_returns(const RunRecord& record, const Individual& individual);

/// A table with a row for the individual and each of its ancestors, oldest first, with both sides of a crossover: who
/// it came from, how (mutation key and power), its recorded episodes, and the mean of validation_returns() where it was
/// a candidate; then a line that sums the chain up. Throws Error where the record does not hold the individual or the
/// chain is broken.
void print_lineage(std::ostream& out, const RunRecord& record, const Individual& individual);

}  // namespace clade
