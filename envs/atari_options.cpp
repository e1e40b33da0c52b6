#include "envs/atari_options.hpp"

#include <algorithm>
#include <system_error>

#include "core/error.hpp"
#include "core/number_text.hpp"
#include "envs/environment_options.hpp"
#include "envs/installed_files.hpp"
#include "envs/pixel_kernels.hpp"

namespace clade {
namespace {

const std::vector<std::string> kProtocols = {"dqn", "machado", "uber"};
const std::vector<std::string> kResizes = {"area", "bilinear"};
const std::vector<std::string> kObservations = {"pixels", "ram", "rgb"};
constexpr const char* kDefaultFolder = "default";

AtariParameters protocol_defaults(AtariProtocol protocol) {
  AtariParameters parameters;
  parameters.protocol = protocol;
  if (protocol == AtariProtocol::machado) parameters.repeat_action_probability = 0.25;
  if (protocol == AtariProtocol::uber) {
    parameters.max_frames = 20000;
    parameters.bilinear = true;
  }
  return parameters;
}

/// What EnvironmentOptionSet needs beside the parameters' own types.
struct Choices {
  explicit Choices(const AtariParameters& parameters)
      : protocol(static_cast<std::size_t>(parameters.protocol)),
        resize(parameters.bilinear ? 1 : 0),
        observation(static_cast<std::size_t>(parameters.observation)) {}
  std::size_t protocol;
  std::size_t resize;
  std::size_t observation;
};

void declare(EnvironmentOptionSet& set, AtariParameters& parameters, Choices& choices) {
  // A step's frames fit any counter, and the start states of every number of no-ops are kept (100 kB each).
  constexpr std::uint64_t kMostSkip = 1000;
  constexpr std::uint64_t kMostNoops = 255;
  constexpr std::uint64_t kMostFrames = 2000000000;
  constexpr std::uint64_t kMostStack = 64;
  set.add_choice("protocol", choices.protocol, kProtocols,
                 "whose defaults the other options have; machado: repeat_action_probability=0.25, uber: "
                 "resize=bilinear and max_frames=20000, counted from the first decision on");
  set.add("frame_skip", parameters.frame_skip, "frames of a step", 1, kMostSkip);
  set.add("repeat_action_probability", parameters.repeat_action_probability,
          "probability that a frame repeats the joystick's position of the frame before", 0.0, 1.0);
  set.add("noop_start", parameters.noop_start, "start after 1 to noop_max frames without action, drawn uniformly");
  set.add("noop_max", parameters.noop_max, "most frames without action; noop_start=false for none", 1, kMostNoops);
  set.add("fire_reset", parameters.fire_reset, "auto",
          "press the button after those, for one frame; uber: for a step, and action 2 for another; auto: where the "
          "button is a minimal action");
  set.add("episodic_life", parameters.episodic_life, "the loss of a life ends an episode");
  set.add("clip_rewards", parameters.clip_rewards, "a step's reward is -1, 0 or 1");
  set.add("max_frames", parameters.max_frames, "frames of an episode, those of the start included", 1, kMostFrames);
  set.add("stack", parameters.stack, "frames of an observation of pixels", 1, kMostStack);
  set.add_choice("resize", choices.resize, kResizes, "how a screen becomes 84 x 84 pixels");
  set.add("full_action_space", parameters.full_action_space, "all 18 actions instead of the game's minimal ones");
  set.add("mode", parameters.mode, "auto", "the game's mode; auto: its default", 0, 255);
  set.add("difficulty", parameters.difficulty, "auto", "the difficulty switches; auto: 0", 0, 255);
  set.add_choice("observation", choices.observation, kObservations,
                 "84 x 84 grey pixels of the last frames, 128 bytes of RAM, or the screen's colours");
  set.add("rom_dir", parameters.rom_dir, "folder of the ROMs");
}

AtariProtocol chosen_protocol(const AtariGame& game, const EnvironmentOptions& options) {
  EnvironmentOptionSet set(game.name);
  std::size_t protocol = 0;
  set.add_choice("protocol", protocol, kProtocols, "");
  for (const auto& [name, value] : options) {
    // The value alone: one given twice is refused later, with all options declared.
    if (name == "protocol") set.apply({{name, value}});
  }
  return static_cast<AtariProtocol>(protocol);
}

void refuse(const AtariGame& game, const std::string& option, const std::string& reason) {
  throw_input_error("option " + option + " of environment '" + game.name + "': " + reason);
}

void check_contradictions(const AtariGame& game, const AtariParameters& parameters, const EnvironmentOptions& options) {
  const auto value_of = [&](const std::string& name) -> std::optional<std::string> {
    for (const auto& [option, value] : options) {
      if (option == name) return value;
    }
    return std::nullopt;
  };
  const auto unread = [&](const std::string& name, const std::string& unless) {
    const auto value = value_of(name);
    if (value) refuse(game, name + "=" + *value, "means nothing with " + unless + "; leave one of them out");
  };
  if (parameters.observation != AtariObservation::pixels) {
    const std::string unless = "observation=" + *value_of("observation");
    unread("stack", unless);
    unread("resize", unless);
  }
  if (!parameters.noop_start) unread("noop_max", "noop_start=" + *value_of("noop_start"));
  if (parameters.fire_reset == true && !game.minimal_fire) {
    refuse(game, "fire_reset=true", "the button is not one of the game's minimal actions; leave it out");
  }
  const std::uint64_t start = (parameters.noop_start ? parameters.noop_max : 0) + parameters.fire_frames(game);
  if (parameters.limit_counts_start() && parameters.max_frames <= start) {
    refuse(game, "max_frames=" + std::to_string(parameters.max_frames),
           "the start takes up to " + std::to_string(start) + " of them; choose more");
  }
}

}  // namespace

std::uint64_t AtariParameters::fire_frames(const AtariGame& game) const {
  if (!fires(game)) return 0;
  return protocol == AtariProtocol::uber ? 2 * frame_skip : 1;
}

std::size_t AtariParameters::actions(const AtariGame& game) const {
  constexpr std::size_t kAllActions = 18;
  return full_action_space ? kAllActions : game.minimal_actions;
}

std::vector<std::size_t> AtariParameters::observation_shape(const AtariGame& game) const {
  switch (observation) {
    case AtariObservation::pixels:
      return {kPlaneSide, kPlaneSide, static_cast<std::size_t>(stack)};
    case AtariObservation::ram:
      return {128};
    case AtariObservation::rgb:
      return {game.lines, kScreenWidth, 3};
  }
  CLADE_CHECK(false);
  return {};
}

std::uint32_t AtariParameters::max_steps() const {
  return static_cast<std::uint32_t>((max_frames + frame_skip - 1) / frame_skip);
}

std::map<std::string, std::string> AtariParameters::description(const AtariGame& game) const {
  const auto word = [](bool on) { return std::string(on ? "true" : "false"); };
  const auto number = [](const std::optional<std::uint64_t>& value) {
    return value ? std::to_string(*value) : std::string("auto");
  };
  std::map<std::string, std::string> words = {
      {"atari_protocol", kProtocols[static_cast<std::size_t>(protocol)]},
      {"atari_frame_skip", std::to_string(frame_skip)},
      {"atari_repeat_action_probability", number_text(repeat_action_probability)},
      {"atari_noop_max", noop_start ? std::to_string(noop_max) : "none"},
      {"atari_fire_reset", word(fires(game))},
      {"atari_episodic_life", word(episodic_life)},
      {"atari_clip_rewards", word(clip_rewards)},
      {"atari_max_frames", std::to_string(max_frames)},
      {"atari_full_action_space", word(full_action_space)},
      {"atari_mode", number(mode)},
      {"atari_difficulty", number(difficulty)},
      {"atari_observation", kObservations[static_cast<std::size_t>(observation)]},
  };
  if (observation == AtariObservation::pixels) {
    words["atari_stack"] = std::to_string(stack);
    words["atari_resize"] = kResizes[bilinear ? 1 : 0];
  }
  return words;
}

std::vector<EnvironmentOptionInfo> atari_option_infos(const AtariGame& game) {
  AtariParameters parameters = protocol_defaults(AtariProtocol::dqn);
  Choices choices(parameters);
  EnvironmentOptionSet set(game.name);
  declare(set, parameters, choices);
  return set.infos();
}

AtariParameters resolve_atari_parameters(const AtariGame& game, const EnvironmentOptions& options) {
  AtariParameters parameters = protocol_defaults(chosen_protocol(game, options));
  Choices choices(parameters);
  EnvironmentOptionSet set(game.name);
  declare(set, parameters, choices);
  set.apply(options);
  parameters.bilinear = choices.resize == 1;
  parameters.observation = static_cast<AtariObservation>(choices.observation);
  check_contradictions(game, parameters, options);
  return parameters;
}

std::filesystem::path find_atari_rom(const AtariGame& game, const std::string& rom_dir) {
  const std::string file = std::string(game.rom) + ".bin";
  if (rom_dir != kDefaultFolder) return std::filesystem::path(rom_dir) / file;
  if (const char* chosen = non_empty_variable("CLADE_ATARI_ROMS")) return std::filesystem::path(chosen) / file;
  std::vector<std::filesystem::path> folders;
#ifdef CLADE_ROM_DIR
  folders.emplace_back(CLADE_ROM_DIR);
#endif
#ifdef CLADE_INSTALLED_ROM_DIR
  for (const auto& place : installed_places(CLADE_INSTALLED_ROM_DIR)) folders.push_back(place);
#endif
  for (const std::filesystem::path& folder : folders) {
    std::error_code ignored;
    if (std::filesystem::exists(folder / file, ignored)) return folder / file;
  }
  return folders.empty() ? std::filesystem::path(file) : folders.front() / file;
}

}  // namespace clade
