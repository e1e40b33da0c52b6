#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/run_record.hpp"

namespace clade {

/// What training is counted in: along the picture's horizontal axis.
enum class TrainingUnit { episodes, steps, frames };

/// One evaluation of a run's solution (validated_returns).
struct CurvePoint {
  double trained = 0.0;      ///< episodes, steps or frames of training before it
  double mean_return = 0.0;  ///< over the evaluation's episodes, failed ones left out
};

/// Mean and range over several runs after the same amount of training.
struct CurveSpread {
  double trained = 0.0;
  double mean = 0.0;
  double lowest = 0.0;
  double highest = 0.0;
};

/// The run's evaluations in their order; one whose episodes all failed is left out.
std::vector<CurvePoint> learning_curve(const RunRecord& record, TrainingUnit unit);

/// Mean, lowest and highest of the curves wherever one of them has a point and all have begun and none has ended;
/// between its points a curve is taken as a straight line. Empty where that is nowhere. No curve may be empty.
std::vector<CurveSpread> spread_of_curves(std::span<const std::vector<CurvePoint>> curves);

/// Whether two records are of one run, perhaps at different lengths: program, configuration and seed are the same, and
/// the results follow from them.
bool same_run(const RunRecord& a, const RunRecord& b);

/// Training episodes until the first evaluation whose mean reaches `target`; empty where none does. As for
/// --target-return, an evaluation with a failed episode does not count.
std::optional<std::uint64_t> episodes_to_return(const RunRecord& record, double target);

struct PlotSettings {
  TrainingUnit unit = TrainingUnit::episodes;
  std::optional<double> target{};  ///< return that a line marks; empty: the runs' --target-return, if all have the same
};

/// A picture (SVG, legible on a light and on a dark page) of the evaluation mean against training: each run, and of
/// several their mean and range. Throws Error where a run has no evaluation, or where two differ in more than seed and
/// budget: they have no common mean.
std::string learning_curve_svg(std::span<const RunRecord> runs, const PlotSettings& settings);

}  // namespace clade
