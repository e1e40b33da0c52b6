#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace clade {

/// Where Linux tells a process about its control groups. Tests bring their own folders.
struct ControlGroupPlaces {
  std::filesystem::path membership = "/proc/self/cgroup";
  std::filesystem::path mount = "/sys/fs/cgroup";
};

/// Folders of the control groups (versions 1 and 2) that limit this process through `controller` ("cpu", "memory"):
/// its own, those above, and the mount's root, which inside a container is its own whatever the path says. Some may not
/// exist.
std::vector<std::filesystem::path> control_group_folders(std::string_view controller,
                                                         const ControlGroupPlaces& places = {});

/// The smallest processor quota in cores. Nothing where there is no limit.
std::optional<double> control_group_cores(const ControlGroupPlaces& places = {});

/// The least that the groups' memory limits leave, in bytes: limit - use, where file cache that can be dropped does not
/// count as use. Nothing where there is no limit.
std::optional<double> control_group_memory(const ControlGroupPlaces& places = {});

}  // namespace clade
