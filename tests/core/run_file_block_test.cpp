#include "core/run_file_block.hpp"

#include <cstring>

#include "core/error.hpp"
#include "core/hdf5_image.hpp"
#include "core/run_file_content.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_records.hpp"

using namespace clade;
using clade::testing::contains_text;

namespace {

const std::string kVersionHere = "0.1.0";

std::vector<std::byte> small_file(int schema = 1, const std::string& version = kVersionHere) {
  auto bytes = encode_run_record(clade::testing::random_record(
      1,
      {.generations = 1, .members = 2, .episodes_per_member = 1, .observation = 2, .parameters = 3, .keyframes = 1}));
  write_run_file_block(bytes, schema, version);
  return bytes;
}

void check(std::span<const std::byte> bytes) { check_run_file_block(bytes, 1, kVersionHere); }

/// Whether check() refuses the bytes with an Error of one line.
bool refused(std::span<const std::byte> bytes) {
  try {
    check(bytes);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::input && std::string(error.what()).find('\n') == std::string::npos;
  }
  return false;
}

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("a run file begins with readable text") {
  const auto bytes = small_file();
  const std::string text(reinterpret_cast<const char*>(bytes.data()), kRunFileBlockBytes);
  CHECK(
      text.starts_with("Clade run file, schema 1, Clade 0.1.0, " + std::to_string(bytes.size()) + " bytes, XXH3-128 "));
  CHECK(text.back() == '\0');
  CHECK_NOTHROW(check(bytes));
}

TEST_CASE("a flipped bit in any byte of a run file is found") {
  auto bytes = small_file();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    // All bits where text is parsed, one elsewhere.
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (i >= kRunFileBlockBytes && bit != (i * 5) % 8) continue;
      const auto mask = static_cast<std::byte>(1U << bit);
      bytes[i] ^= mask;
      if (!refused(bytes)) FAIL("bit " << bit << " of byte " << i << " may flip");
      bytes[i] ^= mask;
    }
  }
  CHECK_NOTHROW(check(bytes));
}

TEST_CASE("a damaged run file says between which bytes") {
  auto bytes = small_file();
  bytes[600] ^= std::byte{16};
  CHECK_THROWS_WITH(check(bytes), contains_text("damaged between bytes 512 and "));
  bytes[bytes.size() - 1] ^= std::byte{1};
  CHECK_THROWS_WITH(check(bytes), contains_text("damaged between bytes 512 and " + std::to_string(bytes.size())));
  bytes[600] ^= std::byte{16};
  CHECK_THROWS_WITH(check(bytes), contains_text(" and " + std::to_string(bytes.size()) + ": its digest is "));
  bytes = small_file();
  bytes[kRunFileBlockBytes - 1] = std::byte{'x'};
  CHECK_THROWS_WITH(check(bytes), contains_text("damaged in its first 512 bytes"));
}

TEST_CASE("a run file truncated at any length is found and says so") {
  const auto bytes = small_file();
  for (std::size_t length = 1; length < bytes.size(); length += length < 600 ? 1 : 61) {
    INFO(length);
    CHECK_THROWS_WITH(check(std::span(bytes).first(length)), contains_text("truncated: " + std::to_string(length)));
  }
  CHECK_THROWS_WITH(check(std::span(bytes).first(bytes.size() - 1)),
                    contains_text("truncated: " + std::to_string(bytes.size() - 1) + " of " +
                                  std::to_string(bytes.size()) + " bytes"));
  CHECK_THROWS_WITH(check({}), contains_text("empty (0 bytes)"));
}

TEST_CASE("a run file with bytes behind its end is refused") {
  auto bytes = small_file();
  bytes.push_back(std::byte{0});
  CHECK_THROWS_WITH(check(bytes), contains_text("it was written with " + std::to_string(bytes.size() - 1)));
}

TEST_CASE("foreign files are named as such") {
  CHECK_THROWS_WITH(check(bytes_of("generation,return\n1,2\n")), contains_text("it is not a Clade run file"));
  CHECK_THROWS_WITH(check(bytes_of(std::string(5000, '\0'))), contains_text("it is not a Clade run file"));
  Hdf5Writer writer(0);
  writer.array("/a", std::vector<double>{1.0}, Packing::plain);
  CHECK_THROWS_WITH(check(writer.finish()), contains_text("an HDF5 file, but not a Clade run file"));
  // The magic alone, and with nonsense behind it.
  CHECK_THROWS_WITH(check(bytes_of(std::string(kRunFileMagic))), contains_text("truncated"));
  CHECK_THROWS_WITH(check(bytes_of(std::string(kRunFileMagic) + std::string(2000, 'x'))), contains_text("damaged"));
  CHECK_THROWS_WITH(check(bytes_of(std::string(kRunFileMagic) + "1, Clade " + std::string(2000, 'x') + ", 1 bytes")),
                    contains_text("damaged"));
}

TEST_CASE("a newer schema is named with both versions") {
  CHECK_THROWS_WITH(check(small_file(2, "7.8.9")),
                    contains_text("schema 2, written by Clade 7.8.9, is newer than this Clade 0.1.0, which reads "
                                  "schema 1; use a newer Clade"));
  // A later format may continue its line in another way.
  auto bytes = bytes_of(std::string(kRunFileMagic) + "12, Clade 9.0.0, in other words");
  bytes.resize(4096);
  CHECK_THROWS_WITH(check(bytes), contains_text("schema 12, written by Clade 9.0.0, is newer"));
  CHECK_THROWS_WITH(check(small_file(0)), contains_text("schema 0"));
}

TEST_CASE("an older schema is named with both versions") {
  CHECK_THROWS_WITH(check_run_file_block(small_file(2, "0.0.9"), 3, kVersionHere),
                    contains_text("schema 2, written by Clade 0.0.9, is older than this Clade 0.1.0, which reads "
                                  "schema 3 only; use the Clade that wrote it, or repeat the run"));
}
