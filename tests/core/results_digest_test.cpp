#include <functional>

#include "core/run_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"
#include "tests/support/run_records.hpp"

using namespace clade;
using clade::testing::random_record;

namespace {

struct Change {
  std::string name;
  std::function<void(RunRecord&)> apply;
};

}  // namespace

TEST_CASE("the results' digest is 32 digits and the same each time") {
  const std::string digest = results_digest(random_record(1));
  CHECK(digest.size() == 32);
  CHECK(digest == results_digest(random_record(1)));
  CHECK(digest != results_digest(random_record(2)));
  CHECK(results_digest({}) != digest);
}

TEST_CASE("the results' digest survives saving and loading") {
  const clade::test::TemporaryFolder folder;
  const RunRecord record = random_record(3);
  save_run_file(folder.path() / "run.h5", record);
  CHECK(results_digest(load_run_file(folder.path() / "run.h5")) == results_digest(record));
}

TEST_CASE("what determines results or is one changes the digest and is named as a difference") {
  const std::vector<Change> changes = {
      {"program", [](RunRecord& r) { r.program += "x"; }},
      {"option seed", [](RunRecord& r) { r.configuration[3].value = "99"; }},
      {"option env-option", [](RunRecord& r) { std::swap(r.configuration[1], r.configuration[2]); }},
      {"option new",
       [](RunRecord& r) {
         r.configuration.push_back({"new", "1", ResultEffect::fixes_results});
       }},
      {"next generation", [](RunRecord& r) { ++r.next_generation; }},
      {"generations", [](RunRecord& r) { r.generations.pop_back(); }},
      {"generation 1, member 2: recipe", [](RunRecord& r) { r.generations[1].members[2].key.key[1] ^= 1; }},
      {"generation 1, member 2: recipe", [](RunRecord& r) { r.generations[1].members[2].key.counter[2] ^= 1; }},
      {"generation 1, member 2: recipe", [](RunRecord& r) { r.generations[1].members[2].scale *= -1; }},
      {"generation 1, member 2: recipe", [](RunRecord& r) { r.generations[1].members[2].base = 7; }},
      {"generation 1, member 2: recipe", [](RunRecord& r) { r.generations[1].members[2].pair = 7; }},
      {"generation 1, member 2: recipe",
       [](RunRecord& r) { r.generations[1].members[2].form = PerturbationForm::none; }},
      {"generation 1, member 2: recipe",
       [](RunRecord& r) { r.generations[1].members[2].form = PerturbationForm::initial; }},
      {"generation 1, member 2: recipe",
       [](RunRecord& r) { r.generations[1].members[2].crossover = Crossover::uniform; }},
      {"generation 1, member 2: recipe", [](RunRecord& r) { r.generations[1].members[2].mate = 3; }},
      {"generation 1, member 2: recipe", [](RunRecord& r) { r.generations[1].members[2].crossover_key.key[0] = 3; }},
      {"generation 1, member 2: recipe",
       [](RunRecord& r) { r.generations[1].members[2].crossover_key.counter[2] = 3; }},
      {"generation 1, member 2: recipe", [](RunRecord& r) { r.generations[1].members[2].crossover_point = 3; }},
      {"generation 1, member 2: recipe",
       [](RunRecord& r) { r.generations[1].members[2].crossover_point = std::uint64_t{1} << 40U; }},
      {"generation 1, members", [](RunRecord& r) { r.generations[1].members.pop_back(); }},
      {"generation 1, returns: 1 of 8 differ, first member 1 episode 1",
       [](RunRecord& r) { r.generations[1].returns[3] += 1e-9; }},
      {"generation 1, returns", [](RunRecord& r) { r.generations[1].returns[3] = std::nan(""); }},
      {"generation 1, steps", [](RunRecord& r) { ++r.generations[1].steps[3]; }},
      {"generation 1, frames", [](RunRecord& r) { ++r.generations[1].frames[3]; }},
      {"generation 1, ancestors",
       [](RunRecord& r) {
         r.generations[1].ancestors = {{0, 1}};
       }},
      {"generation 1, validation, episodes per candidate",
       [](RunRecord& r) { r.generations[1].validation.episodes_per_candidate = 9; }},
      {"generation 1, validation, candidates",
       [](RunRecord& r) {
         r.generations[1].validation.candidates = {{0, 1}};
       }},
      {"generation 1, validation, returns", [](RunRecord& r) { r.generations[1].validation.returns = {0.0}; }},
      {"generation 1, validation, steps", [](RunRecord& r) { r.generations[1].validation.steps = {0}; }},
      {"generation 1, validation, frames", [](RunRecord& r) { r.generations[1].validation.frames = {0}; }},
      {"generation 1, validation, status", [](RunRecord& r) { r.generations[1].validation.status = {0}; }},
      {"generation 1, validation, elites",
       [](RunRecord& r) {
         r.generations[1].validation.elites = {{1, 1}};
       }},
      {"generation 1, status", [](RunRecord& r) { r.generations[1].status[3] = 3; }},
      {"generation 1, max_steps", [](RunRecord& r) { r.generations[1].max_steps = 5; }},
      {"generation 1, normaliser mean", [](RunRecord& r) { r.generations[1].normalizer.mean[0] = 9.0; }},
      {"generation 1, normaliser inverse_std", [](RunRecord& r) { r.generations[1].normalizer.inverse_std[0] = 9.0; }},
      {"generation 1, normaliser clip", [](RunRecord& r) { r.generations[1].normalizer.clip = 9.0; }},
      {"generation 0, evaluation returns", [](RunRecord& r) { r.generations[0].evaluation_returns[1] = 9.0; }},
      {"generation 0, evaluation steps", [](RunRecord& r) { r.generations[0].evaluation_steps[1] = 9999; }},
      {"generation 0, evaluation frames", [](RunRecord& r) { r.generations[0].evaluation_frames[1] = 9999; }},
      {"generation 2, total frames", [](RunRecord& r) { ++r.generations[2].total_frames; }},
      {"generation 2, total episodes", [](RunRecord& r) { ++r.generations[2].total_episodes; }},
      {"generation 2, total steps", [](RunRecord& r) { ++r.generations[2].total_steps; }},
      {"generation 2 stands against generation 5", [](RunRecord& r) { r.generations[2].generation = 5; }},
      {"state strategy/mean: 1 of 7 differ, first [0]",
       [](RunRecord& r) {
         auto mean = r.state.get<std::vector<double>>("strategy/mean");
         mean[0] = 9.0;
         r.state.set("strategy/mean", mean);
       }},
      {"state strategy/mean: another type",
       [](RunRecord& r) { r.state.set("strategy/mean", std::vector<float>{1.0F}); }},
      {"state run/note", [](RunRecord& r) { r.state.set("run/note", std::string("x")); }},
      {"state more: only in the second", [](RunRecord& r) { r.state.set("more", std::string("x")); }},
      {"state run/note: only in the first", [](RunRecord& r) { r.state.values().erase("run/note"); }},
      {"final test, returns", [](RunRecord& r) { r.final_returns[1] = 9.0; }},
      {"final test, steps", [](RunRecord& r) { r.final_steps[1] = 9; }},
      {"final test, frames", [](RunRecord& r) { r.final_frames[1] = 9; }},
  };
  const RunRecord original = random_record(1);
  for (const Change& change : changes) {
    INFO(change.name);
    RunRecord changed = random_record(1);
    change.apply(changed);
    CHECK(results_digest(changed) != results_digest(original));
    const auto lines = differences(original, changed);
    REQUIRE_FALSE(lines.empty());
    CHECK_THAT(lines[0], clade::testing::contains_text(change.name));
  }
}

