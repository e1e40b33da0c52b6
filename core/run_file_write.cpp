#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/hdf5_image.hpp"
#include "core/program.hpp"
#include "core/run_file.hpp"
#include "core/run_file_block.hpp"
#include "core/run_file_content.hpp"
#include "core/run_file_names.hpp"
#include "core/run_record_checks.hpp"

namespace clade {
namespace {

namespace names = run_file_names;

/// field(row) of each row.
template <class Row, class Field>
auto column(const std::vector<Row>& rows, Field field) {
  using Value = std::remove_cvref_t<decltype(field(rows.front()))>;
  std::vector<Value> result;
  result.reserve(rows.size());
  for (const Row& row : rows) result.push_back(field(row));
  return result;
}

/// field(item) of each item of each row's items(row), one after the other.
template <class Row, class Items, class Field>
auto nested_column(const std::vector<Row>& rows, Items items, Field field) {
  using Value = std::remove_cvref_t<decltype(field(*items(rows.front()).begin()))>;
  std::size_t size = 0;
  for (const Row& row : rows) size += items(row).size();
  std::vector<Value> result;
  result.reserve(size);
  for (const Row& row : rows) {
    for (const auto& item : items(row)) result.push_back(field(item));
  }
  return result;
}

/// Where the rows' items begin in their concatenation, and where the last ones end.
template <class Row, class Items>
std::vector<std::uint64_t> offsets(const std::vector<Row>& rows, Items items) {
  std::vector<std::uint64_t> result = {0};
  result.reserve(rows.size() + 1);
  for (const Row& row : rows) result.push_back(result.back() + items(row).size());
  return result;
}

constexpr auto itself = [](const auto& item) { return item; };

/// The maps' entries one after the other, in columns "key" and "value".
void write_pairs(Hdf5Writer& file, const std::string& group,
                 const std::vector<std::map<std::string, std::string>>& maps) {
  std::vector<std::string> keys;
  std::vector<std::string> values;
  for (const auto& map : maps) {
    for (const auto& [key, value] : map) {
      keys.push_back(key);
      values.push_back(value);
    }
  }
  file.texts(group + "/key", keys);
  file.texts(group + "/value", values);
}

void write_configuration(Hdf5Writer& file, const std::vector<ConfigEntry>& entries) {
  file.texts("/configuration/key", column(entries, [](const ConfigEntry& entry) { return entry.key; }));
  file.texts("/configuration/value", column(entries, [](const ConfigEntry& entry) { return entry.value; }));
  file.texts("/configuration/effect", column(entries, [](const ConfigEntry& entry) {
               return std::string(names::kEffects.at(static_cast<std::size_t>(entry.effect)));
             }));
}

void write_sessions(Hdf5Writer& file, const std::vector<SessionRecord>& sessions) {
  using Session = SessionRecord;
  const std::string group = "/sessions";
  file.array(group + "/first_generation", column(sessions, [](const Session& s) { return s.first_generation; }),
             Packing::deflated);
  file.array(group + "/other_platform_allowed",
             column(sessions, [](const Session& s) { return static_cast<std::uint8_t>(s.other_platform_allowed); }),
             Packing::deflated);
  file.texts(group + "/command_line", column(sessions, [](const Session& s) { return s.command_line; }));
  file.texts(group + "/started", column(sessions, [](const Session& s) { return s.started; }));
  constexpr auto platform = [](const Session& s) -> const auto& { return s.platform; };
  file.array(group + "/platform/offsets", offsets(sessions, platform), Packing::deflated);
  write_pairs(file, group + "/platform", column(sessions, platform));
  constexpr auto rates = [](const Session& s) -> const auto& { return s.rates; };
  file.array(group + "/rates/offsets", offsets(sessions, rates), Packing::deflated);
  file.texts(group + "/rates/key", nested_column(sessions, rates, [](const auto& rate) { return rate.first; }));
  file.array(group + "/rates/value", nested_column(sessions, rates, [](const auto& rate) { return rate.second; }),
             Packing::plain);
}

/// HDF5 reads '/' as nesting, which is meant, and "." as the group itself, which is not.
void check_state_name(const std::string& name) {
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = std::string_view(name).substr(begin, end - begin);
    if (part.empty() || part == "." || part.find('\0') != std::string_view::npos) {
      throw_run_time_error("saved state '" + name + "' has a name that a run file cannot hold: each part between '/' " +
                           "needs a letter and must not be '.'");
    }
    begin = end + 1;
  }
}

void write_state(Hdf5Writer& file, const std::string& group, const State& state) {
  file.group(group);
  for (const auto& [name, value] : state.values()) {
    check_state_name(name);
    const std::string path = group + "/" + name;
    std::visit(
        [&](const auto& held) {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(held)>, std::string>) {
            file.texts(path, std::array{held});
          } else {
            file.array(path, held, Packing::plain);
          }
        },
        value);
  }
}

