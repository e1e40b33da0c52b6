#include "envs/pixel_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/instruction_set.hpp"
#include "core/random.hpp"
#include "envs/sha256.hpp"
#include "tests/support/catch.hpp"

using namespace clade;

namespace {

using Bytes = std::vector<std::uint8_t>;

std::array<std::uint8_t, 256> any_grey() {
  std::array<std::uint8_t, 256> grey;
  RandomStream rng({29, Purpose::test, 0, 0, 0});
  for (std::uint8_t& value : grey) value = static_cast<std::uint8_t>(rng.below(256));
  return grey;
}

Bytes random_bytes(std::size_t size, std::uint64_t stream) {
  RandomStream rng({29, Purpose::test, 1, stream, 0});
  Bytes bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(rng.below(256));
  return bytes;
}

/// The images of the golden data's `formula_results`: pixel number `i` of all.
std::uint8_t formula_pixel(std::uint32_t i) {
  std::uint32_t h = (i + 12345U) * 2654435761U;
  h ^= h >> 15;
  h *= 2246822519U;
  return static_cast<std::uint8_t>(h >> 24);
}

std::vector<Bytes> formula_images(std::size_t height, std::size_t count) {
  std::uint32_t i = 0;
  std::vector<Bytes> images(count, Bytes(height * kScreenWidth));
  for (Bytes& image : images) {
    for (std::uint8_t& pixel : image) pixel = formula_pixel(i++);
  }
  return images;
}

/// Images of the kinds that rounding or a missed line could show in.
std::vector<Bytes> test_images(std::size_t height) {
  const std::size_t size = height * kScreenWidth;
  std::vector<Bytes> images{random_bytes(size, height), Bytes(size, 255), Bytes(size, 0), Bytes(size)};
  for (std::size_t i = 0; i < size; ++i) {
    images[3][i] = (i / kScreenWidth + i % kScreenWidth) % 2 == 0 ? 255 : 0;
  }
  return images;
}

/// How much of each source pixel a target pixel covers, as a dense row of float32 coefficients (0: not covered).
std::vector<float> area_coefficients(std::size_t target, std::size_t size) {
  const double scale = 1.0 / (static_cast<double>(kPlaneSide) / static_cast<double>(size));
  const double begin = static_cast<double>(target) * scale;
  const double end = begin + scale;
  const double whole = std::min(scale, static_cast<double>(size) - begin);
  std::vector<float> row(size, 0.0F);
  for (std::size_t pixel = 0; pixel < size; ++pixel) {
    const auto left = static_cast<double>(pixel);
    const bool inside = left >= begin && left + 1.0 <= end;
    const double covered = std::min(end, left + 1.0) - std::max(begin, left);
    if (inside) {
      row[pixel] = static_cast<float>(1.0 / whole);
    } else if (covered > 1e-3) {
      row[pixel] = static_cast<float>(covered / whole);
    }
  }
  return row;
}

/// The rule of Resize::area, plainly: dense coefficients, one pixel at a time.
Bytes reference_area(const Bytes& grey, std::size_t height) {
  Bytes plane(kPlaneSize);
  std::vector<std::vector<float>> along_x;
  for (std::size_t x = 0; x < kPlaneSide; ++x) along_x.push_back(area_coefficients(x, kScreenWidth));
  for (std::size_t y = 0; y < kPlaneSide; ++y) {
    const auto along_y = area_coefficients(y, height);
    for (std::size_t x = 0; x < kPlaneSide; ++x) {
      float sum = 0.0F;
      for (std::size_t line = 0; line < height; ++line) {
        if (along_y[line] == 0.0F) continue;
        float line_sum = 0.0F;
        for (std::size_t column = 0; column < kScreenWidth; ++column) {
          line_sum += static_cast<float>(grey[line * kScreenWidth + column]) * along_x[x][column];
        }
        sum += line_sum * along_y[line];
      }
      plane[y * kPlaneSide + x] = static_cast<std::uint8_t>(std::clamp(std::nearbyint(sum), 0.0F, 255.0F));
    }
  }
  return plane;
}

/// The rule of Resize::bilinear, plainly.
Bytes reference_bilinear(const Bytes& grey, std::size_t height) {
  const auto pixel = [&](float y, float x) {
    const auto line = std::min(static_cast<std::size_t>(y), height - 1);
    const auto column = std::min(static_cast<std::size_t>(x), kScreenWidth - 1);
    return static_cast<float>(grey[line * kScreenWidth + column]);
  };
  const float y_scale = static_cast<float>(height - 1) / 83.0F;
  const float x_scale = static_cast<float>(kScreenWidth - 1) / 83.0F;
  Bytes plane(kPlaneSize);
  for (std::size_t i = 0; i < kPlaneSize; ++i) {
    const float y = static_cast<float>(i / kPlaneSide) * y_scale;
    const float x = static_cast<float>(i % kPlaneSide) * x_scale;
    const float right = x - std::floor(x);
    const float top = pixel(y, x) + (pixel(y, x + 1) - pixel(y, x)) * right;
    const float bottom = pixel(y + 1, x) + (pixel(y + 1, x + 1) - pixel(y + 1, x)) * right;
    plane[i] = static_cast<std::uint8_t>(std::nearbyint(top + (bottom - top) * (y - std::floor(y))));
  }
  return plane;
}

Bytes resized(const PixelKernels& kernels, const ResizeTable& table, const Bytes& grey) {
  constexpr std::uint8_t kUntouched = 77;
  Bytes plane(kPlaneSize + 1, kUntouched);
  kernels.resize(table, grey.data(), plane.data());
  CHECK(plane.back() == kUntouched);
  plane.pop_back();
  return plane;
}

std::string digest_of_formula_planes(Resize method, std::size_t height) {
  const ResizeTable table(method, height);
  Sha256 digest;
  for (const Bytes& image : formula_images(height, 20)) {
    const Bytes plane = resized(pixel_kernels(), table, image);
    digest.update(std::as_bytes(std::span(plane)));
  }
  return digest.hex_digest();
}

}  // namespace

