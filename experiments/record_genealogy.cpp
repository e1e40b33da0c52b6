#include "experiments/record_genealogy.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/number_text.hpp"
#include "core/terminal.hpp"

namespace clade {
namespace {

/// Digits only: a whole number as they are counted, not as options may write it ("1e3").
bool read_index(const std::string& text, std::uint64_t limit, std::uint64_t& value) {
  const bool digits = std::ranges::all_of(text, [](char character) { return character >= '0' && character <= '9'; });
  return !text.empty() && digits && read_number(text, value) == NumberProblem::none && value <= limit;
}

std::string held_text(const RunRecord& record) {
  if (record.generations.empty()) return "it holds no generation yet";
  return "it holds generations " + std::to_string(record.generations.front().generation) + " to " +
         std::to_string(record.generations.back().generation);
}

}  // namespace

Individual parse_individual(const std::string& text, const std::string& option) {
  // The largest generation and member that a random key holds.
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint32_t>::max();
  const std::size_t colon = text.find(':');
  std::uint64_t generation = 0;
  std::uint64_t member = 0;
  if (colon == std::string::npos || !read_index(text.substr(0, colon), kLargest, generation) ||
      !read_index(text.substr(colon + 1), kLargest, member)) {
    throw_input_error(option + " " + quote_for_message(text) +
                      ": give GENERATION:MEMBER, two whole numbers from 0 to 4294967295, as 12:3, or elite");
  }
  return {generation, static_cast<std::uint32_t>(member)};
}

const GenerationRecord& recorded_generation(const RunRecord& record, const Individual& individual) {
  const auto found = std::ranges::find(record.generations, individual.generation, &GenerationRecord::generation);
  if (found == record.generations.end()) {
    throw_input_error("individual " + individual_text(individual) + ": generation " +
                      std::to_string(individual.generation) + " has no members in the run file; " + held_text(record));
  }
  if (individual.member >= found->members.size()) {
    throw_input_error("individual " + individual_text(individual) + ": member " + std::to_string(individual.member) +
                      " is not in generation " + std::to_string(individual.generation) + ", which has " +
                      std::to_string(found->members.size()) + " members, counted from 0");
  }
  return *found;
}

Birth recorded_birth(const RunRecord& record, const Individual& individual) {
  const GenerationRecord& generation = recorded_generation(record, individual);
  const Member& member = generation.members[individual.member];
  if (member.form != PerturbationForm::initial && generation.ancestors.empty()) {
    throw_input_error("individual " + individual_text(individual) + " was made from the solution of " + record.program +
                      ", not from a parent: only genetic algorithms have a lineage");
  }
  try {
    return birth_of(member, generation.ancestors);
  } catch (const Error& error) {
    throw Error(error.kind(), "individual " + individual_text(individual) + ": " + error.what());
  }
}

Genealogy genealogy_of(const RunRecord& record, const Individual& individual) {
  return trace_genealogy(individual, [&](const Individual& ancestor) {
    try {
      Birth birth = recorded_birth(record, ancestor);
      for (const std::optional<Individual>& parent : {birth.parent, birth.mate}) {
        // Before it is followed: a chain that does not lead backwards might never end.
        if (!parent || parent->generation < ancestor.generation) continue;
        throw_input_error("its parent " + individual_text(*parent) + " is not older");
      }
      return birth;
    } catch (const Error& error) {
      if (ancestor == individual) throw;
      throw Error(error.kind(), "lineage of " + individual_text(individual) + " breaks at " +
                                    individual_text(ancestor) + ": " + error.what());
    }
  });
}

Individual last_elite(const RunRecord& record) {
  const auto chosen = std::find_if(record.generations.rbegin(), record.generations.rend(),
                                   [](const GenerationRecord& g) { return !g.validation.elites.empty(); });
  if (chosen != record.generations.rend()) return chosen->validation.elites.front();
  throw_input_error("the run has no elite: " +
                    (record.generations.empty()
                         ? std::string("it holds no generation yet")
                         : "only genetic algorithms and random search choose one, this is " + record.program));
}

}  // namespace clade