bool has_crossover(const Member& member) {
  const Member plain;
  return member.crossover != plain.crossover || member.mate != plain.mate ||
         member.crossover_key != plain.crossover_key || member.crossover_point != plain.crossover_point;
}

void write_members(Hdf5Writer& file, const std::vector<GenerationRecord>& generations) {
  const std::string group = "/generations/members/";
  constexpr auto members = [](const GenerationRecord& g) -> const auto& { return g.members; };
  const auto field = [&](const std::string& name, auto of_member) {
    file.array(group + name, nested_column(generations, members, of_member), Packing::deflated);
  };
  file.array(group + "offsets", offsets(generations, members), Packing::deflated);
  const auto key = [&](const std::string& prefix, PhiloxKey Member::*of_member) {
    for (std::size_t word = 0; word < names::kKeyWords.size(); ++word) {
      field(prefix + names::kKeyWords[word], [=](const Member& m) { return (m.*of_member).key[word]; });
    }
    for (std::size_t word = 0; word < names::kCounterWords.size(); ++word) {
      field(prefix + names::kCounterWords[word], [=](const Member& m) { return (m.*of_member).counter[word]; });
    }
  };
  key("", &Member::key);
  field("scale", [](const Member& m) { return m.scale; });
  field("form", [](const Member& m) { return static_cast<std::uint8_t>(m.form); });
  field("base", [](const Member& m) { return m.base; });
  field("pair", [](const Member& m) { return m.pair; });
  const bool any_crossover = std::ranges::any_of(
      generations, [](const GenerationRecord& g) { return std::ranges::any_of(g.members, has_crossover); });
  if (!any_crossover) return;
  const std::string crossover = names::kCrossover + "/";
  field(crossover + "kind", [](const Member& m) { return static_cast<std::uint8_t>(m.crossover); });
  field(crossover + "mate", [](const Member& m) { return m.mate; });
  field(crossover + "point", [](const Member& m) { return m.crossover_point; });
  key(crossover, &Member::crossover_key);
}

/// Who the individuals of each generation were: `items` gives a generation's list.
template <class Items>
void write_individuals(Hdf5Writer& file, const std::string& group, const std::vector<GenerationRecord>& generations,
                       Items items) {
  file.array(group + "/offsets", offsets(generations, items), Packing::deflated);
  file.array(group + "/generation", nested_column(generations, items, [](const Individual& i) { return i.generation; }),
             Packing::deflated);
  file.array(group + "/member", nested_column(generations, items, [](const Individual& i) { return i.member; }),
             Packing::deflated);
}

/// Float64 measurements deflate by a few percent only, scores (whole numbers) by far.
Packing packing_of_returns(const std::vector<double>& returns) {
  const bool scores = std::ranges::all_of(returns, [](double value) { return std::trunc(value) == value; });
  return scores ? Packing::deflated : Packing::plain;
}

/// Columns of episodes: `returns`, `steps`, `frames` and `status` give a generation's.
template <class Returns, class Steps, class Frames>
void write_episodes(Hdf5Writer& file, const std::string& group, const std::vector<GenerationRecord>& generations,
                    Returns returns, Steps steps, Frames frames) {
  file.array(group + "/offsets", offsets(generations, returns), Packing::deflated);
  const std::vector<double> values = nested_column(generations, returns, itself);
  file.array(group + "/returns", values, packing_of_returns(values));
  file.array(group + "/steps", nested_column(generations, steps, itself), Packing::deflated);
  file.array(group + "/frames", nested_column(generations, frames, itself), Packing::deflated);
}

void write_validations(Hdf5Writer& file, const std::vector<GenerationRecord>& generations) {
  using Record = GenerationRecord;
  const std::string group = "/generations/validation";
  file.array(group + "/episodes_per_candidate",
             column(generations, [](const Record& g) { return g.validation.episodes_per_candidate; }),
             Packing::deflated);
  write_individuals(
      file, group + "/candidates", generations, [](const Record& g) -> const auto& { return g.validation.candidates; });
  write_episodes(
      file, group + "/episodes", generations, [](const Record& g) -> const auto& { return g.validation.returns; },
      [](const Record& g) -> const auto& { return g.validation.steps; },
      [](const Record& g) -> const auto& { return g.validation.frames; });
  file.array(group + "/episodes/status",
             nested_column(
                 generations, [](const Record& g) -> const auto& { return g.validation.status; }, itself),
             Packing::deflated);
  write_individuals(
      file, group + "/elites", generations, [](const Record& g) -> const auto& { return g.validation.elites; });
}

