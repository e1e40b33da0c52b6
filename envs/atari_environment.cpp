#include "envs/atari_environment.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace clade {
namespace {

AtariSwitches switches_of(const AtariParameters& parameters) {
  AtariSwitches switches;
  if (parameters.mode) switches.mode = static_cast<unsigned>(*parameters.mode);
  if (parameters.difficulty) switches.difficulty = static_cast<unsigned>(*parameters.difficulty);
  return switches;
}

AtariEmulator make_emulator(const AtariSetup& setup) { return {setup.game, setup.rom, switches_of(setup.parameters)}; }

/// What follows the no-ops: the actions, each for so many frames.
std::vector<AtariAction> fire_actions(const AtariSetup& setup, const AtariEmulator& emulator) {
  const AtariParameters& parameters = setup.parameters;
  if (!parameters.fires(setup.game)) return {};
  if (parameters.protocol != AtariProtocol::uber) return {AtariAction::fire};
  std::vector<AtariAction> actions(parameters.frame_skip, AtariAction::fire);
  CLADE_CHECK(emulator.minimal_actions().size() > 2);
  actions.insert(actions.end(), parameters.frame_skip, emulator.minimal_actions()[2]);
  return actions;
}

}  // namespace

std::shared_ptr<const AtariSetup> make_atari_setup(const AtariGame& game, const AtariParameters& parameters,
                                                   const std::filesystem::path& rom) {
  auto setup = std::make_shared<AtariSetup>();
  setup->game = game;
  setup->parameters = parameters;
  setup->rom = rom;
  AtariEmulator emulator = make_emulator(*setup);
  emulator.reset_game();
  const std::vector<AtariAction> fire = fire_actions(*setup, emulator);
  if (!fire.empty()) setup->last_action = fire.back();
  const auto play = [&](AtariAction action) {
    emulator.act(action);
    if (!emulator.game_over()) return;
    throw_input_error(std::string("the game ") + game.name + " is over after " +
                      std::to_string(emulator.frame_number()) + " frames of its start; choose a smaller noop_max");
  };
  const auto keep_start = [&] {
    const AtariSnapshot before = emulator.snapshot();
    for (const AtariAction action : fire) play(action);
    setup->starts.push_back(fire.empty() ? before : emulator.snapshot());
    if (!fire.empty()) emulator.restore(before);
  };
  if (!parameters.noop_start) {
    keep_start();
  } else {
    for (std::uint64_t noops = 1; noops <= parameters.noop_max; ++noops) {
      play(AtariAction::noop);
      keep_start();
    }
  }
  return setup;
}

AtariEnvironment::AtariEnvironment(std::shared_ptr<const AtariSetup> setup)
    : setup_(std::move(setup)),
      emulator_(make_emulator(*setup_)),
      planes_(setup_->parameters.bilinear ? Resize::bilinear : Resize::area, emulator_.height(),
              GreyTable(emulator_.grey_palette())),
      earlier_screen_(emulator_.screen().size()),
      sticky_rng_(RandomKey{}) {
  const AtariGame& game = setup_->game;
  const AtariParameters& parameters = setup_->parameters;
  CLADE_CHECK(emulator_.height() == game.lines);
  if (parameters.full_action_space) {
    for (std::size_t action = 0; action < kAtariActions; ++action) actions_.push_back(static_cast<AtariAction>(action));
  } else {
    actions_ = emulator_.minimal_actions();
  }
  CLADE_CHECK(actions_.size() == parameters.actions(game));
  spec_.name = game.name;
  spec_.observation = {ObservationType::uint8, parameters.observation_shape(game)};
  spec_.action.choices = actions_.size();
  spec_.max_steps = parameters.max_steps();
  spec_.frames_per_step = static_cast<std::uint32_t>(parameters.frame_skip);
  if (parameters.observation == AtariObservation::pixels) {
    plane_.resize(kPlaneSize);
    stack_.resize(kPlaneSize * parameters.stack);
  }
}

