#include "core/run_comparison.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <type_traits>
#include <variant>

#include "core/number_text.hpp"
#include "core/run_file.hpp"
#include "core/terminal.hpp"

namespace clade {
namespace {

/// Equal to the bit, but all NaN are one, as in the digest.
bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool same(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}
template <class Value>
bool same(const Value& a, const Value& b) {
  return a == b;
}

/// A member's scale goes into the digest by its bits.
bool same_recipe(const Member& a, const Member& b) {
  return a.base == b.base && a.form == b.form && a.key == b.key && a.pair == b.pair &&
         std::bit_cast<std::uint32_t>(a.scale) == std::bit_cast<std::uint32_t>(b.scale) && a.crossover == b.crossover &&
         a.mate == b.mate && a.crossover_key == b.crossover_key && a.crossover_point == b.crossover_point;
}

template <class Value>
std::string value_text(const Value& value) {
  if constexpr (std::is_same_v<Value, std::string>) {
    return quote_for_message(value);
  } else if constexpr (std::is_same_v<Value, float>) {
    return single_number_text(value);
  } else if constexpr (std::is_same_v<Value, double>) {
    return number_text(value);
  } else if constexpr (std::is_same_v<Value, Individual>) {
    return std::to_string(value.generation) + ":" + std::to_string(value.member);
  } else {
    return std::to_string(value);
  }
}

std::string key_text(const PhiloxKey& key) {
  std::string text = "key";
  for (const std::uint32_t word : key.key) text += " " + std::to_string(word);
  for (const std::uint32_t word : key.counter) text += " " + std::to_string(word);
  return text;
}

std::string form_text(PerturbationForm form) {
  switch (form) {
    case PerturbationForm::none:
      return "base ";
    case PerturbationForm::dense:
      return "noise on base ";
    case PerturbationForm::initial:
      return "initial, base ";
  }
  return "unknown form " + std::to_string(static_cast<int>(form)) + ", base ";
}

std::string recipe_text(const Member& member) {
  std::string text = form_text(member.form) + std::to_string(member.base) + ", " + key_text(member.key) + ", scale " +
                     single_number_text(member.scale) + ", pair " + std::to_string(member.pair);
  const Member plain;
  if (member.crossover != plain.crossover || member.mate != plain.mate || member.crossover_key != plain.crossover_key ||
      member.crossover_point != plain.crossover_point) {
    text += ", crossover " + std::to_string(static_cast<int>(member.crossover)) + " with base " +
            std::to_string(member.mate) + ", " + key_text(member.crossover_key) + ", from parameter " +
            std::to_string(member.crossover_point);
  }
  return text;
}

/// Collects lines up to a limit.
class Comparison {
 public:
  explicit Comparison(std::size_t limit) : limit_(limit) {}
  bool full() const { return lines_.size() >= limit_; }
  std::vector<std::string> take() { return std::move(lines_); }

  void line(const std::string& text) {
    if (!full()) lines_.push_back(text);
  }

  template <class Value>
  void values(const std::string& what, const Value& a, const Value& b) {
    if (!same(a, b)) line(what + ": " + value_text(a) + " against " + value_text(b));
  }

  /// One line for two arrays: how many entries differ and the first of them, whose place `place` puts in words.
  template <class Value>
  void arrays(const std::string& what, std::span<const Value> a, std::span<const Value> b,
              const std::function<std::string(std::size_t)>& place) {
    if (a.size() != b.size()) {
      line(what + ": " + std::to_string(a.size()) + " against " + std::to_string(b.size()) + " entries");
      return;
    }
    std::size_t count = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (same(a[i], b[i])) continue;
      if (count++ == 0) first = i;
    }
    if (count == 0) return;
    line(what + ": " + std::to_string(count) + " of " + std::to_string(a.size()) + " differ, first " + place(first) +
         ": " + value_text(a[first]) + " against " + value_text(b[first]));
  }
  template <class Value>
  void arrays(const std::string& what, const std::vector<Value>& a, const std::vector<Value>& b,
              const std::function<std::string(std::size_t)>& place) {
    arrays(what, std::span<const Value>(a), std::span<const Value>(b), place);
  }

