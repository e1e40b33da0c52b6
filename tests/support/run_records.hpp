#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/random.hpp"
#include "core/run_record.hpp"

namespace clade::testing {

struct RecordShape {
  std::size_t generations = 3;
  std::size_t members = 4;
  std::uint32_t episodes_per_member = 2;
  std::size_t observation = 5;
  std::size_t parameters = 7;
  std::size_t keyframes = 2;
};

inline State random_state(RandomStream& rng, std::size_t parameters) {
  State state;
  std::vector<double> mean(parameters);
  std::vector<float> weights(parameters);
  for (double& value : mean) value = rng.normal();
  for (float& value : weights) value = static_cast<float>(rng.normal());
  state.set("strategy/mean", mean);
  state.set("strategy/optimizer/moments", mean);
  state.set("strategy/weights", weights);
  state.set("strategy/steps", std::vector<std::uint64_t>{rng.next_u64(), 0, std::numeric_limits<std::uint64_t>::max()});
  state.set("run/offsets", std::vector<std::int64_t>{-1, std::numeric_limits<std::int64_t>::min()});
  state.set("run/nothing", std::vector<double>{});
  state.set("run/note", std::string("two lines,\nan \xc3\xa4 and a snowman \xe2\x98\x83"));
  state.set("run/empty note", std::string());
  state.set("time/seconds", std::vector<double>{rng.uniform()});
  return state;
}

/// A record such as a run of that shape would leave; its numbers follow from `seed`.
inline RunRecord random_record(std::uint64_t seed, const RecordShape& shape = {}) {
  RandomStream rng(RandomKey{seed, Purpose::test, 0, 0, 0});
  RunRecord record;
  record.program = "clade-test";
  record.configuration = {{"env", "HalfCheetah-v4", ResultEffect::fixes_results},
                          {"env-option", "a=1", ResultEffect::fixes_results},
                          {"env-option", "b=2", ResultEffect::fixes_results},
                          {"seed", std::to_string(seed), ResultEffect::fixes_results},
                          {"generations", "10", ResultEffect::budget},
                          {"threads", "2", ResultEffect::none},
                          {"empty", "", ResultEffect::none}};
  record.provenance = {{"clade", "0.1.0"}, {"model sha256", "12ab\n34"}, {"nothing", ""}};
  record.sessions = {{0,
                      "clade-test --seed 1",
                      "2026-01-02T03:04:05Z",
                      {{"libm", "12"}, {"libc", "3"}},
                      {{"environment", 1e4}, {"inference", 2.5e3}},
                      false},
                     {2, "clade-test --resume 'a b.h5'", "2026-01-03T03:04:05Z", {}, {}, true}};
  record.status = "interrupted";
  record.state = random_state(rng, shape.parameters);
  record.next_generation = shape.generations;
  for (std::size_t g = 0; g < shape.generations; ++g) {
    GenerationRecord generation;
    generation.generation = g;
    generation.max_steps = 1000;
    generation.episodes_per_member = shape.episodes_per_member;
    for (std::size_t i = 0; i < shape.members; ++i) {
      Member member;
      member.form = g % 5 == 4 ? PerturbationForm::none : PerturbationForm::dense;
      member.pair = static_cast<std::uint32_t>(i / 2);
      member.key = pack({seed, Purpose::perturbation, g, i / 2, 0});
      member.scale = i % 2 == 0 ? 0.02F : -0.02F;
      generation.members.push_back(member);
    }
    for (std::size_t i = 0; i < shape.members * shape.episodes_per_member; ++i) {
      generation.returns.push_back(rng.normal() * 100.0);
      generation.steps.push_back(rng.below(1000));
      generation.frames.push_back(4 * generation.steps.back());
      generation.status.push_back(static_cast<std::uint8_t>(1 + rng.below(2)));
    }
    for (std::size_t i = 0; i < shape.observation; ++i) {
      generation.normalizer.mean.push_back(rng.normal());
      generation.normalizer.inverse_std.push_back(rng.uniform(0.5, 2.0));
    }
    generation.normalizer.clip = g % 2 == 0 ? 5.0 : std::numeric_limits<double>::infinity();
    if (g % 2 == 0) {
      generation.evaluation_returns = {rng.normal(), rng.normal()};
      generation.evaluation_steps = {rng.below(1000), rng.below(1000)};
      generation.evaluation_frames = {rng.below(4000), rng.below(4000)};
    }
    generation.total_episodes = (g + 1) * shape.members * shape.episodes_per_member;
    generation.total_steps = generation.total_episodes * 500;
    generation.total_frames = generation.total_episodes * 2000;
    generation.evaluate_seconds = rng.uniform();
    generation.update_seconds = rng.uniform();
    generation.environment_seconds = rng.uniform();
    generation.inference_seconds = rng.uniform();
    generation.limit_share = rng.uniform();
    generation.total_seconds = static_cast<double>(g + 1) * 1.5;
    record.generations.push_back(std::move(generation));
  }
  for (std::size_t k = 0; k < shape.keyframes; ++k)
    record.keyframes.push_back({k, random_state(rng, shape.parameters)});
  record.final_returns = {rng.normal(), rng.normal(), rng.normal()};
  record.final_steps = {1, 2, 3};
  record.final_frames = {4, 8, 12};
  return record;
}

/// Parents, elites and candidates of a genetic algorithm.
struct GeneticShape {
  std::size_t generations = 4;
  std::size_t members = 6;
  std::size_t parents = 3;
  std::uint32_t validation_episodes = 2;
  bool crossover = true;
};

/// A record such as a genetic algorithm would leave: initial members in generation 0, then children of the best by
/// return, every third of a second parent too; two candidates a generation, the first elite and the best member.
inline RunRecord genetic_record(std::uint64_t seed, const GeneticShape& shape = {}) {
  RandomStream rng(RandomKey{seed, Purpose::test, 1, 0, 0});
  RunRecord record;
  record.program = "clade-ga";
  record.configuration = {{"env", "Frostbite", ResultEffect::fixes_results},
                          {"seed", std::to_string(seed), ResultEffect::fixes_results}};
  record.sessions = {{.first_generation = 0,
                      .command_line = "clade-ga",
                      .started = "2026-01-02T03:04:05Z",
                      .platform = {},
                      .rates = {{"frames", 1e4}}}};
  record.next_generation = shape.generations;
  std::vector<Individual> parents;
  for (std::size_t g = 0; g < shape.generations; ++g) {
    GenerationRecord generation;
    generation.generation = g;
    generation.max_steps = 5000;
    generation.ancestors = parents;
    for (std::uint32_t i = 0; i < shape.members; ++i) {
      Member member;
      member.pair = i;
      member.form = g == 0 ? PerturbationForm::initial : PerturbationForm::dense;
      member.key = pack({seed, g == 0 ? Purpose::initialisation : Purpose::perturbation, g, i, 0});
      if (g > 0) {
        member.base = rng.below(static_cast<std::uint32_t>(parents.size()));
        member.scale = 0.002F;
        if (shape.crossover && i % 3 == 2) {
          member.mate = rng.below(static_cast<std::uint32_t>(parents.size()));
          member.crossover = i % 2 == 0 ? Crossover::uniform : Crossover::one_point;
          if (member.crossover == Crossover::uniform) {
            member.crossover_key = pack({seed, Purpose::crossover, g, i, 0});
          } else {
            member.crossover_point = std::uint64_t{1} << (32U + i);
          }
        }
      }
      generation.members.push_back(member);
      generation.returns.push_back(10.0 * rng.below(500));
      generation.steps.push_back(1 + rng.below(1000));
      generation.frames.push_back(4 * generation.steps.back() - rng.below(4));
      generation.status.push_back(1);
    }
    std::vector<Individual> best;
    for (std::uint32_t i = 0; i < shape.members; ++i) best.push_back({g, i});
    std::ranges::stable_sort(best, [&](const Individual& a, const Individual& b) {
      return generation.returns[a.member] > generation.returns[b.member];
    });
    Validation& validation = generation.validation;
    validation.episodes_per_candidate = shape.validation_episodes;
    if (!parents.empty()) validation.candidates.push_back(parents.front());
    validation.candidates.push_back(best.front());
    for (std::size_t i = 0; i < validation.candidates.size() * shape.validation_episodes; ++i) {
      validation.returns.push_back(10.0 * rng.below(500));
      validation.steps.push_back(1 + rng.below(1000));
      validation.frames.push_back(4 * validation.steps.back());
      validation.status.push_back(2);
    }
    validation.elites = {validation.candidates[rng.below(static_cast<std::uint32_t>(validation.candidates.size()))]};
    parents = validation.elites;
    for (const Individual& individual : best) {
      if (parents.size() < shape.parents && individual != parents.front()) parents.push_back(individual);
    }
    generation.total_episodes = (g + 1) * (shape.members + 2 * shape.validation_episodes);
    generation.total_steps = generation.total_episodes * 500;
    generation.total_frames = generation.total_episodes * 2000;
    generation.total_seconds = static_cast<double>(g + 1) * 1.5;
    record.generations.push_back(std::move(generation));
  }
  return record;
}

/// Whether two vectors are the same to the bit (which `==` is not for NaN and -0).
template <class Value>
bool identical(const std::vector<Value>& a, const std::vector<Value>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if constexpr (std::is_same_v<Value, double>) {
      if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
    } else if constexpr (std::is_same_v<Value, float>) {
      if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) return false;
    } else {
      if (a[i] != b[i]) return false;
    }
  }
  return true;
}

