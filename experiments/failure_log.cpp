#include "experiments/failure_log.hpp"

namespace clade {

void FailureLog::add(const EvaluationResults& results, const std::string& where) {
  if (results.failures.empty()) return;
  const EpisodeFailure& failure = results.failures.front();
  if (first_.empty()) {
    first_ = where + "generation " + std::to_string(failure.identity.generation) + ", member " +
             std::to_string(failure.identity.member) + ", episode " + std::to_string(failure.identity.episode) +
             ", step " + std::to_string(failure.step) + ": " + failure.reason;
  }
  count_ += results.failures.size();
}

}  // namespace clade
