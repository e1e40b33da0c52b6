#include "core/signals.hpp"

#include <signal.h>
#include <time.h>

#include <memory>
#include <stdexcept>

#include "tests/support/catch.hpp"
#include "tests/support/child_process.hpp"

using namespace clade;

namespace {

void ignore_quietly(int) {}

void sleep_milliseconds(long milliseconds) {
  const timespec time{milliseconds / 1000, (milliseconds % 1000) * 1'000'000};
  nanosleep(&time, nullptr);
}

using Handler = void (*)(int);

Handler handler_of(int signal) {
  struct sigaction action {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler;
}

}  // namespace

TEST_CASE("each stop signal is recorded instead of killing", "[signals]") {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    struct sigaction ours {};
    ours.sa_handler = ignore_quietly;
    sigaction(signal, &ours, nullptr);
    {
      const SignalGuard guard;
      CHECK_FALSE(stop_requested());
      CHECK(stop_signal() == 0);
      raise(signal);
      CHECK(stop_requested());
      CHECK(stop_signal() == signal);
    }
    CHECK(stop_requested());  // a program asks after the loop as well
    CHECK(handler_of(signal) == ignore_quietly);
    sigaction(signal, &before, nullptr);
  }
}

TEST_CASE("the first signal is the one that is kept", "[signals]") {
  const SignalGuard guard;
  raise(SIGUSR1);
  raise(SIGTERM);
  raise(SIGINT);
  CHECK(stop_signal() == SIGUSR1);
}

TEST_CASE("a guard forgets what an earlier one recorded, and stands alone", "[signals]") {
  {
    const SignalGuard guard;
    request_stop(SIGTERM);
    CHECK(stop_signal() == SIGTERM);
    CHECK_THROWS_AS(std::make_unique<SignalGuard>(), std::logic_error);
  }
  const SignalGuard guard;
  CHECK_FALSE(stop_requested());
}

TEST_CASE("a hang-up that is ignored stays ignored", "[signals]") {
  struct sigaction before {};
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGHUP, &ignored, &before);
  {
    const SignalGuard guard;
    raise(SIGHUP);
    CHECK_FALSE(stop_requested());
  }
  CHECK(handler_of(SIGHUP) == SIG_IGN);
  sigaction(SIGHUP, &before, nullptr);
}

TEST_CASE("a second interrupt exits at once, one of the same key press does not", "[signals]") {
  const auto result = testing::run_child([] {
    const SignalGuard guard;
    raise(SIGINT);
    raise(SIGINT);  // delivered twice
    if (!stop_requested()) return 3;
    sleep_milliseconds(600);
    raise(SIGINT);
    return 4;
  });
  CHECK(result.exit_code == 130);
  CHECK(result.error_text == "\nstopped at once; the last save of the run stays valid\n");

  const auto patient = testing::run_child([] {
    const SignalGuard guard;
    raise(SIGINT);
    sleep_milliseconds(600);
    raise(SIGTERM);  // only a further interrupt insists
    return stop_signal() == SIGINT ? 5 : 6;
  });
  CHECK(patient.exit_code == 5);
  CHECK(patient.error_text.empty());
}
