#include "core/run_record_checks.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace clade {
namespace {

std::string text_of(const Individual& individual) {
  return std::to_string(individual.generation) + ":" + std::to_string(individual.member);
}

/// Checks one generation; its messages begin with its number.
class GenerationCheck {
 public:
  GenerationCheck(const RunRecord& record, const GenerationRecord& generation)
      : record_(record), generation_(generation) {}

  void run() const {
    const GenerationRecord& g = generation_;
    const std::size_t episodes = g.members.size() * g.episodes_per_member;
    size("returns", g.returns.size(), episodes);
    size("steps", g.steps.size(), episodes);
    size("frames", g.frames.size(), episodes);
    size("status entries", g.status.size(), episodes);
    statuses(g.status);
    size("evaluation steps", g.evaluation_steps.size(), g.evaluation_returns.size());
    size("evaluation frames", g.evaluation_frames.size(), g.evaluation_returns.size());
    size("normaliser scales", g.normalizer.inverse_std.size(), g.normalizer.mean.size());
    for (std::size_t i = 0; i < g.members.size(); ++i) member(i, g.members[i]);
    for (const Individual& ancestor : g.ancestors) {
      if (ancestor.generation >= g.generation)
        refuse("ancestor " + text_of(ancestor) + " is not older than its children");
      existing("ancestor", ancestor);
    }
    validation(g.validation);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw_input_error("generation " + std::to_string(generation_.generation) + ": " + what);
  }

  void size(const std::string& what, std::size_t actual, std::size_t expected) const {
    if (actual != expected) refuse(std::to_string(actual) + " " + what + ", expected " + std::to_string(expected));
  }

  void statuses(const std::vector<std::uint8_t>& values) const {
    constexpr auto kLast = static_cast<std::uint8_t>(EpisodeStatus::failed);
    const auto unknown = std::ranges::find_if(values, [](std::uint8_t value) { return value > kLast; });
    if (unknown != values.end()) refuse("unknown episode status " + std::to_string(*unknown));
  }

  void member(std::size_t number, const Member& member) const {
    const std::string name = "member " + std::to_string(number) + " has the unknown ";
    if (member.form > PerturbationForm::initial) {
      refuse(name + "form " + std::to_string(static_cast<unsigned>(member.form)));
    }
    if (member.crossover > Crossover::one_point) {
      refuse(name + "crossover " + std::to_string(static_cast<unsigned>(member.crossover)));
    }
    // Bases that are no individuals (an ES's solution) have no names to check against.
    if (generation_.ancestors.empty()) return;
    if (member.form != PerturbationForm::initial) base(number, "base", member.base);
    if (member.crossover != Crossover::none) base(number, "mate", member.mate);
  }

  void base(std::size_t member, const std::string& what, std::uint32_t index) const {
    const std::size_t ancestors = generation_.ancestors.size();
    if (index < ancestors) return;
    refuse("member " + std::to_string(member) + " has " + what + " " + std::to_string(index) + ", but there are " +
           std::to_string(ancestors) + " ancestors, counted from 0");
  }

  /// A generation that the record does not hold cannot be asked.
  void existing(const std::string& what, const Individual& individual) const {
    if (individual.generation >= record_.generations.size()) return;
    const GenerationRecord& born = record_.generations[individual.generation];
    if (born.generation != individual.generation || individual.member < born.members.size()) return;
    refuse(what + " " + text_of(individual) + " does not exist: that generation has " +
           std::to_string(born.members.size()) + " members");
  }

  void validation(const Validation& validation) const {
    const std::size_t episodes = validation.candidates.size() * validation.episodes_per_candidate;
    size("validation returns", validation.returns.size(), episodes);
    size("validation steps", validation.steps.size(), episodes);
    size("validation frames", validation.frames.size(), episodes);
    size("validation status entries", validation.status.size(), episodes);
    statuses(validation.status);
    const auto known = [this](const std::string& what, const std::vector<Individual>& individuals) {
      for (const Individual& individual : individuals) {
        if (individual.generation > generation_.generation)
          refuse(what + " " + text_of(individual) + " is not born yet");
        existing(what, individual);
      }
    };
    known("candidate", validation.candidates);
    known("elite", validation.elites);
  }

  const RunRecord& record_;
  const GenerationRecord& generation_;
};

}  // namespace

void check_run_record(const RunRecord& record) {
  for (const GenerationRecord& generation : record.generations) GenerationCheck(record, generation).run();
  if (record.final_steps.size() != record.final_returns.size() ||
      record.final_frames.size() != record.final_returns.size()) {
    throw_input_error("final test: " + std::to_string(record.final_returns.size()) + " returns, but " +
                      std::to_string(record.final_steps.size()) + " steps and " +
                      std::to_string(record.final_frames.size()) + " frames");
  }
}

}  // namespace clade
