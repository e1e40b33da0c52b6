#include "core/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>

#include "core/error.hpp"

namespace clade {
namespace {

constexpr int kFailed = 1;

/// The pipe's reader has gone: nobody is left to read, which is no failure of ours.
bool reader_is_gone(int file_descriptor) {
  pollfd query{.fd = file_descriptor, .events = POLLOUT, .revents = 0};
  return poll(&query, 1, 0) == 1 && (query.revents & POLLERR) != 0;
}

/// Opens those of the three standard files that are closed, in a way that reading or writing them still fails: else the
/// next file opened would take their place, and messages would go into a run file.
void occupy_closed_standard_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(file, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is this one, as those below are open.
    [[maybe_unused]] const int opened = open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// Messages are one line whatever a library put into them.
void report(const std::string& program, std::string message) {
  for (char& character : message) {
    if (character == '\n' || character == '\r') character = ' ';
  }
  std::cerr << program << ": " << message << std::endl;
}

/// Exit code after everything written to standard output has been handed to the system.
int finish_output(const std::string& program, int exit_code) {
  errno = 0;
  std::cout.flush();
  std::fflush(stdout);
  const int problem = errno;
  if (std::cout.good() && std::ferror(stdout) == 0) return exit_code;
  if (problem == EPIPE || reader_is_gone(STDOUT_FILENO)) return exit_code;
  report(program, "standard output cannot be written" +
                      (problem == 0 ? std::string() : std::string(": ") + std::strerror(problem)) +
                      "; what it should hold is incomplete");
  return exit_code == 0 ? kFailed : exit_code;
}

int run_body(const std::string& program, int argc, const char* const* argv,
             const std::function<int(int, const char* const*)>& body) {
  try {
    return body(argc, argv);
  } catch (const Error& error) {
    report(program, error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    report(program, "out of memory; a smaller population, network or noise table needs less");
  } catch (const std::exception& error) {
    const std::string message = error.what();
    const bool asks_already = message.find("please report") != std::string::npos;
    report(program, "internal error: " + message + (asks_already ? "" : "; please report this"));
  } catch (...) {
    report(program, "internal error: an exception of unknown type; please report this");
  }
  return kFailed;
}

}  // namespace

std::string version_string() {
#ifdef CLADE_VERSION
  return CLADE_VERSION;
#else
  return "unknown";
#endif
}

std::string program_name(int argc, const char* const* argv) {
  if (argc < 1 || argv == nullptr || argv[0] == nullptr) return "clade";
  const std::string path = argv[0];
  const std::string name = path.substr(path.find_last_of('/') + 1);
  return name.empty() ? "clade" : name;
}

int run_program(int argc, const char* const* argv, const std::function<int(int, const char* const*)>& body) {
  occupy_closed_standard_files();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const std::string program = program_name(argc, argv);
  return finish_output(program, run_body(program, argc, argv, body));
}

}  // namespace clade
