#pragma once

#include <string_view>
#include <vector>

namespace clade {

/// What the vector kernels are compiled for. All give the same bits; they differ in speed alone.
enum class InstructionSet {
  generic,  ///< plain C++, any processor
  avx2,     ///< AVX2 and FMA
  avx512    ///< AVX-512 F, DQ, BW and VL
};

/// "generic", "avx2", "avx512"
std::string_view name_of(InstructionSet set);
/// Throws Error naming the nearest valid name.
InstructionSet parse_instruction_set(std::string_view name);

/// Those that this build has kernels for and this processor and system can run, slowest first; never empty.
std::vector<InstructionSet> available_instruction_sets();

/// The fastest available one, or what the environment variable CLADE_ISA names. Throws Error where that is unknown or
/// not available here.
InstructionSet preferred_instruction_set();

}  // namespace clade
