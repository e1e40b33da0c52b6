#include "tools/npz_file.hpp"

#include <cstring>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"
#include "tests/tools/npz_reader.hpp"

using namespace clade;
using clade::test::NpzArray;
using clade::test::read_npz;

namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::vector<std::byte> small_file() {
  NpzWriter writer;
  writer.add("layer0.weight", std::vector<float>{1.5F, -0.0F, 3e-45F, 4.0F, 5.0F, 6.0F}, {2, 3});
  writer.add("layer0.bias", std::vector<float>{std::numeric_limits<float>::infinity()}, {1});
  writer.add("mean", std::vector<double>{0.1, 0.2}, {2});
  writer.add("clip", std::vector<double>{5.0}, {});
  writer.add("pixels", std::vector<std::uint8_t>{0, 127, 255}, {1, 3, 1});
  writer.add("nothing", std::vector<float>{}, {0, 4});
  return writer.finish();
}

}  // namespace

TEST_CASE("the checksum of zip files is the published one") {
  CHECK(crc32(bytes_of("123456789")) == 0xCBF43926U);
  CHECK(crc32(bytes_of("")) == 0U);
  CHECK(crc32(bytes_of("a")) == 0xE8B7BE43U);
}

TEST_CASE("arrays of an npz file are read back to the bit") {
  const std::vector<NpzArray> arrays = read_npz(small_file());
  REQUIRE(arrays.size() == 6);
  CHECK(arrays[0].name == "layer0.weight");
  CHECK(arrays[0].type == "<f4");
  CHECK(arrays[0].shape == "(2, 3)");
  const std::vector<float> weights = arrays[0].values<float>();
  REQUIRE(weights.size() == 6);
  CHECK(weights[0] == 1.5F);
  CHECK(std::signbit(weights[1]));
  CHECK(weights[2] == 3e-45F);
  CHECK(arrays[1].shape == "(1,)");
  CHECK(arrays[1].values<float>()[0] == std::numeric_limits<float>::infinity());
  CHECK(arrays[2].type == "<f8");
  CHECK(arrays[2].values<double>() == std::vector<double>{0.1, 0.2});
  CHECK(arrays[3].shape == "()");
  CHECK(arrays[3].values<double>() == std::vector<double>{5.0});
  CHECK(arrays[4].type == "|u1");
  CHECK(arrays[4].values<std::uint8_t>() == std::vector<std::uint8_t>{0, 127, 255});
  CHECK(arrays[5].values<float>().empty());
}

TEST_CASE("the same arrays give the same npz file, one without arrays is an empty archive") {
  CHECK(small_file() == small_file());
  CHECK(NpzWriter().finish().size() == 22);
  CHECK(read_npz(NpzWriter().finish()).empty());
}

TEST_CASE("an npz file is a zip archive to other programs") {
  const clade::test::TemporaryFolder folder;
  const std::vector<std::byte> bytes = small_file();
  std::ofstream(folder.path() / "a.npz", std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const std::string script =
      "import sys, zipfile\n"
      "archive = zipfile.ZipFile('a.npz')\n"
      "assert archive.testzip() is None and len(archive.namelist()) == 6\n"
      "try:\n"
      "    import numpy\n"
      "except ImportError:\n"
      "    sys.exit(77)\n"
      "arrays = numpy.load('a.npz')\n"
      "assert arrays['layer0.weight'].shape == (2, 3) and arrays['layer0.weight'][1, 2] == 6\n"
      "assert arrays['layer0.weight'].dtype == numpy.float32 and arrays['clip'] == 5\n"
      "assert arrays['pixels'].tolist() == [[[0], [127], [255]]] and arrays['nothing'].shape == (0, 4)\n";
  const auto result = clade::test::run_program("/usr/bin/env", {"python3", "-c", script}, folder.path());
  if (result.exit_code == 127) {
    std::cout << "skipped: no python3 here to read the archive\n";
    return;
  }
  if (result.exit_code == 77) {
    std::cout << "skipped: NumPy is not installed; python3's zipfile has read the archive\n";
    return;
  }
  INFO(result.err);
  CHECK(result.exit_code == 0);
}
