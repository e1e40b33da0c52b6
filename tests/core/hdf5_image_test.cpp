#include "core/hdf5_image.hpp"

#include <limits>
#include <string_view>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using namespace clade;
using clade::testing::contains_text;

namespace {

std::vector<std::byte> small_image() {
  Hdf5Writer writer(512);
  writer.attribute("/", "number", std::uint64_t{7});
  writer.attribute("/", "text", "gr\xc3\xbc\xc3\x9f");
  writer.group("/empty");
  writer.array("/deep/er/values", std::vector<double>{1.5, -0.0, std::numeric_limits<double>::infinity()},
               Packing::plain);
  writer.array("/deep/none", std::vector<std::uint32_t>{}, Packing::deflated);
  writer.texts("/texts", std::vector<std::string>{"a", "", "three\nlines\n"});
  return writer.finish();
}

}  // namespace

TEST_CASE("an HDF5 file in memory gives back what was written") {
  const auto bytes = small_image();
  REQUIRE(bytes.size() > 512);
  CHECK(looks_like_hdf5(bytes));
  const Hdf5Reader reader(bytes);
  CHECK(reader.number_attribute("/", "number") == 7);
  CHECK(reader.text_attribute("/", "text") == "gr\xc3\xbc\xc3\x9f");
  CHECK(reader.array<double>("/deep/er/values") ==
        std::vector<double>{1.5, -0.0, std::numeric_limits<double>::infinity()});
  CHECK(reader.array<std::uint32_t>("/deep/none").empty());
  CHECK(reader.texts("/texts") == std::vector<std::string>{"a", "", "three\nlines\n"});
  CHECK(reader.type("/texts") == Hdf5Type::text);
  CHECK(reader.size("/texts") == 3);
  CHECK(reader.children("/empty").empty());
  const auto children = reader.children("/deep");
  REQUIRE(children.size() == 2);
  CHECK(children[0].name == "er");
  CHECK(children[0].is_group);
  CHECK(children[1].name == "none");
  CHECK_FALSE(children[1].is_group);
}

TEST_CASE("an HDF5 file in memory has the same bytes each time") { CHECK(small_image() == small_image()); }

TEST_CASE("no object of an HDF5 file in memory has a time stamp") {
  Hdf5Writer writer(512);
  writer.array("/a/b/c", std::vector<double>{1.0}, Packing::plain);
  writer.texts("/a/d/e", std::vector<std::string>{"text"});
  writer.group("/f/g");
  writer.group("/f");  // is there already
  writer.attribute("/f", "number", std::uint64_t{3});
  const std::vector<std::byte> image = writer.finish();
  // Each object's header begins with "OHDR", its version, 2, and flags, of which this one says that times follow.
  constexpr unsigned kTimes = 0x20;
  const std::string_view bytes(reinterpret_cast<const char*>(image.data()), image.size());
  const std::string_view header = "OHDR\x02";
  std::size_t objects = 0;
  for (std::size_t at = bytes.find(header); at != std::string_view::npos; at = bytes.find(header, at + 1)) {
    CHECK((static_cast<unsigned char>(bytes[at + header.size()]) & kTimes) == 0);
    ++objects;
  }
  CHECK(objects == 8);  // the root, /a, /a/b, /a/b/c, /a/d, /a/d/e, /f, /f/g
}

TEST_CASE("an HDF5 array of many chunks comes back whole, deflated or not") {
  std::vector<std::uint64_t> values(700'001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i * i;
  std::vector<std::size_t> sizes;
  for (const Packing packing : {Packing::plain, Packing::deflated}) {
    Hdf5Writer writer(0);
    writer.array("/values", values, packing);
    const auto bytes = writer.finish();
    CHECK(Hdf5Reader(bytes).array<std::uint64_t>("/values") == values);
    sizes.push_back(bytes.size());
  }
  // Unpacked, the padding of the last chunk is small; packed, the regular high bytes vanish.
  CHECK(sizes[0] < values.size() * sizeof(std::uint64_t) + 8192);
  CHECK(sizes[1] < sizes[0] / 2);
}

TEST_CASE("an HDF5 file says which object is missing or of another type") {
  const auto bytes = small_image();
  const Hdf5Reader reader(bytes);
  CHECK_THROWS_WITH(reader.array<double>("/absent"), contains_text("/absent"));
  CHECK_THROWS_WITH(reader.array<float>("/deep/er/values"), contains_text("holds float64, expected float32"));
  CHECK_THROWS_WITH(reader.array<float>("/texts"), contains_text("holds text"));
  CHECK_THROWS_WITH(reader.texts("/deep/none"), contains_text("holds numbers"));
  CHECK_THROWS_WITH(reader.number_attribute("/", "text"), contains_text("not a 64-bit number"));
  CHECK_THROWS_WITH(reader.text_attribute("/", "number"), contains_text("not a text"));
  CHECK_THROWS_WITH(reader.text_attribute("/", "absent"), contains_text("absent"));
  CHECK_THROWS_AS(reader.children("/texts"), Error);
}

TEST_CASE("HDF5 texts with a NUL byte and names that collide are refused") {
  Hdf5Writer writer(0);
  CHECK_THROWS_WITH(writer.texts("/a", std::vector<std::string>{std::string("a\0b", 3)}), contains_text("NUL byte"));
  writer.array("/b", std::vector<double>{1.0}, Packing::plain);
  CHECK_THROWS_WITH(writer.array("/b/c", std::vector<double>{1.0}, Packing::plain), contains_text("group '/b'"));
  CHECK_THROWS_WITH(writer.array("/b", std::vector<double>{1.0}, Packing::plain), contains_text("'/b'"));
}

TEST_CASE("HDF5's signature is found where a superblock may be") {
  auto bytes = small_image();
  CHECK(looks_like_hdf5(bytes));
  bytes[513] ^= std::byte{1};
  CHECK_FALSE(looks_like_hdf5(bytes));
  CHECK_FALSE(looks_like_hdf5({}));
}
