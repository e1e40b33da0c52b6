// What a decision's pixels cost on one core, for each instruction set:
//
//   pixel_benchmark [CALLS]       (2000)
//
// Screens of 210 lines whose two frames differ in a quarter of their columns: grey values and their maximum, the resize
// to 84 x 84 by either method, the push on a stack of four. The parts alternate, CALLS / 10 of each at a time; medians
// of processor time of a call are printed, so that other load on the machine matters little.

#include <ctime>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "core/instruction_set.hpp"
#include "core/random.hpp"
#include "envs/pixel_kernels.hpp"

namespace {

constexpr std::size_t kRepetitions = 10;
constexpr std::size_t kHeight = 210;
constexpr std::size_t kStack = 4;

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Median microseconds of a call of each part.
std::vector<double> measure(const std::vector<std::function<void()>>& parts, std::size_t calls) {
  std::vector<std::vector<double>> times(parts.size());
  for (std::size_t repetition = 0; repetition < kRepetitions; ++repetition) {
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const double begin = thread_seconds();
      for (std::size_t call = 0; call < calls; ++call) parts[part]();
      times[part].push_back(1e6 * (thread_seconds() - begin) / static_cast<double>(calls));
    }
  }
  std::vector<double> medians;
  for (const auto& part : times) medians.push_back(median(part));
  return medians;
}

void run(std::size_t calls) {
  clade::RandomStream rng({.seed = 1, .purpose = clade::Purpose::benchmark});
  std::array<std::uint8_t, 256> palette;
  for (std::uint8_t& grey : palette) grey = static_cast<std::uint8_t>(rng.below(256));
  const clade::GreyTable table(palette);
  std::vector<std::uint8_t> first(kHeight * clade::kScreenWidth);
  for (std::uint8_t& colour : first) colour = static_cast<std::uint8_t>(2 * rng.below(128));
  std::vector<std::uint8_t> second = first;
  for (std::size_t i = 0; i < second.size(); ++i) {
    if (i % clade::kScreenWidth < clade::kScreenWidth / 4) second[i] = static_cast<std::uint8_t>(2 * rng.below(128));
  }
  std::vector<std::uint8_t> grey(first.size());
  std::vector<std::uint8_t> plane(clade::kPlaneSize);
  std::vector<std::uint8_t> observation(kStack * clade::kPlaneSize);
  const clade::ResizeTable area(clade::Resize::area, kHeight);
  const clade::ResizeTable bilinear(clade::Resize::bilinear, kHeight);

  std::printf("%-10s %14s %10s %10s %10s %18s\n", "", "grey, maximum", "area", "bilinear", "push", "decision, by area");
  for (const clade::InstructionSet set : clade::available_instruction_sets()) {
    const clade::PixelKernels& kernels = clade::pixel_kernels(set);
    const auto times =
        measure({[&] { kernels.grey_maximum(table, first.data(), second.data(), first.size(), grey.data()); },
                 [&] { kernels.resize(area, grey.data(), plane.data()); },
                 [&] { kernels.resize(bilinear, grey.data(), plane.data()); },
                 [&] { kernels.push(observation.data(), plane.data(), kStack, observation.data()); }},
                std::max<std::size_t>(calls / kRepetitions, 1));
    std::printf("%-10s %11.2f us %7.2f us %7.2f us %7.2f us %15.2f us\n", std::string(clade::name_of(set)).c_str(),
                times[0], times[1], times[2], times[3], times[0] + times[1] + times[3]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t calls = 2000;
  if (argc > 1) {
    const char* const end = argv[1] + std::strlen(argv[1]);
    const auto [stop, error] = std::from_chars(argv[1], end, calls);
    if (error != std::errc{} || stop != end || calls == 0 || argc > 2) {
      std::cerr << "usage: pixel_benchmark [CALLS]\n";
      return 2;
    }
  }
  try {
    run(calls);
  } catch (const clade::Error& error) {
    std::cerr << "pixel_benchmark: " << error.what() << '\n';
    return error.exit_code();
  }
  return 0;
}