 private:
  std::size_t limit_;
  std::vector<std::string> lines_;
};

std::string index_text(std::size_t index) { return "[" + std::to_string(index) + "]"; }
std::string episode_text(std::size_t index) { return "episode " + std::to_string(index); }

/// A repeated option's values as one text, so that keys can be matched.
std::map<std::string, std::string> values_by_key(const std::vector<ConfigEntry>& entries) {
  std::map<std::string, std::string> result;
  for (const ConfigEntry& entry : entries) {
    std::string& value = result[entry.key];
    value += (value.empty() ? "" : ", ") + quote_for_message(entry.value);
  }
  return result;
}

void compare_configurations(Comparison& comparison, const RunRecord& a, const RunRecord& b) {
  const std::vector<ConfigEntry> entries_a = result_configuration(a);
  const std::vector<ConfigEntry> entries_b = result_configuration(b);
  if (entries_a == entries_b) return;
  const auto values_a = values_by_key(entries_a);
  const auto values_b = values_by_key(entries_b);
  std::set<std::string> keys;
  for (const auto& [key, value] : values_a) keys.insert(key);
  for (const auto& [key, value] : values_b) keys.insert(key);
  bool named = false;
  for (const std::string& key : keys) {
    const std::string text_a = values_a.contains(key) ? values_a.at(key) : "absent";
    const std::string text_b = values_b.contains(key) ? values_b.at(key) : "absent";
    if (text_a == text_b) continue;
    comparison.line("option " + key + ": " + text_a + " against " + text_b);
    named = true;
  }
  // Texts for messages are shortened, and two long values may look the same.
  if (!named) comparison.line("configuration: a long value differs");
}

void compare_states(Comparison& comparison, const State& state_a, const State& state_b) {
  std::map<std::string, std::pair<const StateValue*, const StateValue*>> both;
  for (const auto& [name, value] : result_values(state_a)) both[name].first = value;
  for (const auto& [name, value] : result_values(state_b)) both[name].second = value;
  for (const auto& [name, values] : both) {
    const auto [a, b] = values;
    const std::string what = "state " + name;
    if (a == nullptr || b == nullptr) {
      comparison.line(what + ": only in the " + (a == nullptr ? "second" : "first"));
    } else if (a->index() != b->index()) {
      comparison.line(what + ": another type");
    } else {
      std::visit(
          [&, other = b](const auto& held) {
            using Held = std::remove_cvref_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::string>) {
              comparison.values(what, held, std::get<Held>(*other));
            } else {
              comparison.arrays(what, held, std::get<Held>(*other), index_text);
            }
          },
          *a);
    }
  }
}

/// Puts an episode's index in words, where each `who` plays `episodes` of them.
auto episode_place(const std::string& who, std::uint32_t episodes) {
  return [who, episodes](std::size_t index) {
    if (episodes == 0) return episode_text(index);
    return who + " " + std::to_string(index / episodes) + " episode " + std::to_string(index % episodes);
  };
}

void compare_validations(Comparison& comparison, const std::string& name, const Validation& a, const Validation& b) {
  const auto place = episode_place("candidate", a.episodes_per_candidate);
  comparison.values(name + ", episodes per candidate", a.episodes_per_candidate, b.episodes_per_candidate);
  comparison.arrays(name + ", candidates", a.candidates, b.candidates, index_text);
  comparison.arrays(name + ", returns", a.returns, b.returns, place);
  comparison.arrays(name + ", steps", a.steps, b.steps, place);
  comparison.arrays(name + ", frames", a.frames, b.frames, place);
  comparison.arrays(name + ", status", a.status, b.status, place);
  comparison.arrays(name + ", elites", a.elites, b.elites, index_text);
}