TEST_CASE("Grey values are rounded luminances", "[pixels]") {
  CHECK(grey_of(0, 0, 0) == 0);
  CHECK(grey_of(255, 255, 255) == 255);
  CHECK(grey_of(255, 0, 0) == 76);   // 76.2195
  CHECK(grey_of(0, 255, 0) == 150);  // 149.685
  CHECK(grey_of(0, 0, 255) == 29);   // 29.07
  CHECK(grey_of(74, 74, 74) == 74);
}

TEST_CASE("The maximum of two frames is taken after grey", "[pixels]") {
  const auto values = any_grey();
  const GreyTable table(values);
  for (const InstructionSet set : available_instruction_sets()) {
    INFO(name_of(set));
    for (std::size_t size : {1U, 31U, 64U, 160U, 161U, 1000U}) {
      Bytes first = random_bytes(size, 2 * size);
      Bytes second = random_bytes(size, 2 * size + 1);
      // A screen's usual contents: even colours, much of it the same in both frames.
      for (std::size_t i = size / 4; i < size; ++i) {
        first[i] &= 0xfe;
        second[i] = i < size / 2 ? second[i] & 0xfe : first[i];
      }
      Bytes grey(size + 1, 77);
      pixel_kernels(set).grey_maximum(table, first.data(), second.data(), size, grey.data());
      CHECK(grey.back() == 77);
      bool equal = true;
      for (std::size_t i = 0; i < size; ++i) equal = equal && grey[i] == std::max(values[first[i]], values[second[i]]);
      CHECK(equal);
      pixel_kernels(set).grey_maximum(table, first.data(), first.data(), size, grey.data());
      for (std::size_t i = 0; i < size; ++i) equal = equal && grey[i] == values[first[i]];
      CHECK(equal);
    }
    // Every even colour in every place of a vector.
    Bytes colours(128 * 64), grey(colours.size());
    for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = static_cast<std::uint8_t>(2 * (i % 64 + i / 64));
    pixel_kernels(set).grey_maximum(table, colours.data(), colours.data(), colours.size(), grey.data());
    CHECK(std::equal(grey.begin(), grey.end(), colours.begin(),
                     [&](std::uint8_t ours, std::uint8_t colour) { return ours == values[colour]; }));
  }
}

TEST_CASE("Every instruction set resizes by the plain rule, whatever the height", "[pixels]") {
  for (std::size_t height : {84U, 85U, 91U, 168U, 209U, 210U, 214U, 250U, 257U, 512U}) {
    INFO("height " << height);
    const ResizeTable area(Resize::area, height);
    const ResizeTable bilinear(Resize::bilinear, height);
    for (const Bytes& image : test_images(height)) {
      const Bytes expected_area = reference_area(image, height);
      const Bytes expected_bilinear = reference_bilinear(image, height);
      for (const InstructionSet set : available_instruction_sets()) {
        INFO(name_of(set));
        CHECK(resized(pixel_kernels(set), area, image) == expected_area);
        CHECK(resized(pixel_kernels(set), bilinear, image) == expected_bilinear);
      }
    }
  }
}

