#include "tools/screen_strip.hpp"

#include <iostream>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/toy_environment.hpp"
#include "tools/png_file.hpp"

using namespace clade;
using clade::testing::contains_text;

namespace {

/// A screen of one pixel that shows how many steps were taken since the reset.
class CountingScreen final : public Environment, public ScreenAccess {
 public:
  const EnvironmentSpec& spec() const override { return toy_.spec(); }
  void reset(RandomStream& rng, ObservationRow observation) override {
    steps_ = 0;
    toy_.reset(rng, observation);
  }
  StepOutcome step(const Action& action, ObservationRow observation) override {
    ++steps_;
    return toy_.step(action, observation);
  }
  Screen screen() const override { return {1, 1, {steps_, 0, 0}}; }

 private:
  clade::test::ToyEnvironment toy_;
  std::uint8_t steps_ = 0;
};

ScreenAccess::Screen filled(std::size_t width, std::size_t height, std::uint8_t value) {
  return {width, height, std::vector<std::uint8_t>(width * height * 3, value)};
}

}  // namespace

TEST_CASE("pictures of an episode are taken evenly from its start to its end") {
  CHECK(strip_steps(100, 5) == std::vector<std::uint32_t>{0, 25, 50, 75, 100});
  CHECK(strip_steps(10, 4) == std::vector<std::uint32_t>{0, 3, 7, 10});
  CHECK(strip_steps(2, 2) == std::vector<std::uint32_t>{0, 2});
  CHECK(strip_steps(3, 8) == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(strip_steps(0, 8) == std::vector<std::uint32_t>{0});
  CHECK(strip_steps(4294967295U, 3) == std::vector<std::uint32_t>{0, 2147483648U, 4294967295U});
}

TEST_CASE("a strip is its pictures side by side with a gap") {
  const std::vector<ScreenAccess::Screen> pictures = {filled(2, 3, 10), filled(2, 3, 20), filled(2, 3, 30)};
  const ScreenAccess::Screen strip = strip_of(pictures);
  CHECK(strip.width == 14);
  CHECK(strip.height == 3);
  const std::vector<int> row = {10, 10, 0, 0, 0, 0, 20, 20, 0, 0, 0, 0, 30, 30};
  REQUIRE(strip.rgb.size() == 3 * 14 * 3);
  for (std::size_t i = 0; i < strip.rgb.size(); ++i) CHECK(strip.rgb[i] == row[i / 3 % 14]);
  CHECK(strip_of(std::vector{filled(5, 2, 1)}).width == 5);
}

TEST_CASE("many pictures are laid out in rows of at most eight, filled evenly") {
  std::vector<ScreenAccess::Screen> pictures;
  for (int i = 0; i < 9; ++i) pictures.push_back(filled(2, 3, static_cast<std::uint8_t>(10 + i)));
  const ScreenAccess::Screen strip = strip_of(pictures);
  CHECK(strip.width == 5 * 2 + 4 * 4);  // 5 and 4
  CHECK(strip.height == 2 * 3 + 4);
  const auto pixel = [&strip](std::size_t x, std::size_t y) { return int{strip.rgb[(y * strip.width + x) * 3]}; };
  CHECK(pixel(0, 0) == 10);
  CHECK(pixel(25, 2) == 14);
  CHECK(pixel(0, 3) == 0);
  CHECK(pixel(0, 6) == 0);
  CHECK(pixel(0, 7) == 15);
  CHECK(pixel(19, 9) == 18);
  CHECK(pixel(24, 9) == 0);
  pictures.resize(8);
  CHECK(strip_of(pictures).height == 3);
}

TEST_CASE("a strip says which steps it shows") {
  CHECK(strip_text(std::vector<std::uint32_t>{0, 10, 20}, 80) ==
        "3 screens of episode 0, at steps 0, 10, 20; 80 frames");
}

TEST_CASE("a recorder takes screens after the steps asked for, of the latest episode") {
  std::vector<ScreenAccess::Screen> screens;
  ScreenRecorder recorder(std::make_unique<CountingScreen>(), {0, 2, 3}, screens);
  std::vector<std::byte> row(recorder.spec().observation.bytes());
  const ObservationRow observation(row.data(), recorder.spec().observation);
  const double action = 0.0;
  for (int episode = 0; episode < 2; ++episode) {
    RandomStream rng(RandomKey{1, Purpose::test, 0, 0, 0});
    recorder.reset(rng, observation);
    for (int step = 0; step < 3; ++step) recorder.step({std::span(&action, 1), 0}, observation);
    REQUIRE(screens.size() == 3);
    CHECK(screens[0].rgb[0] == 0);
    CHECK(screens[1].rgb[0] == 2);
    CHECK(screens[2].rgb[0] == 3);
  }
}

TEST_CASE("an environment without a screen is refused") {
  std::vector<ScreenAccess::Screen> screens;
  CHECK_THROWS_WITH(ScreenRecorder(std::make_unique<clade::test::ToyEnvironment>(), {0}, screens),
                    contains_text("Toy has no screen to take pictures of"));
}

TEST_CASE("a picture becomes a PNG file") {
  try {
    require_png();
  } catch (const Error& error) {
    std::cout << "skipped: " << error.what() << '\n';
    return;
  }
  const std::vector<std::byte> png = png_bytes(filled(20, 7, 99));
  const std::string start(reinterpret_cast<const char*>(png.data()), 24);
  CHECK(start == std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x14\0\0\0\x07", 24));
  CHECK(png == png_bytes(filled(20, 7, 99)));
  CHECK_THROWS_WITH(png_bytes({}), contains_text("cannot make a PNG picture of 0 x 0 pixels"));
}
