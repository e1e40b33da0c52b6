#include "tools/learning_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/error.hpp"
#include "core/number_text.hpp"
#include "core/progress.hpp"
#include "core/statistics.hpp"
#include "experiments/run_summary.hpp"
#include "tools/run_report.hpp"
#include "tools/task_text.hpp"

namespace clade {
namespace {

// Sizes in the picture's own units, colours with enough contrast on white and on near-black.
constexpr double kWidth = 760.0;
constexpr double kHeight = 400.0;
constexpr double kLeft = 84.0;
constexpr double kRight = 736.0;
constexpr double kTop = 66.0;
constexpr double kBottom = 342.0;
constexpr double kTitleLine = 26.0;
constexpr double kSubtitleLine = 46.0;
constexpr const char* kInk = "#768390";
constexpr const char* kCurve = "#2f81f7";
constexpr const char* kTarget = "#c4691c";
constexpr double kTicks = 6.0;
constexpr std::size_t kMostSeedsNamed = 10;
/// From so many on the axis counts millions.
constexpr double kManySteps = 2e6;
constexpr double kMillion = 1e6;

std::string escaped(std::string_view text) {
  std::string result;
  for (const char character : text) {
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += character;
    }
  }
  return result;
}

/// A coordinate with two decimals, the same text everywhere.
std::string place(double value) {
  const double rounded = std::round(value * 100.0) / 100.0;
  return number_text(rounded == 0.0 ? 0.0 : rounded);
}

/// Round numbers on an axis: multiples of digit x 10^exponent.
struct Ticks {
  double digit = 1.0;  ///< 1, 2 or 5
  int exponent = 0;
  double first = 0.0;  ///< the lowest and highest multiple
  double last = 0.0;

