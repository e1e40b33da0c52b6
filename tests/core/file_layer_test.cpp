#include "core/file_layer.hpp"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <iostream>

#include "core/error.hpp"
#include "core/random.hpp"
#include "core/run_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"
#include "tests/support/run_records.hpp"

using namespace clade;
using clade::test::TemporaryFolder;
using clade::testing::contains_text;
using clade::testing::first_difference;
using clade::testing::random_record;

namespace {

std::size_t entries(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator files(folder);
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

/// Writes `limit` bytes and then finds the disk full.
FileLayer full_after(std::size_t limit) {
  FileLayer layer = system_file_layer();
  layer.write_synced = [limit](const std::filesystem::path& path, std::span<const std::byte> bytes) {
    if (bytes.size() <= limit) return system_file_layer().write_synced(path, bytes);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(limit));
    throw_run_time_error("no space left: injected");
  };
  return layer;
}

/// A small file system of its own while it lives, where this process may mount one.
class SmallFileSystem {
 public:
  SmallFileSystem(const std::filesystem::path& folder, const char* options) : folder_(folder) {
    std::filesystem::create_directory(folder);
    mounted_ = ::mount("tmpfs", folder.c_str(), "tmpfs", 0, options) == 0;
    if (!mounted_) reason_ = std::strerror(errno);
  }
  ~SmallFileSystem() {
    if (mounted_) ::umount(folder_.c_str());
  }
  SmallFileSystem(const SmallFileSystem&) = delete;
  SmallFileSystem& operator=(const SmallFileSystem&) = delete;
  bool mounted() const { return mounted_; }
  const std::string& reason() const { return reason_; }

 private:
  std::filesystem::path folder_;
  bool mounted_ = false;
  std::string reason_;
};

}  // namespace

TEST_CASE("a save that fails at any byte leaves the file before and nothing else") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run.h5";
  const RunRecord before = random_record(1);
  save_run_file(path, before);
  for (const std::size_t limit : std::vector<std::size_t>{0, 1, 511, 512, 513, 4096, 20'000}) {
    CHECK_THROWS_WITH(save_run_file(path, random_record(2), full_after(limit)),
                      contains_text("cannot save '" + path.string() + "': no space left: injected"));
    CHECK(entries(folder.path()) == 1);
  }
  FileLayer no_rename = system_file_layer();
  no_rename.replace = [](const auto&, const auto&) { throw_run_time_error("injected"); };
  CHECK_THROWS_WITH(save_run_file(path, random_record(2), no_rename), contains_text("injected"));
  CHECK(entries(folder.path()) == 1);
  CHECK(first_difference(load_run_file(path), before).empty());
}

TEST_CASE("a full disk is named with the size needed, and the last good file stays") {
  const TemporaryFolder folder;
  const SmallFileSystem disk(folder.path() / "disk", "size=128k");
  if (!disk.mounted()) CLADE_SKIP("mounting a small file system: " + disk.reason());
  const auto path = folder.path() / "disk" / "run.h5";
  save_run_file(path, random_record(1));
  const RunRecord large = random_record(2, {.parameters = 20'000});
  CHECK_THROWS_WITH(save_run_file(path, large),
                    contains_text("no space left: ") && contains_text(" needed in ") && contains_text(" free"));
  CHECK(first_difference(load_run_file(path), random_record(1)).empty());
  CHECK(entries(folder.path() / "disk") == 1);
  try {
    save_run_file(path, large);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::run_time);
  }
}

TEST_CASE("a limit on file sizes is named, and the last good file stays") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run.h5";
  save_run_file(path, random_record(1));
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100'000, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string message;
  try {
    save_run_file(path, random_record(2, {.parameters = 20'000}));
  } catch (const Error& error) {
    message = error.what();
  }
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, handler);
  CHECK_THAT(message, contains_text("file size limit exceeded: ") && contains_text("raise it (ulimit -f)"));
  CHECK(first_difference(load_run_file(path), random_record(1)).empty());
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a folder that is missing, no folder, or not to be written is named") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(save_run_file(folder.path() / "absent/run.h5", {}),
                    contains_text("no folder '" + (folder.path() / "absent").string() + "'; make it first"));
  std::ofstream(folder.path() / "file") << "x";
  CHECK_THROWS_WITH(save_run_file(folder.path() / "file/run.h5", {}), contains_text("is not a folder"));
  CHECK_THROWS_WITH(save_run_file(folder.path() / std::string(300, 'x'), {}), contains_text("too long"));
  try {
    save_run_file(folder.path() / "absent/run.h5", {});
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
  }
  {
    const SmallFileSystem disk(folder.path() / "disk", "size=64k");
    if (disk.mounted() &&
        ::mount(nullptr, (folder.path() / "disk").c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0) {
      CHECK_THROWS_WITH(save_run_file(folder.path() / "disk/run.h5", {}), contains_text("is read-only"));
    } else {
      std::cout << "skipped: a read-only file system (this user cannot mount one)\n";
    }
  }
  if (::geteuid() == 0) {
    std::cout << "skipped: a folder without permission to write (root writes everywhere)\n";
  } else {
    std::filesystem::create_directory(folder.path() / "closed");
    std::filesystem::permissions(folder.path() / "closed", std::filesystem::perms::owner_read);
    CHECK_THROWS_WITH(save_run_file(folder.path() / "closed/run.h5", {}), contains_text("no permission to write"));
  }
}

TEST_CASE("a save replaces what a killed one left behind, link or file") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "precious") << "keep";
  std::filesystem::create_symlink("precious", folder.path() / "run.h5.saving");
  save_run_file(folder.path() / "run.h5", random_record(1));
  CHECK(std::filesystem::file_size(folder.path() / "precious") == 4);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "run.h5.saving"));
  std::ofstream(folder.path() / "run.h5.saving") << "half of a file";
  save_run_file(folder.path() / "run.h5", random_record(2));
  CHECK(entries(folder.path()) == 2);
  CHECK(first_difference(load_run_file(folder.path() / "run.h5"), random_record(2)).empty());
}

TEST_CASE("a process killed while it saves leaves one of the two files whole") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run.h5";
  const clade::testing::RecordShape shape{.members = 200, .parameters = 20'000};
  const std::array<RunRecord, 2> records = {random_record(1, shape), random_record(2, shape)};
  save_run_file(path, records[0]);
  RandomStream rng(RandomKey{17, Purpose::test, 0, 0, 0});
  int second = 0;
  for (int round = 0; round < 30; ++round) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      try {
        for (std::size_t i = 0;; ++i) save_run_file(path, records[i % 2]);
      } catch (...) {
      }
      ::_exit(1);
    }
    ::usleep(1000 + rng.below(20'000));
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    const RunRecord found = load_run_file(path);
    const bool is_second = found.configuration[3].value == "2";
    REQUIRE(first_difference(found, records[is_second ? 1 : 0]).empty());
    second += is_second ? 1 : 0;
  }
  INFO("rounds that left the second file: " << second);
  CHECK(std::filesystem::exists(path));
}

TEST_CASE("sizes are written with a unit") {
  CHECK(byte_text(0) == "0 bytes");
  CHECK(byte_text(999) == "999 bytes");
  CHECK(byte_text(1000) == "1.0 kB");
  CHECK(byte_text(12'345'678) == "12.3 MB");
  CHECK(byte_text(999'960) == "1.0 MB");
  CHECK(byte_text(5'000'000'000'000'000) == "5000.0 TB");
}
