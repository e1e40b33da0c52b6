#include "envs/installed_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace clade {

std::vector<std::filesystem::path> installed_places(const std::filesystem::path& file) {
  std::vector<std::filesystem::path> places;
  std::error_code failure;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failure);
  if (!failure) places.push_back(program.parent_path().parent_path() / file);
#ifdef CLADE_INSTALL_PREFIX
  const std::filesystem::path configured = std::filesystem::path(CLADE_INSTALL_PREFIX) / file;
  if (std::find(places.begin(), places.end(), configured) == places.end()) places.push_back(configured);
#endif
  return places;
}

std::string listed(const std::vector<std::filesystem::path>& places) {
  std::string text;
  for (const std::filesystem::path& place : places) text += (text.empty() ? "" : ", ") + place.string();
  return text;
}

const char* non_empty_variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace clade
