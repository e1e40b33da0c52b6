#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace clade {

/// A run file begins with a block that HDF5 leaves to its users. Ours is one line of text, then NUL bytes:
///   Clade run file, schema 1, Clade 0.1.0, 23456 bytes, XXH3-128 0123456789abcdef0123456789abcdef
/// `bytes` is the file's length; the digest goes over the line up to it and everything behind the block.
inline constexpr std::size_t kRunFileBlockBytes = 512;
inline constexpr std::string_view kRunFileMagic = "Clade run file, schema ";

/// Writes the block in front of a file whose first kRunFileBlockBytes are free.
void write_run_file_block(std::span<std::byte> file, int schema, const std::string& version);

/// Returns where every bit of the file is as it was written. Throws Error (input) naming what is wrong: empty, foreign,
/// truncated, too long, damaged, newer than `newest_schema`.
void check_run_file_block(std::span<const std::byte> file, int newest_schema, const std::string& version);

}  // namespace clade
