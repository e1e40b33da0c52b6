#include "core/progress.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <exception>
#include <ostream>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/terminal.hpp"

namespace clade {
namespace {

constexpr double kSecondsBetweenDrawings = 0.1;
constexpr double kShortestLineInterval = 1.0;
constexpr double kLongestLineInterval = 10.0;
/// Between the two, lines come after each further tenth of the time: a log of any length stays readable.
constexpr double kLineIntervalShare = 0.1;

std::string decimal_text(double value, std::chars_format format, int precision) {
  std::array<char, 400> buffer{};  // a double has at most 309 digits before its point
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision);
  CLADE_CHECK(error == std::errc{});
  return std::string(buffer.data(), end);
}

std::string two_digits(std::uint64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); }

std::string percent_text(double share) {
  return std::to_string(std::lround(std::clamp(100.0 * share, 0.0, 1000.0))) + "%";
}

struct Piece {
  int rank;  ///< 0 stays longest
  std::string text;
};

std::vector<Piece> pieces_of(const ProgressFields& fields) {
  std::vector<Piece> pieces;
  const auto add = [&](int rank, std::string text) { pieces.push_back({rank, std::move(text)}); };
  add(0, "generation " + format_count(fields.generation));
  if (fields.best_return) add(2, "best " + format_return(*fields.best_return));
  if (fields.mean_return) add(1, "mean " + format_return(*fields.mean_return));
  if (fields.median_return) add(9, "median " + format_return(*fields.median_return));
  if (fields.evaluation_mean) {
    std::string text = (fields.validates ? "elite " : "evaluation ") + format_return(*fields.evaluation_mean);
    if (fields.evaluation_error) text += " +- " + format_return(*fields.evaluation_error);
    add(6, text);
  }
  add(7, format_count(fields.episodes) + (fields.episodes == 1 ? " episode" : " episodes"));
  add(13, format_count(fields.steps) + (fields.steps == 1 ? " step" : " steps"));
  if (fields.frames) add(11, format_count(*fields.frames) + " frames");
  if (fields.frames_per_second) {
    add(4, format_rate(*fields.frames_per_second) + " frames/s");
    add(14, format_rate(fields.steps_per_second) + " steps/s");
  } else {
    add(4, format_rate(fields.steps_per_second) + " steps/s");
  }
  // The limit of environment and network together says more than that of the environment alone.
  if (fields.limit_share) {
    add(8, percent_text(*fields.limit_share) + " of R*");
  } else if (fields.environment_share) {
    add(8, percent_text(*fields.environment_share) + " of environment-only");
  }
  if (fields.failed_episodes > 0) add(5, format_count(fields.failed_episodes) + " failed");
  add(10, format_duration(fields.seconds_elapsed) + " elapsed");
  if (fields.seconds_left) add(3, format_duration(*fields.seconds_left) + " left");
  return pieces;
}

std::string joined(const std::vector<Piece>& pieces) {
  std::string line;
  for (const Piece& piece : pieces) line += (line.empty() ? "" : "  ") + piece.text;
  return line;
}

ProgressSettings settings_for(const std::ostream& out, bool quiet) {
  ProgressSettings settings;
  const std::optional<std::size_t> columns = terminal_columns(out);
  settings.terminal = columns.has_value();
  settings.quiet = quiet;
  settings.columns = [&out, fallback = columns.value_or(80)] { return terminal_columns(out).value_or(fallback); };
  settings.seconds = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  return settings;
}

}  // namespace

std::optional<double> estimate_seconds_left(double seconds, std::span<const BudgetUse> budgets) {
  std::optional<double> least;
  for (const BudgetUse& budget : budgets) {
    const double used = budget.now - budget.at_start;
    const double rest = std::max(0.0, budget.limit - budget.now);
    if (rest > 0.0 && !(used > 0.0 && seconds > 0.0)) continue;
    const double left = rest > 0.0 ? rest * seconds / used : 0.0;
    if (!least || left < *least) least = left;
  }
  return least;
}

