#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace clade {

/// Whether a dataset is worth deflating: columns of structured integers are, noise in float64 is not (a few percent
/// for several times the time of the copy).
enum class Packing {
  plain,    ///< Fletcher32 only
  deflated  ///< byte shuffle, deflate level 1, Fletcher32
};

enum class Hdf5Type { float64, float32, int64, uint64, uint32, uint8, text };

template <class T>
constexpr Hdf5Type hdf5_type_of();
template <>
constexpr Hdf5Type hdf5_type_of<double>() {
  return Hdf5Type::float64;
}
template <>
constexpr Hdf5Type hdf5_type_of<float>() {
  return Hdf5Type::float32;
}
template <>
constexpr Hdf5Type hdf5_type_of<std::int64_t>() {
  return Hdf5Type::int64;
}
template <>
constexpr Hdf5Type hdf5_type_of<std::uint64_t>() {
  return Hdf5Type::uint64;
}
template <>
constexpr Hdf5Type hdf5_type_of<std::uint32_t>() {
  return Hdf5Type::uint32;
}
template <>
constexpr Hdf5Type hdf5_type_of<std::uint8_t>() {
  return Hdf5Type::uint8;
}

/// Builds an HDF5 file in memory: format bounds "latest" (checksummed metadata), every dataset one-dimensional,
/// chunked, with Fletcher32, no time stamps: the same calls give the same bytes. Paths are absolute; missing groups on
/// the way are made. Every member throws Error (run_time) with HDF5's reason. One thread at a time uses HDF5.
class Hdf5Writer {
 public:
  /// The file begins with `user_block` zero bytes that HDF5 leaves alone: 0 or a power of two from 512.
  explicit Hdf5Writer(std::size_t user_block);
  ~Hdf5Writer();
  /// Making one that is there already is allowed.
  void group(const std::string& path);
  template <class T>
  void array(const std::string& path, std::span<const T> values, Packing packing) {
    write(path, hdf5_type_of<T>(), values.data(), values.size(), packing);
  }
  template <class T>
  void array(const std::string& path, const std::vector<T>& values, Packing packing) {
    array(path, std::span<const T>(values), packing);
  }
  /// UTF-8 texts of fixed length, padded with NUL bytes (which a text therefore cannot hold: refused).
  void texts(const std::string& path, std::span<const std::string> values);
  void attribute(const std::string& object, const std::string& name, std::uint64_t value);
  void attribute(const std::string& object, const std::string& name, const std::string& text);
  /// The file's bytes, user block included. Nothing may be called after it.
  std::vector<std::byte> finish();

 private:
  struct Implementation;
  void write(const std::string& path, Hdf5Type type, const void* data, std::size_t size, Packing packing);
  std::unique_ptr<Implementation> implementation_;
};

struct Hdf5Child {
  std::string name;
  bool is_group = false;
};

/// Reads an HDF5 file in memory, without copying it. Throws Error (input) naming the object and HDF5's reason.
/// Only for bytes known to be what was written: HDF5 can crash on damaged ones.
class Hdf5Reader {
 public:
  /// `file` outlives the reader.
  explicit Hdf5Reader(std::span<const std::byte> file);
  ~Hdf5Reader();
  /// Members of a group, in the order of their names.
  std::vector<Hdf5Child> children(const std::string& group) const;
  Hdf5Type type(const std::string& dataset) const;
  std::size_t size(const std::string& dataset) const;
  template <class T>
  std::vector<T> array(const std::string& dataset) const {
    std::vector<T> values(size(dataset));
    read(dataset, hdf5_type_of<T>(), values.data(), values.size());
    return values;
  }
  std::vector<std::string> texts(const std::string& dataset) const;
  std::uint64_t number_attribute(const std::string& object, const std::string& name) const;
  std::string text_attribute(const std::string& object, const std::string& name) const;

 private:
  struct Implementation;
  void read(const std::string& dataset, Hdf5Type type, void* data, std::size_t size) const;
  std::unique_ptr<Implementation> implementation_;
};

/// Whether the bytes carry HDF5's signature where a file's superblock may be (0, 512, 1024, 2048, ...).
bool looks_like_hdf5(std::span<const std::byte> file);

}  // namespace clade
