#include "tools/output_file.hpp"

#include <unistd.h>

#include <system_error>

#include "core/error.hpp"
#include "core/file_layer.hpp"
#include "core/terminal.hpp"

namespace clade {

void check_output_file(const std::string& option, const std::string& file, const std::string& ending,
                       const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  const std::string lead = option + " " + quote_for_message(file) + ": ";
  const fs::path path = file;
  if (!file.ends_with(ending) || path.filename() == ending) {
    throw_input_error(lead + "name a file that ends in " + ending);
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) {
    throw_input_error(lead + "there is no folder " + folder.string() + "; create it first");
  }
  if (!fs::is_directory(folder, ignored)) {
    throw_input_error(lead + folder.string() + " is not a folder; choose another");
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    throw_input_error(lead + "the folder " + folder.string() + " is not writable; choose another");
  }
  if (!fs::exists(path, ignored)) return;
  if (fs::is_directory(path, ignored)) throw_input_error(lead + "is a folder; name a file in it");
  if (!fs::is_regular_file(path, ignored)) throw_input_error(lead + "is not a regular file; choose another name");
  for (const std::string& input : inputs) {
    if (fs::equivalent(path, input, ignored)) {
      throw_input_error(lead + "is the run file that is read; choose another name");
    }
  }
}

void write_output_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  const FileLayer files = system_file_layer();
  std::filesystem::path beside = path;
  beside += ".saving";
  files.write_synced(beside, bytes);
  try {
    files.replace(beside, path);
  } catch (...) {
    ::unlink(beside.c_str());
    throw;
  }
}

}  // namespace clade
