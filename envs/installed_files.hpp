#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace clade {

/// `file` below the prefix that the running program is installed in, and below the configured one.
std::vector<std::filesystem::path> installed_places(const std::filesystem::path& file);

/// "a, b, c".
std::string listed(const std::vector<std::filesystem::path>& places);

/// The variable of the process's environment, or nullptr where it is unset or empty.
const char* non_empty_variable(const char* name);

}  // namespace clade