void compare_generations(Comparison& comparison, const GenerationRecord& a, const GenerationRecord& b) {
  const std::string name = "generation " + std::to_string(a.generation);
  if (a.generation != b.generation) {
    comparison.line(name + " stands against generation " + std::to_string(b.generation));
    return;
  }
  const auto place = episode_place("member", a.episodes_per_member);
  comparison.values(name + ", max_steps", a.max_steps, b.max_steps);
  comparison.values(name + ", episodes per member", a.episodes_per_member, b.episodes_per_member);
  comparison.arrays(name + ", normaliser mean", a.normalizer.mean, b.normalizer.mean, index_text);
  comparison.arrays(name + ", normaliser inverse_std", a.normalizer.inverse_std, b.normalizer.inverse_std, index_text);
  comparison.values(name + ", normaliser clip", a.normalizer.clip, b.normalizer.clip);
  comparison.values(name + ", members", a.members.size(), b.members.size());
  for (std::size_t i = 0; i < std::min(a.members.size(), b.members.size()); ++i) {
    if (same_recipe(a.members[i], b.members[i])) continue;
    comparison.line(name + ", member " + std::to_string(i) + ": recipe (" + recipe_text(a.members[i]) + ") against (" +
                    recipe_text(b.members[i]) + ")");
    break;
  }
  comparison.arrays(name + ", returns", a.returns, b.returns, place);
  comparison.arrays(name + ", steps", a.steps, b.steps, place);
  comparison.arrays(name + ", frames", a.frames, b.frames, place);
  comparison.arrays(name + ", status", a.status, b.status, place);
  comparison.arrays(name + ", ancestors", a.ancestors, b.ancestors, index_text);
  compare_validations(comparison, name + ", validation", a.validation, b.validation);
  comparison.arrays(name + ", evaluation returns", a.evaluation_returns, b.evaluation_returns, episode_text);
  comparison.arrays(name + ", evaluation steps", a.evaluation_steps, b.evaluation_steps, episode_text);
  comparison.arrays(name + ", evaluation frames", a.evaluation_frames, b.evaluation_frames, episode_text);
  comparison.values(name + ", total episodes", a.total_episodes, b.total_episodes);
  comparison.values(name + ", total steps", a.total_steps, b.total_steps);
  comparison.values(name + ", total frames", a.total_frames, b.total_frames);
}

}  // namespace

std::vector<ConfigEntry> result_configuration(const RunRecord& record) {
  std::vector<ConfigEntry> entries;
  std::ranges::copy_if(record.configuration, std::back_inserter(entries),
                       [](const ConfigEntry& entry) { return entry.effect == ResultEffect::fixes_results; });
  std::ranges::stable_sort(entries, {}, &ConfigEntry::key);
  return entries;
}

std::vector<std::pair<std::string, const StateValue*>> result_values(const State& state) {
  std::vector<std::pair<std::string, const StateValue*>> result;
  for (const auto& [name, value] : state.values()) {
    if (!name.starts_with("time/")) result.emplace_back(name, &value);
  }
  return result;
}

std::vector<std::string> differences(const RunRecord& a, const RunRecord& b, std::size_t limit) {
  Comparison comparison(limit);
  comparison.values("program", a.program, b.program);
  compare_configurations(comparison, a, b);
  comparison.values("generations", a.generations.size(), b.generations.size());
  const std::size_t common = std::min(a.generations.size(), b.generations.size());
  for (std::size_t i = 0; i < common && !comparison.full(); ++i) {
    compare_generations(comparison, a.generations[i], b.generations[i]);
  }
  comparison.values("next generation", a.next_generation, b.next_generation);
  compare_states(comparison, a.state, b.state);
  comparison.arrays("final test, returns", a.final_returns, b.final_returns, episode_text);
  comparison.arrays("final test, steps", a.final_steps, b.final_steps, episode_text);
  comparison.arrays("final test, frames", a.final_frames, b.final_frames, episode_text);
  return comparison.take();
}

}  // namespace clade
