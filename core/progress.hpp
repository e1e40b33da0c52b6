#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>

namespace clade {

/// What a progress line shows. Returns are of the generation shown, counts are totals of the run.
struct ProgressFields {
  std::uint64_t generation = 0;
  std::optional<double> best_return{};
  std::optional<double> mean_return{};
  std::optional<double> median_return{};
  std::optional<double> evaluation_mean{};   ///< of the solution's latest evaluation (or validation) episodes
  std::optional<double> evaluation_error{};  ///< standard error of that mean
  bool validates = false;                    ///< those are validation episodes, and the solution is an elite
  std::uint64_t episodes = 0;
  std::uint64_t steps = 0;
  std::optional<std::uint64_t> frames{};  ///< where they are not the steps
  double steps_per_second = 0.0;
  std::optional<double> frames_per_second{};
  std::optional<double> environment_share{};  ///< of the environment-only rate, 0 to 1
  std::optional<double> limit_share{};        ///< of R*, what environment and network allow together
  std::uint64_t failed_episodes = 0;
  double seconds_elapsed = 0.0;
  std::optional<double> seconds_left{};
};

/// One budget's state: episodes, steps or seconds, whatever it counts.
struct BudgetUse {
  double at_start = 0.0;  ///< used when this session started (a resumed run's earlier use)
  double now = 0.0;
  double limit = 0.0;
};

/// Seconds until the first budget is spent, each taken to go on at its mean rate of this session; empty without a
/// budget, or where nothing is known of the rate yet. `seconds` is how long the session has run.
std::optional<double> estimate_seconds_left(double seconds, std::span<const BudgetUse> budgets);

/// "1,234,567"
std::string format_count(std::uint64_t count);
/// Four significant digits or more, one decimal at least: "3430.1", "12.34", "0.1234", "-1.000e-7", "nan".
std::string format_return(double value);
/// Per second: "18,234", "12.3" below 100.
std::string format_rate(double per_second);
/// "45 s", "12:10", "1:02:03", "2 d 3 h"
std::string format_duration(double seconds);

/// The fields in one line of at most `width` characters; where they do not fit, the less important are left out, first
/// the count of steps, last the mean return. Width 0 is no limit.
std::string format_progress(const ProgressFields& fields, std::size_t width = 0);

struct ProgressSettings {
  bool terminal = false;  ///< a line that is rewritten in place; otherwise plain lines
  bool quiet = false;     ///< no progress, messages only
  std::function<std::size_t()> columns = [] { return std::size_t{80}; };  ///< of the terminal, asked at each drawing
  std::function<double()> seconds{};                                      ///< a steady clock; required
};

/// Shows progress on one stream: on a terminal a live line, rewritten at most ten times a second; elsewhere plain
/// lines, at most one a second at first and one in ten seconds in the long run. No escape codes: the live line is
/// overwritten by "\r" and blanks. Called from one thread.
class ProgressReporter {
 public:
  ProgressReporter(std::ostream& out, ProgressSettings settings);
  /// A live line where `out` is std::cerr or std::cout and that is a terminal; the system's steady clock.
  ProgressReporter(std::ostream& out, bool quiet);
  ~ProgressReporter();  ///< as finish(); a failing stream is ignored
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;

  /// Keeps the fields and shows them when it is time.
  void update(const ProgressFields& fields);
  /// A line of its own, quiet or not; a live line is drawn anew beneath it.
  void message(const std::string& text);
  /// Shows the last fields if they were not shown and ends the live line. update() may follow.
  void finish();

 private:
  void show(double now);
  void erase_live_line();

  std::ostream& out_;
  ProgressSettings settings_;
  double started_ = 0.0;
  std::optional<double> last_shown_{};
  std::optional<ProgressFields> fields_{};
  bool shown_ = true;             ///< whether fields_ is on the screen or in the log
  std::size_t live_columns_ = 0;  ///< of the live line on the screen; 0 where there is none
};

}  // namespace clade
