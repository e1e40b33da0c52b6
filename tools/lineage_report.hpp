#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "core/run_record.hpp"

namespace clade {

/// Reads "12:3", or "elite" for the elite chosen last. Throws Error naming the text, or where the run has no elite.
Individual parse_lineage(const RunRecord& record, const std::string& text);

/// Returns of all validation episodes that an individual played as a candidate, in the order of the generations, NaN
/// where one failed.
std::vector<double> validation_returns(const RunRecord& record, const Individual& individual);

/// A table with a row for the individual and each of its ancestors, oldest first, with both sides of a crossover: who
/// it came from, how (mutation key and power), its recorded episodes, and its validation where it was a candidate; then
/// a line that sums the chain up. Throws Error where the record does not hold the individual or the chain is broken.
void print_lineage(std::ostream& out, const RunRecord& record, const Individual& individual);

}  // namespace clade
