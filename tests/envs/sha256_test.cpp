#include "envs/sha256.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace clade {
namespace {

std::string digest_of(const std::string& text) {
  Sha256 digest;
  digest.update(std::as_bytes(std::span(text)));
  return digest.hex_digest();
}

}  // namespace

// FIPS 180-4's examples (NIST, "SHA-256 example") and its long message.
TEST_CASE("SHA-256 gives the standard's values", "[sha256]") {
  CHECK(digest_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(digest_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(digest_of(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-256 does not depend on how the message is cut", "[sha256]") {
  const std::string text(300, 'x');
  for (std::size_t length : {1U, 55U, 56U, 63U, 64U, 65U, 128U, 299U}) {
    Sha256 digest;
    const auto bytes = std::as_bytes(std::span(text));
    digest.update(bytes.first(length));
    digest.update(bytes.subspan(length));
    CHECK(digest.hex_digest() == digest_of(text));
  }
}

TEST_CASE("A file's SHA-256 is that of its bytes", "[sha256]") {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "clade_sha256_test.bin";
  const std::string text(200'000, 'y');
  std::ofstream(path, std::ios::binary) << text;
  CHECK(sha256_of_file(path) == digest_of(text));
  std::filesystem::remove(path);
  CHECK_THROWS_AS(sha256_of_file(path), Error);
}

}  // namespace clade
