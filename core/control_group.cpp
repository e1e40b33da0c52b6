#include "core/control_group.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace clade {
namespace {

namespace fs = std::filesystem;

/// Version 1 says "no limit" of memory with a number near 2^63.
constexpr double kNoMemoryLimit = 0x1p60;

std::optional<double> read_number(const fs::path& path) {
  std::ifstream file(path);
  double number = 0.0;
  if (!(file >> number)) return std::nullopt;  // also "max"
  return number;
}

void keep_smaller(std::optional<double>& smallest, double value) {
  smallest = smallest ? std::min(*smallest, value) : value;
}

void add_with_parents(const fs::path& root, const std::string& group, std::vector<fs::path>& folders) {
  fs::path folder = root;
  folders.push_back(folder);
  for (const fs::path& part : fs::path(group).relative_path()) {
    folder /= part;
    folders.push_back(folder);
  }
}

bool lists(const std::string& controllers, std::string_view controller) {
  std::istringstream names(controllers);
  std::string name;
  while (std::getline(names, name, ',')) {
    if (name == controller) return true;
  }
  return false;
}

/// Bytes of file cache the kernel may drop: "inactive_file 4096" (version 2) or "total_inactive_file 4096".
double droppable_cache(const fs::path& folder) {
  std::ifstream file(folder / "memory.stat");
  std::string name;
  double bytes = 0.0;
  double result = 0.0;
  while (file >> name >> bytes) {
    if (name == "inactive_file" || name == "total_inactive_file") result = std::max(result, bytes);
  }
  return result;
}

}  // namespace

std::vector<fs::path> control_group_folders(std::string_view controller, const ControlGroupPlaces& places) {
  std::vector<fs::path> folders;
  std::ifstream file(places.membership);
  std::string line;
  while (std::getline(file, line)) {
    // "0::/user.slice" (version 2) or "4:cpu,cpuacct:/docker/1f" (version 1)
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      add_with_parents(places.mount, group, folders);
      add_with_parents(places.mount / "unified", group, folders);
    } else if (lists(controllers, controller)) {
      add_with_parents(places.mount / controllers, group, folders);
      add_with_parents(places.mount / controller, group, folders);
    }
  }
  return folders;
}

std::optional<double> control_group_cores(const ControlGroupPlaces& places) {
  std::optional<double> smallest;
  const auto keep = [&](double quota, double period) {
    if (quota > 0.0 && period > 0.0) keep_smaller(smallest, quota / period);
  };
  for (const fs::path& folder : control_group_folders("cpu", places)) {
    std::ifstream version_2(folder / "cpu.max");  // "150000 100000", "max 100000"
    double quota = 0.0;
    double period = 0.0;
    if (version_2 >> quota >> period) keep(quota, period);
    const auto quota_1 = read_number(folder / "cpu.cfs_quota_us");  // -1: no limit
    const auto period_1 = read_number(folder / "cpu.cfs_period_us");
    if (quota_1 && period_1) keep(*quota_1, *period_1);
  }
  return smallest;
}

std::optional<double> control_group_memory(const ControlGroupPlaces& places) {
  std::optional<double> smallest;
  const auto keep = [&](const fs::path& folder, const char* limit_name, const char* use_name) {
    const auto limit = read_number(folder / limit_name);
    const auto use = read_number(folder / use_name);
    if (!limit || !use || *limit >= kNoMemoryLimit) return;
    const double held = std::max(0.0, *use - droppable_cache(folder));
    keep_smaller(smallest, std::max(0.0, *limit - held));
  };
  for (const fs::path& folder : control_group_folders("memory", places)) {
    keep(folder, "memory.max", "memory.current");
    keep(folder, "memory.limit_in_bytes", "memory.usage_in_bytes");
  }
  return smallest;
}

}  // namespace clade
