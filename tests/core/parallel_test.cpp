#include "core/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace clade {
namespace {

TEST_CASE("every index is worked on once, by a worker of the team", "[parallel]") {
  for (const int threads : {1, 2, 3, 16}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
      std::vector<int> visits(count, 0);
      std::atomic<bool> worker_in_range = true;
      parallel_for(count, threads, [&](std::size_t index, int worker) {
        ++visits[index];
        if (worker < 0 || worker >= threads) worker_in_range = false;
      });
      CHECK(visits == std::vector<int>(count, 1));
      CHECK(worker_in_range);
    }
  }
  CHECK_THROWS_AS(parallel_for(1, 0, [](std::size_t, int) {}), std::logic_error);
}

TEST_CASE("the exception of the lowest index comes out, and every index below it was worked on", "[parallel]") {
  for (const int threads : {1, 2, 4}) {
    for (int repetition = 0; repetition < 20; ++repetition) {
      std::vector<std::atomic<bool>> visited(200);
      std::string message;
      try {
        parallel_for(visited.size(), threads, [&](std::size_t index, int) {
          visited[index] = true;
          if (index >= 50) throw_run_time_error("index " + std::to_string(index));
        });
      } catch (const Error& error) {
        message = error.what();
      }
      CHECK(message == "index 50");
      for (std::size_t index = 0; index <= 50; ++index) CHECK(visited[index]);
      // At most one further index a worker: the others were never handed out.
      for (std::size_t index = 51 + static_cast<std::size_t>(threads); index < visited.size(); ++index) {
        CHECK_FALSE(visited[index]);
      }
    }
  }
}

TEST_CASE("an exception that is no std::exception comes out too", "[parallel]") {
  CHECK_THROWS_AS(parallel_for(10, 2, [](std::size_t, int) { throw 5; }), int);
}

TEST_CASE("a stop ends the handing out and leaves whole indices", "[parallel]") {
  for (const int threads : {1, 2, 4}) {
    std::atomic<std::size_t> begun = 0;
    std::atomic<std::size_t> ended = 0;
    parallel_for(
        1000, threads,
        [&](std::size_t, int) {
          ++begun;
          ++ended;
        },
        [&] { return begun >= 10; });
    CHECK(begun >= 10);
    CHECK(begun < 10 + static_cast<std::size_t>(threads));
    CHECK(begun == ended);
  }
  CHECK_THROWS_WITH(parallel_for(
                        10, 2, [](std::size_t, int) {}, []() -> bool { throw_run_time_error("no answer"); }),
                    "no answer");
}

TEST_CASE("a loop inside a loop works", "[parallel]") {
  std::atomic<int> sum = 0;
  parallel_for(4, 2, [&](std::size_t, int) { parallel_for(5, 2, [&](std::size_t, int) { ++sum; }); });
  CHECK(sum == 20);
}

TEST_CASE("this process has a core at least", "[parallel]") { CHECK(available_cores() >= 1); }

}  // namespace
}  // namespace clade
