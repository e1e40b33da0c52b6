#pragma once

#include <functional>
#include <string>

namespace clade {

/// The version of this build, e.g. "0.1.0".
std::string version_string();

/// The program's name as messages show it: argv[0] without its folders, "clade" where there is none.
std::string program_name(int argc, const char* const* argv);

/// What every main() returns: runs `body` and turns whatever leaves it into one line on standard error and an exit
/// code.
///   Error                its message; 2 for usage or input, 1 for a failure at run time
///   std::bad_alloc       "out of memory"; 1
///   anything else        "internal error: ... please report"; 1
/// Ignores SIGPIPE and SIGXFSZ, so that neither a closed pipe nor a limit on file sizes kills a run: the write fails.
/// Standard files that are closed stay closed to the program, but no file that it opens takes their numbers. Standard
/// output is flushed at the end: a failed write (a full disk) is reported and exits with 1, unless `body` failed
/// already; a reader that went away (`| head`) is no failure and leaves the exit code as it is.
int run_program(int argc, const char* const* argv, const std::function<int(int, const char* const*)>& body);

}  // namespace clade
