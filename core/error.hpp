#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace clade {

/// Who can mend it: the caller (a wrong option, a foreign file), or nobody before the run started (a full disk).
enum class ErrorKind {
  input,    ///< usage or input; programs exit with 2
  run_time  ///< failed while running; programs exit with 1
};

/// The one exception for the outside world: files, configuration, devices, environments.
/// The message is one line: what was wrong, the value, the limit, what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }
  int exit_code() const { return kind_ == ErrorKind::input ? 2 : 1; }

 private:
  ErrorKind kind_;
};

/// Throws Error with ErrorKind::input.
[[noreturn]] void throw_input_error(const std::string& message);
/// Throws Error with ErrorKind::run_time.
[[noreturn]] void throw_run_time_error(const std::string& message);

/// The candidate with the smallest edit distance to `name`, or an empty view where none is near.
std::string_view nearest_name(std::string_view name, std::span<const std::string> candidates);

/// "unknown environment 'HalfCheeta-v4'; did you mean 'HalfCheetah-v4'?" as an input error.
[[noreturn]] void throw_unknown_name(std::string_view what, std::string_view name,
                                     std::span<const std::string> candidates);

namespace detail {
[[noreturn]] void check_failed(const char* expression, const char* file, int line);
}

}  // namespace clade

/// For our own bugs only: throws std::logic_error with the place. Input is refused with clade::Error instead.
#define CLADE_CHECK(expression) \
  ((expression) ? static_cast<void>(0) : ::clade::detail::check_failed(#expression, __FILE__, __LINE__))
