#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <string>

namespace clade::testing {

struct ChildResult {
  int exit_code = -1;  ///< -1 where a signal killed it
  int signal = 0;
  std::string error_text;  ///< what it wrote to standard error
};

/// Runs `body` in a forked process whose standard output is the descriptor `output` (-1: /dev/null) and ends it with
/// the body's value, past all destructors and exit handlers of the test program.
inline ChildResult run_child(const std::function<int()>& body, int output = -1) {
  std::array<int, 2> error_pipe{};
  ChildResult result;
  if (pipe2(error_pipe.data(), O_CLOEXEC) != 0) return result;
  const pid_t child = fork();
  if (child == 0) {
    const int target = output >= 0 ? output : open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(target, STDOUT_FILENO);
    dup2(error_pipe[1], STDERR_FILENO);
    _exit(body());
  }
  close(error_pipe[1]);
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = read(error_pipe[0], buffer.data(), buffer.size())) > 0;) {
    result.error_text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  close(error_pipe[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return result;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace clade::testing
