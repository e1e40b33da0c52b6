#include "core/hdf5_image.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <set>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace clade {
namespace {

/// Uncompressed bytes of a chunk: large enough that the index is short, small enough to stay in the cache.
constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
constexpr std::size_t kGrowthBytes = std::size_t{1} << 16;
constexpr unsigned kDeflateLevel = 1;
constexpr std::array<unsigned char, 8> kSignature = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
/// Place of the end-of-file address in a superblock of version 2 or 3 (HDF5 file format specification, II.A).
constexpr std::size_t kEndOfFileField = 28;

/// An HDF5 identifier that is closed with its owner.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Closer closer) : id_(id), closer_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  ~Handle() { close(); }
  hid_t get() const { return id_; }
  herr_t close() { return id_ >= 0 ? closer_(std::exchange(id_, -1)) : 0; }

 private:
  hid_t id_ = -1;
  Closer closer_ = nullptr;
};

/// Keeps HDF5 from printing its error stack while it lives.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// The innermost description on HDF5's error stack: the cause.
std::string hdf5_reason() {
  std::string reason;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned depth, const H5E_error2_t* error, void* text) -> herr_t {
        if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
        return 0;
      },
      &reason);
  return reason.empty() ? "no reason given" : reason;
}

template <class Result>
Result check(Result result, ErrorKind kind, const std::string& what) {
  if (result < 0) throw Error(kind, "HDF5 could not " + what + ": " + hdf5_reason());
  return result;
}

hid_t memory_type(Hdf5Type type) {
  switch (type) {
    case Hdf5Type::float64:
      return H5T_NATIVE_DOUBLE;
    case Hdf5Type::float32:
      return H5T_NATIVE_FLOAT;
    case Hdf5Type::int64:
      return H5T_NATIVE_INT64;
    case Hdf5Type::uint64:
      return H5T_NATIVE_UINT64;
    case Hdf5Type::uint32:
      return H5T_NATIVE_UINT32;
    case Hdf5Type::uint8:
      return H5T_NATIVE_UINT8;
    case Hdf5Type::text:
      break;
  }
  CLADE_CHECK(type != Hdf5Type::text);
  return -1;
}

hid_t stored_type(Hdf5Type type) {
  switch (type) {
    case Hdf5Type::float64:
      return H5T_IEEE_F64LE;
    case Hdf5Type::float32:
      return H5T_IEEE_F32LE;
    case Hdf5Type::int64:
      return H5T_STD_I64LE;
    case Hdf5Type::uint64:
      return H5T_STD_U64LE;
    case Hdf5Type::uint32:
      return H5T_STD_U32LE;
    case Hdf5Type::uint8:
      return H5T_STD_U8LE;
    case Hdf5Type::text:
      break;
  }
  CLADE_CHECK(type != Hdf5Type::text);
  return -1;
}

const char* type_name(Hdf5Type type) {
  constexpr std::array<const char*, 7> names = {"float64", "float32", "int64", "uint64", "uint32", "uint8", "text"};
  return names[static_cast<std::size_t>(type)];
}

std::size_t type_bytes(Hdf5Type type) { return H5Tget_size(memory_type(type)); }

/// A fixed-length UTF-8 type; HDF5 has none of length 0.
Handle text_type(std::size_t length, ErrorKind kind) {
  Handle type(check(H5Tcopy(H5T_C_S1), kind, "make a text type"), H5Tclose);
  check(H5Tset_size(type.get(), std::max<std::size_t>(length, 1)), kind, "make a text type");
  check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), kind, "make a text type");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), kind, "make a text type");
  return type;
}

void refuse_nul(const std::string& text, const std::string& where) {
  if (text.find('\0') != std::string::npos) {
    throw_run_time_error("text for '" + where + "' holds a NUL byte, which a run file cannot store: remove it");
  }
}

std::string_view unpadded(const char* text, std::size_t length) {
  while (length > 0 && text[length - 1] == '\0') --length;
  return {text, length};
}

// The core driver asks these for memory. Writing, it grows our vector in place, which survives the closing of the
// file; reading, it is given the caller's bytes, which stay as they are.
void* keep_user_data(void* data) { return data; }
herr_t leave_user_data(void*) { return 0; }
herr_t leave_memory(void*, H5FD_file_image_op_t, void*) { return 0; }

void* grow_vector(void*, std::size_t size, H5FD_file_image_op_t, void* vector) {
  auto& bytes = *static_cast<std::vector<std::byte>*>(vector);
  try {
    bytes.resize(size);
  } catch (const std::exception&) {
    return nullptr;
  }
  return bytes.data();
}

void* allocate_vector(std::size_t size, H5FD_file_image_op_t operation, void* vector) {
  return grow_vector(nullptr, size, operation, vector);
}

