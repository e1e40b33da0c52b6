#pragma once

#include <string>
#include <vector>

#include "envs/catalog.hpp"

namespace clade {

/// Gymnasium's classic-control tasks: CartPole-v1, Acrobot-v1, MountainCar-v0, MountainCarContinuous-v0, Pendulum-v1.
/// Observations are rounded to float32 as Gymnasium returns them; states are float64 except where noted.
/// The trigonometry is libm's.
std::vector<EnvironmentInfo> classic_control_environments();

/// `name` is one of the above. Throws Error for an option that the task does not have.
EnvironmentFactory make_classic_control_factory(const std::string& name, const EnvironmentOptions& options);

}  // namespace clade