// SHA-256 of the planes, one after another, that opencv-python-headless 5.0.0 made of the first 20 formula images of
// that height by cv2.resize(image, (84, 84), interpolation=cv2.INTER_AREA).
TEST_CASE("Planes are those of OpenCV's INTER_AREA", "[pixels]") {
  const std::vector<std::pair<std::size_t, std::string>> recorded{
      {84, "5915b3479cfe64b256368642242974aa055a5df4b75dff05e430b02d8770261d"},
      {91, "07d82527f24aff437cff33e9b05ee19b67ea347d4eb4961aad5ae2784776be06"},
      {192, "9eb4c0e54e797fc18e6a16412df02c5898d1a469aa911846d5256d46649c8098"},
      {210, "a72add3124ac96e3108d5b989632022b211c12000912239f89015c7be6c5eb10"},
      {214, "8205fa1c1c4b9bb09abe8bd758a187dc684905595bd9659e65cfa9070af9f3d9"},
      {230, "543240df878669515217abc013a8d017ee3b06e1da96c8ccc14f12ffcb0dd5ac"},
      {250, "55be9e6465a0f674ea1eafbaaf140753a8ad5c4298b25d045d517664a81fdd7b"},
      {256, "646104dbaec8d7eb92e83ca9a441e4a4aebd4b16871e673be40e77cb25220f43"},
  };
  for (const auto& [height, digest] : recorded) {
    INFO("height " << height);
    CHECK(digest_of_formula_planes(Resize::area, height) == digest);
  }
}

// SHA-256 as above of planes that NumPy 2 made in float32 by TensorFlow's formula with align_corners, rounded by rint.
TEST_CASE("Bilinear planes are those of TensorFlow's formula", "[pixels]") {
  CHECK(digest_of_formula_planes(Resize::bilinear, 210) ==
        "1a52521fbf607fb4686df8e39bc327f3be206917a70bcbf24e4ded87e41df887");
  CHECK(digest_of_formula_planes(Resize::bilinear, 250) ==
        "40514aa0903472bd4eaa2c802c9c7552e0d2c99a20e7e789dbc01ca4966c9b48");
}

TEST_CASE("Screens that cannot be resized are refused", "[pixels]") {
  CHECK_THROWS_WITH(ResizeTable(Resize::area, 83), testing::contains_text("83 lines"));
  CHECK_THROWS_WITH(ResizeTable(Resize::bilinear, 513), testing::contains_text("84 to 512"));
}

TEST_CASE("Frames are stacked oldest first", "[pixels]") {
  for (const InstructionSet set : available_instruction_sets()) {
    INFO(name_of(set));
    const PixelKernels& kernels = pixel_kernels(set);
    for (std::size_t stack = 1; stack <= 5; ++stack) {
      std::vector<Bytes> planes;
      for (std::size_t i = 0; i < stack + 2; ++i) planes.push_back(random_bytes(kPlaneSize, 900 + i));
      Bytes observation(stack * kPlaneSize);
      kernels.fill(planes[0].data(), stack, observation.data());
      std::vector<Bytes> frames(stack, planes[0]);
      for (std::size_t next = 1; next < planes.size(); ++next) {
        Bytes moved(observation.size());
        kernels.push(observation.data(), planes[next].data(), stack, moved.data());
        kernels.push(observation.data(), planes[next].data(), stack, observation.data());
        CHECK(moved == observation);
        frames.erase(frames.begin());
        frames.push_back(planes[next]);
        bool equal = true;
        for (std::size_t i = 0; i < observation.size(); ++i) {
          equal = equal && observation[i] == frames[i % stack][i / stack];
        }
        CHECK(equal);
      }
    }
  }
}

TEST_CASE("A plane is made of two screens", "[pixels]") {
  constexpr std::size_t kHeight = 250;
  const auto values = any_grey();
  const GreyTable table(values);
  const Bytes first = random_bytes(kHeight * kScreenWidth, 1);
  const Bytes second = random_bytes(kHeight * kScreenWidth, 2);
  Bytes grey(first.size());
  for (std::size_t i = 0; i < grey.size(); ++i) grey[i] = std::max(values[first[i]], values[second[i]]);
  for (const Resize method : {Resize::area, Resize::bilinear}) {
    PlaneMaker maker(method, kHeight, table);
    CHECK(maker.height() == kHeight);
    Bytes plane(kPlaneSize);
    maker.make(first.data(), second.data(), plane.data());
    CHECK(maker.grey() == grey);
    CHECK(plane == (method == Resize::area ? reference_area(grey, kHeight) : reference_bilinear(grey, kHeight)));
  }
}
