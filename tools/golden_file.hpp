#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace clade {

/// A dataset in memory: row-major values and their extents (a scalar has none).
template <class T>
struct GoldenArray {
  std::vector<std::size_t> extents;
  std::vector<T> values;
  std::size_t rows() const { return extents.empty() ? 1 : extents.front(); }
  /// Numbers of one row: the product of all extents but the first.
  std::size_t row_size() const {
    std::size_t product = 1;
    for (std::size_t axis = 1; axis < extents.size(); ++axis) product *= extents[axis];
    return product;
  }
  const T* row(std::size_t index) const { return values.data() + index * row_size(); }
};

/// Reads recorded reference data: HDF5 files of plain arrays in nested groups, attributes that are numbers or strings.
/// Read-only. Paths are absolute within the file ("/HalfCheetah-v4/episode0/actions"), the leading slash optional.
/// Every member throws Error (input) that names the file and the path where something is absent or of another kind.
class GoldenFile {
 public:
  explicit GoldenFile(const std::filesystem::path& path);
  ~GoldenFile();
  GoldenFile(GoldenFile&&) noexcept;
  GoldenFile& operator=(GoldenFile&&) noexcept;

  const std::filesystem::path& path() const { return path_; }

  /// Names (not paths) of the groups directly in `group`, in natural order: episode2 before episode10.
  std::vector<std::string> groups(const std::string& group = "/") const;
  std::vector<std::string> datasets(const std::string& group = "/") const;
  std::vector<std::string> attributes(const std::string& object = "/") const;

  bool has(const std::string& object) const;
  bool has_attribute(const std::string& object, const std::string& name) const;

  double real_attribute(const std::string& object, const std::string& name) const;
  std::int64_t integer_attribute(const std::string& object, const std::string& name) const;
  std::string text_attribute(const std::string& object, const std::string& name) const;

  /// T is double, float, std::int64_t or std::uint8_t. Numbers are converted where the stored kind (integer or
  /// floating point) is the same; a floating-point dataset is never read as integers. Integers may be read as double.
  template <class T>
  GoldenArray<T> read(const std::string& dataset) const;

 private:
  struct Handles;
  std::filesystem::path path_;
  std::unique_ptr<Handles> handles_;
};

/// Folder of the reference data: the environment variable CLADE_GOLDEN_DIR, else the compile definition
/// CLADE_GOLDEN_DIR_DEFAULT, else "tests/golden".
std::filesystem::path golden_directory();

/// The .h5 files directly in `directory`, in name order. Throws Error where it is no folder.
std::vector<std::filesystem::path> golden_files(const std::filesystem::path& directory);

}  // namespace clade
