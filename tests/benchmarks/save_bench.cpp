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

/// A run of OpenAI-ES with Adam: numbers that do not compress, as a run's do not.
RunRecord make_record(const SaveSettings& settings) {
  RunRecord record;
  record.program = "clade-es";
  record.configuration.push_back({"env", "HalfCheetah-v4", ResultEffect::fixes_results});
  record.sessions.push_back({.first_generation = 0, .command_line = "clade-es", .started = {}, .platform = {}});
  record.state.set("strategy/mean", normals(settings.parameters, 0));
  record.state.set("strategy/optimizer/first", normals(settings.parameters, 1));
  record.state.set("strategy/optimizer/second", normals(settings.parameters, 2));
  record.next_generation = settings.generations;
  record.keyframes.push_back({0, record.state});
  RandomStream random = stream(3);
  for (std::uint64_t number = 0; number < settings.generations; ++number) {
    GenerationRecord generation;
    generation.generation = number;
    generation.max_steps = 1000;
    for (std::uint32_t member = 0; member < settings.members; ++member) {
      const std::uint32_t pair = member / 2;
      generation.members.push_back(
          {.base = 0,
           .form = PerturbationForm::dense,
           .key = pack(RandomKey{.purpose = Purpose::perturbation, .generation = number, .member = pair}),
           .scale = member % 2 == 0 ? 0.02F : -0.02F,
           .pair = pair});
      generation.returns.push_back(1000.0 * random.normal());
      generation.steps.push_back(1 + random.below(1000));
      generation.status.push_back(static_cast<std::uint8_t>(EpisodeStatus::terminated));
    }
    generation.normalizer.mean = normals(kObservations, number);
    generation.normalizer.inverse_std = generation.normalizer.mean;
    generation.total_episodes = (number + 1) * settings.members;
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
  const RunRecord record = make_record(settings);
  const TemporaryFile file(std::filesystem::path(settings.folder) /
                           ("clade-bench-" + std::to_string(::getpid()) + ".h5"));
  const double saves_a_second = rate(settings.seconds, [&] {
    save_run_file(file.path(), record);
    return 1.0;
  });
  const std::string bytes = std::to_string(std::filesystem::file_size(file.path()));
  const Details details{{"parameters", std::to_string(settings.parameters)},
                        {"members", std::to_string(settings.members)},
                        {"generations", std::to_string(settings.generations)},
                        {"bytes", bytes}};
  report.value("save", 1.0 / saves_a_second, "s", details);
  report.value("bytes", static_cast<double>(std::filesystem::file_size(file.path())), "bytes", details);
  report.value("interval", 1.0 / saves_a_second / kShareOfWallTime, "s", details);
}

}  // namespace clade::bench