void write_generations(Hdf5Writer& file, const std::vector<GenerationRecord>& generations) {
  using Record = GenerationRecord;
  const std::string group = "/generations/";
  const auto per_generation = [&](const std::string& name, auto field) {
    file.array(group + name, column(generations, field), Packing::deflated);
  };
  const auto pieces = [&](const std::string& name, auto items, Packing packing) {
    file.array(group + name, nested_column(generations, items, itself), packing);
  };
  const auto piece_offsets = [&](const std::string& name, auto items) {
    file.array(group + name + "/offsets", offsets(generations, items), Packing::deflated);
  };

  per_generation("generation", [](const Record& g) { return g.generation; });
  per_generation("max_steps", [](const Record& g) { return g.max_steps; });
  per_generation("episodes_per_member", [](const Record& g) { return g.episodes_per_member; });
  per_generation("total_episodes", [](const Record& g) { return g.total_episodes; });
  per_generation("total_steps", [](const Record& g) { return g.total_steps; });
  per_generation("total_frames", [](const Record& g) { return g.total_frames; });
  per_generation("evaluate_seconds", [](const Record& g) { return g.evaluate_seconds; });
  per_generation("update_seconds", [](const Record& g) { return g.update_seconds; });
  per_generation("environment_seconds", [](const Record& g) { return g.environment_seconds; });
  per_generation("inference_seconds", [](const Record& g) { return g.inference_seconds; });
  per_generation("limit_share", [](const Record& g) { return g.limit_share; });
  per_generation("total_seconds", [](const Record& g) { return g.total_seconds; });

  write_members(file, generations);

  write_episodes(
      file, group + "episodes", generations, [](const Record& g) -> const auto& { return g.returns; },
      [](const Record& g) -> const auto& { return g.steps; }, [](const Record& g) -> const auto& { return g.frames; });
  pieces(
      "episodes/status", [](const Record& g) -> const auto& { return g.status; }, Packing::deflated);
  write_individuals(
      file, group + "ancestors", generations, [](const Record& g) -> const auto& { return g.ancestors; });
  write_validations(file, generations);
  write_episodes(
      file, group + "evaluation", generations, [](const Record& g) -> const auto& { return g.evaluation_returns; },
      [](const Record& g) -> const auto& { return g.evaluation_steps; },
      [](const Record& g) -> const auto& { return g.evaluation_frames; });

  constexpr auto mean = [](const Record& g) -> const auto& { return g.normalizer.mean; };
  piece_offsets("normalizer", mean);
  pieces("normalizer/mean", mean, Packing::plain);
  pieces(
      "normalizer/inverse_std", [](const Record& g) -> const auto& { return g.normalizer.inverse_std; },
      Packing::plain);
  per_generation("normalizer/clip", [](const Record& g) { return g.normalizer.clip; });
}

void write_keyframes(Hdf5Writer& file, const std::vector<Keyframe>& keyframes) {
  file.group("/keyframes");
  for (std::size_t i = 0; i < keyframes.size(); ++i) {
    // Padded, so that the order of names is the order of keyframes.
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%08zu", i);
    const std::string group = std::string("/keyframes/") + number.data();
    write_state(file, group, keyframes[i].state);
    file.attribute(group, "generation", keyframes[i].generation);
  }
}

}  // namespace

std::vector<std::byte> encode_run_record(const RunRecord& record) {
  check_run_record(record);
  Hdf5Writer file(kRunFileBlockBytes);
  file.attribute("/", names::kFormat, std::string(names::kFormatText));
  file.attribute("/", names::kSchema, static_cast<std::uint64_t>(kRunFileSchema));
  file.attribute("/", names::kVersion, version_string());
  file.attribute("/", names::kProgram, record.program);
  file.attribute("/", names::kStatus, record.status);
  file.attribute("/", names::kNextGeneration, record.next_generation);
  write_configuration(file, record.configuration);
  write_pairs(file, "/provenance", {record.provenance});
  write_sessions(file, record.sessions);
  write_state(file, "/state", record.state);
  write_generations(file, record.generations);
  write_keyframes(file, record.keyframes);
  file.array("/final/returns", record.final_returns, Packing::plain);
  file.array("/final/steps", record.final_steps, Packing::deflated);
  file.array("/final/frames", record.final_frames, Packing::deflated);
  return file.finish();
}

}  // namespace clade
