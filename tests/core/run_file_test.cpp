#include "core/run_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "core/error.hpp"
#include "core/hdf5_image.hpp"
#include "core/program.hpp"
#include "core/run_file_block.hpp"
#include "core/run_file_content.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"
#include "tests/support/run_records.hpp"

using namespace clade;
using clade::test::TemporaryFolder;
using clade::testing::contains_text;
using clade::testing::first_difference;
using clade::testing::random_record;

namespace {

void write_text(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t entries(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator files(folder);
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

}  // namespace

TEST_CASE("a run file gives back the record to the bit") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run.h5";
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const RunRecord record = random_record(seed, {.generations = seed,
                                                  .members = 3 * seed,
                                                  .episodes_per_member = static_cast<std::uint32_t>(seed % 3 + 1),
                                                  .observation = seed % 4,
                                                  .parameters = 10 * seed,
                                                  .keyframes = seed % 3});
    save_run_file(path, record);
    CHECK(first_difference(load_run_file(path), record).empty());
  }
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a run file holds an empty run and empty members") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run.h5";
  save_run_file(path, {});
  CHECK(first_difference(load_run_file(path), {}).empty());
  RunRecord record;
  record.generations.resize(3);
  record.generations[1].members.resize(2);
  record.generations[1].episodes_per_member = 0;
  record.generations[2].members.resize(1);
  record.generations[2].returns = {0.0};
  record.generations[2].steps = {0};
  record.generations[2].frames = {0};
  record.generations[2].status = {0};
  record.sessions.resize(2);
  record.keyframes.resize(1);
  save_run_file(path, record);
  CHECK(first_difference(load_run_file(path), record).empty());
}

