#include "envs/atari_emulator.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "tests/support/atari.hpp"
#include "tests/support/catch.hpp"

namespace clade {
namespace {

namespace fs = std::filesystem;
using testing::action_stream;
using testing::atari_game;
using testing::atari_rom;
using testing::Bytes;
using testing::bytes_of;
using testing::contains_text;
using testing::started_emulator;

/// A folder that goes with the object.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "clade-roms-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

AtariAction drawn(const AtariEmulator& emulator, RandomStream& rng) {
  const std::vector<AtariAction>& actions = emulator.minimal_actions();
  return actions[rng.below(static_cast<std::uint32_t>(actions.size()))];
}

/// All that frames of random actions show, the game started again at its end.
struct Trace {
  std::vector<Bytes> screens;
  std::vector<Bytes> rams;
  std::vector<int> numbers;  // points, lives, end
  bool operator==(const Trace&) const = default;
};
Trace play_frames(AtariEmulator& emulator, std::uint64_t episode, int frames) {
  Trace trace;
  RandomStream rng = action_stream(episode);
  for (int frame = 0; frame < frames && !emulator.game_over(); ++frame) {
    trace.numbers.push_back(emulator.act(drawn(emulator, rng)));
    trace.numbers.push_back(emulator.lives());
    trace.numbers.push_back(emulator.game_over() ? 1 : 0);
    trace.rams.push_back(bytes_of(emulator.ram()));
    trace.screens.push_back(bytes_of(emulator.screen()));
  }
  return trace;
}

}  // namespace

TEST_CASE("An emulator knows its game", "[atari]") {
  CLADE_NEED_ATARI();
  const AtariEmulator emulator = started_emulator("Frostbite");
  CHECK(atari_emulator_version() == "0.12.1");
  CHECK(emulator.minimal_actions().size() == 18);
  CHECK(emulator.minimal_actions().front() == AtariAction::noop);
  CHECK(emulator.legal_actions().size() == kAtariActions);
  CHECK(emulator.modes() == std::vector<unsigned>{0, 2});
  CHECK(emulator.difficulties() == std::vector<unsigned>{0});
  CHECK(emulator.height() == 210);
  CHECK(emulator.screen().size() == 210 * 160);
  CHECK(emulator.frame_number() == 0);
  CHECK(emulator.lives() == 4);
  CHECK_FALSE(emulator.game_over());
  CHECK(md5_of_rom(atari_rom("Frostbite")) == atari_game("Frostbite").md5);

  const AtariEmulator skiing = started_emulator("Skiing");
  CHECK(skiing.minimal_actions() == std::vector<AtariAction>{AtariAction::noop, AtariAction::right, AtariAction::left});
  CHECK(skiing.legal_actions().size() == 9);
}

TEST_CASE("Grey values are the luminance of the colours, rounded", "[atari]") {
  CLADE_NEED_ATARI();
  AtariEmulator emulator = started_emulator("Frostbite");
  for (std::size_t colour = 0; colour < 256; colour += 2) {  // odd ones do not exist on this console
    const std::uint32_t rgb = emulator.rgb_palette()[colour];
    const double luminance = 0.2989 * (rgb >> 16 & 0xFF) + 0.587 * (rgb >> 8 & 0xFF) + 0.114 * (rgb & 0xFF);
    CHECK(emulator.grey_palette()[colour] == static_cast<std::uint8_t>(std::floor(luminance + 0.5)));
  }
  Bytes grey(emulator.screen().size());
  Bytes rgb(3 * grey.size());
  emulator.grey(grey);
  emulator.rgb(rgb);
  for (std::size_t pixel = 0; pixel < grey.size(); ++pixel) {
    const std::uint8_t colour = emulator.screen()[pixel];
    REQUIRE(grey[pixel] == emulator.grey_palette()[colour]);
    const std::uint32_t packed = static_cast<std::uint32_t>(rgb[3 * pixel]) << 16 |
                                 static_cast<std::uint32_t>(rgb[3 * pixel + 1]) << 8 | rgb[3 * pixel + 2];
    REQUIRE(packed == emulator.rgb_palette()[colour]);
  }
}

TEST_CASE("A game goes on from a snapshot to the same bits in an emulator that played on", "[atari]") {
  CLADE_NEED_ATARI();
  // Each keeps something that the library's own saved states leave out: the picture's masks (YarsRevenge), the
  // scoring's memory (Atlantis2 to VideoCheckers); others have other screens, paddles, or a cartridge with a processor.
  const char* const name = GENERATE("YarsRevenge", "Atlantis2", "ChopperCommand", "DemonAttack", "MiniatureGolf",
                                    "Riverraid", "VideoCheckers", "AirRaid", "Pooyan", "Breakout", "Pitfall2");
  CAPTURE(name);
  AtariEmulator original = started_emulator(name);
  play_frames(original, 1, 400);
  const AtariSnapshot snapshot = original.snapshot();
  const std::int64_t frame = original.frame_number();
  const Bytes screen = bytes_of(original.screen());
  const Bytes ram = bytes_of(original.ram());

  AtariEmulator other = started_emulator(name);
  play_frames(other, 2, 700);
  other.restore(snapshot);
  CHECK(other.frame_number() == frame);
  CHECK(other.lives() == original.lives());
  CHECK((bytes_of(other.screen()) == screen));
  CHECK((bytes_of(other.ram()) == ram));
  const Trace expected = play_frames(original, 3, 600);
  CHECK((play_frames(other, 3, 600) == expected));
  // The snapshot is as it was.
  original.restore(snapshot);
  CHECK((play_frames(original, 3, 600) == expected));
}

TEST_CASE("A snapshot of any frame is exact, unfinished ones too", "[atari]") {
  CLADE_NEED_ATARI();
  // These games think for longer than a frame after some moves: the frame is cut and goes on in the next.
  const char* const name = GENERATE("TicTacToe3D", "VideoCheckers");
  CAPTURE(name);
  constexpr std::size_t kFrames = 500;
  constexpr std::size_t kFollowed = 4;
  AtariEmulator original = started_emulator(name);
  std::vector<AtariSnapshot> snapshots;
  std::vector<AtariAction> actions;
  std::vector<Bytes> rams;
  std::vector<Bytes> screens;
  RandomStream rng = action_stream(1);
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    snapshots.push_back(original.snapshot());
    actions.push_back(drawn(original, rng));
    original.act(actions.back());
    rams.push_back(bytes_of(original.ram()));
    screens.push_back(bytes_of(original.screen()));
  }
  // Restored again and again into an emulator that stands elsewhere.
  AtariEmulator other = started_emulator(name);
  for (std::size_t first = 0; first + kFollowed <= kFrames; ++first) {
    const std::size_t place = (first * 37) % (kFrames - kFollowed + 1);
    other.restore(snapshots[place]);
    for (std::size_t frame = place; frame < place + kFollowed; ++frame) {
      other.act(actions[frame]);
      REQUIRE((bytes_of(other.ram()) == rams[frame]));
      REQUIRE((bytes_of(other.screen()) == screens[frame]));
    }
  }
}

