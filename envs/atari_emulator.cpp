#include "envs/atari_emulator.hpp"

#include <ale/ale_interface.hpp>
#include <ale/emucore/Console.hxx>
#include <ale/emucore/MD5.hxx>
#include <ale/emucore/TIA.hxx>
#include <ale/games/supported/Atlantis2.hpp>
#include <ale/games/supported/ChopperCommand.hpp>
#include <ale/games/supported/DemonAttack.hpp>
#include <ale/games/supported/MiniatureGolf.hpp>
#include <ale/games/supported/RiverRaid.hpp>
#include <ale/games/supported/VideoCheckers.hpp>
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <tuple>
#include <utility>

#include "core/error.hpp"

namespace clade {
namespace {

using ale::stella::TIA;

// The picture's part of what ALE 0.12.1 leaves out of the states it saves: private members, named the one way C++
// allows from outside, as template arguments of an explicit instantiation.
template <class Name, auto... Members>
struct Grant {
  friend constexpr auto members_of(Name) { return std::tuple(Members...); }
};
struct UnsavedPicture {
  friend constexpr auto members_of(UnsavedPicture);
};
template struct Grant<UnsavedPicture, &TIA::myPartialFrameFlag, &TIA::myFrameGreyed, &TIA::myCurrentBLMask,
                      &TIA::myCurrentM0Mask, &TIA::myCurrentM1Mask, &TIA::myCurrentP0Mask, &TIA::myCurrentP1Mask,
                      &TIA::myCurrentPFMask>;
struct FramePointer {
  friend constexpr auto members_of(FramePointer);
};
template struct Grant<FramePointer, &TIA::myFramePointer>;

/// Whether a frame is unfinished (a restore would otherwise run another number of cycles), and where the moving objects
/// stand in ALE's tables, which all emulators of a process share (Yars' Revenge would draw another first frame).
using TiaValues = std::tuple<bool, bool, const std::uint8_t*, const std::uint8_t*, const std::uint8_t*,
                             const std::uint8_t*, const std::uint8_t*, const std::uint32_t*>;

TiaValues unsaved_values(const TIA& tia) {
  return std::apply([&](auto... member) { return TiaValues(tia.*member...); }, members_of(UnsavedPicture{}));
}

void set_unsaved_values(TIA& tia, const TiaValues& values) {
  std::apply([&](auto... member) { std::tie(tia.*member...) = values; }, members_of(UnsavedPicture{}));
}

std::uint8_t*& frame_pointer(TIA& tia) { return tia.*std::get<0>(members_of(FramePointer{})); }

/// The games whose scoring keeps something that ALE 0.12.1 does not save, or not as it reads it: their settings are
/// copied whole.
template <class... Settings>
struct CopiedSettings {
  static std::shared_ptr<const ale::RomSettings> copy(const ale::RomSettings& settings) {
    std::shared_ptr<const ale::RomSettings> result;
    (copy_if<Settings>(settings, result), ...);
    return result;
  }
  static void assign(ale::RomSettings& settings, const ale::RomSettings& saved) {
    (assign_if<Settings>(settings, saved), ...);
  }

 private:
  template <class One>
  static void copy_if(const ale::RomSettings& settings, std::shared_ptr<const ale::RomSettings>& result) {
    if (const auto* one = dynamic_cast<const One*>(&settings)) result = std::make_shared<const One>(*one);
  }
  template <class One>
  static void assign_if(ale::RomSettings& settings, const ale::RomSettings& saved) {
    auto* one = dynamic_cast<One*>(&settings);
    if (one != nullptr) *one = dynamic_cast<const One&>(saved);
  }
};
using UnsavedSettings = CopiedSettings<ale::Atlantis2Settings, ale::ChopperCommandSettings, ale::DemonAttackSettings,
                                       ale::MiniatureGolfSettings, ale::RiverRaidSettings, ale::VideoCheckersSettings>;

/// ALE writes to the standard error stream; what concerns the user is our own message.
void quieten() {
  static std::once_flag once;
  std::call_once(once, [] { ale::Logger::setMode(ale::Logger::Error); });
}

std::string join(const std::vector<unsigned>& numbers) {
  std::string text;
  for (const unsigned number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

std::vector<AtariAction> to_actions(const ale::ActionVect& actions) {
  std::vector<AtariAction> result;
  for (const ale::Action action : actions) result.push_back(static_cast<AtariAction>(action));
  return result;
}

}  // namespace

std::string atari_emulator_version() { return ALE_VERSION; }

std::string md5_of_rom(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) throw_input_error("cannot read the ROM " + path.string() + "; check its permissions");
  return ale::stella::MD5(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                          static_cast<std::uint32_t>(bytes.size()));
}

void check_atari_rom(const AtariGame& game, const std::filesystem::path& path) {
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(path, failure);
  if (!std::filesystem::exists(status)) {
    throw_input_error("no ROM " + path.string() + "; run tools/setup.sh, or give the folder that holds it as rom_dir");
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw_input_error("the ROM " + path.string() + " is not a file; give the folder that holds " + game.rom +
                      ".bin as rom_dir");
  }
  // The largest cartridges hold 64 kB; nothing of that size is worth reading.
  constexpr std::uintmax_t kMostBytes = 512 * 1024;
  const std::uintmax_t size = std::filesystem::file_size(path, failure);
  if (failure || size > kMostBytes) {
    throw_input_error("the ROM " + path.string() + " has " + std::to_string(size) + " bytes, more than the " +
                      std::to_string(kMostBytes) + " of any cartridge; give the folder of the right one as rom_dir");
  }
  const std::string md5 = md5_of_rom(path);
  if (md5 == game.md5) return;
  std::string whose;
  for (const AtariGame& other : atari_games()) {
    if (md5 == other.md5) whose = std::string(", that of ") + other.name;
  }
  throw_input_error("the ROM " + path.string() + " (" + std::to_string(size) + " bytes) has MD5 " + md5 + whose +
                    ", but " + game.name + " needs " + game.md5 +
                    "; run tools/setup.sh, or give the folder of the right one as rom_dir");
}

struct AtariEmulator::Console {
  ale::ALEInterface ale;
  TIA* tia = nullptr;
  std::array<std::uint8_t, 256> grey{};
  std::array<std::uint32_t, 256> rgb{};
  std::vector<AtariAction> minimal;
  std::vector<AtariAction> legal;
  std::vector<unsigned> modes;
  std::vector<unsigned> difficulties;

