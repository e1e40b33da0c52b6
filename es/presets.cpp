#include "es/presets.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "core/number_text.hpp"

namespace clade {
namespace {

/// One row of Mania, Guy, Recht 2018.
struct ArsRow {
  const char* task;
  double reward_shift;       ///< alive bonus, subtracted from each step's reward
  double alpha;              ///< step size
  double nu;                 ///< exploration noise
  std::uint32_t directions;  ///< N
  std::uint32_t top;         ///< b
  double threshold;          ///< return that counts as solved
  std::uint32_t episodes_v2;
  std::uint32_t episodes_v2_t;
};

/// alpha, nu, N, b: the paper's table of hyperparameters; thresholds and episodes (means of three seeds): its table of
/// sample complexities; shifts: the authors' code. The tasks there were the -v1 ones of Gym 0.9.3.
constexpr ArsRow kArsRows[] = {
    {"Swimmer", 0.0, 0.02, 0.01, 1, 1, 325.0, 427, 427},
    {"Hopper", 1.0, 0.01, 0.025, 8, 4, 3120.0, 3013, 1973},
    {"HalfCheetah", 0.0, 0.02, 0.03, 32, 4, 3430.0, 2720, 1707},
    {"Walker2d", 1.0, 0.03, 0.025, 40, 30, 4390.0, 89600, 24000},
    {"Ant", 1.0, 0.015, 0.025, 60, 20, 3580.0, 60533, 20800},
    {"Humanoid", 5.0, 0.02, 0.0075, 230, 230, 6000.0, 142600, 142600},
};

Preset ars_preset(const ArsRow& row) {
  Preset preset;
  preset.name = row.task;
  preset.text = "ARS V2-t on " + std::string(row.task) + "-v4 (Mania 2018): " + number_text(row.threshold) +
                " published within " + std::to_string(row.episodes_v2_t) + " episodes";
  preset.values = {
      {"env", std::string(row.task) + "-v4"},
      {"network", "linear:nobias"},
      {"initialisation", "zero"},
      {"normalize", "ars"},
      {"population", std::to_string(2 * row.directions)},
      {"top", std::to_string(row.top)},
      {"learning-rate", number_text(row.alpha)},
      {"sigma", number_text(row.nu)},
      {"reward-shift", number_text(row.reward_shift)},
      {"evaluate-every", "10"},
      {"evaluation-episodes", "100"},
      {"target-return", number_text(row.threshold)},
  };
  preset.published = PublishedResult{row.threshold, row.episodes_v2, row.episodes_v2_t};
  return preset;
}

/// Salimans 2017 and configurations/humanoid.json of evolution-strategies-starter. There an episode in 333 was an
/// evaluation (eval_prob .003): 30 in a generation of 10,000.
Preset published_openai() {
  Preset preset;
  preset.name = "openai";
  preset.text = "OpenAI-ES as published for Humanoid (Salimans 2017): 10,000 episodes a generation, MLP 256x256";
  preset.values = {
      {"env", "Humanoid-v4"},          {"network", "mlp:256,256:tanh"},
      {"initialisation", "normc"},     {"head", "raw"},
      {"action-noise", "0.01"},        {"normalize", "openai"},
      {"statistics-fraction", "0.01"}, {"population", "10000"},
      {"minimum-steps", "100000"},     {"sigma", "0.02"},
      {"optimizer", "adam"},           {"adam-epsilon", "starter"},
      {"learning-rate", "0.01"},       {"weight-decay", "0.005"},
      {"shaping", "centred_rank"},     {"gradient-scale", "pairs"},
      {"evaluate-every", "1"},         {"evaluation-episodes", "30"},
  };
  return preset;
}

/// Uber's OpenAI-ES on Atari (Such et al. 2017, the authors' es-atari configuration): the games' rules as there,
/// virtual batch normalisation, 5000 perturbations (2500 pairs) a generation, 250 million steps of 4 frames. Training
/// ends an episode after 5000 steps, the final test does not; the authors' own runs of Frostbite on CPUs had sigma
/// .005.
Preset uber_es() {
  Preset preset;
  preset.name = "uber-es";
  preset.text =
      "OpenAI-ES on an Atari game as published (Such 2017): 5000 members, virtual batch norm, a billion frames; "
      "give --env";
  preset.values = {
      {"atari-protocol", "uber"},
      {"env-option", "max_frames=108000"},
      {"max-steps", "5000"},
      {"network", "model_vbn"},
      {"reference-observations", "128"},
      {"initialisation", "fan_in"},
      {"head", "argmax"},
      {"normalize", "none"},
      {"population", "5000"},
      {"episodes", "1"},
      {"sigma", "0.02"},
      {"optimizer", "adam"},
      {"adam-epsilon", "starter"},
      {"learning-rate", "0.01"},
      {"weight-decay", "0.005"},
      {"shaping", "centred_rank"},
      {"gradient-scale", "pairs"},
      {"evaluate-every", "10"},
      {"evaluation-episodes", "30"},
      {"final-episodes", "200"},
      {"budget-frames", "1000000000"},
  };
  return preset;
}

/// The same with as few members as two cores play in a minute or two; fewer need a larger step.
Preset atari_es() {
  Preset preset = uber_es();
  preset.name = "atari-es";
  preset.text = "OpenAI-ES on an Atari game with 128 members, for hours on a workstation; give --env";
  preset.values.erase("budget-frames");
  preset.values["population"] = "128";
  preset.values["learning-rate"] = "0.02";
  preset.values["evaluation-episodes"] = "10";
  preset.values["final-episodes"] = "30";
  return preset;
}

/// A small population needs a larger sigma and learning rate than the published thousands: its gradient is noisier.
Preset workstation(const std::string& task, std::map<std::string, std::string> values) {
  Preset preset;
  preset.name = task;
  preset.text = "OpenAI-ES on " + task + "-v4 with a small population: learns in minutes on two cores";
  preset.values = std::move(values);
  // Adds only what the task's own values leave open.
  preset.values.merge(std::map<std::string, std::string>{
      {"env", task + "-v4"},
      {"normalize", "openai"},
      {"statistics-fraction", "1"},
      {"optimizer", "adam"},
      {"shaping", "centred_rank"},
      {"evaluate-every", "10"},
      {"evaluation-episodes", "100"},
  });
  return preset;
}

}  // namespace

std::vector<Preset> ars_presets() {
  std::vector<Preset> presets;
  for (const ArsRow& row : kArsRows) presets.push_back(ars_preset(row));
  return presets;
}

std::vector<Preset> openai_es_presets() {
  return {
      published_openai(),
      uber_es(),
      atari_es(),
      workstation("HalfCheetah", {{"network", "mlp:32,32:tanh"},
                                  {"initialisation", "normc"},
                                  {"population", "32"},
                                  {"sigma", "0.05"},
                                  {"learning-rate", "0.02"},
                                  {"weight-decay", "0"},
                                  {"target-return", "3430"}}),
      workstation("InvertedDoublePendulum", {{"network", "linear"},
                                             {"initialisation", "zero"},
                                             {"population", "64"},
                                             {"sigma", "0.05"},
                                             {"learning-rate", "0.05"},
                                             {"weight-decay", "0"},
                                             {"target-return", "9100"}}),
  };
}

}  // namespace clade
