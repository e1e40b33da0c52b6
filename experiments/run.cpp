#include "experiments/run.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

#include "core/cpu_inference.hpp"
#include "core/memory.hpp"
#include "core/run_file.hpp"
#include "core/statistics.hpp"
#include "experiments/replay.hpp"
#include "experiments/run_budget.hpp"
#include "experiments/run_checks.hpp"
#include "experiments/run_plans.hpp"
#include "experiments/run_progress.hpp"
#include "experiments/run_session.hpp"
#include "experiments/run_summary.hpp"
#include "experiments/validation.hpp"

namespace clade {

namespace {

constexpr std::uint64_t kDefaultGenerations = 100;
constexpr int kExitInterrupted = 130;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Run::Run(const std::string& program, Options& options, RunSettings& settings, int argc, const char* const* argv)
    : program_(program), settings_(settings), resumed_(!settings.resume.empty()), schedule_("auto") {
  check_file_options(options, settings);
  if (resumed_) {
    record_ = load_run_file(settings.resume);
    if (record_.program != program_) {
      throw_input_error("--resume " + settings.resume + ": this run was made by " + record_.program +
                        "; resume it with that program");
    }
    options.apply_stored(record_.configuration);
    if (!options.given_on_command_line("out")) settings.out = settings.resume;
  }
  if (!settings.has_budget()) settings.generations = kDefaultGenerations;

  check_atari_options(options, settings);
  threads_ = resolve_threads(settings);
  task_ = std::make_unique<RunTask>(make_run_task(settings));
  settings.network = resolve_network(settings.network, task_->environment.observation);
  if (settings.out.empty()) settings.out = default_file_name(program_, settings, *task_);
  path_ = settings.out;
  check_output_path(settings);
  schedule_ = SaveSchedule(settings.save_every);
  cap_ = std::make_unique<AdaptiveEpisodeCap>(parse_episode_cap(settings.max_steps), task_->environment.max_steps);
  normalizer_ = std::make_unique<ObservationNormalizer>(make_normalizer(settings, *task_));
  if (const auto available = available_memory()) check_memory(settings, *task_, threads_, *available);
  if (!resumed_ && !settings.init_from.empty()) initial_run_ = load_run_file(settings.init_from);

  record_.program = program_;
  record_.configuration = options.configuration();
  record_.sessions.push_back(begin_session(settings, *task_, record_.next_generation, argc, argv));
  if (resumed_) {
    record_.sessions.back().other_platform_allowed = settings.allow_other_platform;
    check_platform(record_, settings);
  } else {
    record_.provenance = run_provenance(settings, *task_);
    if (initial_run_) record_.provenance["init-from digest"] = results_digest(*initial_run_);
  }

  noise_ = make_noise(settings.noise, threads_);
  check_noise_length(*noise_, *task_);
  const SchedulerSettings scheduler{threads_, evaluation_lanes(settings, *task_)};
  const EngineFactory engines = [this](std::size_t lanes) { return make_cpu_inference(task_->policy, *noise_, lanes); };
  scheduler_ = std::make_unique<EpisodeScheduler>(scheduler, task_->environments, engines);
  progress_ = std::make_unique<ProgressReporter>(std::cerr, settings.quiet);
  if (const std::string text = preset_note(options, settings); !resumed_ && !text.empty()) note(text);
}

Run::~Run() = default;

std::vector<double> Run::initial_parameters() const {
  if (initial_run_) return initial_solution(*initial_run_, settings_, *task_);
  const Network& network = task_->policy.network;
  std::vector<double> parameters(network.parameter_count());
  initialise(network, parse_initialisation(settings_.initialisation),
             {settings_.seed, Purpose::initialisation, 0, 0, 0}, parameters);
  return parameters;
}

void Run::begin(ElitistStrategy& strategy) {
  elitist_ = &strategy;
  start(strategy);
}

void Run::begin(Strategy& strategy) { start(strategy); }

void Run::start(Strategy& strategy) {
  strategy_ = &strategy;
  started_ = std::chrono::steady_clock::now();
  if (resumed_) {
    start_from_record();
  } else {
    start_fresh();
  }
  snapshot_ = normalizer_->snapshot();
  const bool all_done =
      spent_budget(settings_, record_, total_seconds()) && record_.final_returns.size() == settings_.final_episodes;
  std::error_code ignored;
  if (record_.status == "finished" && all_done && std::filesystem::equivalent(path_, settings_.resume, ignored)) {
    finished_before_ = true;
    return;
  }
  record_.status = "running";
  save();
  if (observes_pixels(*task_) && settings_.rate_seconds > 0.0) measure_rates_once();
  generation_started_ = std::chrono::steady_clock::now();
  if (evaluation_is_due()) evaluate_solution();
}

void Run::start_fresh() {
  if (initial_run_) {
    // The statistics are the same numbers whatever they are used for; a run without normalisation has none.
    State state = initial_run_->state;
    const std::string own_kind(name_of(normalizer_->kind()));
    if (state.get<std::string>("normalizer/kind") != "none" && own_kind != "none") {
      state.set("normalizer/kind", own_kind);
      normalizer_->load(state);
    }
    const std::string& kind = initial_run_->state.get<std::string>("normalizer/kind");
    if (kind != own_kind) {
      progress_->message("note: --init-from " + settings_.init_from + ": its run had --normalize " + kind +
                         ", this one has " + own_kind + ": its solution will not act as it did there");
    }
  }
  record_.keyframes.push_back({0, strategy_->save()});
}

void Run::start_from_record() {
  strategy_->load(record_.state.extract("strategy"));
  normalizer_->load(record_.state);
  cap_->load(record_.state);
  if (!record_.generations.empty()) earlier_seconds_ = record_.generations.back().total_seconds;
  for (const GenerationRecord& generation : record_.generations) keep_validated_returns(generation);
}

/// Of the session's first members, whose weights a generation would read.
void Run::measure_rates_once() {
  const Population population =
      strategy_->ask(0, std::min<std::size_t>(static_cast<std::size_t>(threads_), settings_.population));
  rates_ = measure_rates({*task_, *noise_, population, snapshot_, settings_.seed, threads_, settings_.rate_seconds},
                         [] { return stop_requested(); });
  if (rates_.limit() == 0.0) return;
  record_.sessions.back().rates = {
      {"environment", rates_.environment}, {"inference", rates_.inference}, {"limit", rates_.limit()}};
  note("by processor time on " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads") +
       ": the environment alone makes about " + format_rate(rates_.environment) + " steps/s, the network alone about " +
       format_rate(rates_.inference) + "; so both together at most about R* = " + format_rate(rates_.limit()) +
       " steps/s (" + format_rate(rates_.limit() * task_->environment.frames_per_step) + " frames/s)");
}

double Run::total_seconds() const { return earlier_seconds_ + seconds_since(started_); }

bool Run::continues() {
  generation_started_ = std::chrono::steady_clock::now();
  validation_seconds_ = 0.0;
  return !stop_requested() && !spent_budget(settings_, record_, total_seconds());
}

EvaluationResults Run::evaluate(const Population& population) {
  EvaluationPlan plan = training_plan(settings_, population.generation, cap_->cap());
  plan.expected_steps = expected_steps(record_, population);
  EvaluationResults results = scheduler_->evaluate(population, snapshot_, plan, [] { return stop_requested(); });
  piece_steps_ = results.steps();
  handle_failures(results, {});
  return results;
}

void Run::handle_failures(const EvaluationResults& results, const std::string& where) {
  failures_.add(results, where);
  if (results.failures.empty() || settings_.on_failure != "stop") return;
  record_.status = "failed";
  save();
  throw_run_time_error("an episode failed (--on-failure stop): " + failures_.first() + "; saved before generation " +
                       std::to_string(record_.next_generation) + ": --resume " + path_.string() +
                       " --on-failure worst goes on");
}

std::vector<double> Run::record(const Population& population, EvaluationResults& results) {
  GenerationRecord generation = record_generation(population, results, snapshot_, cap_->cap());
  if (!record_.generations.empty()) {
    const GenerationRecord& before = record_.generations.back();
    generation.total_episodes = before.total_episodes;
    generation.total_steps = before.total_steps;
    generation.total_frames = before.total_frames;
  }
  add_costs(results, generation);
  std::vector<double> fitness = member_fitness(generation, settings_.reward_shift);
  pending_moments_ = std::move(results.moments);
  record_.generations.push_back(std::move(generation));
  record_.final_returns.clear();  // of an earlier session, before the budget was raised
  record_.final_steps.clear();
  record_.final_frames.clear();
  return fitness;
}

bool Run::validate(ElitistStrategy& strategy, const Population& candidates,
                   const std::vector<Individual>& individuals) {
  if (individuals.empty()) return true;  // the whole generation failed
  const auto started = std::chrono::steady_clock::now();
  EvaluationPlan plan = validation_plan(settings_, *task_, cap_->cap());
  plan.expected_steps = recorded_steps(record_, individuals);
  const EvaluationResults results = scheduler_->evaluate(candidates, snapshot_, plan, [] { return stop_requested(); });
  const bool stops = !results.failures.empty() && settings_.on_failure == "stop";
  if (!results.complete || stops) record_.generations.pop_back();
  handle_failures(results, "validation in ");
  if (!results.complete) return false;
  GenerationRecord& generation = record_.generations.back();
  generation.validation = record_validation(individuals, results);
  add_costs(results, generation);
  strategy.validated(validation_means(generation.validation));
  validation_seconds_ = seconds_since(started);
  return true;
}

void Run::log() {
  GenerationRecord& generation = record_.generations.back();
  if (elitist_ != nullptr && !generation.validation.candidates.empty()) {
    generation.validation.elites = elitist_->elites();
  }
  normalizer_->update(pending_moments_);
  pending_moments_.clear();
  snapshot_ = normalizer_->snapshot();
  const auto capped = std::count_if(generation.steps.begin(), generation.steps.end(),
                                    [&](std::uint32_t steps) { return steps >= generation.max_steps; });
  cap_->update(static_cast<double>(capped) / static_cast<double>(generation.steps.size()));
  ++record_.next_generation;

  const double seconds = seconds_since(generation_started_);
  generation.update_seconds = seconds - generation.evaluate_seconds;
  generation.limit_share = limit_share(generation, rates_.limit(), seconds - validation_seconds_);
  generation.total_seconds = total_seconds();  // already here: a failed evaluation may end the run
  keep_validated_returns(generation);
  if (evaluation_is_due()) evaluate_solution();
  generation.total_seconds = total_seconds();
  show_progress();
}

bool Run::evaluation_is_due() const {
  return settings_.evaluate_every > 0 && record_.next_generation > 0 &&
         record_.next_generation % settings_.evaluate_every == 0 &&
         record_.generations.back().evaluation_returns.empty();
}

EvaluationResults Run::play_solution(Purpose purpose, std::uint64_t generation, std::uint32_t episodes) {
  Population population;
  population.generation = generation;
  const std::span<const double> solution = strategy_->solution();
  population.bases.push_back(std::make_shared<const std::vector<float>>(solution.begin(), solution.end()));
  population.members.push_back({});
  return scheduler_->evaluate(population, snapshot_, test_plan(settings_, *task_, purpose, episodes),
                              [] { return stop_requested(); });
}

void Run::evaluate_solution() {
  GenerationRecord& generation = record_.generations.back();
  const EvaluationResults results = play_solution(Purpose::evaluation_environment, generation.generation,
                                                  static_cast<std::uint32_t>(settings_.evaluation_episodes));
  if (!results.complete) return;  // a signal came: it is played when the run is resumed
  handle_failures(results, "evaluation after ");
  append_returns(results, generation.evaluation_returns, generation.evaluation_steps, generation.evaluation_frames);
  keep_validated_returns(generation);
}

void Run::keep_validated_returns(const GenerationRecord& generation) {
  std::vector<double> returns = validated_returns(generation);
  if (summarize(returns).count > 0) validated_returns_ = std::move(returns);
}

void Run::store_state() {
  State state;
  state.insert("strategy", strategy_->save());
  normalizer_->save(state);
  cap_->save(state);
  // An individual is rebuilt from how it came to be, which the generations' records say.
  if (elitist_ == nullptr) {
    const std::span<const double> solution = strategy_->solution();
    state.set("solution", std::vector<double>(solution.begin(), solution.end()));
  }
  record_.state = std::move(state);
}

void Run::save() {
  const auto begin = SaveSchedule::Clock::now();
  store_state();
  save_run_file(path_, record_);
  saved_generation_ = record_.next_generation;
  schedule_.saved(begin, SaveSchedule::Clock::now());
}

void Run::checkpoint() {
  const std::uint64_t interval =
      settings_.keyframe_every > 0
          ? settings_.keyframe_every
          : automatic_keyframe_interval(task_->policy.network.parameter_count() * 3 * sizeof(double));
  // The records of an individual's ancestors do for keyframes.
  if (elitist_ == nullptr && record_.next_generation % interval == 0)
    record_.keyframes.push_back({record_.next_generation, strategy_->save()});
  if (!schedule_.due(SaveSchedule::Clock::now())) return;
  const auto begin = SaveSchedule::Clock::now();
  try {
    save();
    if (save_failed_)
      progress_->message("note: saved again, before generation " + std::to_string(record_.next_generation));
    save_failed_ = false;
  } catch (const Error& error) {
    // The last good file stays and the next save may succeed (a disk is emptied): computing goes on.
    if (!save_failed_) {
      progress_->message("warning: " + std::string(error.what()) + "; the run goes on and tries again");
    }
    save_failed_ = true;
    schedule_.saved(begin, SaveSchedule::Clock::now());
  }
}

void Run::final_test() {
  if (record_.final_returns.size() == settings_.final_episodes) return;
  record_.final_returns.clear();
  record_.final_steps.clear();
  record_.final_frames.clear();
  if (settings_.final_episodes == 0) return;
  const EvaluationResults results = play_solution(Purpose::final_environment, record_.next_generation,
                                                  static_cast<std::uint32_t>(settings_.final_episodes));
  if (!results.complete) return;
  failures_.add(results, "final test, ");  // nothing is left to stop
  append_returns(results, record_.final_returns, record_.final_steps, record_.final_frames);
}

void Run::note(const std::string& text) {
  if (!settings_.quiet) progress_->message(text);
}

int Run::finish() {
  progress_->finish();
  if (finished_before_) {
    print_closing_lines(false);
    return 0;
  }
  if (!stop_requested()) final_test();
  const bool interrupted = stop_requested();
  record_.status = interrupted ? "interrupted" : "finished";
  if (!record_.generations.empty()) record_.generations.back().total_seconds = total_seconds();
  try {
    save();
  } catch (const Error& error) {
    throw Error(error.kind(), std::string(error.what()) + "; the file saved before generation " +
                                  std::to_string(saved_generation_) + " stays, and --resume computes the rest again");
  }
  print_closing_lines(interrupted);
  return interrupted ? kExitInterrupted : 0;
}

void Run::show_progress() {
  progress_->update(
      progress_fields(record_, {.threads = threads_,
                                .validated_returns = validated_returns_,
                                .failed_episodes = failures_.count(),
                                .seconds_left = budget_seconds_left(settings_, record_, session_seconds())}));
  if (!failures_.first().empty() && !failure_shown_) {
    failure_shown_ = true;
    progress_->message("note: an episode failed (a training member ranks worst by it): " + failures_.first() +
                       "; further ones are only counted");
  }
}

void Run::print_closing_lines(bool interrupted) const {
  ClosingLines lines;
  lines.program = program_;
  lines.file = path_.string();
  lines.interrupted = interrupted;
  lines.finished_before = finished_before_;
  if (const auto reason = spent_budget(settings_, record_, total_seconds())) lines.reason = *reason;
  print_closing(std::cout, record_, failures_, lines);
}

}  // namespace clade
