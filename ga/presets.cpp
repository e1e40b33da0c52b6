#include "ga/presets.hpp"

#include <map>
#include <string>
#include <utility>

namespace clade {
namespace {

using Values = std::map<std::string, std::string>;

/// What a genetic algorithm and random search have in common: task, policy, evaluation.
struct Experiment {
  std::string name;
  std::string text;
  Values task;
  Values genetic;  ///< of the genetic algorithm alone
};

/// Such et al. 2017 and the authors' code: 1000 members, LargeModel, the elite and the generation's best 9 validated on
/// 30 episodes, 200 episodes of final test without the cap. The cap of 5000 steps is training's.
Experiment such2017() {
  return {"such2017",
          "on an Atari game as published (Such 2017): 1000 members, LargeModel, a billion frames; give --env",
          {{"atari-protocol", "uber"},
           {"env-option", "max_frames=108000"},  // of a test; training's cap is max-steps
           {"network", "large_model"},
           {"initialisation", "uber"},
           {"head", "argmax"},
           {"population", "1000"},
           {"episodes", "1"},
           {"max-steps", "5000"},
           {"elites", "1"},
           {"validation-candidates", "10"},
           {"validation-episodes", "30"},
           {"evaluate-every", "0"},
           {"final-episodes", "200"},
           {"budget-frames", "1000000000"}},
          {{"parents", "20"}, {"power", "0.002"}}};
}

/// The smaller published network: LargeModel takes four times its weights and about twice the time of a whole step, so
/// that a workstation's day holds twice as many generations of this one.
Experiment atari_workstation() {
  return {"atari-workstation",
          "on an Atari game with 200 members of the smaller network, for hours on a workstation; give --env",
          {{"atari-protocol", "uber"},
           {"env-option", "max_frames=108000"},  // of a test; training's cap is max-steps
           {"network", "model"},
           {"initialisation", "uber"},
           {"head", "argmax"},
           {"population", "200"},
           {"episodes", "1"},
           {"max-steps", "5000"},
           {"elites", "1"},
           {"validation-candidates", "3"},
           {"validation-episodes", "10"},
           {"evaluate-every", "0"},
           {"final-episodes", "30"}},
          {{"parents", "20"}, {"power", "0.002"}}};
}

/// The paper's Humanoid-v1; the simulator was MuJoCo 1.3.
Experiment humanoid() {
  return {"humanoid",
          "on Humanoid-v4 with the published settings (Such 2017): 12,500 members of 5 episodes",
          {{"env", "Humanoid-v4"},
           {"network", "mlp:256,256:tanh"},
           {"initialisation", "fan_in"},
           {"head", "raw"},
           {"population", "12500"},
           {"episodes", "5"},
           {"elites", "1"},
           {"validation-candidates", "10"},
           {"validation-episodes", "30"},
           {"evaluate-every", "0"},
           {"final-episodes", "100"}},
          {{"parents", "625"}, {"power", "0.00224"}}};
}

/// Settings of ours: small networks learn with a larger power, fewer members with fewer parents.
Experiment workstation(const std::string& name, const std::string& env, const Values& task, const Values& genetic) {
  Experiment experiment;
  experiment.name = name;
  experiment.text = "on " + env + " with a small population, in minutes on two cores";
  experiment.task = task;
  // Adds only what the task's own values leave open.
  experiment.task.merge(Values{{"env", env},
                               {"initialisation", "fan_in"},
                               {"elites", "1"},
                               {"validation-candidates", "3"},
                               {"validation-episodes", "10"},
                               {"evaluate-every", "0"},
                               {"final-episodes", "100"}});
  experiment.genetic = genetic;
  return experiment;
}

std::vector<Experiment> experiments() {
  return {
      such2017(),
      atari_workstation(),
      humanoid(),
      workstation("CartPole", "CartPole-v1",
                  {{"network", "mlp:16:tanh"}, {"population", "50"}, {"episodes", "3"}, {"generations", "30"}},
                  {{"parents", "10"}, {"power", "0.1"}}),
      workstation("HalfCheetah", "HalfCheetah-v4",
                  {{"network", "mlp:32,32:tanh"}, {"population", "100"}, {"episodes", "1"}, {"generations", "40"}},
                  {{"parents", "10"}, {"power", "exponential:0.1,0.01,40"}}),
  };
}

}  // namespace

std::vector<Preset> deep_ga_presets() {
  std::vector<Preset> presets;
  for (Experiment& experiment : experiments()) {
    Preset preset;
    preset.name = experiment.name;
    preset.text = "deep GA " + experiment.text;
    preset.values = std::move(experiment.task);
    preset.values.merge(experiment.genetic);
    presets.push_back(std::move(preset));
  }
  return presets;
}

std::vector<Preset> random_search_presets() {
  std::vector<Preset> presets;
  for (Experiment& experiment : experiments()) {
    Preset preset;
    preset.name = experiment.name;
    preset.text = "random search " + experiment.text;
    preset.values = std::move(experiment.task);
    presets.push_back(std::move(preset));
  }
  return presets;
}

}  // namespace clade