inline bool identical(const State& a, const State& b) {
  if (a.values().size() != b.values().size()) return false;
  for (const auto& [name, value] : a.values()) {
    const auto found = b.values().find(name);
    if (found == b.values().end() || found->second.index() != value.index()) return false;
    const bool same = std::visit(
        [&, &other = found->second](const auto& held) {
          using Held = std::remove_cvref_t<decltype(held)>;
          if constexpr (std::is_same_v<Held, std::string>) {
            return held == std::get<Held>(other);
          } else {
            return identical(held, std::get<Held>(other));
          }
        },
        value);
    if (!same) return false;
  }
  return true;
}

/// The name of the first part in which two records differ, empty where they are the same to the bit.
inline std::string first_difference(const RunRecord& a, const RunRecord& b) {
  if (a.program != b.program) return "program";
  if (a.configuration != b.configuration) return "configuration";
  if (a.provenance != b.provenance) return "provenance";
  if (a.status != b.status) return "status";
  if (a.next_generation != b.next_generation) return "next_generation";
  if (!identical(a.state, b.state)) return "state";
  if (a.sessions.size() != b.sessions.size()) return "sessions";
  for (std::size_t i = 0; i < a.sessions.size(); ++i) {
    const SessionRecord& x = a.sessions[i];
    const SessionRecord& y = b.sessions[i];
    if (x.first_generation != y.first_generation || x.command_line != y.command_line || x.started != y.started ||
        x.platform != y.platform || x.rates != y.rates || x.other_platform_allowed != y.other_platform_allowed) {
      return "session " + std::to_string(i);
    }
  }
  if (a.generations.size() != b.generations.size()) return "generations";
  for (std::size_t i = 0; i < a.generations.size(); ++i) {
    const GenerationRecord& x = a.generations[i];
    const GenerationRecord& y = b.generations[i];
    const std::string name = "generation " + std::to_string(i) + " ";
    if (x.generation != y.generation || x.max_steps != y.max_steps || x.episodes_per_member != y.episodes_per_member ||
        x.total_episodes != y.total_episodes || x.total_steps != y.total_steps || x.total_frames != y.total_frames) {
      return name + "numbers";
    }
    if (!identical(std::vector{x.evaluate_seconds, x.update_seconds, x.environment_seconds, x.inference_seconds,
                               x.limit_share, x.total_seconds},
                   std::vector{y.evaluate_seconds, y.update_seconds, y.environment_seconds, y.inference_seconds,
                               y.limit_share, y.total_seconds})) {
      return name + "times";
    }
    if (x.members.size() != y.members.size()) return name + "members";
    for (std::size_t m = 0; m < x.members.size(); ++m) {
      const Member& p = x.members[m];
      const Member& q = y.members[m];
      if (p.base != q.base || p.form != q.form || p.key != q.key || p.pair != q.pair ||
          std::bit_cast<std::uint32_t>(p.scale) != std::bit_cast<std::uint32_t>(q.scale) ||
          p.crossover != q.crossover || p.mate != q.mate || p.crossover_key != q.crossover_key ||
          p.crossover_point != q.crossover_point) {
        return name + "member " + std::to_string(m);
      }
    }
    if (!identical(x.returns, y.returns)) return name + "returns";
    if (!identical(x.steps, y.steps)) return name + "steps";
    if (!identical(x.frames, y.frames)) return name + "frames";
    if (!identical(x.status, y.status)) return name + "status";
    if (x.ancestors != y.ancestors) return name + "ancestors";
    const Validation& v = x.validation;
    const Validation& w = y.validation;
    if (v.episodes_per_candidate != w.episodes_per_candidate || v.candidates != w.candidates ||
        !identical(v.returns, w.returns) || v.steps != w.steps || v.frames != w.frames || v.status != w.status ||
        v.elites != w.elites) {
      return name + "validation";
    }
    if (!identical(x.normalizer.mean, y.normalizer.mean) ||
        !identical(x.normalizer.inverse_std, y.normalizer.inverse_std) ||
        !identical(std::vector{x.normalizer.clip}, std::vector{y.normalizer.clip})) {
      return name + "normalizer";
    }
    if (!identical(x.evaluation_returns, y.evaluation_returns)) return name + "evaluation_returns";
    if (!identical(x.evaluation_steps, y.evaluation_steps)) return name + "evaluation_steps";
    if (!identical(x.evaluation_frames, y.evaluation_frames)) return name + "evaluation_frames";
  }
  if (a.keyframes.size() != b.keyframes.size()) return "keyframes";
  for (std::size_t i = 0; i < a.keyframes.size(); ++i) {
    if (a.keyframes[i].generation != b.keyframes[i].generation ||
        !identical(a.keyframes[i].state, b.keyframes[i].state)) {
      return "keyframe " + std::to_string(i);
    }
  }
  if (!identical(a.final_returns, b.final_returns)) return "final_returns";
  if (!identical(a.final_steps, b.final_steps)) return "final_steps";
  if (!identical(a.final_frames, b.final_frames)) return "final_frames";
  return {};
}

}  // namespace clade::testing
