#include "experiments/run.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iostream>
#include <numeric>
#include <sstream>
#include <utility>

#include "core/cpu_inference.hpp"
#include "core/memory.hpp"
#include "core/number_text.hpp"
#include "core/platform.hpp"
#include "core/program.hpp"
#include "core/run_file.hpp"
#include "core/statistics.hpp"
#include "envs/catalog.hpp"
#include "experiments/replay.hpp"
#include "experiments/run_checks.hpp"
#include "experiments/run_summary.hpp"

namespace clade {

namespace {

constexpr std::uint64_t kDefaultGenerations = 100;
constexpr int kExitInterrupted = 130;

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string join_arguments(int argc, const char* const* argv) {
  std::string joined;
  for (int index = 0; index < argc; ++index) {
    if (index > 0) joined += ' ';
    joined += argv[index];
  }
  return joined;
}

std::string generations_text(std::uint64_t generations) {
  return format_count(generations) + (generations == 1 ? " generation" : " generations");
}

/// Generations between keyframes: 50 for states up to a mebibyte, proportionally more for larger ones, so that
/// keyframes never weigh more than one such state per 50 generations.
std::uint64_t automatic_keyframe_interval(std::size_t state_bytes) {
  constexpr std::uint64_t kGenerations = 50;
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  return kGenerations * std::max<std::uint64_t>(1, (state_bytes + kMebibyte - 1) / kMebibyte);
}

/// A failed evaluation episode keeps the target from being reached.
bool reaches(std::span<const double> returns, double target) {
  const ReturnSummary summary = summarize(returns);
  return summary.failed == 0 && summary.mean >= target;
}

void append_returns(const EvaluationResults& results, std::vector<double>& returns, std::vector<std::uint32_t>& steps,
                    std::vector<std::uint32_t>& frames) {
  for (const EpisodeResult& episode : results.episodes) {
    returns.push_back(episode.valid_return());
    steps.push_back(episode.steps);
    frames.push_back(episode.frames);
  }
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

  threads_ = resolve_threads(settings);
  task_ = std::make_unique<RunTask>(make_run_task(settings));
  if (settings.out.empty()) {
    std::string name = program_ + "-" + task_->environment.name + "-seed" + std::to_string(settings.seed) + ".h5";
    std::replace(name.begin(), name.end(), '/', '-');
    settings.out = name;
  }
  path_ = settings.out;
  check_output_path(settings);
  schedule_ = SaveSchedule(settings.save_every);
  cap_ = std::make_unique<AdaptiveEpisodeCap>(parse_episode_cap(settings.max_steps), task_->environment.max_steps);
  normalizer_ = std::make_unique<ObservationNormalizer>(parse_normalization(settings.normalize),
                                                        task_->environment.observation.size());
  if (const auto available = available_memory()) check_memory(settings, *task_, threads_, *available);
  if (!resumed_ && !settings.init_from.empty()) initial_run_ = load_run_file(settings.init_from);

  record_.program = program_;
  record_.configuration = options.configuration();
  SessionRecord session;
  session.first_generation = record_.next_generation;
  session.command_line = join_arguments(argc, argv);
  session.started = utc_now();
  session.platform = platform_fingerprint();
  const auto provenance = environment_provenance(settings.environment, environment_options(settings));
  session.platform.insert(provenance.begin(), provenance.end());
  if (resumed_) {
    session.other_platform_allowed = settings.allow_other_platform;
    record_.sessions.push_back(session);
    check_platform(record_, settings);
  } else {
    record_.sessions.push_back(session);
    record_.provenance = provenance;
    record_.provenance.merge(machine_description());
    record_.provenance["network"] = network_text(*task_);
    record_.provenance["clade"] = version_string();
    if (initial_run_) record_.provenance["init-from digest"] = results_digest(*initial_run_);
  }

  noise_ = make_noise(settings.noise, threads_);
  check_noise_length(*noise_, *task_);
  const SchedulerSettings scheduler{threads_, settings.lanes};
  const EngineFactory engines = [this](std::size_t lanes) { return make_cpu_inference(task_->policy, *noise_, lanes); };
  scheduler_ = std::make_unique<EpisodeScheduler>(scheduler, task_->environments, engines);
  progress_ = std::make_unique<ProgressReporter>(std::cerr, settings.quiet);
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

void Run::begin(Strategy& strategy) {
  strategy_ = &strategy;
  started_ = std::chrono::steady_clock::now();
  if (resumed_) {
    start_from_record();
  } else {
    start_fresh();
  }
  snapshot_ = normalizer_->snapshot();
  const bool all_done = spent_budget() && record_.final_returns.size() == settings_.final_episodes;
  std::error_code ignored;
  if (record_.status == "finished" && all_done && std::filesystem::equivalent(path_, settings_.resume, ignored)) {
    finished_before_ = true;
    return;
  }
  record_.status = "running";
  save();
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
  for (const GenerationRecord& generation : record_.generations) keep_evaluation_mean(generation);
}

double Run::total_seconds() const {
  return earlier_seconds_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

std::optional<std::string> Run::spent_budget() const {
  const auto& generations = record_.generations;
  const std::uint64_t episodes = generations.empty() ? 0 : generations.back().total_episodes;
  const std::uint64_t steps = generations.empty() ? 0 : generations.back().total_steps;
  if (settings_.target_return && !generations.empty() && !generations.back().evaluation_returns.empty() &&
      reaches(generations.back().evaluation_returns, *settings_.target_return)) {
    return "target return " + number_text(*settings_.target_return) + " reached";
  }
  if (settings_.generations && record_.next_generation >= *settings_.generations) return "generations spent";
  if (settings_.budget_episodes && episodes >= *settings_.budget_episodes) return "episodes spent";
  if (settings_.budget_steps && steps >= *settings_.budget_steps) return "steps spent";
  if (settings_.budget_seconds && total_seconds() >= *settings_.budget_seconds) return "seconds spent";
  return std::nullopt;
}

bool Run::continues() {
  generation_started_ = std::chrono::steady_clock::now();
  return !stop_requested() && !spent_budget();
}

EvaluationResults Run::evaluate(const Population& population) {
  EvaluationPlan plan;
  plan.seed = settings_.seed;
  plan.environment_purpose = Purpose::environment;
  plan.episodes_per_member = static_cast<std::uint32_t>(settings_.episodes);
  plan.common_random_numbers = settings_.common_random_numbers;
  plan.episode.max_steps = cap_->cap();
  if (normalizer_->kind() != NormalizationKind::none) {
    const double fraction = settings_.statistics_fraction;
    const std::uint64_t seed = settings_.seed;
    const std::uint64_t generation = population.generation;
    plan.collects_moments = [=](std::uint32_t member, std::uint32_t episode) {
      if (fraction >= 1.0) return true;
      RandomStream rng(RandomKey{seed, Purpose::statistics_sampling, generation, member, episode});
      return rng.uniform() < fraction;
    };
  }
  if (population.first_member + population.members.size() <= last_steps_.size()) {
    const auto first = last_steps_.begin() + static_cast<std::ptrdiff_t>(population.first_member);
    plan.expected_steps.assign(first, first + static_cast<std::ptrdiff_t>(population.members.size()));
  }
  EvaluationResults results = scheduler_->evaluate(population, snapshot_, plan, [] { return stop_requested(); });
  piece_steps_ = results.steps();
  handle_failures(results, {});
  return results;
}

void Run::count_failures(const EvaluationResults& results, const std::string& where) {
  if (results.failures.empty()) return;
  const EpisodeFailure& failure = results.failures.front();
  const std::string message = where + "generation " + std::to_string(failure.identity.generation) + ", member " +
                              std::to_string(failure.identity.member) + ", episode " +
                              std::to_string(failure.identity.episode) + ", step " + std::to_string(failure.step) +
                              ": " + failure.reason;
  if (first_failure_.empty()) first_failure_ = message;
  failed_episodes_ += results.failures.size();
}

void Run::handle_failures(const EvaluationResults& results, const std::string& where) {
  count_failures(results, where);
  if (results.failures.empty() || settings_.on_failure != "stop") return;
  record_.status = "failed";
  save();
  throw_run_time_error("an episode failed (--on-failure stop): " + first_failure_ + "; saved before generation " +
                       std::to_string(record_.next_generation) + ": --resume " + path_.string() +
                       " --on-failure worst goes on");
}

std::vector<double> Run::record(const Population& population, EvaluationResults& results) {
  GenerationRecord generation = record_generation(population, results, snapshot_, cap_->cap());
  const std::uint64_t episodes = record_.generations.empty() ? 0 : record_.generations.back().total_episodes;
  const std::uint64_t steps = record_.generations.empty() ? 0 : record_.generations.back().total_steps;
  const std::uint64_t frames = record_.generations.empty() ? 0 : record_.generations.back().total_frames;
  generation.total_episodes = episodes + results.episodes.size();
  generation.total_steps = steps + results.steps();
  generation.total_frames = frames + results.frames();
  generation.evaluate_seconds = results.wall_seconds;
  generation.environment_seconds = results.environment_seconds;
  std::vector<double> fitness = member_fitness(generation, settings_.reward_shift);

  last_steps_.assign(population.members.size(), 0.0);
  for (std::size_t index = 0; index < results.episodes.size(); ++index) {
    last_steps_[index / results.episodes_per_member] += results.episodes[index].steps;
  }
  pending_moments_ = std::move(results.moments);
  record_.generations.push_back(std::move(generation));
  record_.final_returns.clear();  // of an earlier session, before the budget was raised
  record_.final_steps.clear();
  record_.final_frames.clear();
  return fitness;
}

void Run::log() {
  GenerationRecord& generation = record_.generations.back();
  normalizer_->update(pending_moments_);
  pending_moments_.clear();
  snapshot_ = normalizer_->snapshot();
  const auto capped = std::count_if(generation.steps.begin(), generation.steps.end(),
                                    [&](std::uint32_t steps) { return steps >= generation.max_steps; });
  cap_->update(static_cast<double>(capped) / static_cast<double>(generation.steps.size()));
  ++record_.next_generation;

  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - generation_started_).count();
  generation.update_seconds = seconds - generation.evaluate_seconds;
  generation.total_seconds = total_seconds();  // already here: a failed evaluation may end the run
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
  EvaluationPlan plan;
  plan.seed = settings_.seed;
  plan.environment_purpose = purpose;
  plan.episodes_per_member = episodes;
  plan.episode.max_steps = task_->environment.max_steps;
  plan.episode.action_noise = false;
  return scheduler_->evaluate(population, snapshot_, plan, [] { return stop_requested(); });
}

void Run::evaluate_solution() {
  GenerationRecord& generation = record_.generations.back();
  const EvaluationResults results = play_solution(Purpose::evaluation_environment, generation.generation,
                                                  static_cast<std::uint32_t>(settings_.evaluation_episodes));
  if (!results.complete) return;  // a signal came: it is played when the run is resumed
  handle_failures(results, "evaluation after ");
  append_returns(results, generation.evaluation_returns, generation.evaluation_steps, generation.evaluation_frames);
  keep_evaluation_mean(generation);
}

void Run::keep_evaluation_mean(const GenerationRecord& generation) {
  const ReturnSummary evaluation = summarize(generation.evaluation_returns);
  if (evaluation.count > 0) evaluation_mean_ = evaluation.mean;
}

void Run::store_state() {
  State state;
  state.insert("strategy", strategy_->save());
  normalizer_->save(state);
  cap_->save(state);
  const std::span<const double> solution = strategy_->solution();
  state.set("solution", std::vector<double>(solution.begin(), solution.end()));
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
  if (record_.next_generation % interval == 0)
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
  count_failures(results, "final test, ");  // nothing is left to stop
  append_returns(results, record_.final_returns, record_.final_steps, record_.final_frames);
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
  const GenerationRecord& generation = record_.generations.back();
  const ReturnSummary returns = summarize(member_fitness(generation, 0.0));
  ProgressFields fields;
  fields.generation = record_.next_generation;
  if (returns.count > 0) {
    fields.best_return = returns.maximum;
    fields.mean_return = returns.mean;
    fields.median_return = returns.median;
  }
  fields.evaluation_mean = evaluation_mean_;
  fields.episodes = generation.total_episodes;
  fields.steps = generation.total_steps;
  const std::uint64_t steps = std::accumulate(generation.steps.begin(), generation.steps.end(), std::uint64_t{0});
  const double seconds = generation.evaluate_seconds + generation.update_seconds;
  if (seconds > 0.0) {
    fields.steps_per_second = static_cast<double>(steps) / seconds;
    fields.environment_share = generation.environment_seconds / (seconds * threads_);
  }
  fields.failed_episodes = failed_episodes_;
  fields.seconds_elapsed = generation.total_seconds;
  fields.seconds_left = seconds_left();
  progress_->update(fields);
  if (!first_failure_.empty() && !failure_shown_) {
    failure_shown_ = true;
    progress_->message("note: an episode failed (a training member ranks worst by it): " + first_failure_ +
                       "; further ones are only counted");
  }
}

std::optional<double> Run::seconds_left() const {
  const GenerationRecord& last = record_.generations.back();
  const std::uint64_t first = record_.sessions.back().first_generation;
  const auto before = [&](auto field) {
    return first == 0 ? 0.0 : static_cast<double>(record_.generations[first - 1].*field);
  };
  std::vector<BudgetUse> budgets;
  if (settings_.generations) {
    budgets.push_back({static_cast<double>(first), static_cast<double>(record_.next_generation),
                       static_cast<double>(*settings_.generations)});
  }
  if (settings_.budget_episodes) {
    budgets.push_back({before(&GenerationRecord::total_episodes), static_cast<double>(last.total_episodes),
                       static_cast<double>(*settings_.budget_episodes)});
  }
  if (settings_.budget_steps) {
    budgets.push_back({before(&GenerationRecord::total_steps), static_cast<double>(last.total_steps),
                       static_cast<double>(*settings_.budget_steps)});
  }
  if (settings_.budget_seconds) {
    budgets.push_back({before(&GenerationRecord::total_seconds), last.total_seconds, *settings_.budget_seconds});
  }
  return estimate_seconds_left(total_seconds() - earlier_seconds_, budgets);
}

void Run::print_closing_lines(bool interrupted) const {
  if (interrupted) {
    std::cout << "interrupted and saved after " << generations_text(record_.next_generation) << "; go on with "
              << program_ << " --resume " << path_.string() << '\n';
  } else if (const auto reason = spent_budget()) {
    std::cout << "finished " << (finished_before_ ? "already, " : "") << "after "
              << generations_text(record_.next_generation) << ": " << *reason
              << (finished_before_
                      ? "; what was spent goes on by a larger value (--generations, --budget-episodes, ...), "
                        "a target reached by a higher one or --target-return none"
                      : "")
              << '\n';
  }
  if (failed_episodes_ > 0) {
    std::cout << episodes_text(failed_episodes_) << " failed in this session; the first: " << first_failure_ << '\n';
  }
  print_result_lines(std::cout, record_, path_.string());
}

}  // namespace clade
