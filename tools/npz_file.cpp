#include "tools/npz_file.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <string_view>

#include "core/error.hpp"
#include "core/file_layer.hpp"

namespace clade {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays and headers are written as they lie in memory");

constexpr std::array<std::uint32_t, 256> crc_table() {
  constexpr std::uint32_t kPolynomial = 0xEDB88320U;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? kPolynomial : 0U);
    table[byte] = value;
  }
  return table;
}

// The fields of a zip file (APPNOTE 6.3): version 2.0, no flags, stored, 1 January 1980.
constexpr std::uint32_t kLocalHeader = 0x04034B50U;
constexpr std::uint32_t kCentralHeader = 0x02014B50U;
constexpr std::uint32_t kEndOfCentralDirectory = 0x06054B50U;
constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kFirstDate = 0x0021;
constexpr std::size_t kLargestZip = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kMostEntries = std::numeric_limits<std::uint16_t>::max();

/// The .npy file's magic, version and length field take so many bytes; the array begins at a multiple of kAlignment.
constexpr std::size_t kNpyPreamble = 10;
constexpr std::size_t kAlignment = 64;

void append(std::vector<std::byte>& file, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const std::size_t end = file.size();
  file.resize(end + bytes.size());
  std::memcpy(file.data() + end, bytes.data(), bytes.size());
}

void append_text(std::vector<std::byte>& file, std::string_view text) {
  append(file, std::as_bytes(std::span(text.data(), text.size())));
}

template <class Number>
void append_number(std::vector<std::byte>& file, Number number) {
  append(file, std::as_bytes(std::span(&number, 1)));
}

/// "(3, 4)", "(3,)", "()"
std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::vector<std::byte> npy_header(const std::string& type, const std::vector<std::size_t>& shape) {
  std::string description = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape_text(shape) + ", }";
  const std::size_t unpadded = kNpyPreamble + description.size() + 1;
  description.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  description += '\n';
  std::vector<std::byte> header;
  append_text(header, "\x93NUMPY");
  append_number(header, std::uint8_t{1});
  append_number(header, std::uint8_t{0});
  append_number(header, static_cast<std::uint16_t>(description.size()));
  append_text(header, description);
  return header;
}

/// What local and central headers share: version to the length of the name, and no extra field.
void append_header_fields(std::vector<std::byte>& file, const std::string& name, std::uint32_t crc, std::size_t size) {
  append_number(file, kVersion);
  append_number(file, std::uint16_t{0});  // flags
  append_number(file, std::uint16_t{0});  // stored
  append_number(file, std::uint16_t{0});  // time
  append_number(file, kFirstDate);
  append_number(file, crc);
  append_number(file, static_cast<std::uint32_t>(size));  // compressed
  append_number(file, static_cast<std::uint32_t>(size));
  append_number(file, static_cast<std::uint16_t>(name.size()));
  append_number(file, std::uint16_t{0});  // extra field
}

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = crc_table();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const std::byte byte : bytes) crc = (crc >> 8U) ^ kTable[(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xFFU];
  return ~crc;
}

void NpzWriter::add(const std::string& name, std::span<const float> values, const std::vector<std::size_t>& shape) {
  add_array(name, "<f4", values.size(), std::as_bytes(values), shape);
}

void NpzWriter::add(const std::string& name, std::span<const double> values, const std::vector<std::size_t>& shape) {
  add_array(name, "<f8", values.size(), std::as_bytes(values), shape);
}

void NpzWriter::add(const std::string& name, std::span<const std::uint8_t> values,
                    const std::vector<std::size_t>& shape) {
  add_array(name, "|u1", values.size(), std::as_bytes(values), shape);
}

void NpzWriter::add_array(const std::string& name, const std::string& type, std::size_t count,
                          std::span<const std::byte> values, const std::vector<std::size_t>& shape) {
  CLADE_CHECK(count == std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()));
  CLADE_CHECK(!name.empty() && entries_.size() < kMostEntries);
  std::vector<std::byte> array = npy_header(type, shape);
  append(array, values);
  Entry entry{name + ".npy", crc32(array), array.size(), file_.size()};
  // The directory at the end is far smaller than what is kept free for it here.
  constexpr std::size_t kDirectory = std::size_t{1} << 24;
  if (file_.size() + array.size() + kDirectory > kLargestZip) {
    throw_run_time_error("array '" + name + "' would make the file larger than " + byte_text(kLargestZip) +
                         ", the limit of .npz files without extensions");
  }
  append_number(file_, kLocalHeader);
  append_header_fields(file_, entry.name, entry.crc, entry.size);
  append_text(file_, entry.name);
  append(file_, array);
  entries_.push_back(std::move(entry));
}

std::vector<std::byte> NpzWriter::finish() {
  const std::size_t directory = file_.size();
  for (const Entry& entry : entries_) {
    append_number(file_, kCentralHeader);
    append_number(file_, kVersion);  // that made it
    append_header_fields(file_, entry.name, entry.crc, entry.size);
    append_number(file_, std::uint16_t{0});  // comment
    append_number(file_, std::uint16_t{0});  // disk
    append_number(file_, std::uint16_t{0});  // internal attributes
    append_number(file_, std::uint32_t{0});  // external attributes
    append_number(file_, static_cast<std::uint32_t>(entry.offset));
    append_text(file_, entry.name);
  }
  const std::size_t directory_size = file_.size() - directory;
  const auto count = static_cast<std::uint16_t>(entries_.size());
  append_number(file_, kEndOfCentralDirectory);
  append_number(file_, std::uint16_t{0});  // this disk
  append_number(file_, std::uint16_t{0});  // that of the directory
  append_number(file_, count);
  append_number(file_, count);
  append_number(file_, static_cast<std::uint32_t>(directory_size));
  append_number(file_, static_cast<std::uint32_t>(directory));
  append_number(file_, std::uint16_t{0});  // comment
  return std::move(file_);
}

}  // namespace clade
