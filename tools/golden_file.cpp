#include "tools/golden_file.hpp"

#include <hdf5.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <system_error>
#include <type_traits>
#include <utility>

#include "core/error.hpp"

namespace clade {
namespace {

/// Owns one HDF5 identifier and closes it with the function of its kind.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  hid_t id() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Keeps HDF5 from printing its error stack: failures are reported through Error. Restores what was set before.
class SilentErrors {
 public:
  SilentErrors() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~SilentErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  SilentErrors(const SilentErrors&) = delete;
  SilentErrors& operator=(const SilentErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

template <class T>
hid_t memory_type() {
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_NATIVE_UINT8;
}

/// Digits within names are compared as numbers.
bool natural_less(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const std::size_t a_start = i;
      const std::size_t b_start = j;
      while (i < a.size() && digit(a[i])) ++i;
      while (j < b.size() && digit(b[j])) ++j;
      const std::string a_number = a.substr(a_start, i - a_start);
      const std::string b_number = b.substr(b_start, j - b_start);
      if (a_number.size() != b_number.size()) return a_number.size() < b_number.size();
      if (a_number != b_number) return a_number < b_number;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

std::string absolute(const std::string& object) {
  return !object.empty() && object.front() == '/' ? object : "/" + object;
}

herr_t collect_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

herr_t collect_attribute(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

struct GoldenFile::Handles {
  explicit Handles(hid_t id) : file(id, H5Fclose) {}

  /// Every link on the way to `object` exists (H5Lexists looks at the last one only).
  bool has(const std::string& object) const {
    const SilentErrors silent;
    for (std::size_t slash = object.find('/', 1);; slash = object.find('/', slash + 1)) {
      const std::string part = object.substr(0, slash);
      if (part != "/" && H5Lexists(file.id(), part.c_str(), H5P_DEFAULT) <= 0) return false;
      if (slash == std::string::npos) return true;
    }
  }

  std::vector<std::string> children(const std::string& group, H5I_type_t kind) const {
    std::vector<std::string> names;
    const Handle handle(H5Gopen2(file.id(), group.c_str(), H5P_DEFAULT), H5Gclose);
    if (!handle.valid() || H5Literate(handle.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_name, &names) < 0) {
      return {};
    }
    std::erase_if(names, [&](const std::string& name) {
      const Handle child(H5Oopen(handle.id(), name.c_str(), H5P_DEFAULT), H5Oclose);
      return !child.valid() || H5Iget_type(child.id()) != kind;
    });
    std::sort(names.begin(), names.end(), natural_less);
    return names;
  }

  Handle file;
};

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& object, const std::string& reason) {
  throw_input_error("reference data '" + path.string() + "': '" + object + "' " + reason);
}

struct Attribute {
  Attribute(hid_t file, const std::filesystem::path& path, const std::string& object, const std::string& name)
      : handle(H5Aopen_by_name(file, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose),
        type(handle.valid() ? H5Aget_type(handle.id()) : -1, H5Tclose) {
    if (!type.valid()) refuse(path, object, "has no attribute '" + name + "'");
    const Handle space(H5Aget_space(handle.id()), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.id()) != 1) refuse(path, object, "attribute '" + name + "' is no scalar");
  }
  Handle handle;
  Handle type;
};

}  // namespace

GoldenFile::GoldenFile(const std::filesystem::path& path) : path_(path) {
  const SilentErrors silent;
  handles_ = std::make_unique<Handles>(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!handles_->file.valid()) {
    std::error_code ignored;
    throw_input_error("cannot read '" + path.string() + "': " +
                      (std::filesystem::exists(path, ignored) ? "it is no HDF5 file, or damaged" : "no such file"));
  }
}

GoldenFile::~GoldenFile() = default;
GoldenFile::GoldenFile(GoldenFile&&) noexcept = default;
GoldenFile& GoldenFile::operator=(GoldenFile&&) noexcept = default;

std::vector<std::string> GoldenFile::groups(const std::string& group) const {
  const SilentErrors silent;
  const std::string place = absolute(group);
  if (!handles_->has(place)) refuse(path_, place, "is absent");
  return handles_->children(place, H5I_GROUP);
}

std::vector<std::string> GoldenFile::datasets(const std::string& group) const {
  const SilentErrors silent;
  const std::string place = absolute(group);
  if (!handles_->has(place)) refuse(path_, place, "is absent");
  return handles_->children(place, H5I_DATASET);
}

std::vector<std::string> GoldenFile::attributes(const std::string& object) const {
  const SilentErrors silent;
  const std::string place = absolute(object);
  if (!handles_->has(place)) refuse(path_, place, "is absent");
  std::vector<std::string> names;
  const Handle handle(H5Oopen(handles_->file.id(), place.c_str(), H5P_DEFAULT), H5Oclose);
  H5Aiterate2(handle.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_attribute, &names);
  return names;
}

bool GoldenFile::has(const std::string& object) const { return handles_->has(absolute(object)); }

bool GoldenFile::has_attribute(const std::string& object, const std::string& name) const {
  const SilentErrors silent;
  const std::string place = absolute(object);
  return handles_->has(place) && H5Aexists_by_name(handles_->file.id(), place.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

double GoldenFile::real_attribute(const std::string& object, const std::string& name) const {
  const SilentErrors silent;
  const std::string place = absolute(object);
  const Attribute attribute(handles_->file.id(), path_, place, name);
  double value = 0.0;
  const H5T_class_t kind = H5Tget_class(attribute.type.id());
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || H5Aread(attribute.handle.id(), H5T_NATIVE_DOUBLE, &value) < 0) {
    refuse(path_, place, "attribute '" + name + "' is no number");
  }
  return value;
}

std::int64_t GoldenFile::integer_attribute(const std::string& object, const std::string& name) const {
  const SilentErrors silent;
  const std::string place = absolute(object);
  const Attribute attribute(handles_->file.id(), path_, place, name);
  std::int64_t value = 0;
  if (H5Tget_class(attribute.type.id()) != H5T_INTEGER ||
      H5Aread(attribute.handle.id(), H5T_NATIVE_INT64, &value) < 0) {
    refuse(path_, place, "attribute '" + name + "' is no integer");
  }
  return value;
}

std::string GoldenFile::text_attribute(const std::string& object, const std::string& name) const {
  const SilentErrors silent;
  const std::string place = absolute(object);
  const Attribute attribute(handles_->file.id(), path_, place, name);
  if (H5Tget_class(attribute.type.id()) != H5T_STRING || H5Tis_variable_str(attribute.type.id()) != 0) {
    refuse(path_, place, "attribute '" + name + "' is no string of fixed length");
  }
  // Null padded, not null terminated: the length is the type's, less the padding.
  std::string text(H5Tget_size(attribute.type.id()), '\0');
  if (H5Aread(attribute.handle.id(), attribute.type.id(), text.data()) < 0) {
    refuse(path_, place, "attribute '" + name + "' cannot be read");
  }
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

template <class T>
GoldenArray<T> GoldenFile::read(const std::string& dataset) const {
  const SilentErrors silent;
  const std::string place = absolute(dataset);
  const Handle handle(H5Dopen2(handles_->file.id(), place.c_str(), H5P_DEFAULT), H5Dclose);
  if (!handle.valid()) refuse(path_, place, "is no dataset");
  const Handle type(H5Dget_type(handle.id()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.id());
  if (kind != H5T_INTEGER && !(kind == H5T_FLOAT && std::is_floating_point_v<T>)) {
    refuse(path_, place, std::is_floating_point_v<T> ? "holds no numbers" : "holds no integers");
  }
  const Handle space(H5Dget_space(handle.id()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 0) refuse(path_, place, "is no plain array");
  std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr);
  GoldenArray<T> array;
  std::size_t count = 1;
  for (const hsize_t extent : extents) {
    array.extents.push_back(static_cast<std::size_t>(extent));
    count *= static_cast<std::size_t>(extent);
  }
  array.values.resize(count);
  if (count > 0 && H5Dread(handle.id(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()) < 0) {
    refuse(path_, place, "cannot be read: damaged, or compressed with a filter that is not there");
  }
  return array;
}

template GoldenArray<double> GoldenFile::read<double>(const std::string&) const;
template GoldenArray<float> GoldenFile::read<float>(const std::string&) const;
template GoldenArray<std::int64_t> GoldenFile::read<std::int64_t>(const std::string&) const;
template GoldenArray<std::uint8_t> GoldenFile::read<std::uint8_t>(const std::string&) const;

std::filesystem::path golden_directory() {
  if (const char* directory = std::getenv("CLADE_GOLDEN_DIR"); directory != nullptr && *directory != '\0') {
    return directory;
  }
#ifdef CLADE_GOLDEN_DIR_DEFAULT
  return CLADE_GOLDEN_DIR_DEFAULT;
#else
  return "tests/golden";
#endif
}

std::vector<std::filesystem::path> golden_files(const std::filesystem::path& directory) {
  std::error_code failure;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory, failure)) {
    if (entry.path().extension() == ".h5") files.push_back(entry.path());
  }
  if (failure) {
    throw_input_error("cannot list the folder of reference data '" + directory.string() + "': " + failure.message() +
                      "; set CLADE_GOLDEN_DIR");
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace clade
