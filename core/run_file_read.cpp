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
#include "core/run_record_checks.hpp"

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
  const auto rates = read_offsets(file, group + "/rates", count);
  const auto rate_keys = of_length(file.texts(group + "/rates/key"), rates.back(), group + "/rates/key");
  const auto rate_values = read_column<double>(file, group + "/rates/value", rates.back());
  std::vector<SessionRecord> sessions(count);
  for (std::size_t i = 0; i < count; ++i) {
    sessions[i] = {generations[i], command_lines[i], started[i], platforms[i], {}, allowed[i] != 0};
    for (std::size_t rate = rates[i]; rate < rates[i + 1]; ++rate)
      sessions[i].rates[rate_keys[rate]] = rate_values[rate];
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
  const auto fill_key = [&](const std::string& prefix, PhiloxKey Member::*key) {
    for (std::size_t word = 0; word < names::kKeyWords.size(); ++word) {
      fill(prefix + names::kKeyWords[word], std::uint32_t{},
           [=](Member& member, std::uint32_t value) { (member.*key).key[word] = value; });
    }
    for (std::size_t word = 0; word < names::kCounterWords.size(); ++word) {
      fill(prefix + names::kCounterWords[word], std::uint32_t{},
           [=](Member& member, std::uint32_t value) { (member.*key).counter[word] = value; });
    }
  };
  fill_key("", &Member::key);
  fill("scale", float{}, [](Member& member, float value) { member.scale = value; });
  fill("base", std::uint32_t{}, [](Member& member, std::uint32_t value) { member.base = value; });
  fill("pair", std::uint32_t{}, [](Member& member, std::uint32_t value) { member.pair = value; });
  // Values beyond the enumerations' are found by check_run_record.
  fill("form", std::uint8_t{},
       [](Member& member, std::uint8_t value) { member.form = static_cast<PerturbationForm>(value); });
  const auto has_crossover = [](const Hdf5Child& child) { return child.name == names::kCrossover; };
  if (std::ranges::none_of(file.children(group), has_crossover)) return;
  const std::string crossover = names::kCrossover + "/";
  fill(crossover + "kind", std::uint8_t{},
       [](Member& member, std::uint8_t value) { member.crossover = static_cast<Crossover>(value); });
  fill(crossover + "mate", std::uint32_t{}, [](Member& member, std::uint32_t value) { member.mate = value; });
  fill(crossover + "point", std::uint64_t{},
       [](Member& member, std::uint64_t value) { member.crossover_point = value; });
  fill_key(crossover, &Member::crossover_key);
}

/// Gives each generation its list of individuals; `target` says where.
template <class Target>
void read_individuals(const Hdf5Reader& file, const std::string& group, std::vector<GenerationRecord>& generations,
                      Target target) {
  const auto offsets = read_offsets(file, group, generations.size());
  const auto born = read_column<std::uint64_t>(file, group + "/generation", offsets.back());
  const auto members = read_column<std::uint32_t>(file, group + "/member", offsets.back());
  for (std::size_t g = 0; g < generations.size(); ++g) {
    for (std::size_t i = offsets[g]; i < offsets[g + 1]; ++i) target(generations[g]).push_back({born[i], members[i]});
  }
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
  read_each(file, "total_frames", generations, &Record::total_frames);
  read_each(file, "evaluate_seconds", generations, &Record::evaluate_seconds);
  read_each(file, "update_seconds", generations, &Record::update_seconds);
  read_each(file, "environment_seconds", generations, &Record::environment_seconds);
  read_each(file, "inference_seconds", generations, &Record::inference_seconds);
  read_each(file, "limit_share", generations, &Record::limit_share);
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
      "episodes/frames", episodes, std::uint32_t{}, [](Record & g) -> auto& { return g.frames; });
  pieces(
      "episodes/status", episodes, std::uint8_t{}, [](Record & g) -> auto& { return g.status; });
  read_individuals(
      file, root + "ancestors", generations, [](Record & g) -> auto& { return g.ancestors; });

  const auto candidate_episodes =
      read_column<std::uint32_t>(file, root + "validation/episodes_per_candidate", generations.size());
  for (std::size_t g = 0; g < generations.size(); ++g) {
    generations[g].validation.episodes_per_candidate = candidate_episodes[g];
  }
  read_individuals(
      file, root + "validation/candidates", generations, [](Record & g) -> auto& { return g.validation.candidates; });
  const auto validation = read_offsets(file, root + "validation/episodes", generations.size());
  pieces(
      "validation/episodes/returns", validation, double{}, [](Record & g) -> auto& { return g.validation.returns; });
  pieces(
      "validation/episodes/steps", validation, std::uint32_t{}, [](Record & g) -> auto& { return g.validation.steps; });
  pieces(
      "validation/episodes/frames", validation, std::uint32_t{},
      [](Record & g) -> auto& { return g.validation.frames; });
  pieces(
      "validation/episodes/status", validation, std::uint8_t{},
      [](Record & g) -> auto& { return g.validation.status; });
  read_individuals(
      file, root + "validation/elites", generations, [](Record & g) -> auto& { return g.validation.elites; });

  const auto evaluation = read_offsets(file, root + "evaluation", generations.size());
  pieces(
      "evaluation/returns", evaluation, double{}, [](Record & g) -> auto& { return g.evaluation_returns; });
  pieces(
      "evaluation/steps", evaluation, std::uint32_t{}, [](Record & g) -> auto& { return g.evaluation_steps; });
  pieces(
      "evaluation/frames", evaluation, std::uint32_t{}, [](Record & g) -> auto& { return g.evaluation_frames; });
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
  record.final_frames = read_column<std::uint32_t>(file, "/final/frames", record.final_returns.size());
  try {
    check_run_record(record);
  } catch (const Error& error) {
    throw_input_error(std::string(error.what()) + "; the file was not written by this Clade");
  }
  return record;
}

}  // namespace clade
