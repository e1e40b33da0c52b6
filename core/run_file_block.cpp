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

constexpr std::size_t kDigestDigits = 32;
/// So many wrong letters still let the magic be recognised as a damaged one.
constexpr std::ptrdiff_t kWrongMagicLetters = 3;

struct Block {
  std::uint64_t schema = 0;
  std::string version;
  std::uint64_t bytes = 0;
  std::string digest;
};

std::string line_without_digest(const Block& block) {
  return std::string(kRunFileMagic) + std::to_string(block.schema) + ", Clade " + block.version + ", " +
         std::to_string(block.bytes) + " bytes, XXH3-128 ";
}

/// The block as it must be to the byte.
std::string block_text(const Block& block) {
  std::string text = line_without_digest(block) + block.digest + "\n";
  CLADE_CHECK(text.size() <= kRunFileBlockBytes);
  text.resize(kRunFileBlockBytes, '\0');
  return text;
}

std::string content_digest(const Block& block, std::span<const std::byte> file) {
  Digest digest;
  digest.add(line_without_digest(block));
  digest.add(file.subspan(kRunFileBlockBytes));
  return digest.hex();
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
  if (comma == std::string_view::npos) return false;
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

[[noreturn]] void throw_damaged(std::span<const std::byte> file, const std::string& detail) {
  std::string where;
  try {
    const auto dataset = Hdf5Reader(file).unreadable_dataset();
    where = dataset ? "in dataset '" + *dataset + "'" : "outside the contents of the datasets";
  } catch (const Error&) {
    where = "in the file's structure";
  }
  throw_input_error("damaged " + where + ": " + detail + "; use a copy of it");
}

}  // namespace

void write_run_file_block(std::span<std::byte> file, int schema, const std::string& version) {
  CLADE_CHECK(file.size() >= kRunFileBlockBytes);
  Block block{static_cast<std::uint64_t>(schema), version, file.size(), {}};
  block.digest = content_digest(block, file);
  const std::string text = block_text(block);
  std::ranges::copy(std::as_bytes(std::span(text.data(), text.size())), file.begin());
}

void check_run_file_block(std::span<const std::byte> file, int newest_schema, const std::string& version) {
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
  const bool intact = complete && start == block_text(block) && block.digest == content_digest(block, file);
  // A later schema may have changed all but the beginning of the line.
  if (block.schema > static_cast<std::uint64_t>(newest_schema) && (intact || !complete) && !block.version.empty()) {
    throw_input_error("schema " + std::to_string(block.schema) + ", written by Clade " + block.version +
                      ", is newer than this Clade " + version + ", which reads up to schema " +
                      std::to_string(newest_schema) + "; use a newer Clade");
  }
  if (!complete || start != block_text(block)) {
    throw_input_error("damaged in its first " + std::to_string(kRunFileBlockBytes) + " bytes; use a copy of it");
  }
  if (!intact) throw_damaged(file, "its digest is " + content_digest(block, file) + ", expected " + block.digest);
  if (block.schema == 0) throw_input_error("schema 0 does not exist");
}

}  // namespace clade
