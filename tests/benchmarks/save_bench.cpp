#include "tests/benchmarks/save_bench.hpp"

#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "core/episode.hpp"
#include "core/random.hpp"
#include "core/run_file.hpp"

namespace clade::bench {
namespace {

constexpr std::size_t kObservations = 17;
constexpr double kShareOfWallTime = 0.01;

RandomStream stream(std::uint64_t member) {
  return RandomStream(RandomKey{.purpose = Purpose::benchmark, .generation = 2, .member = member});
}

std::vector<double> normals(std::size_t count, std::uint64_t member) {
  RandomStream random = stream(member);
  std::vector<double> result(count);
  for (double& value : result) value = random.normal();
  return result;
}

/// What all histories share.
RunRecord make_frame(const SaveSettings& settings, const std::string& program, const std::string& environment) {
  RunRecord record;
  record.program = program;
  record.configuration.push_back({"env", environment, ResultEffect::fixes_results});
  record.sessions.push_back(
      {.first_generation = 0, .command_line = program, .started = {}, .platform = {}, .rates = {}});
  record.next_generation = settings.generations;
  return record;
}

void add_episode(GenerationRecord& generation, double episode_return, std::uint32_t steps, std::uint32_t frames) {
  generation.returns.push_back(episode_return);
  generation.steps.push_back(steps);
  generation.frames.push_back(frames);
  generation.status.push_back(static_cast<std::uint8_t>(EpisodeStatus::terminated));
}

/// A run of OpenAI-ES with Adam: numbers that do not compress, as a run's do not.
RunRecord make_es_record(const SaveSettings& settings) {
  RunRecord record = make_frame(settings, "clade-es", "HalfCheetah-v4");
  record.state.set("strategy/mean", normals(settings.parameters, 0));
  record.state.set("strategy/optimizer/first", normals(settings.parameters, 1));
  record.state.set("strategy/optimizer/second", normals(settings.parameters, 2));
  record.keyframes.push_back({0, record.state});
  RandomStream random = stream(3);
  for (std::uint64_t number = 0; number < settings.generations; ++number) {
    GenerationRecord generation;
    generation.generation = number;
    generation.max_steps = 1000;
    for (std::uint32_t member = 0; member < settings.members; ++member) {
      Member recipe;
      recipe.form = PerturbationForm::dense;
      recipe.pair = member / 2;
      recipe.key = pack(RandomKey{.purpose = Purpose::perturbation, .generation = number, .member = recipe.pair});
      recipe.scale = member % 2 == 0 ? 0.02F : -0.02F;
      generation.members.push_back(recipe);
      const double episode_return = 1000.0 * random.normal();
      const std::uint32_t steps = 1 + random.below(1000);
      add_episode(generation, episode_return, steps, 5 * steps);
    }
    generation.normalizer.mean = normals(kObservations, number);
    generation.normalizer.inverse_std = generation.normalizer.mean;
    generation.total_episodes = (number + 1) * settings.members;
    record.generations.push_back(std::move(generation));
  }
  return record;
}

/// A run of the deep genetic algorithm on a game: scores are multiples of 10, episodes end at any frame.
RunRecord make_ga_record(const SaveSettings& settings) {
  constexpr std::uint32_t kParents = 20;
  constexpr std::uint32_t kCandidates = 10;
  constexpr std::uint32_t kValidationEpisodes = 30;
  const bool crossover = settings.history == "ga-crossover";
  const auto members = static_cast<std::uint32_t>(settings.members);
  RunRecord record = make_frame(settings, "clade-ga", "Frostbite");
  RandomStream random = stream(4);
  const auto individual = [&](std::uint64_t generation) { return Individual{generation, random.below(members)}; };
  for (std::uint64_t number = 0; number < settings.generations && members > 0; ++number) {
    GenerationRecord generation;
    generation.generation = number;
    generation.max_steps = 5000;
    for (std::uint32_t i = 0; i < kParents && number > 0; ++i) generation.ancestors.push_back(individual(number - 1));
    for (std::uint32_t member = 0; member < members; ++member) {
      Member recipe;
      recipe.pair = member;
      recipe.form = number == 0 ? PerturbationForm::initial : PerturbationForm::dense;
      const Purpose purpose = number == 0 ? Purpose::initialisation : Purpose::perturbation;
      recipe.key = pack(RandomKey{.purpose = purpose, .generation = number, .member = member});
      if (number > 0) {
        recipe.base = random.below(kParents);
        recipe.scale = 0.002F;
        if (crossover && random.below(2) == 0) {
          recipe.crossover = Crossover::uniform;
          recipe.mate = random.below(kParents);
          recipe.crossover_key = pack(RandomKey{.purpose = Purpose::crossover, .generation = number, .member = member});
        }
      }
      generation.members.push_back(recipe);
      const double episode_return = 10.0 * random.below(600);
      const std::uint32_t steps = 1 + random.below(1500);
      add_episode(generation, episode_return, steps, 4 * steps - random.below(4));
    }
    Validation& validation = generation.validation;
    validation.episodes_per_candidate = kValidationEpisodes;
    for (std::uint32_t i = 0; i < kCandidates; ++i) validation.candidates.push_back(individual(number));
    validation.elites = {validation.candidates.front()};
    for (std::uint32_t i = 0; i < kCandidates * kValidationEpisodes; ++i) {
      validation.returns.push_back(10.0 * random.below(600));
      validation.steps.push_back(1 + random.below(1500));
      validation.frames.push_back(4 * validation.steps.back());
      validation.status.push_back(static_cast<std::uint8_t>(EpisodeStatus::terminated));
    }
    generation.total_episodes = (number + 1) * (settings.members + kCandidates * kValidationEpisodes);
    record.generations.push_back(std::move(generation));
  }
  return record;
}

/// Removes a file when it goes.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path path) : path_(std::move(path)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

void bench_save(const SaveSettings& settings, Report& report) {
  const RunRecord record = settings.history == "es" ? make_es_record(settings) : make_ga_record(settings);
  const TemporaryFile file(std::filesystem::path(settings.folder) /
                           ("clade-bench-" + std::to_string(::getpid()) + ".h5"));
  const double saves_a_second = rate(settings.seconds, [&] {
    save_run_file(file.path(), record);
    return 1.0;
  });
  const std::string bytes = std::to_string(std::filesystem::file_size(file.path()));
  const Details details{{"history", settings.history},
                        {"parameters", std::to_string(settings.parameters)},
                        {"members", std::to_string(settings.members)},
                        {"generations", std::to_string(settings.generations)},
                        {"bytes", bytes}};
  report.value("save", 1.0 / saves_a_second, "s", details);
  report.value("bytes", static_cast<double>(std::filesystem::file_size(file.path())), "bytes", details);
  report.value("interval", 1.0 / saves_a_second / kShareOfWallTime, "s", details);
}

}  // namespace clade::bench
