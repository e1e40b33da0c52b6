#include "tools/golden_file.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace clade {
namespace {

using testing::contains_text;

/// The first file that holds what is asked for, with the place.
struct Place {
  std::filesystem::path path;
  std::string group;
};
Place first_group() {
  for (const auto& path : golden_files(golden_directory())) {
    const GoldenFile file(path);
    for (const std::string& group : file.groups()) return {path, group};
  }
  return {};
}

}  // namespace

TEST_CASE("What reference data lack is refused with file and place", "[golden]") {
  const Place place = first_group();
  if (place.group.empty()) CLADE_SKIP("no reference data in " + golden_directory().string());
  const GoldenFile file(place.path);
  CHECK(file.has(place.group));
  CHECK(file.has("/" + place.group));
  CHECK_FALSE(file.has(place.group + "/no/such"));
  CHECK_FALSE(file.has_attribute(place.group, "no_such"));
  CHECK_FALSE(file.has_attribute("/no/such", "no_such"));
  const std::string name = place.path.string();
  CHECK_THROWS_WITH(file.read<double>(place.group + "/no_such"), contains_text("no_such"));
  CHECK_THROWS_WITH(file.read<double>(place.group), contains_text(name));
  CHECK_THROWS_WITH(file.groups("/no/such"), contains_text("is absent"));
  CHECK_THROWS_WITH(file.text_attribute("/", "no_such"), contains_text("no_such"));
  CHECK_THROWS_WITH(file.real_attribute("/", "no_such"), contains_text(name));
}

TEST_CASE("Attributes and datasets are read by their kind", "[golden]") {
  bool found_real = false;
  bool found_text = false;
  for (const auto& path : golden_files(golden_directory())) {
    const GoldenFile file(path);
    for (const std::string& group : file.groups()) {
      for (const std::string& attribute : file.attributes(group)) {
        if (attribute == "model_file") {
          found_text = true;
          const std::string text = file.text_attribute(group, attribute);
          CHECK(text.ends_with(".xml"));
          CHECK_THROWS_AS(file.real_attribute(group, attribute), Error);
          CHECK_THROWS_AS(file.integer_attribute(group, attribute), Error);
        }
        if (attribute == "timestep") {
          found_real = true;
          CHECK(file.real_attribute(group, attribute) > 0.0);
          CHECK_THROWS_AS(file.integer_attribute(group, attribute), Error);
          CHECK_THROWS_AS(file.text_attribute(group, attribute), Error);
        }
      }
      for (const std::string& dataset : file.datasets(group)) {
        const std::string place = group + "/" + dataset;
        const GoldenArray<double> array = file.read<double>(place);
        CHECK(array.values.size() == array.rows() * array.row_size());
        // Integers are never made of floating-point numbers.
        try {
          const GoldenArray<std::int64_t> integers = file.read<std::int64_t>(place);
          REQUIRE(integers.values.size() == array.values.size());
          for (std::size_t i = 0; i < array.values.size(); ++i) {
            REQUIRE(static_cast<double>(integers.values[i]) == array.values[i]);
          }
        } catch (const Error& error) {
          CHECK_THAT(error.what(), contains_text("holds no integers"));
        }
      }
    }
  }
  if (!found_real || !found_text) CLADE_SKIP("no traces of MuJoCo in " + golden_directory().string());
}

TEST_CASE("Names with numbers are listed in the order of the numbers", "[golden]") {
  for (const auto& path : golden_files(golden_directory())) {
    const GoldenFile file(path);
    for (const std::string& group : file.groups()) {
      const std::vector<std::string> members = file.groups(group);
      for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i].starts_with("case")) CHECK(members[i] == "case" + std::to_string(i));
        if (members[i].starts_with("episode")) CHECK(members[i] == "episode" + std::to_string(i));
      }
    }
  }
}

TEST_CASE("A file that is not HDF5, or not there, is refused", "[golden]") {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "clade_golden_file_test.h5";
  std::ofstream(path) << "not HDF5";
  CHECK_THROWS_WITH(GoldenFile(path), contains_text("no HDF5 file"));
  std::filesystem::remove(path);
  CHECK_THROWS_WITH(GoldenFile(path), contains_text("no such file"));
  CHECK_THROWS_WITH(golden_files(path), contains_text("CLADE_GOLDEN_DIR"));
}

}  // namespace clade
