// Results depend on nothing but the configuration: not on threads, lanes, instruction set or when the file was saved.

#include <string>
#include <vector>

#include "tests/invariance/run_helpers.hpp"

namespace clade::test {
namespace {

TEST_CASE("one hash for any threads, lanes, saving and keyframes") {
  const TemporaryFolder folder;
  for (const SmallRun& run : small_runs()) {
    CAPTURE(run.program);
    const std::string reference = hash_of_run(run, {"--threads", "1"}, folder);
    CHECK(hash_of_run(run, {"--threads", "2"}, folder) == reference);
    CHECK(hash_of_run(run, {"--threads", "3", "--lanes", "4"}, folder) == reference);
    CHECK(hash_of_run(run, {"--threads", "1", "--lanes", "2", "--save-every", "generation"}, folder) == reference);
    CHECK(hash_of_run(run, {"--threads", "2", "--keyframe-every", "3"}, folder) == reference);
    CHECK(hash_of_run(run, {"--threads", "2", "--seed", "1"}, folder) != reference);
  }
}

TEST_CASE("one hash for every instruction set that this processor has") {
  const TemporaryFolder folder;
  for (const SmallRun& run : small_runs()) {
    CAPTURE(run.program);
    const std::string reference = hash_of_run(run, {}, folder);
    for (const std::string isa : {"generic", "avx2", "avx512"}) {
      const ProcessResult result = run_program(run.program, with(run.arguments, {"--out", "isa.h5", "--force"}),
                                               folder.path(), {{"CLADE_ISA", isa}});
      if (result.exit_code == 2) {
        WARN("skipped: this processor has no " + isa + ": " + result.err);
        continue;
      }
      CAPTURE(isa, result.err);
      REQUIRE(result.exit_code == 0);
      CHECK(hash_of("isa.h5", folder) == reference);
    }
  }
}

TEST_CASE("the shared noise table gives one hash for any threads, and another than counter noise") {
  const TemporaryFolder folder;
  SmallRun run = small_runs().front();
  const std::string counter = hash_of_run(run, {"--threads", "2"}, folder);
  const std::string table = hash_of_run(run, {"--threads", "1", "--noise", "table:100000"}, folder);
  CHECK(hash_of_run(run, {"--threads", "3", "--noise", "table:100000"}, folder) == table);
  CHECK(table != counter);
}

}  // namespace
}  // namespace clade::test
