#include "experiments/run_settings.hpp"

#include <string>

namespace clade {

namespace {

/// Steps, frames, members and episodes are counted in 32 bits.
constexpr double kMaximumCount = 4294967295.0;
/// Environments and engines are made per thread and lane.
constexpr double kMaximumThreads = 4096.0;
constexpr double kMaximumLanes = 1024.0;

OptionHelp text(const std::string& help) { return {.text = help}; }

OptionHelp free_text(const std::string& help, const std::string& value_name) {
  return {.text = help, .effect = ResultEffect::none, .value_name = value_name};
}

OptionHelp count(const std::string& help, const std::string& unit, double minimum,
                 ResultEffect effect = ResultEffect::fixes_results) {
  return {.text = help, .unit = unit, .effect = effect, .minimum = minimum, .maximum = kMaximumCount};
}

OptionHelp choice(const std::string& help, std::vector<std::string> choices) {
  return {.text = help, .choices = std::move(choices)};
}

void add_task_options(Options& options, RunSettings& settings) {
  options.group("Task");
  options.add("env", settings.environment, text("environment, as HalfCheetah-v4; --list-envs shows all"));
  options.add("env-option", settings.environment_options,
              {.text = "parameter of the environment, as forward_reward_weight=2",
               .value_name = "K=V",
               .merged_by_name = true});
  options.add("max-steps", settings.max_steps,
              text("cap of a training episode in steps: task (the task's own limit, which others always have), a "
                   "number, or adaptive:START,THRESHOLD,RATIO,MAX (x RATIO when that share of episodes hits the cap)"));
  options.add(
      "max-frames", settings.max_frames,
      {.text = "cap of a training episode in frames (emulator frames, physics substeps); an episode ends at the "
               "first of its caps",
       .unit = "frames",
       .minimum = 1.0});
  options.add("list-envs", settings.list_environments,
              {.text = "list the environments and their options, then exit",
               .effect = ResultEffect::none,
               .in_configuration = false});
}

void add_atari_options(Options& options, RunSettings& settings) {
  options.group("Atari (each is an option of the games, which --env-option would set too)");
  options.add(
      "atari-protocol", settings.atari_protocol,
      choice("rules that the papers differ in (--list-envs explains); auto: dqn", {"auto", "dqn", "machado", "uber"}));
  options.add("resize", settings.resize,
              choice("how a screen becomes 84x84; auto: as the protocol says", {"auto", "area", "bilinear"}));
  options.add("full-action-space", settings.full_action_space, text("all 18 actions, not the game's own"));
  options.add("rom-dir", settings.rom_dir,
              free_text("folder of the ROMs, .bin files; default: where the set-up script puts them", "FOLDER"));
}

void add_policy_options(Options& options, RunSettings& settings) {
  options.group("Policy");
  options.add("network", settings.network,
              {.text = "linear, linear:nobias, mlp:64,64:tanh (tanh, relu, elu, sigmoid, identity), "
                       "conv:32@8/4,64@4/2,64@3/1;fc:512 (filters@kernel/stride, then dense layers; "
                       "conv:...:valid pads nothing, a last part ;vbn normalises by a reference batch), or by name: "
                       "model, large_model, model_vbn, nature; auto: model for images, else mlp:64,64:tanh",
               .open_value = "auto"});
  options.add("initialisation", settings.initialisation,
              choice("first parameters; with n the inputs of a unit: zero (all 0), normc (normal, each unit's weights "
                     "scaled to norm 1, of the output layer .01), fan_in (normal, standard deviation 1/sqrt(n)), uber "
                     "(as fan_in, of the output layer .1/sqrt(n)), uniform (in +-1/sqrt(n), biases too; elsewhere "
                     "they are 0). Individuals (clade-ga, clade-rs) take zero, fan_in or uber",
                     {"zero", "normc", "fan_in", "uber", "uniform"}));
  options.add("head", settings.head,
              text("outputs to action: raw, clip, tanh, binned:N (continuous), argmax, sample (discrete); "
                   "auto is raw or argmax"));
  options.add(
      "action-noise", settings.action_noise,
      {.text = "standard deviation of Gaussian noise on continuous actions in training episodes", .minimum = 0.0});
  options.add("normalize", settings.normalize, choice("running observation statistics", {"none", "ars", "openai"}));
  options.add("statistics-fraction", settings.statistics_fraction,
              {.text = "share of the training episodes that contribute observation statistics",
               .minimum = 0.0,
               .maximum = 1.0,
               .minimum_open = true});
  options.add("precision", settings.precision,
              choice("how a member's weights are stored: fp32, or bf16 (rounded to 8 bits of mantissa, half the memory "
                     "to read; sums stay fp32, results differ)",
                     {"fp32", "bf16"}));
  options.add("reference-observations", settings.reference_observations,
              {.text = "of random play, for networks with virtual batch normalisation",
               .unit = "observations",
               .minimum = 1.0,
               .maximum = 65536.0});
}

void add_evaluation_options(Options& options, RunSettings& settings) {
  options.group("Evaluation");
  options.add("seed", settings.seed, text("the run's seed; everything random follows from it"));
  options.add("population", settings.population,
              count("members evaluated in a generation (a mirrored pair is two)", "members", 1.0));
  options.add("episodes", settings.episodes,
              {.text = "episodes a member plays; their mean is its fitness",
               .unit = "episodes",
               .minimum = 1.0,
               .maximum = 16777215.0});
  options.add("common-random-numbers", settings.common_random_numbers,
              text("both members of a mirrored pair meet the same start states"));
  options.add("reward-shift", settings.reward_shift,
              {.text = "subtracted from every step's reward in the fitness (a task's alive bonus; ARS)"});
  OptionHelp on_failure =
      choice("a failed episode (diverged physics, NaN, exception): its member ranks worst, or the run stops",
             {"worst", "stop"});
  on_failure.effect = ResultEffect::budget;  // it ends a run, and alters nothing before
  options.add("on-failure", settings.on_failure, on_failure);
  options.add("evaluate-every", settings.evaluate_every,
              count("evaluate the solution after every so many generations; 0: never", "generations", 0.0));
  options.add("evaluation-episodes", settings.evaluation_episodes,
              {.text = "episodes of such an evaluation", .unit = "episodes", .minimum = 1.0, .maximum = 16777215.0});
  options.add("final-episodes", settings.final_episodes,
              {.text = "episodes of the final test at the run's end, with start states of their own; 0: none",
               .unit = "episodes",
               .effect = ResultEffect::budget,
               .minimum = 0.0,
               .maximum = 16777215.0});
}

void add_budget_options(Options& options, RunSettings& settings) {
  options.group(
      "Budget (the first that is spent ends the run; checked between generations, so that the last may exceed it; "
      "without any: 100 generations)");
  options.add("generations", settings.generations,
              count("generations from the start", "generations", 1.0, ResultEffect::budget));
  options.add("budget-episodes", settings.budget_episodes,
              {.text = "episodes of training and validation",
               .unit = "episodes",
               .effect = ResultEffect::budget,
               .minimum = 1.0});
  options.add(
      "budget-steps", settings.budget_steps,
      {.text = "steps of training and validation", .unit = "steps", .effect = ResultEffect::budget, .minimum = 1.0});
  options.add("budget-frames", settings.budget_frames,
              {.text = "frames (emulator frames, physics substeps) of training and validation",
               .unit = "frames",
               .effect = ResultEffect::budget,
               .minimum = 1.0});
  options.add("budget-seconds", settings.budget_seconds,
              {.text = "wall time of all sessions",
               .unit = "seconds",
               .effect = ResultEffect::budget,
               .minimum = 0.0,
               .minimum_open = true});
  options.add("target-return", settings.target_return,
              {.text = "stop once an evaluation's mean reaches it", .effect = ResultEffect::budget});
}

void add_machine_options(Options& options, RunSettings& settings) {
  options.group("Machine");
  options.add("threads", settings.threads,
              {.text = "OpenMP workers; 0: the cores granted to the process. Never alters results",
               .effect = ResultEffect::none,
               .minimum = 0.0,
               .maximum = kMaximumThreads});
  options.add(
      "lanes", settings.lanes,
      {.text = "episodes of a member that a worker plays side by side in training; tests of one policy on pixel "
               "tasks take up to 8. Never alters results",
       .effect = ResultEffect::none,
       .minimum = 1.0,
       .maximum = kMaximumLanes});
  options.add("noise", settings.noise,
              text("counter (computed where needed) or table:SIZE (the published shared table, SIZE floats)"));
  options.add("rate-seconds", settings.rate_seconds,
              {.text = "on pixel tasks a session starts by measuring how fast the environment and the network are "
                       "alone, each for so long; 0: not",
               .unit = "seconds",
               .effect = ResultEffect::none,
               .minimum = 0.0,
               .maximum = 3600.0});
}

void add_file_options(Options& options, RunSettings& settings) {
  options.group("Files and messages");
  options.add("out", settings.out, free_text("run file; default: PROGRAM-ENV-seedN.h5 in this folder", "FILE"));
  options.add("resume", settings.resume,
              {.text = "go on with a run file, to the same bits; budgets may be larger",
               .effect = ResultEffect::none,
               .in_configuration = false,
               .value_name = "FILE"});
  options.add("save-every", settings.save_every,
              free_text("auto (at most 1% of the wall time), generation, or a number of seconds", "WHEN"));
  options.add("keyframe-every", settings.keyframe_every,
              count("keep the full state every so many generations, to rebuild any member; 0: by its size",
                    "generations", 0.0, ResultEffect::none));
  options.add("force", settings.force,
              {.text = "overwrite an existing --out", .effect = ResultEffect::none, .in_configuration = false});
  options.add("allow-other-platform", settings.allow_other_platform,
              {.text = "resume although libm, the processor or the simulator differ; recorded in the run file",
               .effect = ResultEffect::none,
               .in_configuration = false});
  options.add("quiet", settings.quiet,
              {.text = "no progress line", .effect = ResultEffect::none, .in_configuration = false});
}

}  // namespace

void add_initial_solution_option(Options& options, RunSettings& settings) {
  settings.takes_initial_solution = true;
  options.add("init-from", settings.init_from,
              free_text("start from another run's solution and observation statistics", "FILE"));
}

void add_run_options(Options& options, RunSettings& settings) {
  add_task_options(options, settings);
  add_atari_options(options, settings);
  add_policy_options(options, settings);
  add_evaluation_options(options, settings);
  add_budget_options(options, settings);
  add_machine_options(options, settings);
  add_file_options(options, settings);
}

}  // namespace clade
