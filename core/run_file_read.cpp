#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/hdf5_image.hpp"
#include "core/run_file_content.hpp"
#include "core/run_file_names.hpp"

namespace clade {
namespace {

namespace names = run_file_names;

/// Throws where a column of numbers or texts has not the length that its group demands.
template <class Value>
std::vector<Value> of_length(std::vector<Value> values, std::size_t size, const std::string& dataset) {
  if (values.size() != size) {
    throw_input_error("dataset '" + dataset + "' has " + std::to_string(values.size()) + " entries, expected " +
                      std::to_string(size));
  }
  return values;
}

template <class Value>
std::vector<Value> read_column(const Hdf5Reader& file, const std::string& dataset, std::size_t size) {
  return of_length(file.array<Value>(dataset), size, dataset);
}

/// Offsets of `rows` pieces: they begin with 0 and never fall.
std::vector<std::uint64_t> read_offsets(const Hdf5Reader& file, const std::string& group, std::size_t rows) {
  const std::string dataset = group + "/offsets";
  auto offsets = read_column<std::uint64_t>(file, dataset, rows + 1);
  if (offsets.front() != 0 || !std::ranges::is_sorted(offsets)) {
    throw_input_error("dataset '" + dataset + "' is not a rising sequence from 0");
  }
  return offsets;
}

/// The piece of row `row` in a concatenated column.
template <class Value>
std::vector<Value> piece(const std::vector<Value>& values, const std::vector<std::uint64_t>& offsets, std::size_t row) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(offsets[row]);
  return std::vector<Value>(begin, begin + static_cast<std::ptrdiff_t>(offsets[row + 1] - offsets[row]));
}

/// Columns "key" and "value" as maps; map i has the entries from offsets[i] to offsets[i + 1].
std::vector<std::map<std::string, std::string>> read_pairs(const Hdf5Reader& file, const std::string& group,
                                                           const std::vector<std::uint64_t>& offsets) {
  const auto keys = of_length(file.texts(group + "/key"), offsets.back(), group + "/key");
  const auto values = of_length(file.texts(group + "/value"), offsets.back(), group + "/value");
  std::vector<std::map<std::string, std::string>> maps(offsets.size() - 1);
  for (std::size_t row = 0; row < maps.size(); ++row) {
    for (std::size_t i = offsets[row]; i < offsets[row + 1]; ++i) maps[row][keys[i]] = values[i];
  }
  return maps;
}

std::vector<ConfigEntry> read_configuration(const Hdf5Reader& file) {
  const std::string group = "/configuration";
  const auto keys = file.texts(group + "/key");
  const auto values = of_length(file.texts(group + "/value"), keys.size(), group + "/value");
  const auto effects = of_length(file.texts(group + "/effect"), keys.size(), group + "/effect");
  std::vector<ConfigEntry> entries(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto effect = std::ranges::find(names::kEffects, effects[i]);
    if (effect == names::kEffects.end()) {
      throw_input_error("dataset '" + group + "/effect' holds '" + effects[i] + "', expected results, budget or none");
    }
    entries[i] = {keys[i], values[i], static_cast<ResultEffect>(effect - names::kEffects.begin())};
  }
  return entries;
}

std::vector<SessionRecord> read_sessions(const Hdf5Reader& file) {
  const std::string group = "/sessions";
  const auto generations = file.array<std::uint64_t>(group + "/first_generation");
  const std::size_t count = generations.size();
  const auto allowed = read_column<std::uint8_t>(file, group + "/other_platform_allowed", count);
  const auto command_lines = of_length(file.texts(group + "/command_line"), count, group + "/command_line");
  const auto started = of_length(file.texts(group + "/started"), count, group + "/started");
  const auto platforms = read_pairs(file, group + "/platform", read_offsets(file, group + "/platform", count));
  std::vector<SessionRecord> sessions(count);
  for (std::size_t i = 0; i < count; ++i) {
    sessions[i] = {generations[i], command_lines[i], started[i], platforms[i], allowed[i] != 0};
  }
  return sessions;
}

void read_value(const Hdf5Reader& file, const std::string& dataset, const std::string& name, State& state) {
  switch (file.type(dataset)) {
    case Hdf5Type::float64:
      return state.set(name, file.array<double>(dataset));
    case Hdf5Type::float32:
      return state.set(name, file.array<float>(dataset));
    case Hdf5Type::int64:
      return state.set(name, file.array<std::int64_t>(dataset));
    case Hdf5Type::uint64:
      return state.set(name, file.array<std::uint64_t>(dataset));
    case Hdf5Type::text:
      return state.set(name, of_length(file.texts(dataset), 1, dataset).front());
    case Hdf5Type::uint32:
    case Hdf5Type::uint8:
      break;
  }
  throw_input_error("dataset '" + dataset + "' has a type that no saved state has");
}

State read_state(const Hdf5Reader& file, const std::string& root) {
  State state;
  std::vector<std::string> prefixes = {""};
  while (!prefixes.empty()) {
    const std::string prefix = prefixes.back();  // empty, or "strategy/"
    prefixes.pop_back();
    const std::string group = prefix.empty() ? root : root + "/" + prefix.substr(0, prefix.size() - 1);
    for (const Hdf5Child& child : file.children(group)) {
      const std::string name = prefix + child.name;
      if (child.is_group) {
        prefixes.push_back(name + "/");
      } else {
        read_value(file, root + "/" + name, name, state);
      }
    }
  }
  return state;
}

void read_members(const Hdf5Reader& file, std::vector<GenerationRecord>& generations) {
  const std::string group = "/generations/members";
  const auto offsets = read_offsets(file, group, generations.size());
  for (std::size_t g = 0; g < generations.size(); ++g) generations[g].members.resize(offsets[g + 1] - offsets[g]);
  // One column at a time, so that no second copy of all recipes is in memory.
  const auto fill = [&]<class Value>(const std::string& name, Value, auto set) {
    const auto values = read_column<Value>(file, group + "/" + name, offsets.back());
    std::size_t next = 0;
    for (GenerationRecord& generation : generations) {
      for (Member& member : generation.members) set(member, values[next++]);
    }
  };
  for (std::size_t word = 0; word < names::kKeyWords.size(); ++word) {
    fill(names::kKeyWords[word], std::uint32_t{},
         [word](Member& member, std::uint32_t value) { member.key.key[word] = value; });
  }
  for (std::size_t word = 0; word < names::kCounterWords.size(); ++word) {
    fill(names::kCounterWords[word], std::uint32_t{},
         [word](Member& member, std::uint32_t value) { member.key.counter[word] = value; });
  }
  fill("scale", float{}, [](Member& member, float value) { member.scale = value; });
  fill("base", std::uint32_t{}, [](Member& member, std::uint32_t value) { member.base = value; });
  fill("pair", std::uint32_t{}, [](Member& member, std::uint32_t value) { member.pair = value; });
  fill("form", std::uint8_t{}, [&](Member& member, std::uint8_t value) {
    if (value > static_cast<std::uint8_t>(PerturbationForm::dense)) {
      throw_input_error("dataset '" + group + "/form' holds the unknown form " + std::to_string(value));
    }
    member.form = static_cast<PerturbationForm>(value);
  });
}

/// Sets `field` of each generation from a column with one entry for each.
template <class Value>
void read_each(const Hdf5Reader& file, const std::string& name, std::vector<GenerationRecord>& generations,
               Value GenerationRecord::*field) {
  const auto values = read_column<Value>(file, "/generations/" + name, generations.size());
  for (std::size_t g = 0; g < generations.size(); ++g) generations[g].*field = values[g];
}

std::vector<GenerationRecord> read_generations(const Hdf5Reader& file) {
  using Record = GenerationRecord;
  const std::string root = "/generations/";
  std::vector<Record> generations(file.size(root + "generation"));
  read_each(file, "generation", generations, &Record::generation);
  read_each(file, "max_steps", generations, &Record::max_steps);
  read_each(file, "episodes_per_member", generations, &Record::episodes_per_member);
  read_each(file, "total_episodes", generations, &Record::total_episodes);
  read_each(file, "total_steps", generations, &Record::total_steps);
  read_each(file, "evaluate_seconds", generations, &Record::evaluate_seconds);
  read_each(file, "update_seconds", generations, &Record::update_seconds);
  read_each(file, "environment_seconds", generations, &Record::environment_seconds);
  read_each(file, "total_seconds", generations, &Record::total_seconds);
  read_members(file, generations);

  /// Gives each generation its piece of a column; `target` says where.
  const auto pieces = [&]<class Value>(const std::string& name, const std::vector<std::uint64_t>& offsets, Value,
                                       auto target) {
    const auto values = read_column<Value>(file, root + name, offsets.back());
    for (std::size_t g = 0; g < generations.size(); ++g) target(generations[g]) = piece(values, offsets, g);
  };
  const auto episodes = read_offsets(file, root + "episodes", generations.size());
  pieces(
      "episodes/returns", episodes, double{}, [](Record & g) -> auto& { return g.returns; });
  pieces(
      "episodes/steps", episodes, std::uint32_t{}, [](Record & g) -> auto& { return g.steps; });
  pieces(
      "episodes/status", episodes, std::uint8_t{}, [](Record & g) -> auto& { return g.status; });
  for (const Record& g : generations) {
    if (g.returns.size() == g.members.size() * g.episodes_per_member) continue;
    throw_input_error("generation " + std::to_string(g.generation) + " has " + std::to_string(g.returns.size()) +
                      " returns, expected " + std::to_string(g.members.size()) + " members x " +
                      std::to_string(g.episodes_per_member) + " episodes");
  }
  const auto evaluation = read_offsets(file, root + "evaluation", generations.size());
  pieces(
      "evaluation/returns", evaluation, double{}, [](Record & g) -> auto& { return g.evaluation_returns; });
  pieces(
      "evaluation/steps", evaluation, std::uint32_t{}, [](Record & g) -> auto& { return g.evaluation_steps; });
  const auto normalizer = read_offsets(file, root + "normalizer", generations.size());
  pieces(
      "normalizer/mean", normalizer, double{}, [](Record & g) -> auto& { return g.normalizer.mean; });
  pieces(
      "normalizer/inverse_std", normalizer, double{}, [](Record & g) -> auto& { return g.normalizer.inverse_std; });
  const auto clips = read_column<double>(file, root + "normalizer/clip", generations.size());
  for (std::size_t g = 0; g < generations.size(); ++g) generations[g].normalizer.clip = clips[g];
  return generations;
}

std::vector<Keyframe> read_keyframes(const Hdf5Reader& file) {
  std::vector<Keyframe> keyframes;
  for (const Hdf5Child& child : file.children("/keyframes")) {
    const std::string group = "/keyframes/" + child.name;
    keyframes.push_back({file.number_attribute(group, "generation"), read_state(file, group)});
  }
  return keyframes;
}

}  // namespace

RunRecord decode_run_record(std::span<const std::byte> bytes) {
  const Hdf5Reader file(bytes);
  RunRecord record;
  record.program = file.text_attribute("/", names::kProgram);
  record.status = file.text_attribute("/", names::kStatus);
  record.next_generation = file.number_attribute("/", names::kNextGeneration);
  record.configuration = read_configuration(file);
  record.provenance = read_pairs(file, "/provenance", {0, file.size("/provenance/key")}).front();
  record.sessions = read_sessions(file);
  record.state = read_state(file, "/state");
  record.generations = read_generations(file);
  record.keyframes = read_keyframes(file);
  record.final_returns = file.array<double>("/final/returns");
  record.final_steps = read_column<std::uint32_t>(file, "/final/steps", record.final_returns.size());
  return record;
}

}  // namespace clade
