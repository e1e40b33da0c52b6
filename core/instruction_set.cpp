#include "core/instruction_set.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <string>

#include "core/error.hpp"

namespace clade {
namespace {

constexpr std::array kSets = {InstructionSet::generic, InstructionSet::avx2, InstructionSet::avx512};

bool runs_here(InstructionSet set) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  switch (set) {
    case InstructionSet::generic:
      return true;
    case InstructionSet::avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case InstructionSet::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
  }
  return false;
#else
  return set == InstructionSet::generic;
#endif
}

}  // namespace

std::string_view name_of(InstructionSet set) {
  switch (set) {
    case InstructionSet::generic:
      return "generic";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
  }
  return "unknown";
}

InstructionSet parse_instruction_set(std::string_view name) {
  std::vector<std::string> names;
  for (const InstructionSet set : kSets) {
    if (name == name_of(set)) return set;
    names.emplace_back(name_of(set));
  }
  throw_unknown_name("instruction set", name, names);
}

std::vector<InstructionSet> available_instruction_sets() {
  std::vector<InstructionSet> available;
  std::copy_if(kSets.begin(), kSets.end(), std::back_inserter(available), runs_here);
  return available;
}

InstructionSet preferred_instruction_set() {
  const std::vector<InstructionSet> available = available_instruction_sets();
  const char* const forced = std::getenv("CLADE_ISA");
  if (forced == nullptr || *forced == '\0') return available.back();
  const InstructionSet set = parse_instruction_set(forced);
  if (std::find(available.begin(), available.end(), set) != available.end()) return set;
  std::string names;
  for (const InstructionSet each : available) names += (names.empty() ? "" : ", ") + std::string(name_of(each));
  throw_input_error("CLADE_ISA=" + std::string(forced) + ": this processor cannot run it; available: " + names +
                    "; unset CLADE_ISA to use the fastest");
}

}  // namespace clade
