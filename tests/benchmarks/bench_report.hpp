#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace clade::bench {

/// What a reader needs beside a value: name and text (a number as its digits).
using Details = std::vector<std::pair<std::string, std::string>>;

/// Prints measured values: a line for people, or with `json` one object a line,
/// {"name": "environment", "value": 38123.4, "unit": "steps/s", "threads": 2}. A unit "" is a pure number. People see
/// details that several values share once.
class Report {
 public:
  Report(std::ostream& out, bool json) : out_(out), json_(json) {}
  void value(const std::string& name, double value, const std::string& unit, const Details& details = {});

 private:
  std::ostream& out_;
  bool json_;
  Details shown_;
};

/// "1.23G", "38.1k", "0.974".
std::string scaled_text(double value);

/// Seconds of wall time since some fixed point.
double now();

double median(std::vector<double> values);

/// Does a piece of work and returns how many units (steps, numbers) it was.
using Work = std::function<double()>;

/// Units a second of `work`, repeated for about `seconds` after one run that warms up.
double rate(double seconds, const Work& work);

/// Each work's rate, in turn, repeated for about `seconds` altogether (at least three rounds) after one round that
/// warms up: a machine whose speed drifts favours none of them.
class Alternation {
 public:
  Alternation(double seconds, const std::vector<Work>& works);
  std::size_t rounds() const { return rates_.size(); }
  /// Median rate of a work.
  double rate(std::size_t work) const;
  /// Median over the rounds of rate a / rate b.
  double ratio(std::size_t a, std::size_t b) const;

 private:
  std::vector<std::vector<double>> rates_;  // [rounds][works]
};

}  // namespace clade::bench
