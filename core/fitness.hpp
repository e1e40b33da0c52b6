#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace clade {

enum class Shaping {
  raw,                ///< the fitness itself (a failed one: the lowest finite of the generation)
  centred_rank,       ///< rank/(n-1) - 0.5, ties share their average rank, NaN ranks lowest (all NaN tied)
  sign,               ///< -1, 0, 1; NaN: -1
  centred_sign_rank,  ///< sign of the centred rank
  z_score             ///< (f - mean)/sqrt(population variance + epsilon)
};
std::string_view name_of(Shaping shaping);
Shaping parse_shaping(std::string_view name);

/// Average ranks from 0 (lowest) to n - 1; ties share their average; NaN are below all numbers and tied.
std::vector<double> average_ranks(std::span<const double> fitness);

/// Shaped fitness [n]. `epsilon` is the z-score's.
std::vector<double> shape_fitness(Shaping shaping, std::span<const double> fitness, double epsilon = 1e-8);

/// Mean over finite values, NaN where there is none.
double finite_mean(std::span<const double> values);

}  // namespace clade