  double value(double multiple) const {
    const double power = std::pow(10.0, std::abs(exponent));
    return exponent < 0 ? multiple * digit / power : multiple * digit * power;
  }
};

/// About kTicks of them from `low` to `high` > `low`, inside the range or enclosing it.
Ticks ticks_between(double low, double high, bool enclosing) {
  const double rough = (high - low) / kTicks;
  Ticks ticks;
  ticks.exponent = static_cast<int>(std::floor(std::log10(rough)));
  const double ratio = rough / std::pow(10.0, ticks.exponent);
  ticks.digit = ratio < 1.5 ? 1.0 : (ratio < 3.5 ? 2.0 : 5.0);
  if (ratio >= 7.5) {
    ticks.digit = 1.0;
    ++ticks.exponent;
  }
  constexpr double kSlack = 1e-9;  // of a step: an end that is a multiple counts as one
  const double step = ticks.value(1.0);
  ticks.first = enclosing ? std::floor(low / step + kSlack) : std::ceil(low / step - kSlack);
  ticks.last = enclosing ? std::ceil(high / step - kSlack) : std::floor(high / step + kSlack);
  return ticks;
}

std::string tick_text(double value) {
  constexpr double kLargestCount = 1e12;
  if (value != std::floor(value) || std::abs(value) > kLargestCount) return number_text(value);
  return (value < 0.0 ? "-" : "") + format_count(static_cast<std::uint64_t>(std::abs(value)));
}

/// From numbers to places in the picture.
struct Scale {
  double low = 0.0;
  double high = 1.0;
  double start = 0.0;
  double end = 1.0;
  double at(double value) const { return start + (value - low) / (high - low) * (end - start); }
};

struct Plane {
  Scale x;
  Scale y;
  std::string point(double trained, double value) const { return place(x.at(trained)) + ',' + place(y.at(value)); }
};

std::string text_at(double x, double y, std::string_view attributes, std::string_view text) {
  return "<text x=\"" + place(x) + "\" y=\"" + place(y) + "\"" + std::string(attributes) + ">" + escaped(text) +
         "</text>\n";
}

std::string line_between(double x1, double y1, double x2, double y2, std::string_view attributes) {
  return "<line x1=\"" + place(x1) + "\" y1=\"" + place(y1) + "\" x2=\"" + place(x2) + "\" y2=\"" + place(y2) + "\"" +
         std::string(attributes) + "/>\n";
}

std::string polyline(const std::string& points, std::string_view attributes) {
  return "<polyline points=\"" + points + "\" fill=\"none\" stroke=\"" + kCurve + "\" stroke-linejoin=\"round\"" +
         std::string(attributes) + "/>\n";
}

std::string dot(const Plane& plane, const CurvePoint& point, std::string_view radius) {
  return "<circle cx=\"" + place(plane.x.at(point.trained)) + "\" cy=\"" + place(plane.y.at(point.mean_return)) +
         "\" r=\"" + std::string(radius) + "\" fill=\"" + kCurve + "\"/>\n";
}

std::string subtitle_of(std::span<const RunRecord> runs) {
  std::string text = runs.front().program;
  if (const auto network = configured(runs.front(), "network")) text += ", " + *network;
  for (const std::string& option : task_options(runs.front())) text += ", " + option;
  if (runs.size() > kMostSeedsNamed) return text + ", " + std::to_string(runs.size()) + " seeds";
  text += runs.size() == 1 ? ", seed" : ", seeds";
  for (const RunRecord& run : runs) text += " " + configured(run, "seed").value_or("?");
  return text;
}

/// The entries that decide results, but for the seed.
std::vector<ConfigEntry> comparable(const RunRecord& record) {
  std::vector<ConfigEntry> entries;
  for (const ConfigEntry& entry : record.configuration) {
    if (entry.effect == ResultEffect::fixes_results && entry.key != "seed") entries.push_back(entry);
  }
  return entries;
}

void require_same_task(const RunRecord& first, const RunRecord& other) {
  if (other.program != first.program) {
    throw_input_error("a run of " + other.program + " and one of " + first.program + " have no common learning curve");
  }
  const std::vector<ConfigEntry> ours = comparable(first);
  const std::vector<ConfigEntry> theirs = comparable(other);
  if (ours == theirs) return;
  const auto [here, there] = std::ranges::mismatch(ours, theirs);
  const std::string key = here != ours.end() ? here->key : there->key;
  throw_input_error("runs with different --" + key + " ('" + (here != ours.end() ? here->value : "none") + "', '" +
                    (there != theirs.end() ? there->value : "none") +
                    "') have no common learning curve; only seed and budget may differ");
}

/// The runs' --target-return, where all have the same.
std::optional<double> common_target(std::span<const RunRecord> runs) {
  const std::optional<std::string> target = configured(runs.front(), "target-return");
  if (!target || *target == "none") return std::nullopt;
  for (const RunRecord& run : runs) {
    if (configured(run, "target-return") != target) return std::nullopt;
  }
  return parse_real(*target, "target return");
}

std::string evaluation_text(std::span<const RunRecord> runs) {
  std::size_t episodes = 0;
  bool validation = true;  // of an elite
  for (const GenerationRecord& generation : runs.front().generations) {
    episodes = std::max(episodes, validated_returns(generation).size());
    validation = validation && generation.evaluation_returns.empty();
  }
  return "mean return of " + format_count(episodes) + (validation ? " validation" : " evaluation") + " episode" +
         (episodes == 1 ? "" : "s");
}

const char* name_of(TrainingUnit unit) {
  switch (unit) {
    case TrainingUnit::episodes:
      return "episodes";
    case TrainingUnit::steps:
      return "steps";
    case TrainingUnit::frames:
      return "frames";
  }
  CLADE_CHECK(false);
  return "";
}

std::uint64_t trained_by(const GenerationRecord& generation, TrainingUnit unit) {
  switch (unit) {
    case TrainingUnit::episodes:
      return generation.total_episodes;
    case TrainingUnit::steps:
      return generation.total_steps;
    case TrainingUnit::frames:
      return generation.total_frames;
  }
  CLADE_CHECK(false);
  return 0;
}

/// `value` on the curve's polygon; `trained` lies within it.
double interpolated(const std::vector<CurvePoint>& curve, double trained) {
  const auto after =
      std::ranges::find_if(curve, [trained](const CurvePoint& point) { return point.trained >= trained; });
  CLADE_CHECK(after != curve.end());
  if (after->trained == trained || after == curve.begin()) return after->mean_return;
  const CurvePoint& before = *(after - 1);
  const double share = (trained - before.trained) / (after->trained - before.trained);
  return before.mean_return + share * (after->mean_return - before.mean_return);
}

std::string draw_axes(const Plane& plane, const Ticks& horizontal, const Ticks& vertical, const std::string& x_title,
                      const std::string& y_title) {
  std::string svg;
  for (double multiple = vertical.first; multiple <= vertical.last; ++multiple) {
    const double y = plane.y.at(vertical.value(multiple));
    svg += line_between(kLeft, y, kRight, y, " stroke=\"" + std::string(kInk) + "\" stroke-opacity=\"0.25\"");
    svg += text_at(kLeft - 10.0, y + 4.5, " text-anchor=\"end\"", tick_text(vertical.value(multiple)));
  }
  for (double multiple = horizontal.first; multiple <= horizontal.last; ++multiple) {
    const double x = plane.x.at(horizontal.value(multiple));
    svg += line_between(x, kBottom, x, kBottom + 5.0, " stroke=\"" + std::string(kInk) + "\"");
    svg += text_at(x, kBottom + 21.0, " text-anchor=\"middle\"", tick_text(horizontal.value(multiple)));
  }
  svg += line_between(kLeft, kBottom, kRight, kBottom, " stroke=\"" + std::string(kInk) + "\"");
  svg += text_at((kLeft + kRight) / 2.0, kBottom + 46.0, " text-anchor=\"middle\"", x_title);
  const double middle = (kTop + kBottom) / 2.0;
  svg += text_at(20.0, middle, " text-anchor=\"middle\" transform=\"rotate(-90 20 " + place(middle) + ")\"", y_title);
  return svg;
}

std::string draw_curves(const Plane& plane, std::span<const std::vector<CurvePoint>> curves) {
  const bool several = curves.size() > 1;
  std::string svg;
  const std::vector<CurveSpread> spread = several ? spread_of_curves(curves) : std::vector<CurveSpread>{};
  if (!spread.empty()) {
    std::string outline;
    for (const CurveSpread& point : spread) outline += plane.point(point.trained, point.highest) + ' ';
    for (auto point = spread.rbegin(); point != spread.rend(); ++point) {
      outline += plane.point(point->trained, point->lowest) + ' ';
    }
    outline.pop_back();
    svg += "<polygon points=\"" + outline + "\" fill=\"" + kCurve + "\" fill-opacity=\"0.16\"/>\n";
  }
  for (const std::vector<CurvePoint>& curve : curves) {
    std::string points;
    for (const CurvePoint& point : curve) points += plane.point(point.trained, point.mean_return) + ' ';
    points.pop_back();
    svg += polyline(points, several ? " stroke-width=\"1\" stroke-opacity=\"0.5\"" : " stroke-width=\"2.25\"");
    if (several) {
      svg += dot(plane, curve.back(), "2.5");
    } else {
      for (const CurvePoint& point : curve) svg += dot(plane, point, "3");
    }
  }
  if (!spread.empty()) {
    std::string points;
    for (const CurveSpread& point : spread) points += plane.point(point.trained, point.mean) + ' ';
    points.pop_back();
    svg += polyline(points, " stroke-width=\"2.75\"");
  }
  return svg;
}

/// A sample of each line and what it is, beside the title, right-aligned.
std::string draw_legend(std::size_t runs, bool has_mean) {
  if (runs < 2) return {};
  const double y = kTitleLine;
  std::string svg;
  const auto sample = [&](double x, std::string_view attributes, std::string_view text) {
    svg += line_between(x, y - 4.0, x + 22.0, y - 4.0,
                        " stroke=\"" + std::string(kCurve) + "\"" + std::string(attributes));
    svg += text_at(x + 28.0, y, "", text);
  };
  if (has_mean) {
    sample(kRight - 346.0, " stroke-width=\"2.75\"", "mean of " + std::to_string(runs) + " runs");
    sample(kRight - 200.0, " stroke-width=\"9\" stroke-opacity=\"0.2\"", "range");
  }
  sample(kRight - 108.0, " stroke-width=\"1\" stroke-opacity=\"0.6\"", "single runs");
  return svg;
}

}  // namespace

