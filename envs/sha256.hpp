#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace clade {

/// SHA-256 (FIPS 180-4), for naming the files that results depend on. Not tuned: a few hundred MB/s.
class Sha256 {
 public:
  void update(std::span<const std::byte> bytes);
  /// Ends the message; lower-case hex, 64 digits.
  std::string hex_digest();

 private:
  void compress(const std::byte* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> buffer_{};
  std::size_t buffered_ = 0;
  std::uint64_t length_ = 0;  ///< bytes
};

/// Digest of a file's bytes. Throws Error (input) where it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace clade
