#include "core/control_group.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/catch.hpp"

namespace clade {
namespace {

namespace fs = std::filesystem;

/// A folder with files that look like the kernel's, gone at the end.
class FakeGroups {
 public:
  explicit FakeGroups(const std::string& membership)
      : folder_(fs::temp_directory_path() / ("clade_control_group_" + std::to_string(getpid()))) {
    write("membership", membership);
  }
  FakeGroups(const FakeGroups&) = delete;
  FakeGroups& operator=(const FakeGroups&) = delete;
  ~FakeGroups() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  void write(const fs::path& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text << '\n';
  }
  ControlGroupPlaces places() const { return {folder_ / "membership", folder_ / "mount"}; }

 private:
  fs::path folder_;
};

TEST_CASE("version 2: the smallest quota up the hierarchy counts", "[control_group]") {
  const FakeGroups groups("0::/user.slice/job");
  CHECK_FALSE(control_group_cores(groups.places()).has_value());
  groups.write("mount/user.slice/job/cpu.max", "max 100000");
  CHECK_FALSE(control_group_cores(groups.places()).has_value());
  groups.write("mount/user.slice/cpu.max", "350000 100000");
  CHECK(control_group_cores(groups.places()) == 3.5);
  groups.write("mount/user.slice/job/cpu.max", "150000 100000");
  CHECK(control_group_cores(groups.places()) == 1.5);
}

TEST_CASE("version 2: inside a container the mount's root is the group", "[control_group]") {
  const FakeGroups groups("0::/../../host/path");
  groups.write("mount/cpu.max", "200000 100000");
  groups.write("mount/memory.max", "1000000");
  groups.write("mount/memory.current", "400000");
  CHECK(control_group_cores(groups.places()) == 2.0);
  CHECK(control_group_memory(groups.places()) == 600000.0);
}

TEST_CASE("version 1: quota and period, where -1 is no limit", "[control_group]") {
  const FakeGroups groups("5:memory:/docker/1f\n4:cpu,cpuacct:/docker/1f\n1:name=systemd:/docker/1f");
  groups.write("mount/cpu,cpuacct/docker/1f/cpu.cfs_quota_us", "-1");
  groups.write("mount/cpu,cpuacct/docker/1f/cpu.cfs_period_us", "100000");
  CHECK_FALSE(control_group_cores(groups.places()).has_value());
  groups.write("mount/cpu,cpuacct/docker/1f/cpu.cfs_quota_us", "250000");
  CHECK(control_group_cores(groups.places()) == 2.5);

  groups.write("mount/memory/docker/1f/memory.limit_in_bytes", "9223372036854771712");
  groups.write("mount/memory/docker/1f/memory.usage_in_bytes", "1000");
  CHECK_FALSE(control_group_memory(groups.places()).has_value());
  groups.write("mount/memory/docker/1f/memory.limit_in_bytes", "5000");
  CHECK(control_group_memory(groups.places()) == 4000.0);
}

TEST_CASE("file cache that can be dropped is not in use", "[control_group]") {
  const FakeGroups groups("0::/job");
  groups.write("mount/job/memory.max", "1000");
  groups.write("mount/job/memory.current", "900");
  CHECK(control_group_memory(groups.places()) == 100.0);
  groups.write("mount/job/memory.stat", "anon 300\ninactive_file 500\nactive_file 100");
  CHECK(control_group_memory(groups.places()) == 600.0);
  groups.write("mount/job/memory.current", "2000");
  CHECK(control_group_memory(groups.places()) == 0.0);
}

TEST_CASE("where there are no groups there is no limit", "[control_group]") {
  const ControlGroupPlaces nowhere{"/nonexistent/membership", "/nonexistent"};
  CHECK_FALSE(control_group_cores(nowhere).has_value());
  CHECK_FALSE(control_group_memory(nowhere).has_value());
  CHECK(control_group_folders("cpu", nowhere).empty());
}

}  // namespace
}  // namespace clade
