#include "tests/benchmarks/pixel_bench.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "envs/atari_games.hpp"

#ifdef CLADE_ATARI
#include "envs/atari_environment.hpp"
#include "envs/pixel_kernels.hpp"
#endif

namespace clade::bench {

#ifdef CLADE_ATARI
namespace {

constexpr double kLimitSeconds = 25e-6;
constexpr std::size_t kDecisions = 4;         // used in turn; a decision's screens lie in the cache, as when just drawn
constexpr std::uint32_t kFramesBetween = 40;  // of one decision and the next
constexpr std::size_t kStack = 4;

using Screen = std::vector<std::uint8_t>;

/// The last two screens of decisions under random actions.
std::vector<std::pair<Screen, Screen>> record_screens(AtariEmulator& emulator) {
  RandomStream stream(RandomKey{.purpose = Purpose::benchmark});
  const auto count = static_cast<std::uint32_t>(emulator.minimal_actions().size());
  const auto act = [&] {
    emulator.act(emulator.minimal_actions()[stream.below(count)]);
    return Screen(emulator.screen().begin(), emulator.screen().end());
  };
  std::vector<std::pair<Screen, Screen>> result;
  for (std::size_t decision = 0; decision < kDecisions; ++decision) {
    for (std::uint32_t frame = 0; frame < kFramesBetween; ++frame) act();
    Screen earlier = act();
    result.emplace_back(std::move(earlier), act());
  }
  return result;
}

}  // namespace

void bench_pixels(const EnvironmentSettings& settings, Report& report) {
  const AtariGame* game = find_atari_game(settings.env);
  if (game == nullptr)
    throw_input_error("'" + settings.env + "' is no Atari game; the pixels are of Pong and the like");
  const AtariParameters parameters = resolve_atari_parameters(*game, parse_options(settings));
  AtariEmulator emulator(*game, find_atari_rom(*game, parameters.rom_dir));
  emulator.reset_game();
  const std::vector<std::pair<Screen, Screen>> decisions = record_screens(emulator);
  PlaneMaker planes(parameters.bilinear ? Resize::bilinear : Resize::area, emulator.height(),
                    GreyTable(emulator.grey_palette()));
  std::vector<std::uint8_t> plane(kPlaneSize);
  std::vector<std::uint8_t> stack(kStack * kPlaneSize);
  std::vector<std::uint8_t> observation(stack.size());
  const double decisions_a_second = rate(settings.seconds, [&] {
    constexpr int kPasses = 64;
    for (int pass = 0; pass < kPasses; ++pass) {
      for (const auto& [earlier, later] : decisions) {
        planes.make(earlier.data(), later.data(), plane.data());
        pixel_kernels().push(stack.data(), plane.data(), kStack, stack.data());
        std::copy(stack.begin(), stack.end(), observation.begin());
      }
    }
    return static_cast<double>(kPasses * decisions.size());
  });
  const Details details{{"env", settings.env}};
  report.value("pixels", 1.0 / decisions_a_second, "s", details);
  report.value("limit_over_pixels", kLimitSeconds * decisions_a_second, "", details);
}

#else

void bench_pixels(const EnvironmentSettings&, Report&) {
  throw_input_error("this build is without Atari games: configure with -DCLADE_ATARI=ON");
}

#endif

}  // namespace clade::bench