void* lend_bytes(std::size_t size, H5FD_file_image_op_t, void* span) {
  const auto& bytes = *static_cast<std::span<const std::byte>*>(span);
  return size == bytes.size() ? const_cast<std::byte*>(bytes.data()) : nullptr;
}

void* copy_unless_same(void* target, const void* source, std::size_t size, H5FD_file_image_op_t, void*) {
  return target == source ? target : std::memcpy(target, source, size);
}

Handle latest_core_access(ErrorKind kind) {
  Handle access(check(H5Pcreate(H5P_FILE_ACCESS), kind, "start"), H5Pclose);
  check(H5Pset_fapl_core(access.get(), kGrowthBytes, false), kind, "use memory as a file");
  check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), kind, "set the format");
  return access;
}

}  // namespace

struct Hdf5Writer::Implementation {
  Silence silence;
  std::vector<std::byte> bytes;
  std::size_t user_block = 0;
  Handle file;
  std::set<std::string> groups;  ///< made so far

  /// Makes the group and those on the way to it, one by one: HDF5 gives groups that it makes by itself time stamps.
  void make_group(const std::string& path) {
    if (path.empty() || path == "/" || groups.contains(path)) return;
    make_parents(path);
    constexpr ErrorKind kind = ErrorKind::run_time;
    Handle creation(check(H5Pcreate(H5P_GROUP_CREATE), kind, "start"), H5Pclose);
    check(H5Pset_obj_track_times(creation.get(), false), kind, "switch off time stamps");
    Handle(check(H5Gcreate2(file.get(), path.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), kind,
                 "make group '" + path + "'"),
           H5Gclose);
    groups.insert(path);
  }
  void make_parents(const std::string& path) { make_group(path.substr(0, path.rfind('/'))); }
};

Hdf5Writer::Hdf5Writer(std::size_t user_block) : implementation_(std::make_unique<Implementation>()) {
  constexpr ErrorKind kind = ErrorKind::run_time;
  Implementation& own = *implementation_;
  own.user_block = user_block;
  Handle access = latest_core_access(kind);
  H5FD_file_image_callbacks_t callbacks{allocate_vector, copy_unless_same, grow_vector, leave_memory,
                                        keep_user_data,  leave_user_data,  &own.bytes};
  check(H5Pset_file_image_callbacks(access.get(), &callbacks), kind, "use memory as a file");
  Handle creation(check(H5Pcreate(H5P_FILE_CREATE), kind, "start"), H5Pclose);
  check(H5Pset_userblock(creation.get(), user_block), kind, "reserve the user block");
  check(H5Pset_obj_track_times(creation.get(), false), kind, "switch off time stamps");
  own.file = Handle(
      check(H5Fcreate("memory", H5F_ACC_TRUNC, creation.get(), access.get()), kind, "make a file in memory"), H5Fclose);
}

Hdf5Writer::~Hdf5Writer() = default;

void Hdf5Writer::group(const std::string& path) { implementation_->make_group(path); }

namespace {

void write_dataset(hid_t file, const std::string& path, hid_t stored, hid_t memory, const void* data, std::size_t size,
                   std::size_t element_bytes, Packing packing) {
  constexpr ErrorKind kind = ErrorKind::run_time;
  const std::string what = "write '" + path + "'";
  // Chunks of equal length: the last one is padded by less than their number.
  const std::size_t chunks = std::max<std::size_t>(1, (size * element_bytes + kChunkBytes - 1) / kChunkBytes);
  const hsize_t chunk = std::max<std::size_t>(1, (size + chunks - 1) / chunks);
  const hsize_t extent = size;
  const hsize_t maximum = std::max<hsize_t>(extent, 1);
  Handle creation(check(H5Pcreate(H5P_DATASET_CREATE), kind, what), H5Pclose);
  check(H5Pset_obj_track_times(creation.get(), false), kind, what);
  check(H5Pset_chunk(creation.get(), 1, &chunk), kind, what);
  if (packing == Packing::deflated) {
    check(H5Pset_shuffle(creation.get()), kind, what);
    check(H5Pset_deflate(creation.get(), kDeflateLevel), kind, what);
  }
  check(H5Pset_fletcher32(creation.get()), kind, what);
  Handle space(check(H5Screate_simple(1, &extent, &maximum), kind, what), H5Sclose);
  Handle dataset(
      check(H5Dcreate2(file, path.c_str(), stored, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), kind, what),
      H5Dclose);
  if (size > 0) check(H5Dwrite(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), kind, what);
  check(dataset.close(), kind, what);
}

}  // namespace

void Hdf5Writer::write(const std::string& path, Hdf5Type type, const void* data, std::size_t size, Packing packing) {
  implementation_->make_parents(path);
  write_dataset(implementation_->file.get(), path, stored_type(type), memory_type(type), data, size, type_bytes(type),
                packing);
}

