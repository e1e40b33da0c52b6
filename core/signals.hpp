#pragma once

namespace clade {

/// While it lives, SIGINT, SIGTERM, SIGUSR1 (a batch system's warning) and SIGHUP (a lost terminal; not where it is
/// ignored, as under nohup) ask the program to stop instead of killing it: the loop looks at stop_requested(), saves
/// and exits with 130. A second SIGINT, half a second or more after the first, exits with 130 at once; the last save
/// of the run stays valid. (Sooner ones are the same key press: shells and wrappers often deliver it twice.)
/// One guard at a time, made and destroyed by the main thread; the handlers before it are restored.
class SignalGuard {
 public:
  /// Forgets signals that an earlier guard recorded.
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
};

/// Whether such a signal came since the latest guard was made; stays true after the guard's end. From any thread.
bool stop_requested() noexcept;

/// The first signal that came, 0 where none did.
int stop_signal() noexcept;

/// As if the signal had come, but without a handler: for a program's own reasons to stop, and for tests.
void request_stop(int signal) noexcept;

}  // namespace clade
