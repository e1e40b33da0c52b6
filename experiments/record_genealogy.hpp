#pragma once

#include <string>

#include "core/run_record.hpp"
#include "ga/genealogy.hpp"

namespace clade {

/// Reads "12:3", generation and member, both counted from 0. Throws Error naming `option` and the text, and "elite" as
/// what the option takes besides.
Individual parse_individual(const std::string& text, const std::string& option);

/// The record of the individual's generation. Throws Error naming it where the run file holds no such generation, or
/// where that has no such member.
const GenerationRecord& recorded_generation(const RunRecord& record, const Individual& individual);

/// How an individual was made. Throws Error as recorded_generation, and where it was made from no individual but a
/// strategy's solution.
Birth recorded_birth(const RunRecord& record, const Individual& individual);

/// The individual's birth and those of all its ancestors, back to initial ones. Throws Error naming the individual at
/// which the chain breaks.
Genealogy genealogy_of(const RunRecord& record, const Individual& individual);

/// The best elite that was chosen last. Throws Error where the run has none.
Individual last_elite(const RunRecord& record);

}  // namespace clade
