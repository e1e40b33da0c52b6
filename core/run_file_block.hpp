#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace clade {

/// A run file begins with a block that HDF5 leaves to its users. Ours is two lines of text, then NUL bytes:
///   Clade run file, schema 2, Clade 0.1.0, 23456 bytes, XXH3-128 0123456789abcdef0123456789abcdef
///   parts 0123456789abcdef ... 0123456789abcdef
/// `bytes` is the file's length. What lies behind the block is cut into kRunFileParts parts of equal length (but for
/// the last), whose digests, XXH3-64, say where a damaged file is damaged. XXH3-128 goes over all text before it, then
/// the second line with its end, then everything behind the block.
inline constexpr std::size_t kRunFileBlockBytes = 512;
inline constexpr std::size_t kRunFileParts = 16;
inline constexpr std::string_view kRunFileMagic = "Clade run file, schema ";

/// Writes the block in front of a file whose first kRunFileBlockBytes are free.
void write_run_file_block(std::span<std::byte> file, int schema, const std::string& version);

/// Returns where every bit of the file is as it was written. Throws Error (input) naming what is wrong: empty, foreign,
/// truncated, too long, damaged (and between which bytes), of another schema than `schema`, which `version` reads.
void check_run_file_block(std::span<const std::byte> file, int schema, const std::string& version);

}  // namespace clade
