#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace clade {

/// What a paper reports: mean training episodes until the mean return of 100 evaluation episodes passes `threshold`.
struct PublishedResult {
  double threshold = 0.0;
  std::optional<std::uint32_t> episodes_all;  ///< with all directions (ARS V2)
  std::optional<std::uint32_t> episodes_top;  ///< with the top b of N (ARS V2-t)
};

/// A named set of option values: option name (without dashes) -> value as on the command line.
struct Preset {
  std::string name;
  std::string text;  ///< one line: what it is and where its numbers are from
  std::map<std::string, std::string> values;
  std::optional<PublishedResult> published;
};

}  // namespace clade
