#include "experiments/run_session.hpp"

#include <algorithm>
#include <ctime>

#include "core/platform.hpp"
#include "core/program.hpp"
#include "envs/catalog.hpp"
#include "experiments/reference_batch.hpp"
#include "experiments/run_checks.hpp"

namespace clade {

namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string join_arguments(int argc, const char* const* argv) {
  std::string joined;
  for (int index = 0; index < argc; ++index) {
    if (index > 0) joined += ' ';
    joined += argv[index];
  }
  return joined;
}

/// Versions and checksums of all that episodes are made of.
std::map<std::string, std::string> task_provenance(const RunSettings& settings, const RunTask& task) {
  auto provenance = environment_provenance(settings.environment, environment_options(settings));
  if (task.policy.reference_batch) {
    provenance["reference_batch"] = reference_batch_digest(*task.policy.reference_batch);
  }
  return provenance;
}

}  // namespace

SessionRecord begin_session(const RunSettings& settings, const RunTask& task, std::uint64_t first_generation, int argc,
                            const char* const* argv) {
  SessionRecord session;
  session.first_generation = first_generation;
  session.command_line = join_arguments(argc, argv);
  session.started = utc_now();
  session.platform = platform_fingerprint();
  session.platform.merge(task_provenance(settings, task));
  return session;
}

std::map<std::string, std::string> run_provenance(const RunSettings& settings, const RunTask& task) {
  std::map<std::string, std::string> provenance = task_provenance(settings, task);
  provenance.merge(machine_description());
  provenance["network"] = network_text(task);
  provenance["clade"] = version_string();
  return provenance;
}

std::string default_file_name(const std::string& program, const RunSettings& settings, const RunTask& task) {
  std::string name = program + "-" + task.environment.name + "-seed" + std::to_string(settings.seed) + ".h5";
  std::ranges::replace(name, '/', '-');
  return name;
}

}  // namespace clade