TEST_CASE("wall times, budgets, threads, sessions and keyframes leave the digest as it is") {
  const std::vector<Change> changes = {
      {"budget", [](RunRecord& r) { r.configuration[4].value = "99"; }},
      {"threads", [](RunRecord& r) { r.configuration[5].value = "99"; }},
      {"order of options", [](RunRecord& r) { std::swap(r.configuration[0], r.configuration[3]); }},
      {"sessions", [](RunRecord& r) { r.sessions.pop_back(); }},
      {"rates", [](RunRecord& r) { r.sessions[0].rates["inference"] = 99.0; }},
      {"status", [](RunRecord& r) { r.status = "finished"; }},
      {"provenance", [](RunRecord& r) { r.provenance["clade"] = "0.2.0"; }},
      {"keyframes", [](RunRecord& r) { r.keyframes.clear(); }},
      {"state of time", [](RunRecord& r) { r.state.set("time/seconds", std::vector<double>{99.0}); }},
      {"more state of time", [](RunRecord& r) { r.state.set("time/more", std::string("x")); }},
      {"times",
       [](RunRecord& r) {
         r.generations[0].evaluate_seconds = 99.0;
         r.generations[0].update_seconds = 99.0;
         r.generations[0].environment_seconds = 99.0;
         r.generations[0].inference_seconds = 99.0;
         r.generations[0].limit_share = 99.0;
         r.generations[0].total_seconds = 99.0;
       }},
  };
  const RunRecord original = random_record(1);
  for (const Change& change : changes) {
    INFO(change.name);
    RunRecord changed = random_record(1);
    change.apply(changed);
    CHECK(results_digest(changed) == results_digest(original));
    CHECK(differences(original, changed).empty());
  }
}

TEST_CASE("all NaN are one number for the digest, the two zeros are not") {
  RunRecord one = random_record(1);
  RunRecord two = random_record(1);
  one.generations[0].returns[0] = std::bit_cast<double>(std::uint64_t{0x7FF8000000000000});
  two.generations[0].returns[0] = std::bit_cast<double>(std::uint64_t{0xFFF800000000BEEF});
  CHECK(results_digest(one) == results_digest(two));
  CHECK(differences(one, two).empty());
  one.generations[0].returns[0] = 0.0;
  two.generations[0].returns[0] = -0.0;
  CHECK(results_digest(one) != results_digest(two));
  CHECK(differences(one, two).size() == 1);
}