TEST_CASE("Emulators on other threads change nothing", "[atari]") {
  CLADE_NEED_ATARI();
  const std::vector<std::string> names = {"Frostbite", "Pong", "Seaquest", "AirRaid"};
  std::vector<Trace> expected;
  for (const std::string& name : names) {
    AtariEmulator emulator = started_emulator(name);
    expected.push_back(play_frames(emulator, 1, 200));
  }
  std::vector<Trace> seen(2 * names.size());
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < seen.size(); ++thread) {
    threads.emplace_back([&, thread] {
      AtariEmulator emulator = started_emulator(names[thread % names.size()]);
      seen[thread] = play_frames(emulator, 1, 200);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t thread = 0; thread < seen.size(); ++thread) {
    CHECK((seen[thread] == expected[thread % names.size()]));
  }
}

TEST_CASE("The emulator prints nothing", "[atari]") {
  CLADE_NEED_ATARI();
  const ScratchFolder folder;
  const fs::path file = folder / "printed";
  std::cout.flush();
  std::cerr.flush();
  const int out = dup(STDOUT_FILENO);
  const int err = dup(STDERR_FILENO);
  const int sink = open(file.c_str(), O_CREAT | O_WRONLY, 0600);
  dup2(sink, STDOUT_FILENO);
  dup2(sink, STDERR_FILENO);
  {
    AtariEmulator emulator = started_emulator("Frostbite");
    play_frames(emulator, 1, 10);
    emulator.restore(emulator.snapshot());
  }
  std::cout.flush();
  std::cerr.flush();
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  for (const int descriptor : {out, err, sink}) close(descriptor);
  CHECK(fs::file_size(file) == 0);
}

TEST_CASE("A ROM that is not the game's is refused before the emulator sees it", "[atari]") {
  CLADE_NEED_ATARI();
  const ScratchFolder folder;
  const AtariGame& game = atari_game("Frostbite");
  const fs::path rom = folder / "frostbite.bin";
  const auto refused = [&](const std::string& part) {
    CHECK_THROWS_WITH(check_atari_rom(game, rom), contains_text(part) && contains_text(rom.string()));
    CHECK_THROWS_AS(AtariEmulator(game, rom), Error);
  };
  refused("no ROM");
  fs::create_directory(rom);
  refused("not a file");
  fs::remove(rom);

  fs::copy_file(atari_rom("Frostbite"), rom);
  CHECK_NOTHROW(check_atari_rom(game, rom));
  fs::resize_file(rom, 1000);
  refused("1000 bytes) has MD5 " + md5_of_rom(rom) + ", but Frostbite needs 4ca73eb959299471788f0b685c3ba0b5");
  fs::resize_file(rom, 0);
  refused("0 bytes");
  fs::resize_file(rom, 1 << 20);
  refused("more than the 524288");
  fs::copy_file(atari_rom("Pong"), rom, fs::copy_options::overwrite_existing);
  refused("that of Pong");
  CHECK_THROWS_WITH(AtariEmulator(atari_game("Combat"), atari_rom("Combat")), contains_text("two players"));
}

TEST_CASE("Modes and difficulties are the game's", "[atari]") {
  CLADE_NEED_ATARI();
  const AtariGame& game = atari_game("Freeway");
  CHECK_THROWS_WITH(AtariEmulator(game, atari_rom("Freeway"), {.mode = 9}),
                    contains_text("mode 9 of Freeway: the game has 0, 1, 2, 3, 4, 5, 6, 7"));
  CHECK_THROWS_WITH(AtariEmulator(game, atari_rom("Freeway"), {.difficulty = 2}),
                    contains_text("difficulty 2 of Freeway: the game has 0, 1"));
  const auto screen = [](const AtariSwitches& switches) {
    AtariEmulator emulator = started_emulator("Freeway", switches);
    for (int frame = 0; frame < 60; ++frame) emulator.act(AtariAction::up);
    return bytes_of(emulator.screen());
  };
  const Bytes standard = screen({});
  CHECK(screen({.mode = 0, .difficulty = 0}) == standard);
  CHECK(screen({.mode = 4}) != standard);
}

}  // namespace clade
