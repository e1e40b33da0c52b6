#pragma once

#include <cstdint>
#include <string>

#include "core/episode_scheduler.hpp"

namespace clade {

/// The failed episodes of a session: how many, and the first one's words.
class FailureLog {
 public:
  /// `where` stands before the generation: "", "validation in ", "evaluation after ".
  void add(const EvaluationResults& results, const std::string& where);
  std::uint64_t count() const { return count_; }
  /// "generation 3, member 5, episode 0, step 17: the reward is nan"; empty where none failed.
  const std::string& first() const { return first_; }

 private:
  std::uint64_t count_ = 0;
  std::string first_;
};

}  // namespace clade
