#include "core/error.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace clade {
namespace {

/// Beyond this many candidates a message does not list them.
constexpr std::size_t kListedCandidates = 12;

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

/// Insertions, deletions, substitutions and exchanges of neighbours ("sgima") cost 1 each (optimal string alignment).
std::size_t edit_distance(std::string_view first, std::string_view second) {
  std::vector<std::size_t> before_last(second.size() + 1);
  std::vector<std::size_t> last(second.size() + 1);
  std::vector<std::size_t> row(second.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= first.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= second.size(); ++j) {
      const std::size_t substituted = last[j - 1] + (first[i - 1] == second[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substituted});
      const bool exchanged = i > 1 && j > 1 && first[i - 1] == second[j - 2] && first[i - 2] == second[j - 1];
      if (exchanged) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

void throw_input_error(const std::string& message) { throw Error(ErrorKind::input, message); }

void throw_run_time_error(const std::string& message) { throw Error(ErrorKind::run_time, message); }

std::string_view nearest_name(std::string_view name, std::span<const std::string> candidates) {
  const std::string wanted = lower_case(name);
  if (wanted.empty()) return {};
  // A third of the letters may be wrong; a beginning that is right needs no more ("Hopper" for "Hopper-v4").
  const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3);
  std::string_view nearest;
  std::size_t nearest_distance = 0;
  for (const std::string& candidate : candidates) {
    const std::string offered = lower_case(candidate);
    const std::size_t distance = edit_distance(wanted, offered);
    const bool near = distance <= limit || (wanted.size() >= 3 && offered.starts_with(wanted));
    if (near && (nearest.empty() || distance < nearest_distance)) {
      nearest = candidate;
      nearest_distance = distance;
    }
  }
  return nearest;
}

void throw_unknown_name(std::string_view what, std::string_view name, std::span<const std::string> candidates) {
  std::string message = "unknown " + std::string(what) + " '" + std::string(name) + "'";
  if (const std::string_view nearest = nearest_name(name, candidates); !nearest.empty()) {
    message += "; did you mean '" + std::string(nearest) + "'?";
  } else if (!candidates.empty() && candidates.size() <= kListedCandidates) {
    message += "; valid: ";
    for (std::size_t i = 0; i < candidates.size(); ++i) message += (i == 0 ? "" : ", ") + candidates[i];
  }
  throw_input_error(message);
}

namespace detail {

void check_failed(const char* expression, const char* file, int line) {
  throw std::logic_error("internal check failed: " + std::string(expression) + " at " + file + ":" +
                         std::to_string(line) + "; please report this");
}

}  // namespace detail
}  // namespace clade
