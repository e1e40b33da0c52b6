#include <ale/ale_interface.hpp>
#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "envs/atari_environment.hpp"
#include "tests/benchmarks/bare_loop.hpp"

namespace clade::bench {
namespace {

/// A console that episodes start on: a new one, the game loaded, one reset.
struct Console {
  ale::ALEInterface ale;
  ale::ActionVect actions;
  ale::ALEState start;

  explicit Console(const std::filesystem::path& rom) {
    ale.setInt("random_seed", 0);
    ale.setFloat("repeat_action_probability", 0.0F);
    ale.setInt("max_num_frames_per_episode", 0);
    ale.loadROM(rom);
    ale.reset_game();
    actions = ale.getMinimalActionSet();
    start = ale.cloneState();
  }
};

/// Refuses options under which an episode is more than actions held for some frames from the game's start.
void check_options(const AtariParameters& parameters) {
  const auto refuse = [](bool set, const std::string& option) {
    if (set) throw_input_error("the bare loop knows no " + option + ": leave that --env-option out");
  };
  refuse(parameters.repeat_action_probability > 0.0, "repeat_action_probability");
  refuse(parameters.episodic_life, "episodic_life");
  refuse(parameters.full_action_space, "full_action_space");
  refuse(parameters.mode.has_value(), "mode");
  refuse(parameters.difficulty.has_value(), "difficulty");
}

class BareAtariLoop final : public BareLoop {
 public:
  BareAtariLoop(const AtariGame& game, const AtariParameters& parameters, int threads, const ActionBank& actions)
      : frame_skip_(parameters.frame_skip), actions_(actions) {
    const std::filesystem::path rom = find_atari_rom(game, parameters.rom_dir);
    check_atari_rom(game, rom);
    ale::Logger::setMode(ale::Logger::Error);
    for (int thread = 0; thread < threads; ++thread) consoles_.push_back(std::make_unique<Console>(rom));
  }

  void play(std::size_t thread, const Recording& recording) override {
    Console& console = *consoles_[thread];
    ale::ALEInterface& ale = console.ale;
    for (const PlayedEpisode& episode : recording.episodes) {
      ale.restoreState(console.start);
      for (std::uint32_t step = 0; step < episode.steps; ++step) {
        // Where the recorded episode started later in the game, this one may end sooner.
        if (ale.game_over()) ale.restoreState(console.start);
        const ale::Action action = console.actions[actions_.at(episode.first_action + step).choice];
        for (std::uint64_t frame = 0; frame < frame_skip_ && !ale.game_over(); ++frame) ale.act(action);
      }
    }
  }

  bool agrees(std::size_t thread, const Environment& environment) const override {
    const auto* played = dynamic_cast<const AtariEnvironment*>(&environment);
    if (played == nullptr) return false;
    const ale::ALEInterface& ale = consoles_[thread]->ale;
    const auto ram = played->emulator().ram();
    const auto screen = played->emulator().screen();
    return std::equal(ram.begin(), ram.end(), ale.getRAM().array()) &&
           std::equal(screen.begin(), screen.end(), ale.getScreen().getArray());
  }

 private:
  std::uint64_t frame_skip_;
  const ActionBank& actions_;
  std::vector<std::unique_ptr<Console>> consoles_;
};

}  // namespace

std::unique_ptr<BareLoop> make_bare_atari_loop(const EnvironmentSettings& settings, const ActionBank& actions) {
  const AtariGame* game = find_atari_game(settings.env);
  CLADE_CHECK(game != nullptr);
  const AtariParameters parameters = resolve_atari_parameters(*game, parse_options(settings));
  check_options(parameters);
  return std::make_unique<BareAtariLoop>(*game, parameters, settings.threads, actions);
}

}  // namespace clade::bench
