#include "experiments/environment_listing.hpp"

#include <algorithm>
#include <ostream>
#include <string>

#include "envs/catalog.hpp"

namespace clade {

int print_environments(std::ostream& out) {
  const std::vector<EnvironmentInfo> environments = list_environments();
  std::size_t width = 0;
  for (const EnvironmentInfo& environment : environments) width = std::max(width, environment.name.size());
  std::string family;
  const EnvironmentInfo* last_listed = nullptr;  // the last one whose options were printed
  for (const EnvironmentInfo& environment : environments) {
    if (environment.family != family) {
      if (!family.empty()) out << '\n';
      family = environment.family;
      out << family << '\n';
    }
    out << "  " << environment.name << std::string(width - environment.name.size() + 2, ' ') << environment.summary;
    if (!environment.unavailable.empty()) out << "  (not available: " << environment.unavailable << ')';
    const bool same_options =
        last_listed != nullptr && !environment.options.empty() && environment.options == last_listed->options;
    if (same_options) out << "  (options as " << last_listed->name << ')';
    out << '\n';
    if (same_options) continue;
    last_listed = &environment;
    for (const EnvironmentOptionInfo& option : environment.options) {
      out << "      " << option.name << '=' << option.default_value << "  " << option.text << '\n';
    }
  }
  return 0;
}

}  // namespace clade
