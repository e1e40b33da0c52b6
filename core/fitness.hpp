#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clade {

/// How fitness becomes the weights of an update. Higher is better before and after.
enum class Shaping {
  raw,                ///< the fitness itself, non-finite values replaced as finite_fitness says
  centred_rank,       ///< rank/(n-1) - 0.5, ties share their average rank, NaN ranks lowest (all NaN tied)
  sign,               ///< -1, 0, 1; NaN: -1
  centred_sign_rank,  ///< sign of the centred rank
  z_score             ///< (f - mean)/sqrt(population variance + epsilon), of the values that `raw` gives
};
std::string_view name_of(Shaping shaping);
std::vector<std::string> shaping_names();
/// Throws Error naming the nearest valid one.
Shaping parse_shaping(std::string_view name);

/// Average ranks from 0 (lowest) to n - 1; ties share their average; NaN are below all numbers and tied. Infinities
/// rank as numbers.
std::vector<double> average_ranks(std::span<const double> fitness);

/// `fitness` with NaN and -infinity replaced by the lowest finite value, +infinity by the highest; all zeros where no
/// value is finite. What a shaping by size, not by rank, can work with: a failed evaluation counts as the worst one.
std::vector<double> finite_fitness(std::span<const double> fitness);

/// Shaped fitness [n], finite for any input. `epsilon` >= 0 is the z-score's, inside the root. Equal fitness gives
/// exactly 0 in all shapings but raw and sign.
std::vector<double> shape_fitness(Shaping shaping, std::span<const double> fitness, double epsilon = 1e-8);

/// Square root of the population variance (divided by n, as numpy's std), two passes in index order; does not
/// overflow. 0 for no values.
double population_deviation(std::span<const double> values);

/// Whether every value is NaN: nothing was learnt. True for no values.
bool all_failed(std::span<const double> fitness);

}  // namespace clade
