#include "tools/task_text.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "core/error.hpp"
#include "envs/atari_options.hpp"
#include "tools/run_report.hpp"

namespace clade {
namespace {

std::optional<std::string> recorded_protocol(const RunRecord& record) {
  const auto found = record.provenance.find("atari_protocol");
  return found == record.provenance.end() ? std::nullopt : std::optional(found->second);
}

/// What results depend on, under a protocol with one option set.
std::map<std::string, std::string> rules(const AtariGame& game, const std::string& protocol,
                                         const EnvironmentOptions& options) {
  EnvironmentOptions all = {{"protocol", protocol}};
  all.insert(all.end(), options.begin(), options.end());
  return resolve_atari_parameters(game, all).description(game);
}

bool differs(const AtariGame& game, const std::string& protocol, const std::string& option) {
  try {
    const auto [name, value] = parse_environment_option(option);
    if (name == "protocol") return false;  // named by itself
    return rules(game, protocol, {{name, value}}) != rules(game, protocol, {});
  } catch (const Error&) {
    return true;  // of another version of Clade, or of no meaning by itself: shown as it was given
  }
}

}  // namespace

std::string task_text(const RunRecord& record) {
  const std::optional<std::string> protocol = recorded_protocol(record);
  return configured(record, "env").value_or("unknown task") + (protocol ? ", protocol " + *protocol : "");
}

std::vector<std::string> task_options(const RunRecord& record) {
  std::vector<std::string> options;
  for (const ConfigEntry& entry : record.configuration) {
    if (entry.key == "env-option") options.push_back(entry.value);
    if (entry.key == "resize" && entry.value != "auto") options.push_back("resize=" + entry.value);
    if (entry.key == "full-action-space" && entry.value == "true") options.push_back("full_action_space=true");
  }
  const AtariGame* game = find_atari_game(configured(record, "env").value_or(""));
  const std::optional<std::string> protocol = recorded_protocol(record);
  if (game != nullptr && protocol) {
    std::erase_if(options, [&](const std::string& option) { return !differs(*game, *protocol, option); });
  }
  return options;
}

}  // namespace clade
