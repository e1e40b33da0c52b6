// A program of someone else's that plays an Atari game with the installed package: links, finds the game, steps.

#include <cstddef>
#include <exception>
#include <iostream>
#include <vector>

#include "core/environment.hpp"
#include "envs/catalog.hpp"

int main() {
  try {
    const auto pong = clade::make_environment_factory("Pong")(0);
    const clade::EnvironmentSpec& spec = pong->spec();
    std::vector<std::byte> observation(spec.observation.bytes());
    clade::RandomStream stream(clade::RandomKey{.purpose = clade::Purpose::benchmark});
    pong->reset(stream, {observation.data(), spec.observation});
    unsigned frames = 0;
    for (int step = 0; step < 10; ++step) {
      frames += pong->step({.continuous = {}, .choice = 0}, {observation.data(), spec.observation}).frames.value_or(0);
    }
    std::cout << spec.action.choices << " actions, " << frames << " frames\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
