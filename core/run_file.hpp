#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/file_layer.hpp"
#include "core/run_record.hpp"

namespace clade {

/// Version of the format that docs/run_file.md describes, and the only one that is read; a change that an older reader
/// would misread raises it.
inline constexpr int kRunFileSchema = 2;

/// Replaces `path` atomically: written beside it ("run.h5.saving"), fsynced, renamed, the folder fsynced. On failure
/// the file before is untouched, the temporary one is removed, and an Error says why ("cannot save run.h5: no space
/// left: 12.3 MB needed in '/data'"). A symbolic link keeps its place: the file it leads to is replaced. The same
/// record gives the same bytes.
void save_run_file(const std::filesystem::path& path, const RunRecord& record,
                   const FileLayer& files = system_file_layer());

/// Throws Error (input) naming what is wrong: missing, foreign, truncated, damaged (and where), another schema,
/// inconsistent (check_run_record). Any flipped bit of the file is found.
RunRecord load_run_file(const std::filesystem::path& path);

/// Digest (128 bits, hex) of all that determines results or is one. Left out: wall times and rates, state under
/// "time/", sessions, provenance, status, keyframes (they follow from the rest), and options that are budgets or have
/// no effect on results. All NaN count as the same number.
std::string results_digest(const RunRecord& record);

/// The first differences between two runs, one line each, at most `limit`; empty exactly where the digests agree.
std::vector<std::string> differences(const RunRecord& a, const RunRecord& b, std::size_t limit = 20);

}  // namespace clade
