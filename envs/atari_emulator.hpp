#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "envs/atari_games.hpp"

namespace clade {

/// Codes of the joystick's positions, the same in every game (the Arcade Learning Environment's numbers).
enum class AtariAction : std::uint8_t {
  noop = 0,
  fire = 1,
  up = 2,
  right = 3,
  left = 4,
  down = 5,
  up_right = 6,
  up_left = 7,
  down_right = 8,
  down_left = 9,
  up_fire = 10,
  right_fire = 11,
  left_fire = 12,
  down_fire = 13,
  up_right_fire = 14,
  up_left_fire = 15,
  down_right_fire = 16,
  down_left_fire = 17
};
inline constexpr std::size_t kAtariActions = 18;

/// "0.12.1": the version of the Arcade Learning Environment that is linked.
std::string atari_emulator_version();

/// Lower-case hexadecimal MD5 of a file's bytes, the checksum by which ROMs are known. Throws Error (input) where the
/// file cannot be read.
std::string md5_of_rom(const std::filesystem::path& path);

/// Throws Error (input) unless `path` is a readable file whose MD5 is the game's: naming the file, the checksum found
/// and the one expected. The emulator itself would end the process at a file it does not know.
void check_atari_rom(const AtariGame& game, const std::filesystem::path& path);

/// A moment of a game: all that the emulator's future and its screen depend on. Immutable and cheap to copy; one that
/// was taken from an emulator may be restored into any other of the same game, in any thread.
class AtariSnapshot {
 public:
  AtariSnapshot() = default;

 private:
  friend class AtariEmulator;
  struct Content;
  std::shared_ptr<const Content> content_;
};

struct AtariSwitches {
  std::optional<unsigned> mode{};        ///< one of AtariEmulator::modes(); without: the game's own default
  std::optional<unsigned> difficulty{};  ///< one of AtariEmulator::difficulties(); without: 0
};

/// One emulated console with one game, stepped frame by frame: the Arcade Learning Environment without its own frame
/// skip, stickiness, frame limit and reward clipping. Deterministic: there is no seed. An object is used by one thread
/// at a time; different objects are independent.
class AtariEmulator {
 public:
  static constexpr std::size_t kRamSize = 128;
  static constexpr std::size_t kWidth = 160;

  /// Checks and loads the ROM (some 50 ms). The console is then as the library leaves it after loading, in most games
  /// not yet where an episode starts: call reset_game. Throws Error (input) for a wrong ROM (check_atari_rom), or a
  /// switch that the game does not have, naming those it has.
  AtariEmulator(const AtariGame& game, const std::filesystem::path& rom, const AtariSwitches& switches = {});
  ~AtariEmulator();
  AtariEmulator(AtariEmulator&&) noexcept;
  AtariEmulator& operator=(AtariEmulator&&) noexcept;

  /// Starts the game. Not idempotent: what stands in the RAM before shows through in some games, so that equal starts
  /// are had by a new emulator and one reset_game, or by restore.
  void reset_game();
  /// Emulates one frame with the joystick there and returns the points scored. After the game's end nothing happens.
  int act(AtariAction action);

  /// The game itself has ended.
  bool game_over() const;
  int lives() const;
  /// Frames since reset_game.
  std::int64_t frame_number() const;

  std::span<const std::uint8_t, kRamSize> ram() const;
  std::size_t height() const;  ///< 210 in most games; 214, 220, 230 or 250 in a few
  /// [height, kWidth], indices into the palettes.
  std::span<const std::uint8_t> screen() const;
  /// Grey value of a palette index.
  const std::array<std::uint8_t, 256>& grey_palette() const;
  /// Red, green, blue of a palette index, as 0x00RRGGBB.
  const std::array<std::uint32_t, 256>& rgb_palette() const;
  /// Writes [height, kWidth] grey values.
  void grey(std::span<std::uint8_t> row) const;
  /// Writes [height, kWidth, 3].
  void rgb(std::span<std::uint8_t> row) const;

  /// The actions that make a difference in this game, in the library's order. In most games the first is noop.
  const std::vector<AtariAction>& minimal_actions() const;
  /// All that the game takes: 18, or 9 where there is no button.
  const std::vector<AtariAction>& legal_actions() const;
  const std::vector<unsigned>& modes() const;
  const std::vector<unsigned>& difficulties() const;

  AtariSnapshot snapshot() const;
  /// Goes on from there, to the same bits as the emulator it was taken from, screen included. Some 0.1 ms.
  void restore(const AtariSnapshot& snapshot);

 private:
  struct Console;
  std::unique_ptr<Console> console_;
};

}  // namespace clade
