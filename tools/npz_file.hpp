#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace clade {

/// CRC-32 as zip files carry it (ISO 3309; reflected polynomial EDB88320).
std::uint32_t crc32(std::span<const std::byte> bytes);

/// Builds a NumPy .npz file in memory: a zip archive of one .npy file (format 1.0, little-endian, C order) an array,
/// stored uncompressed. The same calls give the same bytes: no time stamps.
class NpzWriter {
 public:
  /// numpy.load gives the array back under `name`. `values` has as many entries as the shape; an empty shape is one
  /// number. Throws Error where the file would exceed the 4 GiB of a plain zip archive.
  void add(const std::string& name, std::span<const float> values, const std::vector<std::size_t>& shape);
  void add(const std::string& name, std::span<const double> values, const std::vector<std::size_t>& shape);
  void add(const std::string& name, std::span<const std::uint8_t> values, const std::vector<std::size_t>& shape);
  /// The file's bytes. Nothing may be called after it.
  std::vector<std::byte> finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t crc = 0;
    std::size_t size = 0;
    std::size_t offset = 0;
  };
  void add_array(const std::string& name, const std::string& type, std::size_t count, std::span<const std::byte> values,
                 const std::vector<std::size_t>& shape);

  std::vector<std::byte> file_;
  std::vector<Entry> entries_;
};

}  // namespace clade
