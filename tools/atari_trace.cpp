#include "tools/atari_trace.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "envs/atari_emulator.hpp"
#include "envs/atari_games.hpp"
#include "envs/atari_options.hpp"
#include "envs/pixel_kernels.hpp"

namespace clade {
namespace {

using Numbers = GoldenArray<std::int64_t>;
using Bytes = GoldenArray<std::uint8_t>;

constexpr std::size_t kFramesOfDecision = 4;

/// One recorded game: actions and what followed each of them.
struct Game {
  std::string name;  ///< "/pong", "/pong/long"
  std::vector<std::int64_t> actions;
  std::vector<std::int64_t> rewards;
  std::vector<std::int64_t> lives;
  std::vector<std::int64_t> frame_numbers;
  std::vector<std::uint8_t> game_over;
};

/// Rows recorded after some of the decisions only, which `decisions` names in order.
struct SampledRows {
  std::vector<std::int64_t> decisions;
  Bytes rows;
  std::size_t next = 0;

  /// The row recorded after that decision, if there is one; call for each decision in turn.
  std::optional<std::span<const std::uint8_t>> take(std::size_t decision) {
    if (next == decisions.size() || decisions[next] != static_cast<std::int64_t>(decision)) return std::nullopt;
    return std::span(rows.row(next++), rows.row_size());
  }
};

[[noreturn]] void refuse_shape(const std::string& place) {
  throw_input_error("recorded game '" + place + "' has datasets of different lengths");
}

Game read_game(const GoldenFile& file, const std::string& name) {
  Game game;
  game.name = name;
  game.actions = file.read<std::int64_t>(name + "/actions").values;
  game.rewards = file.read<std::int64_t>(name + "/reward").values;
  game.lives = file.read<std::int64_t>(name + "/lives").values;
  game.frame_numbers = file.read<std::int64_t>(name + "/frame_number").values;
  game.game_over = file.read<std::uint8_t>(name + "/game_over").values;
  for (const std::size_t size :
       {game.rewards.size(), game.lives.size(), game.frame_numbers.size(), game.game_over.size()}) {
    if (size != game.actions.size()) refuse_shape(name);
  }
  const auto refused = std::find_if(game.actions.begin(), game.actions.end(), [](std::int64_t action) {
    return action < 0 || action >= static_cast<std::int64_t>(kAtariActions);
  });
  if (refused != game.actions.end()) {
    throw_input_error("recorded game '" + name + "' has an action " + std::to_string(*refused) + ", there are " +
                      std::to_string(kAtariActions));
  }
  return game;
}

SampledRows read_sampled(const GoldenFile& file, const std::string& decisions, const std::string& rows) {
  SampledRows sampled{file.read<std::int64_t>(decisions).values, file.read<std::uint8_t>(rows)};
  if (sampled.rows.rows() != sampled.decisions.size()) refuse_shape(rows);
  return sampled;
}

/// All were met while the game was played.
void check_taken(const SampledRows& sampled, const std::string& place) {
  if (sampled.next != sampled.decisions.size()) refuse_shape(place);
}

/// An emulator at the start of a game, and the planes of what it shows.
class Player {
 public:
  Player(const AtariGame& game, const std::filesystem::path& rom, const std::string& prefix,
         ExactComparison& comparison)
      : emulator_(game, rom),
        maker_(Resize::area, emulator_.height(), GreyTable(emulator_.grey_palette())),
        plane_(kPlaneSize),
        prefix_(prefix),
        comparison_(comparison) {
    emulator_.reset_game();
    screens_[0] = screens_[1] = screen();
  }

  const AtariEmulator& emulator() const { return emulator_; }

  /// Plays a decision and compares what follows it.
  void play(const Game& game, std::size_t decision) {
    const auto action = static_cast<AtariAction>(game.actions[decision]);
    std::int64_t reward = 0;
    for (std::size_t frame = 0; frame < kFramesOfDecision; ++frame) {
      reward += emulator_.act(action);
      screens_[0] = frame == 0 ? screen() : screens_[1];
      screens_[1] = screen();
      if (emulator_.game_over()) break;
    }
    compare("reward", reward, game.rewards[decision]);
    compare("lives", emulator_.lives(), game.lives[decision]);
    compare("game_over", emulator_.game_over() ? 1 : 0, game.game_over[decision]);
    compare("frame_number", emulator_.frame_number(), game.frame_numbers[decision]);
  }

