#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "core/run_record.hpp"

namespace clade {

inline constexpr int kRunFileSchema = 1;

/// Where a save can fail; tests inject faults here. Every member throws Error (run_time) on failure.
struct FileLayer {
  /// Writes all bytes to a new file at `path` and fsyncs it.
  std::function<void(const std::filesystem::path& path, std::span<const std::byte> bytes)> write_synced;
  /// Renames and fsyncs the folder.
  std::function<void(const std::filesystem::path& from, const std::filesystem::path& to)> replace;
};
FileLayer system_file_layer();

/// Replaces `path` atomically: written beside it, fsynced, renamed, the folder fsynced. On failure the file before is
/// untouched, the temporary one is removed, and an Error says why ("no space left: 12.3 MB needed in /data").
void save_run_file(const std::filesystem::path& path, const RunRecord& record,
                   const FileLayer& files = system_file_layer());

/// Throws Error naming what is wrong: missing, foreign, truncated, damaged (which bytes or dataset), newer schema.
RunRecord load_run_file(const std::filesystem::path& path);

/// Digest (128 bits, hex) of all that determines results or is one; wall times, sessions, and options with
/// ResultEffect::none are left out, budgets as well.
std::string results_digest(const RunRecord& record);

/// The first differences between two runs, one line each, at most `limit`; empty where results agree.
std::vector<std::string> differences(const RunRecord& a, const RunRecord& b, std::size_t limit = 20);

}  // namespace clade
