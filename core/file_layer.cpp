#include "core/file_layer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "core/error.hpp"

namespace clade {
namespace {

/// Bytes per call of write and read: an interrupted save is noticed between them.
constexpr std::size_t kPieceBytes = std::size_t{16} << 20;

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() { close(); }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return number_; }
  bool valid() const { return number_ >= 0; }
  int close() {
    if (number_ < 0) return 0;
    const int number = number_;
    number_ = -1;
    return ::close(number);
  }

 private:
  int number_;
};

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

/// ", 1.2 MB free", empty where the file system does not say.
std::string free_space_text(const std::filesystem::path& folder) {
  struct statvfs information {};
  if (statvfs(folder.c_str(), &information) != 0) return {};
  return ", " + byte_text(std::uint64_t{information.f_bavail} * information.f_frsize) + " free";
}

[[noreturn]] void throw_write_error(int error, const std::filesystem::path& path, std::size_t bytes) {
  std::error_code unknown;
  const std::filesystem::path absolute = std::filesystem::absolute(path, unknown);
  const std::filesystem::path folder = unknown ? folder_of(path) : folder_of(absolute);
  const std::string where = "'" + folder.string() + "'";
  const std::string needed = byte_text(bytes) + " needed in " + where;
  switch (error) {
    case ENOSPC:
      throw_run_time_error("no space left: " + needed + free_space_text(folder) + "; free some, or save elsewhere");
    case EDQUOT:
      throw_run_time_error("disk quota exceeded: " + needed + "; free some, or save elsewhere");
    case EFBIG:
      throw_run_time_error("file size limit exceeded: " + needed + "; raise it (ulimit -f)");
    case EACCES:
    case EPERM:
      throw_input_error("no permission to write in " + where + "; choose another folder");
    case EROFS:
      throw_input_error("the file system of " + where + " is read-only; choose another folder");
    case ENOENT:
      throw_input_error("no folder " + where + "; make it first");
    case ENOTDIR:
      throw_input_error(where + " is not a folder; choose another");
    case ENAMETOOLONG:
      throw_input_error("the name '" + path.filename().string() + "' is too long; choose a shorter one");
    default:
      throw_run_time_error("cannot write in " + where + ": " + std::strerror(error));
  }
}

void write_synced(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  // A file of this name is what a killed save left behind; a new one cannot be someone's link to another place.
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) throw_write_error(errno, path, bytes.size());
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.valid()) throw_write_error(errno, path, bytes.size());
  // Gone before the message is made, which says how much space is free without it.
  const auto fail = [&](int error) {
    file.close();
    ::unlink(path.c_str());
    throw_write_error(error, path, bytes.size());
  };
  for (std::size_t written = 0; written < bytes.size();) {
    const ssize_t count = ::write(file.get(), bytes.data() + written, std::min(kPieceBytes, bytes.size() - written));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    written += static_cast<std::size_t>(count);
  }
  while (::fsync(file.get()) != 0) {
    if (errno != EINTR) fail(errno);
  }
  // Network file systems report a full disk or quota only here.
  if (file.close() != 0 && errno != EINTR) fail(errno);
}

void replace(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw_write_error(errno, to, 0);
  const std::filesystem::path folder = folder_of(to);
  FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.valid()) {
    ::sync();  // a folder that may be written but not read cannot be synced alone
    return;
  }
  // EINVAL: the file system has no such operation (some network and FUSE ones), and nothing more can be done.
  while (::fsync(opened.get()) != 0) {
    if (errno == EINVAL) return;
    if (errno != EINTR) throw_write_error(errno, to, 0);
  }
}

}  // namespace

FileLayer system_file_layer() { return {write_synced, replace}; }

std::vector<std::byte> read_whole_file(const std::filesystem::path& path) {
  // Non-blocking: opening a pipe without a writer must not wait.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) {
    if (errno == ENOENT || errno == ENOTDIR) throw_input_error("no such file");
    if (errno == EACCES) throw_input_error("no permission to read it");
    throw_input_error(std::string("cannot open it: ") + std::strerror(errno));
  }
  struct stat information {};
  if (::fstat(file.get(), &information) != 0) throw_input_error(std::string("cannot read it: ") + std::strerror(errno));
  if (S_ISDIR(information.st_mode)) throw_input_error("it is a folder, not a file");
  if (!S_ISREG(information.st_mode)) throw_input_error("it is not a regular file");
  std::vector<std::byte> bytes(static_cast<std::size_t>(information.st_size));
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = ::read(file.get(), bytes.data() + filled, std::min(kPieceBytes, bytes.size() - filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_input_error(std::string("cannot read it: ") + std::strerror(errno));
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

std::string byte_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 4> units = {"kB", "MB", "GB", "TB"};
  if (bytes < 1000) return std::to_string(bytes) + " bytes";
  double value = static_cast<double>(bytes) / 1000.0;
  std::size_t unit = 0;
  while (value >= 999.95 && unit + 1 < units.size()) {
    value /= 1000.0;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %s", value, units[unit]);
  return text.data();
}

}  // namespace clade
