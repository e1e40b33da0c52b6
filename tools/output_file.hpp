#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace clade {

/// Checks where a program is going to write, before it computes anything. Throws Error naming `option` where the name
/// does not end in `ending`, its folder is missing or not writable, what is there is no regular file, or it is one of
/// the files that are read (`inputs`). A regular file that is there will be replaced.
void check_output_file(const std::string& option, const std::string& file, const std::string& ending,
                       const std::vector<std::string>& inputs);

/// Replaces `path` atomically: written beside it ("curve.svg.saving"), then renamed. On failure what was there stays,
/// and an Error says why.
void write_output_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

}  // namespace clade
