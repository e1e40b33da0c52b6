#pragma once

namespace clade::testing {

// Each tolerance has its cause. Widening one needs the explanation first.

/// Float64 optimiser steps and shaped fitness of order 1 against the same formula summed or multiplied in another
/// order: a few hundred roundings of 1e-16.
inline constexpr double kOptimizerStep = 1e-13;

/// Recorded float64 results of strategies (parameters and gradients of order 1, three to five updates) against ours:
/// orders of summation differ, Adam divides the differences by gradients of order 1e-2.
inline constexpr double kStrategyGolden = 1e-14;

/// Means, squared deviations and what is made of them, float64, a thousand values with an offset of 1e4 deviations,
/// against long double: each update rounds at 1e-16 of the offset.
inline constexpr double kMomentsRelative = 1e-10;

/// Recorded float32 networks against ours: activations of order 1, sums of up to a few hundred products in another
/// order and with fused multiply-adds, another tanh.
inline constexpr double kNetworkAgainstRecorded = 1e-5;

}  // namespace clade::testing
