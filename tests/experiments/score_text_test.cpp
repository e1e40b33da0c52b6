#include "experiments/score_text.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/run_records.hpp"

using namespace clade;
using clade::testing::contains_text;
using clade::testing::genetic_record;

TEST_CASE("a game's score is compared with random play and a human") {
  RunRecord record = genetic_record(1);
  record.configuration[0].value = "Alien";
  CHECK(reference_text(record, 227.8) ==
        "human-normalised 0 (random play 227.8, a human 7127.7 points), 0.0 points above random play");
  CHECK_THAT(reference_text(record, 7127.7), contains_text("human-normalised 1 ("));
  record.provenance["atari_frame_skip"] = "4";
  CHECK(reference_text(record, 227.8, 4500) == reference_text(record, 227.8));
  CHECK_THAT(reference_text(record, 227.8, 4499), contains_text("random play, in episodes of at most 4,499 steps"));
  record.provenance["atari_clip_rewards"] = "true";
  CHECK(reference_text(record, 227.8).empty());
  record.provenance["atari_clip_rewards"] = "false";
  CHECK_FALSE(reference_text(record, 227.8).empty());
  record.provenance["atari_episodic_life"] = "true";
  CHECK(reference_text(record, 227.8).empty());
  record.configuration[0].value = "CartPole-v1";
  CHECK(reference_text(record, 227.8).empty());
}
