#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace clade {

enum class InstructionSet;

/// Pixels of an emulator's line, and of a side of the square plane that networks see.
inline constexpr std::size_t kScreenWidth = 160;
inline constexpr std::size_t kMostScreenLines = 512;
inline constexpr std::size_t kPlaneSide = 84;
inline constexpr std::size_t kPlaneSize = kPlaneSide * kPlaneSide;

/// Luminance as ALE rounds it: floor(.2989 red + .587 green + .114 blue + .5).
std::uint8_t grey_of(std::uint8_t red, std::uint8_t green, std::uint8_t blue);

/// The grey value of each of a screen's 256 colours, and the same for the kernels. Screens mostly use even colours (an
/// NTSC console has no others), which are looked up in eight steps of 16: entry (step, k) is the even colours' grey
/// value number 16 step + k, exclusive-or the one 16 before where step > 0.
struct GreyTable {
  explicit GreyTable(const std::array<std::uint8_t, 256>& grey);
  alignas(64) std::uint8_t grey[256];
  alignas(64) std::uint8_t even_steps[8][16];
};

/// How a screen becomes a plane of kPlaneSide x kPlaneSide.
///
///   area      bitwise OpenCV's INTER_AREA of bytes: the mean of what a pixel covers, by float32 coefficients made in
///             float64 with slivers up to 1e-3 of a pixel left out; along x, then along y, each product and sum rounded
///             to float32; the result rounded half to even.
///   bilinear  TensorFlow's resize_bilinear with align_corners, whose float32 arithmetic is kept (the corners of screen
///             and plane coincide: position i * (source - 1) / (plane - 1)), the result rounded half to even. Such et
///             al. 2017 resize so in their published code (uber-research/deep-neuroevolution,
///             gpu_implementation/gym_tensorflow/atari/tf_atari.py: grey in [0, 1], maximum of two frames,
///             resize_bilinear(align_corners=True)), which does not round to bytes.
enum class Resize { area, bilinear };

/// What the kernels read to resize screens of one height: for each pixel of a plane's row up to three source columns
/// with weights (bilinear: left, right and, as weight of the second, what of the way from left to right it lies), and
/// for each row of a plane its source rows in the same sense. A column that is not needed has weight 0, which changes
/// no bit.
struct ResizeTable {
  /// height: lines of the screen, kPlaneSide to kMostScreenLines; throws Error otherwise.
  ResizeTable(Resize resize_method, std::size_t screen_height);

  struct Row {
    std::uint32_t source = 0;  ///< line of the screen
    float weight = 0.0F;
  };
  Resize method;
  std::size_t height;
  std::uint32_t columns[3][kPlaneSide];
  float weights[3][kPlaneSide];
  Row rows[kMostScreenLines + 2 * kPlaneSide];  ///< of all rows of the plane, one after another
  std::uint32_t first_row[kPlaneSide + 1]{};    ///< where in `rows` those of a row of the plane begin
};

/// The inner loops of what an Atari policy sees, one table for each instruction set; all give the same bits. No
/// function allocates or throws; any alignment will do; outputs overlap no input unless it says so.
struct PixelKernels {
  /// grey[i] = max(table[first[i]], table[second[i]]). `first` and `second` may be the same.
  void (*grey_maximum)(const GreyTable& table, const std::uint8_t* first, const std::uint8_t* second, std::size_t size,
                       std::uint8_t* grey);
  /// grey [height, kScreenWidth] -> plane [kPlaneSide, kPlaneSide], by the table's method and height.
  void (*resize)(const ResizeTable& table, const std::uint8_t* grey, std::uint8_t* plane);
  /// The next observation [kPlaneSize, stack], a pixel's frames beside each other and oldest first: the frames of
  /// `before` without the oldest, then `plane`. `after` may be `before`. stack >= 1.
  void (*push)(const std::uint8_t* before, const std::uint8_t* plane, std::size_t stack, std::uint8_t* after);
  /// An observation of one plane repeated, as at an episode's start.
  void (*fill)(const std::uint8_t* plane, std::size_t stack, std::uint8_t* after);
};

/// For an instruction set that is available.
const PixelKernels& pixel_kernels(InstructionSet set);

/// For the preferred instruction set, which is looked up once. Throws Error where CLADE_ISA names none.
const PixelKernels& pixel_kernels();

/// Screens of palette colours to planes: grey values, the maximum of two frames after that, resized.
class PlaneMaker {
 public:
  /// `height` as in ResizeTable.
  PlaneMaker(Resize method, std::size_t height, const GreyTable& table);
  PlaneMaker(Resize method, std::size_t height, const GreyTable& table, const PixelKernels& kernels);

  std::size_t height() const { return resize_.height; }
  /// Of the last two frames [height, kScreenWidth] of a decision, in any order; one frame is passed twice.
  void make(const std::uint8_t* first, const std::uint8_t* second, std::uint8_t* plane);
  /// The grey values [height, kScreenWidth] that the last plane was made from.
  const std::vector<std::uint8_t>& grey() const { return grey_; }

 private:
  GreyTable table_;
  ResizeTable resize_;
  const PixelKernels* kernels_;
  std::vector<std::uint8_t> grey_;
};

}  // namespace clade
