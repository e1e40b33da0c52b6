#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/episode.hpp"
#include "core/observation_normalizer.hpp"
#include "core/population.hpp"
#include "core/state.hpp"

namespace clade {

/// What a change of an option does to a run that is resumed.
enum class ResultEffect : std::uint8_t {
  fixes_results = 0,  ///< a change would alter results: refused by name
  budget = 1,         ///< how long to go on: may change
  none = 2            ///< threads, saving, printing: may change
};

struct ConfigEntry {
  std::string key;    ///< the option's name without dashes
  std::string value;  ///< resolved, as it could be given on the command line
  ResultEffect effect = ResultEffect::fixes_results;
  bool operator==(const ConfigEntry&) const = default;
};

/// Further episodes of a generation's best candidates, by which the elites are chosen.
struct Validation {
  std::uint32_t episodes_per_candidate = 0;
  std::vector<Individual> candidates;  ///< earlier elites, then the generation's best, best first
  std::vector<double> returns;         ///< [candidates * episodes_per_candidate]
  std::vector<std::uint32_t> steps;    ///< same shape
  std::vector<std::uint32_t> frames;   ///< same shape
  std::vector<std::uint8_t> status;    ///< same shape, EpisodeStatus
  std::vector<Individual> elites;      ///< chosen, best first
};

/// One generation as it was evaluated: enough to rebuild and replay each of its members.
struct GenerationRecord {
  std::uint64_t generation = 0;
  std::uint32_t max_steps = 0;  ///< cap of an episode that was in force
  std::uint32_t episodes_per_member = 1;
  std::vector<Member> members;             ///< [members] recipes
  std::vector<double> returns;             ///< [members * episodes_per_member]
  std::vector<std::uint32_t> steps;        ///< same shape
  std::vector<std::uint32_t> frames;       ///< same shape
  std::vector<std::uint8_t> status;        ///< same shape, EpisodeStatus
  std::vector<Individual> ancestors;       ///< who each base of the recipes was (a GA); empty otherwise
  Validation validation;                   ///< of the best candidates (a GA); empty otherwise
  NormalizerSnapshot normalizer;           ///< what its episodes saw
  std::vector<double> evaluation_returns;  ///< of the solution after this generation's update, empty where not played
  std::vector<std::uint32_t> evaluation_steps;
  std::vector<std::uint32_t> evaluation_frames;
  // From the start to this generation's end, training and validation.
  std::uint64_t total_episodes = 0;
  std::uint64_t total_steps = 0;
  std::uint64_t total_frames = 0;
  // Wall times: not part of the results' digest.
  double evaluate_seconds = 0.0;
  double update_seconds = 0.0;
  double environment_seconds = 0.0;  ///< summed over workers: inside reset and step
  double inference_seconds = 0.0;    ///< summed over workers: inside the engine
  double limit_share = 0.0;          ///< of the rate R*, 0 where it was not measured
  double total_seconds = 0.0;        ///< of the run, all its sessions
};

/// A strategy's full state before `generation`: later generations are rebuilt from it by replaying tell().
struct Keyframe {
  std::uint64_t generation = 0;
  State state;
};

/// One stretch of computing: a start or a resume.
struct SessionRecord {
  std::uint64_t first_generation = 0;
  std::string command_line;
  std::string started;                          ///< ISO 8601, UTC
  std::map<std::string, std::string> platform;  ///< fingerprint of what decides bits outside our code
  std::map<std::string, double> rates;          ///< a second, measured at its start; empty where they were not
  bool other_platform_allowed = false;          ///< resumed by --allow-other-platform on a different fingerprint
};

/// What a run file holds, in memory.
struct RunRecord {
  std::string program;                            ///< "clade-es"
  std::vector<ConfigEntry> configuration;         ///< resolved, in option order
  std::map<std::string, std::string> provenance;  ///< versions, checksums of models; fixed at the start
  std::vector<SessionRecord> sessions;
  std::string status = "running";  ///< running, interrupted, finished, failed
  State state;                     ///< before generation `next_generation`: strategy/..., normalizer/..., run/...
  std::uint64_t next_generation = 0;
  std::vector<GenerationRecord> generations;
  std::vector<Keyframe> keyframes;
  std::vector<double> final_returns;  ///< of the final test, empty before it
  std::vector<std::uint32_t> final_steps;
  std::vector<std::uint32_t> final_frames;
};

}  // namespace clade
