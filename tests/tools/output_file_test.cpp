#include "tools/output_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

using namespace clade;
using clade::test::TemporaryFolder;
using clade::testing::contains_text;

namespace {

std::string refusal(const std::string& file, const std::vector<std::string>& inputs = {}) {
  try {
    check_output_file("--plot", file, ".svg", inputs);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
  return "no refusal";
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  write_output_file(path, std::as_bytes(std::span(text)));
}

}  // namespace

TEST_CASE("where nothing can be written is refused before anything is computed") {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const std::string there = (folder.path() / "there.svg").string();
  write_text(there, "old");
  fs::create_directory(folder.path() / "folder.svg");
  REQUIRE(::mkfifo((folder.path() / "pipe.svg").c_str(), 0600) == 0);
  const auto in = [&folder](const std::string& name) { return (folder.path() / name).string(); };

  CHECK(refusal(in("new.svg")) == "no refusal");
  CHECK(refusal(there) == "no refusal");
  CHECK(refusal("curve.svg") == "no refusal");
  CHECK(refusal("") == "--plot '': name a file that ends in .svg");
  CHECK(refusal("curve.png") == "--plot 'curve.png': name a file that ends in .svg");
  CHECK_THAT(refusal(in(".svg")), contains_text("name a file that ends in .svg"));
  CHECK_THAT(refusal(in("absent/a.svg")), contains_text("there is no folder " + in("absent") + "; create it first"));
  CHECK_THAT(refusal(there + "/a.svg"), contains_text(there + " is not a folder; choose another"));
  CHECK_THAT(refusal(in("folder.svg")), contains_text("is a folder; name a file in it"));
  CHECK_THAT(refusal(in("pipe.svg")), contains_text("is not a regular file"));
  fs::create_hard_link(there, folder.path() / "other.svg");
  CHECK_THAT(refusal(in("other.svg"), {"absent.h5", there}), contains_text("is the run file that is read"));
  CHECK(read_text(there) == "old");
}

TEST_CASE("a folder without permission to write is refused") {
  if (::geteuid() == 0) {
    std::cout << "skipped: root may write anywhere\n";
    return;
  }
  const TemporaryFolder folder;
  const std::filesystem::path closed = folder.path() / "closed";
  std::filesystem::create_directory(closed);
  std::filesystem::permissions(closed, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  CHECK_THAT(refusal((closed / "a.svg").string()), contains_text("is not writable; choose another"));
}

TEST_CASE("a file is replaced as a whole, and nothing is left beside it") {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "a.svg";
  write_text(path, "a longer text");
  write_text(path, "new");
  CHECK(read_text(path) == "new");
  std::filesystem::create_directory(folder.path() / "folder.svg");
  write_text(folder.path() / "folder.svg" / "inside.svg", "kept");
  CHECK_THROWS_AS(write_text(folder.path() / "folder.svg", "new"), Error);
  CHECK(read_text(folder.path() / "folder.svg" / "inside.svg") == "kept");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "a.svg.saving"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "folder.svg.saving"));
}
