#include "core/signals.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string_view>

#include "core/error.hpp"

namespace clade {
namespace {

// A handler can reach nothing but globals; these are the only ones, written by handlers and by the guard.
std::atomic<int> recorded_signal{0};
std::atomic<std::int64_t> first_interrupt{0};  // milliseconds of the monotonic clock, 0: none yet
std::atomic<bool> on_terminal{false};
std::atomic<bool> guard_alive{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "only lock-free atomics may be used in a signal handler");

constexpr int kExitInterrupted = 130;
constexpr std::int64_t kSamePressMilliseconds = 500;
constexpr std::array<int, 4> kSignals = {SIGINT, SIGTERM, SIGUSR1, SIGHUP};

// What was there before the guard; touched by the guard alone.
std::array<struct sigaction, kSignals.size()> earlier_actions{};

std::int64_t monotonic_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000 + 1;
}

void write_to_standard_error(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

/// Async-signal-safe: lock-free atomics, clock_gettime, write and _exit only.
void handle(int signal) {
  const int saved_errno = errno;
  int none = 0;
  recorded_signal.compare_exchange_strong(none, signal);
  if (signal == SIGINT) {
    const std::int64_t now = monotonic_milliseconds();
    std::int64_t first = 0;
    if (first_interrupt.compare_exchange_strong(first, now)) {
      if (on_terminal.load()) write_to_standard_error("\nstopping and saving; Ctrl-C again stops at once\n");
    } else if (now - first >= kSamePressMilliseconds) {
      write_to_standard_error("\nstopped at once; the last save of the run stays valid\n");
      _exit(kExitInterrupted);
    }
  }
  errno = saved_errno;
}

}  // namespace

SignalGuard::SignalGuard() {
  CLADE_CHECK(!guard_alive.exchange(true));
  recorded_signal.store(0);
  first_interrupt.store(0);
  on_terminal.store(isatty(STDERR_FILENO) == 1);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &earlier_actions[i]);
    if (kSignals[i] == SIGHUP && earlier_actions[i].sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = handle;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;  // reading and writing of files go on undisturbed
    sigaction(kSignals[i], &action, nullptr);
  }
}

SignalGuard::~SignalGuard() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &earlier_actions[i], nullptr);
  guard_alive.store(false);
}

bool stop_requested() noexcept { return recorded_signal.load(std::memory_order_relaxed) != 0; }

int stop_signal() noexcept { return recorded_signal.load(); }

void request_stop(int signal) noexcept {
  int none = 0;
  recorded_signal.compare_exchange_strong(none, signal);
}

}  // namespace clade
