#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/digest.hpp"
#include "core/run_comparison.hpp"
#include "core/run_file.hpp"

namespace clade {
namespace {

/// Feeds a digest with values whose text or number of entries stands before them, so that no two sequences of values
/// give the same bytes.
class CanonicalDigest {
 public:
  void number(std::uint64_t value) { bytes(std::span(&value, 1)); }
  void text(std::string_view text) {
    number(text.size());
    digest_.add(text);
  }
  template <class Value>
  void array(std::span<const Value> values) {
    number(values.size());
    if constexpr (std::is_floating_point_v<Value>) {
      // All NaN are one: which of them an operation gives is the compiler's and the processor's choice.
      if (std::ranges::any_of(values, [](Value value) { return std::isnan(value); })) {
        std::vector<Value> canonical(values.begin(), values.end());
        std::ranges::replace_if(
            canonical, [](Value value) { return std::isnan(value); }, std::numeric_limits<Value>::quiet_NaN());
        bytes(std::span<const Value>(canonical));
        return;
      }
    }
    bytes(values);
  }
  template <class Value>
  void array(const std::vector<Value>& values) {
    array(std::span<const Value>(values));
  }
  void scalar(double value) { array(std::span<const double>(&value, 1)); }
  std::string hex() const { return digest_.hex(); }

 private:
  template <class Value>
  void bytes(std::span<Value> values) {
    static_assert(std::endian::native == std::endian::little, "the digest is defined over little-endian numbers");
    digest_.add(std::as_bytes(values));
  }

  Digest digest_;
};

void add_state(CanonicalDigest& digest, const State& state) {
  const auto values = result_values(state);
  digest.number(values.size());
  for (const auto& [name, value] : values) {
    digest.text(name);
    digest.number(value->index());
    std::visit(
        [&](const auto& held) {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(held)>, std::string>) {
            digest.text(held);
          } else {
            digest.array(held);
          }
        },
        *value);
  }
}

void add_individuals(CanonicalDigest& digest, const std::vector<Individual>& individuals) {
  digest.number(individuals.size());
  for (const Individual& individual : individuals) {
    digest.number(individual.generation);
    digest.number(individual.member);
  }
}

void add_generation(CanonicalDigest& digest, const GenerationRecord& generation) {
  digest.number(generation.generation);
  digest.number(generation.max_steps);
  digest.number(generation.episodes_per_member);
  digest.number(generation.total_episodes);
  digest.number(generation.total_steps);
  digest.number(generation.total_frames);
  digest.number(generation.members.size());
  std::vector<std::uint32_t> words;
  constexpr std::size_t kWordsOfMember = 18;
  words.reserve(generation.members.size() * kWordsOfMember);
  const auto add_key = [&words](const PhiloxKey& key) {
    words.insert(words.end(), key.key.begin(), key.key.end());
    words.insert(words.end(), key.counter.begin(), key.counter.end());
  };
  for (const Member& member : generation.members) {
    add_key(member.key);
    words.push_back(static_cast<std::uint32_t>(member.form));
    words.push_back(member.base);
    words.push_back(member.pair);
    words.push_back(std::bit_cast<std::uint32_t>(member.scale));
    words.push_back(static_cast<std::uint32_t>(member.crossover));
    words.push_back(member.mate);
    add_key(member.crossover_key);
    words.push_back(static_cast<std::uint32_t>(member.crossover_point));
    words.push_back(static_cast<std::uint32_t>(member.crossover_point >> 32U));
  }
  digest.array(words);
  digest.array(generation.returns);
  digest.array(generation.steps);
  digest.array(generation.frames);
  digest.array(generation.status);
  add_individuals(digest, generation.ancestors);
  const Validation& validation = generation.validation;
  digest.number(validation.episodes_per_candidate);
  add_individuals(digest, validation.candidates);
  digest.array(validation.returns);
  digest.array(validation.steps);
  digest.array(validation.frames);
  digest.array(validation.status);
  add_individuals(digest, validation.elites);
  digest.array(generation.normalizer.mean);
  digest.array(generation.normalizer.inverse_std);
  digest.scalar(generation.normalizer.clip);
  digest.array(generation.evaluation_returns);
  digest.array(generation.evaluation_steps);
  digest.array(generation.evaluation_frames);
}

}  // namespace

std::string results_digest(const RunRecord& record) {
  CanonicalDigest digest;
  digest.text("Clade results 2");
  digest.text(record.program);
  const std::vector<ConfigEntry> configuration = result_configuration(record);
  digest.number(configuration.size());
  for (const ConfigEntry& entry : configuration) {
    digest.text(entry.key);
    digest.text(entry.value);
  }
  digest.number(record.next_generation);
  add_state(digest, record.state);
  digest.number(record.generations.size());
  for (const GenerationRecord& generation : record.generations) add_generation(digest, generation);
  digest.array(record.final_returns);
  digest.array(record.final_steps);
  digest.array(record.final_frames);
  return digest.hex();
}

}  // namespace clade