  std::span<std::uint8_t> screen() {
    const ale::ALEScreen& screen = ale.getScreen();
    return {screen.getArray(), screen.arraySize()};
  }
  /// The lines of a frame buffer that are ever drawn.
  std::size_t frame_bytes() { return ale.getScreen().arraySize(); }
};

struct AtariSnapshot::Content {
  ale::ALEState state;
  std::shared_ptr<const ale::RomSettings> settings;  // where ALE's own state does not hold them
  TiaValues tia;
  std::ptrdiff_t frame_offset;              // of the next pixel in the current frame
  std::vector<std::uint8_t> screen;         // after a restore ALE's own is stale until the next frame
  std::vector<std::uint8_t> current_frame;  // lines that a frame does not reach keep what was there
  std::vector<std::uint8_t> previous_frame;
};

AtariEmulator::AtariEmulator(const AtariGame& game, const std::filesystem::path& rom, const AtariSwitches& switches) {
  if (!game.single_player()) {
    throw_input_error(std::string("the game ") + game.name + " is for two players, which the emulator does not offer");
  }
  check_atari_rom(game, rom);
  quieten();
  console_ = std::make_unique<Console>();
  ale::ALEInterface& ale = console_->ale;
  // Before loading: only then do they count. The seed changes nothing without ALE's stickiness.
  ale.setInt("random_seed", 0);
  ale.setFloat("repeat_action_probability", 0.0F);
  ale.setInt("max_num_frames_per_episode", 0);
  ale.setInt("frame_skip", 1);
  ale.setBool("color_averaging", false);
  // In place of ALEInterface::loadROM, which ends the process where the file vanished since it was checked.
  ale.theOSystem->settings().validate();
  ale.theOSystem->create();
  if (!ale.theOSystem->createConsole(rom)) {
    throw_input_error("the emulator cannot load the ROM " + rom.string() + "; run tools/setup.sh");
  }
  ale::stella::Console& console = ale.theOSystem->console();
  ale.theOSystem->colourPalette().setPalette("standard", console.getFormat());
  const std::string md5 = console.properties().get(ale::stella::Cartridge_MD5);
  ale.romSettings.reset(ale::buildRomRLWrapper(rom, md5));
  if (md5 != game.md5 || ale.romSettings == nullptr || ale.romSettings->rom() != std::string(game.rom)) {
    throw_input_error("the ROM " + rom.string() + " changed while it was loaded (MD5 " + md5 + "); start again");
  }
  ale.romSettings->modifyEnvironmentSettings(ale.theOSystem->settings());
  ale.environment = std::make_unique<ale::StellaEnvironment>(ale.theOSystem.get(), ale.romSettings.get());
  ale.environment->reset();

  console_->tia = &dynamic_cast<TIA&>(console.mediaSource());
  std::array<std::uint8_t, 256> colours{};
  for (std::size_t colour = 0; colour < colours.size(); ++colour) {
    // ALE looks a grey value up one place further on, which for the last colour lies outside its table.
    colours[colour] = static_cast<std::uint8_t>(std::min<std::size_t>(colour, 254));
    console_->rgb[colour] = ale.theOSystem->colourPalette().getRGB(static_cast<int>(colour));
  }
  ale.theOSystem->colourPalette().applyPaletteGrayscale(console_->grey.data(), colours.data(), colours.size());
  console_->minimal = to_actions(ale.getMinimalActionSet());
  console_->legal = to_actions(ale.getLegalActionSet());
  console_->modes = ale.getAvailableModes();
  console_->difficulties = ale.getAvailableDifficulties();
  CLADE_CHECK(ale.getScreen().width() == kWidth);

  const auto choose = [&](const char* what, unsigned value, const std::vector<unsigned>& offered) {
    if (std::find(offered.begin(), offered.end(), value) != offered.end()) return;
    throw_input_error(std::string(what) + " " + std::to_string(value) + " of " + game.name + ": the game has " +
                      join(offered));
  };
  if (switches.mode) {
    choose("mode", *switches.mode, console_->modes);
    ale.setMode(*switches.mode);
  }
  if (switches.difficulty) {
    choose("difficulty", *switches.difficulty, console_->difficulties);
    ale.setDifficulty(*switches.difficulty);
  }
}

AtariEmulator::~AtariEmulator() = default;
AtariEmulator::AtariEmulator(AtariEmulator&&) noexcept = default;
AtariEmulator& AtariEmulator::operator=(AtariEmulator&&) noexcept = default;

void AtariEmulator::reset_game() { console_->ale.reset_game(); }

int AtariEmulator::act(AtariAction action) { return console_->ale.act(static_cast<ale::Action>(action)); }

bool AtariEmulator::game_over() const { return console_->ale.game_over(false); }

int AtariEmulator::lives() const { return console_->ale.lives(); }

std::int64_t AtariEmulator::frame_number() const { return console_->ale.getEpisodeFrameNumber(); }

std::span<const std::uint8_t, AtariEmulator::kRamSize> AtariEmulator::ram() const {
  return std::span<const std::uint8_t, kRamSize>(console_->ale.getRAM().array(), kRamSize);
}

std::size_t AtariEmulator::height() const { return console_->ale.getScreen().height(); }

std::span<const std::uint8_t> AtariEmulator::screen() const { return console_->screen(); }

const std::array<std::uint8_t, 256>& AtariEmulator::grey_palette() const { return console_->grey; }

const std::array<std::uint32_t, 256>& AtariEmulator::rgb_palette() const { return console_->rgb; }

void AtariEmulator::grey(std::span<std::uint8_t> row) const {
  const std::span<const std::uint8_t> pixels = screen();
  CLADE_CHECK(row.size() == pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) row[i] = console_->grey[pixels[i]];
}

void AtariEmulator::rgb(std::span<std::uint8_t> row) const {
  const std::span<const std::uint8_t> pixels = screen();
  CLADE_CHECK(row.size() == 3 * pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const std::uint32_t colour = console_->rgb[pixels[i]];
    row[3 * i] = static_cast<std::uint8_t>(colour >> 16);
    row[3 * i + 1] = static_cast<std::uint8_t>(colour >> 8);
    row[3 * i + 2] = static_cast<std::uint8_t>(colour);
  }
}

const std::vector<AtariAction>& AtariEmulator::minimal_actions() const { return console_->minimal; }
const std::vector<AtariAction>& AtariEmulator::legal_actions() const { return console_->legal; }
const std::vector<unsigned>& AtariEmulator::modes() const { return console_->modes; }
const std::vector<unsigned>& AtariEmulator::difficulties() const { return console_->difficulties; }

AtariSnapshot AtariEmulator::snapshot() const {
  TIA& tia = *console_->tia;
  const std::span<const std::uint8_t> pixels = screen();
  const std::size_t bytes = console_->frame_bytes();
  AtariSnapshot snapshot;
  snapshot.content_ = std::make_shared<const AtariSnapshot::Content>(AtariSnapshot::Content{
      console_->ale.cloneState(),
      UnsavedSettings::copy(*console_->ale.romSettings),
      unsaved_values(tia),
      frame_pointer(tia) - tia.currentFrameBuffer(),
      {pixels.begin(), pixels.end()},
      {tia.currentFrameBuffer(), tia.currentFrameBuffer() + bytes},
      {tia.previousFrameBuffer(), tia.previousFrameBuffer() + bytes},
  });
  return snapshot;
}

void AtariEmulator::restore(const AtariSnapshot& snapshot) {
  CLADE_CHECK(snapshot.content_ != nullptr);
  const AtariSnapshot::Content& content = *snapshot.content_;
  CLADE_CHECK(content.screen.size() == console_->frame_bytes());
  TIA& tia = *console_->tia;
  console_->ale.restoreState(content.state);
  if (content.settings != nullptr) UnsavedSettings::assign(*console_->ale.romSettings, *content.settings);
  set_unsaved_values(tia, content.tia);
  std::copy(content.screen.begin(), content.screen.end(), console_->screen().begin());
  std::copy(content.current_frame.begin(), content.current_frame.end(), tia.currentFrameBuffer());
  std::copy(content.previous_frame.begin(), content.previous_frame.end(), tia.previousFrameBuffer());
  frame_pointer(tia) = tia.currentFrameBuffer() + content.frame_offset;
}

}  // namespace clade