void Hdf5Writer::texts(const std::string& path, std::span<const std::string> values) {
  std::size_t length = 1;
  for (const std::string& text : values) {
    refuse_nul(text, path);
    length = std::max(length, text.size());
  }
  std::vector<char> padded(length * values.size(), '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
    std::ranges::copy(values[i], padded.begin() + static_cast<std::ptrdiff_t>(i * length));
  const Handle type = text_type(length, ErrorKind::run_time);
  implementation_->make_parents(path);
  write_dataset(implementation_->file.get(), path, type.get(), type.get(), padded.data(), values.size(), length,
                Packing::deflated);
}

namespace {

void write_attribute(hid_t file, const std::string& object, const std::string& name, hid_t stored, hid_t memory,
                     const void* data) {
  constexpr ErrorKind kind = ErrorKind::run_time;
  const std::string what = "write attribute '" + name + "' of '" + object + "'";
  const Handle space(check(H5Screate(H5S_SCALAR), kind, what), H5Sclose);
  const Handle attribute(check(H5Acreate_by_name(file, object.c_str(), name.c_str(), stored, space.get(), H5P_DEFAULT,
                                                 H5P_DEFAULT, H5P_DEFAULT),
                               kind, what),
                         H5Aclose);
  check(H5Awrite(attribute.get(), memory, data), kind, what);
}

}  // namespace

void Hdf5Writer::attribute(const std::string& object, const std::string& name, std::uint64_t value) {
  write_attribute(implementation_->file.get(), object, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
}

void Hdf5Writer::attribute(const std::string& object, const std::string& name, const std::string& text) {
  refuse_nul(text, name);
  const Handle type = text_type(text.size(), ErrorKind::run_time);
  write_attribute(implementation_->file.get(), object, name, type.get(), type.get(), text.c_str());
}

std::vector<std::byte> Hdf5Writer::finish() {
  Implementation& own = *implementation_;
  check(own.file.close(), ErrorKind::run_time, "finish the file");
  // The driver's memory ends at a multiple of its increment; the superblock, just written, knows the file's end.
  std::uint64_t end = 0;
  CLADE_CHECK(own.bytes.size() >= own.user_block + kEndOfFileField + sizeof end);
  std::memcpy(&end, own.bytes.data() + own.user_block + kEndOfFileField, sizeof end);
  CLADE_CHECK(end >= own.user_block);
  own.bytes.resize(end);
  return std::move(own.bytes);
}

struct Hdf5Reader::Implementation {
  Silence silence;
  std::span<const std::byte> bytes;
  Handle file;

  Handle open_attribute(const std::string& object, const std::string& name, const std::string& what) const {
    return {check(H5Aopen_by_name(file.get(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), ErrorKind::input,
                  what),
            H5Aclose};
  }
  Handle open_dataset(const std::string& path) const {
    return {check(H5Dopen2(file.get(), path.c_str(), H5P_DEFAULT), ErrorKind::input, "open dataset '" + path + "'"),
            H5Dclose};
  }
};

Hdf5Reader::Hdf5Reader(std::span<const std::byte> file) : implementation_(std::make_unique<Implementation>()) {
  constexpr ErrorKind kind = ErrorKind::input;
  Implementation& own = *implementation_;
  own.bytes = file;
  Handle access = latest_core_access(kind);
  H5FD_file_image_callbacks_t callbacks{lend_bytes,     copy_unless_same, nullptr,   leave_memory,
                                        keep_user_data, leave_user_data,  &own.bytes};
  check(H5Pset_file_image_callbacks(access.get(), &callbacks), kind, "read a file in memory");
  check(H5Pset_file_image(access.get(), const_cast<std::byte*>(file.data()), file.size()), kind,
        "read a file in memory");
  own.file = Handle(check(H5Fopen("memory", H5F_ACC_RDONLY, access.get()), kind, "open the file"), H5Fclose);
}

Hdf5Reader::~Hdf5Reader() = default;

std::vector<Hdf5Child> Hdf5Reader::children(const std::string& group) const {
  constexpr ErrorKind kind = ErrorKind::input;
  const std::string what = "list group '" + group + "'";
  Handle opened(check(H5Gopen2(implementation_->file.get(), group.c_str(), H5P_DEFAULT), kind, what), H5Gclose);
  H5G_info_t info;
  check(H5Gget_info(opened.get(), &info), kind, what);
  std::vector<Hdf5Child> result;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const auto length = check(
        H5Lget_name_by_idx(opened.get(), ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT), kind, what);
    std::string name(static_cast<std::size_t>(length), '\0');
    check(
        H5Lget_name_by_idx(opened.get(), ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size() + 1, H5P_DEFAULT),
        kind, what);
    Handle object(check(H5Oopen(opened.get(), name.c_str(), H5P_DEFAULT), kind, "open '" + group + "/" + name + "'"),
                  H5Oclose);
    result.push_back({name, H5Iget_type(object.get()) == H5I_GROUP});
  }
  return result;
}

Hdf5Type Hdf5Reader::type(const std::string& dataset) const {
  const Handle opened = implementation_->open_dataset(dataset);
  const Handle stored(check(H5Dget_type(opened.get()), ErrorKind::input, "read '" + dataset + "'"), H5Tclose);
  if (H5Tget_class(stored.get()) == H5T_STRING && H5Tis_variable_str(stored.get()) == 0) return Hdf5Type::text;
  for (const Hdf5Type type :
       {Hdf5Type::float64, Hdf5Type::float32, Hdf5Type::int64, Hdf5Type::uint64, Hdf5Type::uint32, Hdf5Type::uint8}) {
    if (H5Tequal(stored.get(), stored_type(type)) > 0) return type;
  }
  throw_input_error("dataset '" + dataset + "' has a type that no run file has");
}

std::size_t Hdf5Reader::size(const std::string& dataset) const {
  const std::string what = "read '" + dataset + "'";
  const Handle opened = implementation_->open_dataset(dataset);
  const Handle space(check(H5Dget_space(opened.get()), ErrorKind::input, what), H5Sclose);
  if (H5Sget_simple_extent_ndims(space.get()) != 1) {
    throw_input_error("dataset '" + dataset + "' is not one-dimensional");
  }
  return static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space.get()), ErrorKind::input, what));
}

