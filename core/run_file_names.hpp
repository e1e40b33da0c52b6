#pragma once

#include <array>
#include <string>
#include <string_view>

/// Names in a run file that its writer and its reader share; docs/run_file.md lists them all.
namespace clade::run_file_names {

// Attributes of the root.
inline const std::string kFormat = "format";
inline constexpr std::string_view kFormatText = "Clade run file";
inline const std::string kSchema = "schema";
inline const std::string kVersion = "clade_version";
inline const std::string kProgram = "program";
inline const std::string kStatus = "status";
inline const std::string kNextGeneration = "next_generation";

/// ResultEffect in the order of its values.
inline constexpr std::array<std::string_view, 3> kEffects = {"results", "budget", "none"};

/// Datasets of a generation's members and, below "crossover", of a uniform crossover's key: the key's words 0 to 1, the
/// counter's words 0 to 2.
inline const std::array<std::string, 2> kKeyWords = {"key0", "key1"};
inline const std::array<std::string, 3> kCounterWords = {"counter0", "counter1", "counter2"};
/// Group of the members' crossovers, absent where no member of the run has one.
inline const std::string kCrossover = "crossover";

}  // namespace clade::run_file_names