std::string format_count(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string format_return(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0.0) return "0.0";
  constexpr double kSmallestFixed = 1e-4;
  constexpr double kLargestFixed = 1e9;
  constexpr int kDigits = 4;
  const double magnitude = std::fabs(value);
  if (magnitude < kSmallestFixed || magnitude >= kLargestFixed) {
    std::string text = decimal_text(value, std::chars_format::scientific, kDigits - 1);
    if (const std::size_t exponent = text.find('e'); text[exponent + 2] == '0') text.erase(exponent + 2, 1);
    return text;
  }
  const int order = static_cast<int>(std::floor(std::log10(magnitude)));
  return decimal_text(value, std::chars_format::fixed, std::max(1, kDigits - 1 - order));
}

std::string format_rate(double per_second) {
  if (!(per_second > 0.0)) return "0";
  constexpr double kWholeFrom = 99.95;  // what would round to 100.0
  if (per_second < kWholeFrom) return decimal_text(per_second, std::chars_format::fixed, 1);
  constexpr double kLargestCount = 1e18;
  return format_count(static_cast<std::uint64_t>(std::llround(std::min(per_second, kLargestCount))));
}

std::string format_duration(double seconds) {
  constexpr double kLongest = 1e12;
  const auto whole = static_cast<std::uint64_t>(seconds > 0.0 ? std::llround(std::min(seconds, kLongest)) : 0);
  const std::uint64_t minutes = whole / 60;
  const std::uint64_t hours = minutes / 60;
  if (minutes == 0) return std::to_string(whole) + " s";
  if (hours == 0) return std::to_string(minutes) + ":" + two_digits(whole % 60);
  if (hours < 24) return std::to_string(hours) + ":" + two_digits(minutes % 60) + ":" + two_digits(whole % 60);
  return std::to_string(hours / 24) + " d " + std::to_string(hours % 24) + " h";
}

std::string format_progress(const ProgressFields& fields, std::size_t width) {
  std::vector<Piece> pieces = pieces_of(fields);
  std::string line = joined(pieces);
  while (width > 0 && line.size() > width && pieces.size() > 1) {
    pieces.erase(
        std::max_element(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.rank < b.rank; }));
    line = joined(pieces);
  }
  if (width > 0 && line.size() > width) line.resize(width);
  return line;
}

ProgressReporter::ProgressReporter(std::ostream& out, ProgressSettings settings)
    : out_(out), settings_(std::move(settings)) {
  CLADE_CHECK(settings_.seconds != nullptr && settings_.columns != nullptr);
  started_ = settings_.seconds();
}

ProgressReporter::ProgressReporter(std::ostream& out, bool quiet) : ProgressReporter(out, settings_for(out, quiet)) {}

ProgressReporter::~ProgressReporter() {
  try {
    finish();
  } catch (const std::exception&) {
    // A destructor has nobody to tell.
  }
}

void ProgressReporter::update(const ProgressFields& fields) {
  if (settings_.quiet) return;
  fields_ = fields;
  shown_ = false;
  const double now = settings_.seconds();
  const double interval = settings_.terminal ? kSecondsBetweenDrawings
                                             : std::clamp(kLineIntervalShare * (now - started_), kShortestLineInterval,
                                                          kLongestLineInterval);
  if (!last_shown_ || now - *last_shown_ >= interval) show(now);
}

void ProgressReporter::show(double now) {
  last_shown_ = now;
  shown_ = true;
  if (!settings_.terminal) {
    out_ << format_progress(*fields_) << std::endl;
    return;
  }
  // The last column stays free: many terminals wrap once it is written.
  const std::size_t columns = std::max<std::size_t>(2, settings_.columns());
  const std::string line = format_progress(*fields_, columns - 1);
  const std::size_t covered = std::min(live_columns_, columns - 1);
  out_ << '\r' << line << std::string(covered > line.size() ? covered - line.size() : 0, ' ') << std::flush;
  live_columns_ = line.size();
}

void ProgressReporter::erase_live_line() {
  if (live_columns_ == 0) return;
  out_ << '\r' << std::string(live_columns_, ' ') << '\r';
  live_columns_ = 0;
}

void ProgressReporter::message(const std::string& text) {
  const bool was_live = live_columns_ > 0;
  erase_live_line();
  out_ << text << std::endl;
  if (was_live) show(settings_.seconds());
}

void ProgressReporter::finish() {
  if (fields_ && !shown_) show(settings_.seconds());
  if (live_columns_ > 0) out_ << std::endl;
  live_columns_ = 0;
}

}  // namespace clade