std::vector<CurvePoint> learning_curve(const RunRecord& record, TrainingUnit unit) {
  std::vector<CurvePoint> points;
  for (const GenerationRecord& generation : record.generations) {
    const ReturnSummary evaluation = summarize(validated_returns(generation));
    if (evaluation.count == 0) continue;
    points.push_back({static_cast<double>(trained_by(generation, unit)), evaluation.mean});
  }
  return points;
}

std::vector<CurveSpread> spread_of_curves(std::span<const std::vector<CurvePoint>> curves) {
  double begin = -std::numeric_limits<double>::infinity();
  double end = std::numeric_limits<double>::infinity();
  std::vector<double> places;
  for (const std::vector<CurvePoint>& curve : curves) {
    CLADE_CHECK(!curve.empty());
    begin = std::max(begin, curve.front().trained);
    end = std::min(end, curve.back().trained);
    for (const CurvePoint& point : curve) places.push_back(point.trained);
  }
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());

  std::vector<CurveSpread> spread;
  for (const double trained : places) {
    if (trained < begin || trained > end) continue;
    CurveSpread point{trained, 0.0, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const std::vector<CurvePoint>& curve : curves) {
      const double value = interpolated(curve, trained);
      point.mean += value / static_cast<double>(curves.size());
      point.lowest = std::min(point.lowest, value);
      point.highest = std::max(point.highest, value);
    }
    spread.push_back(point);
  }
  return spread;
}

