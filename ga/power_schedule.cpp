#include "ga/power_schedule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/number_text.hpp"

namespace clade {
namespace {

constexpr std::string_view kLinear = "linear";
constexpr std::string_view kExponential = "exponential";

/// ratio^share for share in [0, 1], by square roots, which are exactly rounded everywhere: libm's pow is not.
double fractional_power(double ratio, double share) {
  double result = 1.0;
  double root = ratio;
  double left = share;
  for (int bit = 0; bit < 54 && left > 0.0; ++bit) {
    if (left >= 1.0) {
      result *= root;
      left -= 1.0;
    }
    root = std::sqrt(root);
    left *= 2.0;
  }
  return result;
}

void require_power(double power) {
  const bool usable = std::isfinite(power) && power >= static_cast<double>(std::numeric_limits<float>::min()) &&
                      power <= static_cast<double>(std::numeric_limits<float>::max());
  if (!usable) {
    throw_input_error("mutation power " + number_text(power) +
                      " must be a finite number above 0 (in single precision, from 1.2e-38 to 3.4e38)");
  }
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != separator) continue;
    parts.emplace_back(text.substr(start, i - start));
    start = i + 1;
  }
  return parts;
}

}  // namespace

double PowerSchedule::at(std::uint64_t generation) const {
  if (kind == Kind::constant) return first;
  if (generation >= generations) return last;
  const double share = static_cast<double>(generation) / static_cast<double>(generations);
  if (kind == Kind::linear) return first + (last - first) * share;
  return first * fractional_power(last / first, share);
}

std::string PowerSchedule::description() const {
  if (kind == Kind::constant) return number_text(first);
  return std::string(kind == Kind::linear ? kLinear : kExponential) + ":" + number_text(first) + "," +
         number_text(last) + "," + std::to_string(generations);
}

void PowerSchedule::validate() const {
  require_power(first);
  if (kind == Kind::constant) return;
  require_power(last);
  if (generations == 0) {
    throw_input_error("mutation power '" + description() + "': the number of generations must be at least 1");
  }
}

PowerSchedule parse_power_schedule(const std::string& text) {
  PowerSchedule schedule;
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    double power = 0.0;
    if (read_number(text, power) != NumberProblem::none) {
      throw_input_error("mutation power '" + text +
                        "' is no number and no schedule such as linear:0.01,0.001,200 or exponential:0.01,0.001,200");
    }
    schedule.first = power;
    schedule.last = power;
    schedule.validate();
    return schedule;
  }
  const std::string kind = text.substr(0, colon);
  if (kind != kLinear && kind != kExponential) {
    const std::vector<std::string> kinds{std::string(kLinear), std::string(kExponential)};
    throw_unknown_name("schedule of the mutation power", kind, kinds);
  }
  schedule.kind = kind == kLinear ? PowerSchedule::Kind::linear : PowerSchedule::Kind::exponential;
  const std::vector<std::string> parts = split(std::string_view(text).substr(colon + 1), ',');
  if (parts.size() != 3 || read_number(parts[2], schedule.generations) != NumberProblem::none) {
    throw_input_error("mutation power '" + text + "' must be " + kind +
                      ":FIRST,LAST,GENERATIONS, two powers and a whole number");
  }
  schedule.first = parse_real(parts[0], "first mutation power");
  schedule.last = parse_real(parts[1], "last mutation power");
  schedule.validate();
  return schedule;
}

}  // namespace clade
