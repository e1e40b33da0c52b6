#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tools/npz_file.hpp"

namespace clade::test {

/// One array of an .npz file, as its headers describe it.
struct NpzArray {
  std::string name;
  std::string type;   ///< "<f4"
  std::string shape;  ///< "(2, 3)"
  std::vector<std::byte> data;

  template <class Value>
  std::vector<Value> values() const {
    std::vector<Value> result(data.size() / sizeof(Value));
    if (!data.empty()) std::memcpy(result.data(), data.data(), data.size());
    return result;
  }
};

namespace npz {

/// A little-endian number at `offset`.
template <class Number>
Number number_at(std::span<const std::byte> bytes, std::size_t offset) {
  REQUIRE(offset + sizeof(Number) <= bytes.size());
  Number number;
  std::memcpy(&number, bytes.data() + offset, sizeof(Number));
  return number;
}

inline std::string text_at(std::span<const std::byte> bytes, std::size_t offset, std::size_t size) {
  REQUIRE(offset + size <= bytes.size());
  return {reinterpret_cast<const char*>(bytes.data()) + offset, size};
}

/// What stands between `before` and `after` in a .npy description.
inline std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t begin = text.find(before);
  REQUIRE(begin != std::string::npos);
  const std::size_t end = text.find(after, begin + before.size());
  REQUIRE(end != std::string::npos);
  return text.substr(begin + before.size(), end - begin - before.size());
}

inline NpzArray parse_npy(const std::string& name, std::span<const std::byte> file) {
  REQUIRE(name.ends_with(".npy"));
  REQUIRE(text_at(file, 0, 6) == "\x93NUMPY");
  REQUIRE(number_at<std::uint16_t>(file, 6) == 1);  // version 1.0
  const std::size_t header = number_at<std::uint16_t>(file, 8);
  REQUIRE((10 + header) % 64 == 0);
  const std::string description = text_at(file, 10, header);
  REQUIRE(description.back() == '\n');
  REQUIRE(between(description, "'fortran_order': ", ",") == "False");
  const auto data = file.subspan(10 + header);
  return {name.substr(0, name.size() - 4),
          between(description, "'descr': '", "'"),
          between(description, "'shape': ", ", }"),
          {data.begin(), data.end()}};
}

}  // namespace npz

/// The arrays in the order of the archive's directory. Local headers, checksums and sizes are compared with it.
inline std::vector<NpzArray> read_npz(std::span<const std::byte> file) {
  using npz::number_at;
  constexpr std::size_t kEnd = 22;
  REQUIRE(file.size() >= kEnd);
  const std::size_t end = file.size() - kEnd;
  REQUIRE(number_at<std::uint32_t>(file, end) == 0x06054B50U);
  const std::size_t count = number_at<std::uint16_t>(file, end + 10);
  std::size_t at = number_at<std::uint32_t>(file, end + 16);
  REQUIRE(at + number_at<std::uint32_t>(file, end + 12) == end);
  std::vector<NpzArray> arrays;
  for (std::size_t i = 0; i < count; ++i) {
    REQUIRE(number_at<std::uint32_t>(file, at) == 0x02014B50U);
    const std::size_t size = number_at<std::uint32_t>(file, at + 24);
    const std::size_t name_size = number_at<std::uint16_t>(file, at + 28);
    const std::size_t local = number_at<std::uint32_t>(file, at + 42);
    const std::string name = npz::text_at(file, at + 46, name_size);
    REQUIRE(number_at<std::uint32_t>(file, local) == 0x04034B50U);
    // Version to name length are the same in both headers.
    REQUIRE(std::ranges::equal(file.subspan(local + 4, 26), file.subspan(at + 6, 26)));
    REQUIRE(npz::text_at(file, local + 30, name_size) == name);
    const auto data = file.subspan(local + 30 + name_size, size);
    REQUIRE(crc32(data) == number_at<std::uint32_t>(file, at + 16));
    arrays.push_back(npz::parse_npy(name, data));
    at += 46 + name_size;
  }
  REQUIRE(at == end);
  return arrays;
}

}  // namespace clade::test
