#include "core/run_file_block.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>

#include "core/digest.hpp"
#include "core/error.hpp"
#include "core/file_layer.hpp"
#include "core/hdf5_image.hpp"

namespace clade {
namespace {

/// Digits of XXH3-128.
constexpr std::size_t kDigestDigits = 32;
constexpr std::size_t kLongestVersion = 32;
/// So many wrong letters still let the magic be recognised as a damaged one.
constexpr std::ptrdiff_t kWrongMagicLetters = 3;

/// What the first line says.
struct Block {
  std::uint64_t schema = 0;
  std::string version;
  std::uint64_t bytes = 0;
  std::string digest;
};

/// Where part `part` of a file begins; kRunFileParts: the file's end.
std::size_t part_begin(std::size_t file_bytes, std::size_t part) {
  const std::size_t content = file_bytes - kRunFileBlockBytes;
  const std::size_t length = (content + kRunFileParts - 1) / kRunFileParts;
  return kRunFileBlockBytes + std::min(content, part * length);
}

std::string parts_line(std::span<const std::byte> file) {
  std::string line = "parts";
  for (std::size_t part = 0; part < kRunFileParts; ++part) {
    const std::size_t begin = part_begin(file.size(), part);
    line += " " + short_digest(file.subspan(begin, part_begin(file.size(), part + 1) - begin));
  }
  return line + "\n";
}

std::string first_line_without_digest(const Block& block) {
  return std::string(kRunFileMagic) + std::to_string(block.schema) + ", Clade " + block.version + ", " +
         std::to_string(block.bytes) + " bytes, XXH3-128 ";
}

/// The block that belongs to the file's contents as they are. Only `schema`, `version` and `bytes` of `block` are used.
std::string block_text(const Block& block, std::span<const std::byte> file) {
  const std::string parts = parts_line(file);
  std::string text = first_line_without_digest(block);
  Digest digest;
  digest.add(text);
  digest.add(parts);
  digest.add(file.subspan(kRunFileBlockBytes));
  text += digest.hex() + "\n" + parts;
  CLADE_CHECK(text.size() <= kRunFileBlockBytes);
  text.resize(kRunFileBlockBytes, '\0');
  return text;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool take_number(std::string_view& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// Reads as much of the line as has the expected form; true where all has.
bool parse_block(std::string_view text, Block& block) {
  if (!take(text, kRunFileMagic) || !take_number(text, block.schema) || !take(text, ", Clade ")) return false;
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || comma > kLongestVersion) return false;
  block.version = text.substr(0, comma);
  text.remove_prefix(comma);
  if (!take(text, ", ") || !take_number(text, block.bytes) || !take(text, " bytes, XXH3-128 ")) return false;
  if (text.size() < kDigestDigits) return false;
  block.digest = text.substr(0, kDigestDigits);
  return block.digest.find('\0') == std::string::npos;
}

/// Recognises the magic although up to a few letters are wrong.
bool resembles_magic(std::string_view text) {
  if (text.size() < kRunFileMagic.size()) return !text.empty() && kRunFileMagic.starts_with(text);
  const auto wrong = std::inner_product(kRunFileMagic.begin(), kRunFileMagic.end(), text.begin(), std::ptrdiff_t{0},
                                        std::plus<>(), std::not_equal_to<>());
  return wrong <= kWrongMagicLetters;
}

/// "between bytes 512 and 2048": the parts whose digests are not those of the block.
std::string damaged_range(std::string_view stored, std::string_view actual, std::size_t file_bytes) {
  // Both texts are alike up to the digests, and from the second line on.
  const std::size_t line = actual.find('\n') + 1;
  constexpr std::size_t kLabel = 6;  // "parts "
  constexpr std::size_t kEntry = 17;
  std::size_t first = kRunFileParts;
  std::size_t last = 0;
  for (std::size_t part = 0; part < kRunFileParts; ++part) {
    const std::size_t at = line + kLabel + part * kEntry;
    if (stored.substr(at, kEntry) == actual.substr(at, kEntry)) continue;
    first = std::min(first, part);
    last = part;
  }
  if (first == kRunFileParts) return "in its first " + std::to_string(kRunFileBlockBytes) + " bytes";
  return "between bytes " + std::to_string(part_begin(file_bytes, first)) + " and " +
         std::to_string(part_begin(file_bytes, last + 1));
}

}  // namespace

void write_run_file_block(std::span<std::byte> file, int schema, const std::string& version) {
  CLADE_CHECK(file.size() >= kRunFileBlockBytes && version.size() <= kLongestVersion);
  const Block block{static_cast<std::uint64_t>(schema), version, file.size(), {}};
  const std::string text = block_text(block, file);
  std::ranges::copy(std::as_bytes(std::span(text.data(), text.size())), file.begin());
}

void check_run_file_block(std::span<const std::byte> file, int schema, const std::string& version) {
  if (file.empty()) throw_input_error("it is empty (0 bytes)");
  const std::string_view start(reinterpret_cast<const char*>(file.data()), std::min(file.size(), kRunFileBlockBytes));
  if (!resembles_magic(start)) {
    throw_input_error(looks_like_hdf5(file) ? "it is an HDF5 file, but not a Clade run file"
                                            : "it is not a Clade run file");
  }
  Block block;
  const bool complete = parse_block(start, block);
  const std::string length = std::to_string(file.size());
  if (complete && file.size() < block.bytes) {
    throw_input_error("truncated: " + length + " of " + std::to_string(block.bytes) + " bytes; use a copy of it");
  }
  if (file.size() < kRunFileBlockBytes) {
    throw_input_error("truncated: " + length + " bytes, less than its first block of " +
                      std::to_string(kRunFileBlockBytes) + "; use a copy of it");
  }
  if (complete && file.size() > block.bytes) {
    throw_input_error("damaged: " + length + " bytes, but it was written with " + std::to_string(block.bytes) +
                      "; use a copy of it");
  }
  const std::string in_block =
      "damaged in its first " + std::to_string(kRunFileBlockBytes) + " bytes; use a copy of it";
  const std::string expected = complete ? block_text(block, file) : std::string();
  const bool intact = start == expected;
  // A later schema may have changed all but the beginning of the line.
  const auto here = static_cast<std::uint64_t>(schema);
  const std::string written = "schema " + std::to_string(block.schema) + ", written by Clade " + block.version;
  const std::string reads = "this Clade " + version + ", which reads schema " + std::to_string(schema);
  if (block.schema > here && !block.version.empty() && (intact || !complete)) {
    throw_input_error(written + ", is newer than " + reads + "; use a newer Clade");
  }
  if (!complete) throw_input_error(in_block);
  if (!intact) {
    const std::string_view digest(expected.data() + first_line_without_digest(block).size(), kDigestDigits);
    if (digest == block.digest) throw_input_error(in_block);  // the contents are those that were written
    throw_input_error("damaged " + damaged_range(start, expected, file.size()) + ": its digest is " +
                      std::string(digest) + ", expected " + block.digest + "; use a copy of it");
  }
  if (block.schema == 0) throw_input_error("schema 0 does not exist; use a copy of it");
  if (block.schema < here) {
    throw_input_error(written + ", is older than " + reads +
                      " only; use the Clade that wrote it, or repeat the run from its configuration");
  }
}

}  // namespace clade
