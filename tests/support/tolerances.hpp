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

/// Sums over the outputs of a recorded layer, relative to the sum of their absolute values or squares: the errors of
/// single outputs, which cancel the less the fewer there are (18 logits of .2: 2e-6).
inline constexpr double kLayerSumsAgainstRecorded = 1e-5;

/// Elementary functions of core/math.hpp against libm in double, in units of the last place: half a unit for the last
/// rounding, the rest from the roundings before it (a division adds half a unit, as does each cancelling sum).
inline constexpr double kExpUnits = 1.0;
inline constexpr double kExpm1Units = 1.5;
inline constexpr double kLogUnits = 1.0;
inline constexpr double kTanhUnits = 2.5;
inline constexpr double kSigmoidUnits = 2.5;

/// tanh, and sine and cosine of turns, against libm in double, absolute: the same, at results near 1, whose last place
/// is 6e-8.
inline constexpr double kTanhAbsolute = 1e-7;
inline constexpr double kSineAbsolute = 1.2e-7;

/// RandomStream's double normals, up to 8.6, against Box and Muller in long double: four roundings of 1.1e-16 relative
/// to the result.
inline constexpr double kDoubleNormal = 4e-15;

/// Counter noise against Box and Muller in double from the same words. The uniform has 24 bits: near 1 that moves the
/// radius, there below .03, by up to 2e-5 (below 1e-3 by more, and at most by 3.5e-4).
inline constexpr double kCounterNoise = 3.6e-4;
/// The same where the radius is above .03, relative to the largest normal's last place of 5e-7.
inline constexpr double kCounterNoiseAwayFromZero = 2e-6;

/// A mutation power between two others, by square roots and products, against libm's pow, relative: at most 53 products
/// and as many roots, each rounded at 1.1e-16.
inline constexpr double kPowerSchedule = 1e-14;

}  // namespace clade::testing
