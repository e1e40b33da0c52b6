#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace clade {

/// Where a save can fail; tests inject faults here. Every member throws Error on failure: input where the path cannot
/// be written by this user (a missing folder, permissions, a read-only file system), run_time where the machine failed
/// (a full disk, a quota, an I/O error).
struct FileLayer {
  /// Writes all bytes to a new file at `path` and fsyncs it; a file that is there is replaced.
  std::function<void(const std::filesystem::path& path, std::span<const std::byte> bytes)> write_synced;
  /// Renames and fsyncs the folder.
  std::function<void(const std::filesystem::path& from, const std::filesystem::path& to)> replace;
};
FileLayer system_file_layer();

/// The whole of a regular file. Throws Error (input) naming what is wrong: missing, a folder, unreadable, no file.
std::vector<std::byte> read_whole_file(const std::filesystem::path& path);

/// "512 bytes", "12.3 MB" (powers of ten).
std::string byte_text(std::uint64_t bytes);

}  // namespace clade