  void compare_ram(const std::string& name, std::span<const std::uint8_t> recorded) {
    comparison_.compare(prefix_ + name, emulator_.ram(), recorded);
  }
  /// The grey values of the last two frames seen in the decision, their maximum.
  void compare_grey(const std::string& name, std::span<const std::uint8_t> recorded) {
    make_plane();
    comparison_.compare(prefix_ + name, maker_.grey(), recorded);
  }
  /// The same, resized.
  void compare_plane(const std::string& name, std::span<const std::uint8_t> recorded) {
    make_plane();
    comparison_.compare(prefix_ + name, plane_, recorded);
  }
  void compare(const std::string& name, std::int64_t ours, std::int64_t recorded) {
    comparison_.compare(prefix_ + name, ours, recorded);
  }
  void compare_actions(const std::string& name, const std::vector<AtariAction>& ours,
                       const std::vector<std::int64_t>& recorded) {
    std::vector<std::int64_t> codes;
    for (const AtariAction action : ours) codes.push_back(static_cast<std::int64_t>(action));
    comparison_.compare(prefix_ + name, codes, recorded);
  }

 private:
  std::vector<std::uint8_t> screen() const { return {emulator_.screen().begin(), emulator_.screen().end()}; }
  void make_plane() { maker_.make(screens_[0].data(), screens_[1].data(), plane_.data()); }

  AtariEmulator emulator_;
  PlaneMaker maker_;
  std::vector<std::uint8_t> screens_[2];  ///< of the last two frames of a decision, the last one second
  std::vector<std::uint8_t> plane_;
  std::string prefix_;
  ExactComparison& comparison_;
};

/// The game with pixels: returns its number of decisions.
std::size_t replay_short(const GoldenFile& file, const std::string& group, const AtariGame& known,
                         const std::filesystem::path& rom, ExactComparison& comparison) {
  const Game game = read_game(file, group);
  const Bytes ram = file.read<std::uint8_t>(group + "/ram");
  if (ram.rows() != game.actions.size()) refuse_shape(group + "/ram");
  SampledRows planes = read_sampled(file, group + "/planes_at", group + "/planes_84");
  SampledRows pooled = read_sampled(file, group + "/pooled_gray_at", group + "/pooled_gray");

  Player player(known, rom, "", comparison);
  const AtariEmulator& emulator = player.emulator();
  player.compare_actions("minimal_actions", emulator.minimal_actions(),
                         file.read<std::int64_t>(group + "/minimal_actions").values);
  player.compare_actions("legal_actions", emulator.legal_actions(),
                         file.read<std::int64_t>(group + "/legal_actions").values);
  player.compare("reset_lives", emulator.lives(), file.integer_attribute(group, "reset_lives"));
  player.compare("reset_frame_number", emulator.frame_number(), file.integer_attribute(group, "reset_frame_number"));
  player.compare_ram("reset_ram", file.read<std::uint8_t>(group + "/reset_ram").values);
  player.compare_grey("reset_gray", file.read<std::uint8_t>(group + "/reset_gray").values);
  player.compare_plane("reset_84", file.read<std::uint8_t>(group + "/reset_84").values);
  for (std::size_t decision = 0; decision < game.actions.size(); ++decision) {
    player.play(game, decision);
    player.compare_ram("ram", {ram.row(decision), ram.row_size()});
    if (const auto recorded = planes.take(decision)) player.compare_plane("planes_84", *recorded);
    if (const auto recorded = pooled.take(decision)) player.compare_grey("pooled_gray", *recorded);
  }
  check_taken(planes, group + "/planes_at");
  check_taken(pooled, group + "/pooled_gray_at");
  return game.actions.size();
}

/// The game to its end, with RAM now and then: returns its number of decisions.
std::size_t replay_long(const GoldenFile& file, const std::string& group, const AtariGame& known,
                        const std::filesystem::path& rom, ExactComparison& comparison) {
  const Game game = read_game(file, group);
  SampledRows ram = read_sampled(file, group + "/ram_at", group + "/ram");
  Player player(known, rom, "long/", comparison);
  for (std::size_t decision = 0; decision < game.actions.size(); ++decision) {
    player.play(game, decision);
    if (const auto recorded = ram.take(decision)) player.compare_ram("ram", *recorded);
  }
  check_taken(ram, group + "/ram_at");
  return game.actions.size();
}

}  // namespace

bool is_atari_trace(const GoldenFile& file, const std::string& group) { return file.has_attribute(group, "rom_md5"); }

TraceReport replay_atari_trace(const GoldenFile& file, const std::string& group) {
  TraceReport report;
  report.task = group;
  report.kind = TraceKind::atari;
  const AtariGame* const game = find_atari_game_by_rom(group);
  CLADE_CHECK(game != nullptr);
  const std::filesystem::path rom = find_atari_rom(*game, AtariParameters{}.rom_dir);
  report.model = rom.filename().string();
  report.same_model = md5_of_rom(rom) == file.text_attribute(group, "rom_md5");
  report.same_engine = atari_emulator_version() == file.text_attribute("/", "version_ale_py");
  const std::string name = "/" + group;
  ExactComparison comparison;
  report.steps += replay_short(file, name, *game, rom, comparison);
  report.steps += replay_long(file, name + "/long", *game, rom, comparison);
  report.episodes = 2;
  report.quantities = comparison.quantities();
  return report;
}

}  // namespace clade
