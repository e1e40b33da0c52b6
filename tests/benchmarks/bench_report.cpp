#include "tests/benchmarks/bench_report.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>

#include "core/error.hpp"
#include "core/number_text.hpp"

namespace clade::bench {
namespace {

constexpr std::size_t kFewestRounds = 3;

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char character : text) {
    if (character == '"' || character == '\\') result += '\\';
    result += static_cast<unsigned char>(character) < 0x20 ? ' ' : character;
  }
  return result + '"';
}

/// A text that is a finite number goes into JSON as one.
bool is_number(const std::string& text) {
  if (text.find_first_not_of("0123456789.e+-") != std::string::npos || text.empty()) return false;
  try {
    parse_real(text, "value");
    return true;
  } catch (const Error&) {
    return false;
  }
}

double timed_rate(const Work& work) {
  const double start = now();
  const double units = work();
  return units / (now() - start);
}

}  // namespace

std::string scaled_text(double value) {
  struct Scale {
    double factor;
    const char* letter;
  };
  constexpr std::array<Scale, 3> kScales{{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
  std::array<char, 32> text{};
  for (const Scale& scale : kScales) {
    if (value < scale.factor) continue;
    std::snprintf(text.data(), text.size(), "%.4g%s", value / scale.factor, scale.letter);
    return text.data();
  }
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

void Report::value(const std::string& name, double value, const std::string& unit, const Details& details) {
  if (json_) {
    out_ << "{\"name\": " << quoted(name) << ", \"value\": " << number_text(value) << ", \"unit\": " << quoted(unit);
    for (const auto& [key, text] : details)
      out_ << ", " << quoted(key) << ": " << (is_number(text) ? text : quoted(text));
    out_ << "}" << std::endl;
    return;
  }
  out_ << name << ": " << scaled_text(value) << (unit.empty() ? "" : " ") << unit;
  if (details != shown_ && !details.empty()) {
    const char* separator = "  (";
    for (const auto& [key, text] : details) {
      out_ << separator << key << " " << text;
      separator = ", ";
    }
    out_ << ")";
  }
  shown_ = details;
  out_ << std::endl;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median(std::vector<double> values) {
  CLADE_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

double rate(double seconds, const Work& work) {
  work();
  double units = 0.0;
  const double start = now();
  double elapsed = 0.0;
  do {
    units += work();
    elapsed = now() - start;
  } while (elapsed < seconds);
  return units / elapsed;
}

Alternation::Alternation(double seconds, const std::vector<Work>& works) {
  for (const Work& work : works) work();
  const double start = now();
  while (rates_.size() < kFewestRounds || now() - start < seconds) {
    std::vector<double> round;
    for (const Work& work : works) round.push_back(timed_rate(work));
    rates_.push_back(std::move(round));
  }
}

double Alternation::rate(std::size_t work) const {
  std::vector<double> values;
  for (const std::vector<double>& round : rates_) values.push_back(round.at(work));
  return median(std::move(values));
}

double Alternation::ratio(std::size_t a, std::size_t b) const {
  std::vector<double> values;
  for (const std::vector<double>& round : rates_) values.push_back(round.at(a) / round.at(b));
  return median(std::move(values));
}

}  // namespace clade::bench