TEST_CASE("a run file keeps every float and every text as it is") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run.h5";
  RunRecord record = random_record(1);
  const double payload_nan = std::bit_cast<double>(std::uint64_t{0xFFF800000000BEEF});
  record.state.set("special", std::vector<double>{-0.0, payload_nan, std::numeric_limits<double>::denorm_min(),
                                                  -std::numeric_limits<double>::infinity()});
  record.state.set("special float", std::vector<float>{-0.0F, std::numeric_limits<float>::quiet_NaN()});
  record.generations[1].returns[0] = payload_nan;
  record.program = "na\xc3\xafve \xe2\x98\x83";
  record.status = "";
  record.configuration.push_back({"text", std::string(100'000, 'x') + "\n\t \"'\\", ResultEffect::none});
  save_run_file(path, record);
  CHECK(first_difference(load_run_file(path), record).empty());
}

TEST_CASE("a run file gives back a genetic algorithm's record to the bit, with and without crossover") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run.h5";
  for (const bool crossover : {false, true}) {
    const RunRecord record = clade::testing::genetic_record(7, {.generations = 5, .crossover = crossover});
    save_run_file(path, record);
    CHECK(first_difference(load_run_file(path), record).empty());
    const auto bytes = encode_run_record(record);
    const auto children = Hdf5Reader(bytes).children("/generations/members");
    CHECK(std::ranges::count(children, std::string("crossover"), &Hdf5Child::name) == (crossover ? 1 : 0));
  }
}

TEST_CASE("a record that contradicts itself is neither saved nor loaded") {
  const TemporaryFolder folder;
  RunRecord record = clade::testing::genetic_record(7);
  record.generations[2].frames.pop_back();
  CHECK_THROWS_WITH(save_run_file(folder.path() / "run.h5", record),
                    contains_text("run.h5': generation 2: 5 frames, expected 6"));
  CHECK(entries(folder.path()) == 0);
}

TEST_CASE("the same record gives the same file") {
  CHECK(encode_run_record(random_record(5)) == encode_run_record(random_record(5)));
}

TEST_CASE("a loaded record counts keyframes beyond ten in their order") {
  const TemporaryFolder folder;
  const RunRecord record =
      random_record(1, {.generations = 1, .members = 1, .observation = 0, .parameters = 1, .keyframes = 12});
  save_run_file(folder.path() / "run.h5", record);
  const RunRecord loaded = load_run_file(folder.path() / "run.h5");
  REQUIRE(loaded.keyframes.size() == 12);
  for (std::size_t i = 0; i < 12; ++i) CHECK(loaded.keyframes[i].generation == i);
}

TEST_CASE("names of a saved state that a file cannot hold are refused") {
  const TemporaryFolder folder;
  for (const std::string name : {"", "/a", "a/", "a//b", ".", "a/./b"}) {
    INFO(name);
    RunRecord record;
    record.state.set(name, std::vector<double>{1.0});
    CHECK_THROWS_WITH(save_run_file(folder.path() / "run.h5", record),
                      contains_text("a name that a run file cannot hold"));
  }
  RunRecord record;
  record.state.set("a", std::vector<double>{1.0});
  record.state.set("a/b", std::vector<double>{1.0});
  CHECK_THROWS_AS(save_run_file(folder.path() / "run.h5", record), Error);
  CHECK(entries(folder.path()) == 0);
}

TEST_CASE("what cannot be loaded says why, with its name") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& name) {
    try {
      load_run_file(folder.path() / name);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::input);
      return std::string(error.what());
    }
    return std::string("loaded");
  };
  const std::string prefix = "cannot load '" + (folder.path() / "").string();
  CHECK(refusal("absent.h5") == prefix + "absent.h5': no such file");
  std::filesystem::create_directory(folder.path() / "folder");
  CHECK(refusal("folder") == prefix + "folder': it is a folder, not a file");
  write_text(folder.path() / "empty", "");
  CHECK(refusal("empty") == prefix + "empty': it is empty (0 bytes)");
  write_text(folder.path() / "text", "hello\n");
  CHECK(refusal("text") == prefix + "text': it is not a Clade run file");
  CHECK_THAT(refusal("text/below"), contains_text("no such file"));
  REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  CHECK_THAT(refusal("pipe"), contains_text("not a regular file"));
  std::filesystem::copy_file(std::string(CLADE_TEST_SOURCE_DIR) + "/tests/golden/networks.h5",
                             folder.path() / "other.h5");
  CHECK_THAT(refusal("other.h5"), contains_text("it is an HDF5 file, but not a Clade run file"));

  save_run_file(folder.path() / "run.h5", random_record(1));
  const std::string intact = read_text(folder.path() / "run.h5");
  write_text(folder.path() / "run.h5", intact.substr(0, 1000));
  CHECK_THAT(refusal("run.h5"), contains_text("truncated: 1000 of " + std::to_string(intact.size()) + " bytes"));
  std::string damaged = intact;
  damaged[2000] = static_cast<char>(damaged[2000] ^ 4);
  write_text(folder.path() / "run.h5", damaged);
  CHECK_THAT(refusal("run.h5"), contains_text("damaged between bytes 512 and"));
  auto newer = encode_run_record(random_record(1));
  write_run_file_block(newer, kRunFileSchema + 1, "9.9.9");
  write_text(folder.path() / "run.h5", {reinterpret_cast<const char*>(newer.data()), newer.size()});
  CHECK_THAT(refusal("run.h5"), contains_text("written by Clade 9.9.9, is newer than this Clade " + version_string()));
  write_run_file_block(newer, 1, "0.0.1");
  write_text(folder.path() / "run.h5", {reinterpret_cast<const char*>(newer.data()), newer.size()});
  CHECK_THAT(refusal("run.h5"), contains_text("schema 1, written by Clade 0.0.1, is older than this Clade"));

  if (::geteuid() == 0) {
    std::cout << "skipped: a file without permission to read (root reads every file)\n";
  } else {
    write_text(folder.path() / "closed", intact);
    std::filesystem::permissions(folder.path() / "closed", std::filesystem::perms::none);
    CHECK_THAT(refusal("closed"), contains_text("no permission to read"));
  }
}

TEST_CASE("saving refuses what a rename would destroy") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "folder");
  CHECK_THROWS_WITH(save_run_file(folder.path() / "folder", {}), contains_text("it is a folder; give a file's name"));
  CHECK_THROWS_WITH(save_run_file(folder.path() / "folder/", {}), contains_text("it names a folder"));
  REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(save_run_file(folder.path() / "pipe", {}), contains_text("not a regular file"));
  CHECK(std::filesystem::is_fifo(folder.path() / "pipe"));
  CHECK_THROWS_WITH(save_run_file("/dev/null", {}), contains_text("not a regular file"));
}

TEST_CASE("saving through a symbolic link replaces the file it leads to") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "data");
  save_run_file(folder.path() / "data/run.h5", random_record(1));
  std::filesystem::create_symlink("data/run.h5", folder.path() / "link.h5");
  save_run_file(folder.path() / "link.h5", random_record(2));
  CHECK(std::filesystem::is_symlink(folder.path() / "link.h5"));
  CHECK(first_difference(load_run_file(folder.path() / "data/run.h5"), random_record(2)).empty());
  std::filesystem::create_symlink("data/new.h5", folder.path() / "dangling.h5");
  save_run_file(folder.path() / "dangling.h5", random_record(3));
  CHECK(first_difference(load_run_file(folder.path() / "data/new.h5"), random_record(3)).empty());
  std::filesystem::create_symlink("circle.h5", folder.path() / "circle.h5");
  CHECK_THROWS_WITH(save_run_file(folder.path() / "circle.h5", {}), contains_text("lead in a circle"));
}