bool same_run(const RunRecord& a, const RunRecord& b) {
  return a.program == b.program && comparable(a) == comparable(b) && configured(a, "seed") == configured(b, "seed");
}

std::optional<std::uint64_t> episodes_to_return(const RunRecord& record, double target) {
  for (const GenerationRecord& generation : record.generations) {
    const ReturnSummary evaluation = summarize(validated_returns(generation));
    if (evaluation.count > 0 && evaluation.failed == 0 && evaluation.mean >= target) return generation.total_episodes;
  }
  return std::nullopt;
}

std::string learning_curve_svg(std::span<const RunRecord> runs, const PlotSettings& settings) {
  CLADE_CHECK(!runs.empty());
  const TrainingUnit unit = settings.unit;
  const std::optional<double> target = settings.target ? settings.target : common_target(runs);
  double trained = 0.0;
  double low = target.value_or(std::numeric_limits<double>::infinity());
  double high = target.value_or(-std::numeric_limits<double>::infinity());
  std::vector<std::vector<CurvePoint>> curves;
  for (const RunRecord& run : runs) {
    require_same_task(runs.front(), run);
    curves.push_back(learning_curve(run, unit));
    if (curves.back().empty()) {
      throw_input_error("the run with seed " + configured(run, "seed").value_or("none") +
                        " has no evaluation to plot; --evaluate-every of its program plays some");
    }
    for (const CurvePoint& point : curves.back()) {
      trained = std::max(trained, point.trained);
      low = std::min(low, point.mean_return);
      high = std::max(high, point.mean_return);
    }
  }
  // Returns of one sign are shown from 0 where that costs little room.
  if (low > 0.0 && low < 0.5 * high) low = 0.0;
  if (high < 0.0 && high > 0.5 * low) high = 0.0;
  if (low == high) high = low + std::max(1.0, std::abs(low));

  const bool millions = unit != TrainingUnit::episodes && trained >= kManySteps;
  if (millions) {
    for (std::vector<CurvePoint>& curve : curves) {
      for (CurvePoint& point : curve) point.trained /= kMillion;
    }
    trained /= kMillion;
  }
  if (trained == 0.0) trained = 1.0;
  const Ticks horizontal = ticks_between(0.0, trained, false);
  const Ticks vertical = ticks_between(low, high, true);
  const Plane plane{{0.0, trained, kLeft, kRight},
                    {vertical.value(vertical.first), vertical.value(vertical.last), kBottom, kTop}};

  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + place(kWidth) + "\" height=\"" + place(kHeight) +
      "\" viewBox=\"0 0 " + place(kWidth) + " " + place(kHeight) +
      "\" font-family=\"system-ui, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif\" font-size=\"13\"" + " fill=\"" +
      kInk + "\" role=\"img\">\n";
  svg +=
      "<title>" + escaped(task_text(runs.front()) + ": " + evaluation_text(runs) + " against training") + "</title>\n";
  svg += text_at(kLeft, kTitleLine, " font-size=\"17\" font-weight=\"600\"", task_text(runs.front()));
  svg += text_at(kLeft, kSubtitleLine, "", subtitle_of(runs));
  const std::string unit_text = std::string("training ") + name_of(unit) + (millions ? " (millions)" : "");
  svg += draw_axes(plane, horizontal, vertical, unit_text, evaluation_text(runs));
  if (target) {
    const double y = plane.y.at(*target);
    svg += line_between(kLeft, y, kRight, y,
                        " stroke=\"" + std::string(kTarget) + "\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\"");
    const double text_y = y > kTop + 20.0 ? y - 7.0 : y + 17.0;
    svg +=
        text_at(kLeft + 8.0, text_y, " fill=\"" + std::string(kTarget) + "\"", "target return " + tick_text(*target));
  }
  svg += draw_curves(plane, curves);
  svg += draw_legend(runs.size(), curves.size() > 1 && !spread_of_curves(curves).empty());
  return svg + "</svg>\n";
}

}  // namespace clade
