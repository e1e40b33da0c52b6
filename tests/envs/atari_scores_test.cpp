#include "envs/atari_scores.hpp"

#include <cmath>
#include <string>

#include "envs/atari_games.hpp"
#include "tests/support/catch.hpp"

using namespace clade;

TEST_CASE("Published scores are found by every name of a game", "[atari]") {
  for (const char* name : {"Frostbite", "ALE/Frostbite-v5", "frostbite"}) {
    INFO(name);
    const auto scores = reference_scores(name);
    REQUIRE(scores.has_value());
    CHECK(scores->random == 65.2);
    CHECK(scores->human == 4334.7);
    CHECK(scores->random_source == "mnih2015");
    CHECK(scores->human_source == "wang2016");
  }
  CHECK(reference_scores("ms_pacman")->human == 6951.6);
  CHECK(reference_scores("Skiing")->random == -17098.1);
  CHECK_FALSE(reference_scores("Adventure").has_value());  // a game without published scores
  CHECK_FALSE(reference_scores("HalfCheetah-v4").has_value());
}

TEST_CASE("The table of published scores is sound", "[atari]") {
  const auto all = all_reference_scores();
  CHECK(all.size() == 57);
  std::string before;
  for (const ReferenceScores& scores : all) {
    INFO(std::string(scores.game));
    CHECK(before < scores.game);
    before = scores.game;
    const AtariGame* const game = find_atari_game_by_rom(scores.game);
    REQUIRE(game != nullptr);
    CHECK(scores.game == game->rom);
    CHECK(std::isfinite(scores.random));
    CHECK(std::isfinite(scores.human));
    CHECK(scores.human > scores.random);
    for (const std::string_view source : {scores.random_source, scores.human_source}) {
      CHECK((source == "mnih2015" || source == "wang2016"));
    }
  }
}

TEST_CASE("Scores are put on the scale from random play to a human's", "[atari]") {
  const ReferenceScores reference{"", 65.2, 4334.7, "", ""};
  CHECK(human_normalised(reference, 65.2) == 0.0);
  CHECK(human_normalised(reference, 4334.7) == 1.0);
  CHECK(human_normalised(reference, 2199.95) == Approx(0.5));
  CHECK(human_normalised(reference, 0.0) == Approx(-65.2 / 4269.5));
  CHECK(random_normalised(reference, 165.2) == Approx(100.0));
}
