#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"

namespace clade {

/// How an observation lies in its row. Pixels stay bytes until the network's first layer.
enum class ObservationType { float64, uint8 };

struct ObservationSpec {
  ObservationType type = ObservationType::float64;
  std::vector<std::size_t> shape;  ///< {17}, or pixels {84, 84, 4}: height, width, channels; an empty shape is an
                                   ///< observation of no numbers
  std::size_t size() const {
    if (shape.empty()) return 0;
    std::size_t product = 1;
    for (std::size_t extent : shape) product *= extent;
    return product;
  }
  std::size_t bytes() const { return size() * (type == ObservationType::float64 ? sizeof(double) : 1); }
};

/// A continuous action has `size` components within [low, high] (the policy's heads use the bounds; an environment
/// gets what the head gives, which may lie outside). A discrete action is one of `choices`.
struct ActionSpec {
  std::size_t size = 0;     ///< components of a continuous action, 0 where the action is discrete
  std::size_t choices = 0;  ///< number of discrete actions, 0 where the action is continuous
  std::vector<double> low;  ///< [size]
  std::vector<double> high;
  bool discrete() const { return choices > 0; }
};

struct EnvironmentSpec {
  std::string name;  ///< "HalfCheetah-v4"
  ObservationSpec observation;
  ActionSpec action;
  std::uint32_t max_steps = 1000;            ///< the task's own limit of an episode, in steps
  std::uint32_t frames_per_step = 1;         ///< emulator frames (physics substeps) of one step
  std::optional<double> alive_bonus{};       ///< what a step pays for being alive, where the papers subtract it
  std::optional<double> reward_threshold{};  ///< return at which the task counts as solved, where there is one
};

/// Borrowed memory of one observation: the environment writes straight into its row of the batch.
class ObservationRow {
 public:
  ObservationRow(std::byte* data, const ObservationSpec& spec) : data_(data), size_(spec.size()), type_(spec.type) {}
  std::span<double> float64() const {
    CLADE_CHECK(type_ == ObservationType::float64);
    return {reinterpret_cast<double*>(data_), size_};
  }
  std::span<std::uint8_t> uint8() const {
    CLADE_CHECK(type_ == ObservationType::uint8);
    return {reinterpret_cast<std::uint8_t*>(data_), size_};
  }

 private:
  std::byte* data_;
  std::size_t size_;
  ObservationType type_;
};

/// Borrowed action: `continuous` has ActionSpec::size components, `choice` is meaningful where it is discrete.
struct Action {
  std::span<const double> continuous{};
  std::size_t choice = 0;
};

struct StepOutcome {
  double reward = 0.0;
  bool terminated = false;                ///< the task ended the episode (not the step limit)
  bool truncated = false;                 ///< a limit of the task's own ended it (an emulator's limit of frames)
  std::optional<std::uint32_t> frames{};  ///< frames that were emulated; without: EnvironmentSpec::frames_per_step
  const char* failure = nullptr;  ///< the simulation broke (diverged physics): a static text; the episode ends failed
};

/// One episode slot of a task. An object is used by one thread at a time; different objects are independent.
/// An exception that leaves reset or step makes the episode a failed one.
class Environment {
 public:
  virtual ~Environment() = default;
  virtual const EnvironmentSpec& spec() const = 0;
  /// Starts an episode, drawing its start state from `rng`; writes the observation. `rng` ends with the call: a task
  /// that is random later keeps a copy of it.
  virtual void reset(RandomStream& rng, ObservationRow observation) = 0;
  /// One decision of the policy; writes the observation that follows.
  virtual StepOutcome step(const Action& action, ObservationRow observation) = 0;
};

/// Environments that can show what a human would see, for pictures and videos.
class ScreenAccess {
 public:
  virtual ~ScreenAccess() = default;
  struct Screen {
    std::size_t width = 0;
    std::size_t height = 0;
    std::vector<std::uint8_t> rgb;  ///< [height, width, 3]
  };
  /// After a reset or a step.
  virtual Screen screen() const = 0;
};

/// Environments whose internal state can be read and set, for replaying recorded traces. The meaning of the numbers
/// is the environment's (MuJoCo: qpos then qvel; classic control: the golden files' order).
class StateAccess {
 public:
  virtual ~StateAccess() = default;
  virtual std::vector<double> state() const = 0;
  /// Starts an episode from `state` as a reset would (every trace of the episode before is gone); writes the
  /// observation.
  virtual void reset_to(std::span<const double> state, ObservationRow observation) = 0;
  /// Moves to `state` within an episode, leaving all else (solver warm starts) as it is.
  virtual void set_state(std::span<const double> state) = 0;
};

/// Makes an environment slot. Called once per slot at set-up; thread-safe. `slot` numbers the slots from 0.
using EnvironmentFactory = std::function<std::unique_ptr<Environment>(std::size_t slot)>;

}  // namespace clade