void AtariEnvironment::reset(RandomStream& rng, ObservationRow observation) {
  const std::vector<AtariSnapshot>& starts = setup_->starts;
  const std::size_t start = setup_->parameters.noop_start ? rng.below(static_cast<std::uint32_t>(starts.size())) : 0;
  emulator_.restore(starts[start]);
  sticky_rng_ = rng;
  held_ = setup_->last_action;
  lives_ = emulator_.lives();
  first_frame_ = setup_->parameters.limit_counts_start() ? 0 : emulator_.frame_number();
  observe(emulator_.screen().data(), emulator_.screen().data(), true, observation);
}

StepOutcome AtariEnvironment::step(const Action& action, ObservationRow observation) {
  const AtariParameters& parameters = setup_->parameters;
  if (action.choice >= actions_.size()) {
    throw_input_error("action " + std::to_string(action.choice) + " of environment '" + spec_.name +
                      "': expected 0 to " + std::to_string(actions_.size() - 1));
  }
  const AtariAction wanted = actions_[action.choice];
  int points = 0;
  std::uint32_t frames = 0;
  bool ended = false;
  bool two_screens = false;  // earlier_screen_ holds a frame of this step
  while (frames < parameters.frame_skip && !ended) {
    // The screen that will be the last but one.
    if (frames > 0 && spec_.observation.shape.size() == 3) {
      const std::span<const std::uint8_t> screen = emulator_.screen();
      std::copy(screen.begin(), screen.end(), earlier_screen_.begin());
      two_screens = true;
    }
    const bool repeats =
        parameters.repeat_action_probability > 0.0 && sticky_rng_.uniform() < parameters.repeat_action_probability;
    if (!repeats) held_ = wanted;
    points += emulator_.act(held_);
    ++frames;
    ended = emulator_.game_over() || at_frame_limit();
  }

  StepOutcome outcome;
  outcome.frames = frames;
  outcome.reward = parameters.clip_rewards ? static_cast<double>((points > 0) - (points < 0)) : points;
  const int lives = emulator_.lives();
  outcome.terminated = emulator_.game_over() || (parameters.episodic_life && lives < lives_);
  outcome.truncated = !outcome.terminated && at_frame_limit();
  lives_ = lives;
  const std::uint8_t* const last = emulator_.screen().data();
  observe(two_screens ? earlier_screen_.data() : last, last, false, observation);
  return outcome;
}

bool AtariEnvironment::at_frame_limit() const {
  return emulator_.frame_number() - first_frame_ >= static_cast<std::int64_t>(setup_->parameters.max_frames);
}

void AtariEnvironment::observe(const std::uint8_t* earlier, const std::uint8_t* later, bool start,
                               ObservationRow observation) {
  const std::span<std::uint8_t> row = observation.uint8();
  switch (setup_->parameters.observation) {
    case AtariObservation::pixels: {
      planes_.make(earlier, later, plane_.data());
      const PixelKernels& kernels = pixel_kernels();
      const std::size_t stack = setup_->parameters.stack;
      if (start) {
        kernels.fill(plane_.data(), stack, stack_.data());
      } else {
        kernels.push(stack_.data(), plane_.data(), stack, stack_.data());
      }
      std::copy(stack_.begin(), stack_.end(), row.begin());
      return;
    }
    case AtariObservation::ram: {
      const auto ram = emulator_.ram();
      std::copy(ram.begin(), ram.end(), row.begin());
      return;
    }
    case AtariObservation::rgb:
      emulator_.rgb(row);
      return;
  }
}

ScreenAccess::Screen AtariEnvironment::screen() const {
  Screen screen{AtariEmulator::kWidth, emulator_.height(), std::vector<std::uint8_t>(3 * emulator_.screen().size())};
  emulator_.rgb(screen.rgb);
  return screen;
}

}  // namespace clade
