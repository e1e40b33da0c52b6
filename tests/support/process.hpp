#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace clade::test {

/// Where one of our programs lies.
std::string program_path(const std::string& program);

/// A folder of a test's own, removed with it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

struct ProcessResult {
  int exit_code = -1;  ///< 128 + signal where a signal ended it
  int signal = 0;      ///< the signal that ended it, 0 where it exited
  std::string out;
  std::string err;
};

/// One of our programs by its name (clade-es), or any by its whole path, running; its output goes to files until it
/// ends.
class Process {
 public:
  /// `environment` adds to or replaces this process's variables. `folder` is the working folder.
  Process(const std::string& program, const std::vector<std::string>& arguments, const std::filesystem::path& folder,
          const std::vector<std::pair<std::string, std::string>>& environment = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  void signal(int number) const;
  bool running();
  /// Waits for the end. A program that takes longer than `seconds` is killed: exit code 128 + SIGKILL.
  ProcessResult wait(double seconds = 120.0);

 private:
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
  TemporaryFolder output_;
};

/// Runs a program to its end.
ProcessResult run_program(const std::string& program, const std::vector<std::string>& arguments,
                          const std::filesystem::path& folder,
                          const std::vector<std::pair<std::string, std::string>>& environment = {});

}  // namespace clade::test
