#include "core/run_file.hpp"

#include <system_error>

#include "core/error.hpp"
#include "core/program.hpp"
#include "core/run_file_block.hpp"
#include "core/run_file_content.hpp"

namespace clade {
namespace {

constexpr int kMostLinks = 40;  // as the kernel's own limit

/// What a save is written to before it takes the file's name. One name for all saves: what a killed one leaves behind
/// is replaced by the next.
std::filesystem::path temporary_beside(const std::filesystem::path& path) {
  std::filesystem::path temporary = path;
  temporary += ".saving";
  return temporary;
}

/// The file to replace: where a symbolic link leads to. Refuses what a rename would destroy or cannot replace.
std::filesystem::path file_to_replace(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!path.has_filename()) throw_input_error("it names a folder; give a file's name");
  fs::path target = path;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    if (links == kMostLinks) throw_input_error("its symbolic links lead in a circle; give a file's name");
    target = target.parent_path() / fs::read_symlink(target, error);
    if (error) throw_input_error("its symbolic link cannot be read: " + error.message());
  }
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status)) throw_input_error("it is a folder; give a file's name");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw_input_error("it is not a regular file; choose another name");
  }
  return target;
}

/// Deletes the temporary file unless it has become the file.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path path) : path_(std::move(path)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    if (!renamed_) std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::filesystem::path& path() const { return path_; }
  void renamed() { renamed_ = true; }

 private:
  std::filesystem::path path_;
  bool renamed_ = false;
};

}  // namespace

void save_run_file(const std::filesystem::path& path, const RunRecord& record, const FileLayer& files) {
  try {
    const std::filesystem::path target = file_to_replace(path);
    std::vector<std::byte> bytes = encode_run_record(record);
    write_run_file_block(bytes, kRunFileSchema, version_string());
    TemporaryFile temporary(temporary_beside(target));
    files.write_synced(temporary.path(), bytes);
    files.replace(temporary.path(), target);
    temporary.renamed();
  } catch (const Error& error) {
    throw Error(error.kind(), "cannot save '" + path.string() + "': " + error.what());
  }
}

RunRecord load_run_file(const std::filesystem::path& path) {
  try {
    const std::vector<std::byte> bytes = read_whole_file(path);
    check_run_file_block(bytes, kRunFileSchema, version_string());
    return decode_run_record(bytes);
  } catch (const Error& error) {
    throw Error(error.kind(), "cannot load '" + path.string() + "': " + error.what());
  }
}

}  // namespace clade
