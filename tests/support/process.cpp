#include "tests/support/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace clade::test {

namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

std::string program_path(const std::string& program) { return std::string(CLADE_TEST_PROGRAM_DIR) + "/" + program; }

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "clade-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder " + name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Process::Process(const std::string& program, const std::vector<std::string>& arguments,
                 const std::filesystem::path& folder,
                 const std::vector<std::pair<std::string, std::string>>& environment) {
  const std::string path = program.starts_with('/') ? program : program_path(program);
  const std::string out = output_.file("out");
  const std::string err = output_.file("err");
  std::vector<char*> argv;
  argv.push_back(const_cast<char*>(path.c_str()));
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ > 0) return;
  // The child: nothing but calls that are safe here.
  const int out_file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err_file = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(out_file, 1);
  dup2(err_file, 2);
  if (chdir(folder.c_str()) != 0) _exit(126);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  execv(path.c_str(), argv.data());
  _exit(127);
}

Process::~Process() {
  if (ended_) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, &status_, 0);
}

void Process::signal(int number) const { kill(pid_, number); }

bool Process::running() {
  if (!ended_ && waitpid(pid_, &status_, WNOHANG) == pid_) ended_ = true;
  return !ended_;
}

ProcessResult Process::wait(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (running()) {
    if (std::chrono::steady_clock::now() > end) {
      kill(pid_, SIGKILL);
      waitpid(pid_, &status_, 0);
      ended_ = true;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ProcessResult result;
  result.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  result.signal = WIFSIGNALED(status_) ? WTERMSIG(status_) : 0;
  result.out = read_file(output_.path() / "out");
  result.err = read_file(output_.path() / "err");
  return result;
}

ProcessResult run_program(const std::string& program, const std::vector<std::string>& arguments,
                          const std::filesystem::path& folder,
                          const std::vector<std::pair<std::string, std::string>>& environment) {
  return Process(program, arguments, folder, environment).wait();
}

}  // namespace clade::test