void Hdf5Reader::read(const std::string& dataset, Hdf5Type wanted, void* data, std::size_t size) const {
  const Hdf5Type found = type(dataset);
  if (found != wanted) {
    throw_input_error("dataset '" + dataset + "' holds " + type_name(found) + ", expected " + type_name(wanted));
  }
  if (size == 0) return;
  const Handle opened = implementation_->open_dataset(dataset);
  check(H5Dread(opened.get(), memory_type(wanted), H5S_ALL, H5S_ALL, H5P_DEFAULT, data), ErrorKind::input,
        "read '" + dataset + "'");
}

std::vector<std::string> Hdf5Reader::texts(const std::string& dataset) const {
  const std::string what = "read '" + dataset + "'";
  if (type(dataset) != Hdf5Type::text) throw_input_error("dataset '" + dataset + "' holds numbers, expected text");
  std::vector<std::string> result(size(dataset));
  if (result.empty()) return result;
  const Handle opened = implementation_->open_dataset(dataset);
  const Handle stored(check(H5Dget_type(opened.get()), ErrorKind::input, what), H5Tclose);
  const std::size_t length = H5Tget_size(stored.get());
  std::vector<char> padded(length * result.size());
  check(H5Dread(opened.get(), stored.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()), ErrorKind::input, what);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = unpadded(padded.data() + i * length, length);
  return result;
}

std::uint64_t Hdf5Reader::number_attribute(const std::string& object, const std::string& name) const {
  const std::string what = "read attribute '" + name + "' of '" + object + "'";
  const Handle attribute = implementation_->open_attribute(object, name, what);
  const Handle stored(check(H5Aget_type(attribute.get()), ErrorKind::input, what), H5Tclose);
  if (H5Tequal(stored.get(), H5T_STD_U64LE) <= 0) throw_input_error(what + ": it is not a 64-bit number");
  std::uint64_t value = 0;
  check(H5Aread(attribute.get(), H5T_NATIVE_UINT64, &value), ErrorKind::input, what);
  return value;
}

std::string Hdf5Reader::text_attribute(const std::string& object, const std::string& name) const {
  const std::string what = "read attribute '" + name + "' of '" + object + "'";
  const Handle attribute = implementation_->open_attribute(object, name, what);
  const Handle stored(check(H5Aget_type(attribute.get()), ErrorKind::input, what), H5Tclose);
  if (H5Tget_class(stored.get()) != H5T_STRING || H5Tis_variable_str(stored.get()) != 0) {
    throw_input_error(what + ": it is not a text of fixed length");
  }
  std::string padded(H5Tget_size(stored.get()), '\0');
  check(H5Aread(attribute.get(), stored.get(), padded.data()), ErrorKind::input, what);
  return std::string(unpadded(padded.data(), padded.size()));
}

bool looks_like_hdf5(std::span<const std::byte> file) {
  for (std::size_t at = 0; at + kSignature.size() <= file.size(); at = at == 0 ? 512 : at * 2) {
    if (std::memcmp(file.data() + at, kSignature.data(), kSignature.size()) == 0) return true;
  }
  return false;
}

}  // namespace clade
