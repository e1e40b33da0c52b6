#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace clade {

/// What a random number is drawn for. Two purposes never share a stream; the values are part of the run file's
/// contract and are never renumbered.
enum class Purpose : std::uint8_t {
  initialisation = 1,           ///< first parameters of a network
  perturbation = 2,             ///< weight noise of a member (a mirrored pair shares it)
  environment = 3,              ///< start state and dynamics of a training episode
  action_noise = 4,             ///< Gaussian noise on a continuous action
  action_sampling = 5,          ///< draw of a discrete action
  evaluation_environment = 6,   ///< start state and dynamics of an evaluation episode
  noise_table = 7,              ///< contents of the shared noise table
  table_offset = 8,             ///< a member's place in the shared noise table
  statistics_sampling = 9,      ///< which episodes contribute observation statistics
  function_transform = 10,      ///< shift and rotation of a test function
  final_environment = 11,       ///< episodes of the final test and of clade-play
  benchmark = 12,               ///< anything measured, never a result
  test = 13,                    ///< the tests' own
  evaluation_sampling = 14,     ///< draw of a discrete action in an episode that is not training
  validation_environment = 15,  ///< start state and dynamics of a validation episode
  reference_play = 16,          ///< the random play that virtual batch normalisation's observations come from
  selection = 17,               ///< who the parents of a member are
  crossover = 18,               ///< what a member has from which parent
  rate_probe = 19               ///< start states and actions of speed measurements; never a result
};

/// The name of a random stream. Everything random in Clade is a function of such a key and a position.
struct RandomKey {
  std::uint64_t seed = 0;
  Purpose purpose = Purpose::test;
  std::uint64_t generation = 0;  ///< < 2^32
  std::uint64_t member = 0;      ///< < 2^32; a mirrored pair may share it
  std::uint64_t episode = 0;     ///< < 2^24
};

/// A key packed for Philox4x32-10 (Salmon et al. 2011): `key` is the cipher's key, `counter` its upper three words;
/// the lowest counter word is the block index within the stream, so a stream holds 2^32 blocks of 4 words.
///   key     = seed (low word, high word)
///   counter = { block, member, generation, purpose << 24 | episode }
struct PhiloxKey {
  std::array<std::uint32_t, 2> key{};
  std::array<std::uint32_t, 3> counter{};
  bool operator==(const PhiloxKey&) const = default;
};

/// Throws Error where a field does not fit its bits.
PhiloxKey pack(const RandomKey& key);

/// One block: four independent uniform words. Pure, thread-safe.
std::array<std::uint32_t, 4> philox_block(const PhiloxKey& key, std::uint32_t block);

/// Reads a stream in order. A value type made where it is used (an episode's reset, an initialisation) and gone with
/// it: no generator lives across a generation. Words are read in block order, a 64-bit number as low word, high word.
/// Reading past the stream's 2^32 blocks is a logic error.
class RandomStream {
 public:
  explicit RandomStream(const RandomKey& key, std::uint32_t first_block = 0);
  explicit RandomStream(const PhiloxKey& key, std::uint32_t first_block = 0);

  std::uint32_t next_u32();
  std::uint64_t next_u64();
  /// Uniform in [0, 1) with 53 bits.
  double uniform();
  /// Uniform in [low, high).
  double uniform(double low, double high);
  /// Uniform in {0, ..., bound - 1}, unbiased (Lemire's multiplication with rejection). bound > 0.
  std::uint32_t below(std::uint32_t bound);
  /// Standard normal in double precision, Box-Muller through our own log, sine and cosine (no libm).
  double normal();

 private:
  PhiloxKey key_;
  std::array<std::uint32_t, 4> words_{};
  std::uint64_t next_block_;
  unsigned used_ = 4;
  bool has_spare_normal_ = false;
  double spare_normal_ = 0.0;
};

}  // namespace clade
