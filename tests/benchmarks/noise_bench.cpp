#include "tests/benchmarks/noise_bench.hpp"

#include <cstddef>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

#include "core/error.hpp"
#include "core/noise.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"

namespace clade::bench {
namespace {

constexpr std::size_t kBlock = 65'536;  // floats: 256 kB, inside a core's second-level cache
constexpr std::size_t kBlocksATask = 64;
constexpr std::size_t kTasksAThread = 16;         // handed out one by one: a slow thread does fewer
constexpr std::size_t kReadBytes = 512ULL << 20;  // far beyond any last-level cache
constexpr double kMemoryLimitMegabytes = 300.0;

PhiloxKey noise_key(std::uint64_t member) {
  return pack(RandomKey{.purpose = Purpose::benchmark, .generation = 1, .member = member});
}

/// Draws blocks of normals on `threads` threads; counts numbers.
class NoiseWork {
 public:
  NoiseWork(const NoiseSource& source, int threads)
      : source_(source), threads_(threads), blocks_(static_cast<std::size_t>(threads), std::vector<float>(kBlock)) {}
  double operator()() {
    const std::size_t tasks = blocks_.size() * kTasksAThread;
    parallel_for(tasks, threads_, [this](std::size_t task, int worker) {
      for (std::size_t block = 0; block < kBlocksATask; ++block) {
        source_.perturb(noise_key(task * kBlocksATask + block), 1.0F, 0, {}, blocks_[static_cast<std::size_t>(worker)]);
      }
    });
    return static_cast<double>(tasks * kBlocksATask * kBlock);
  }

 private:
  const NoiseSource& source_;
  int threads_;
  std::vector<std::vector<float>> blocks_;
};

/// Reads a large buffer on `threads` threads, each a contiguous part; counts bytes.
class ReadWork {
 public:
  explicit ReadWork(int threads)
      : threads_(threads), words_(kReadBytes / sizeof(std::uint64_t), 1), sums_(static_cast<std::size_t>(threads)) {}
  double operator()() {
    const std::size_t part = words_.size() / sums_.size() / kLanes * kLanes;
    parallel_for(sums_.size(), threads_,
                 [&](std::size_t thread, int) { sums_[thread] = sum(words_.data() + thread * part, part); });
    for (const std::uint64_t sum : sums_) CLADE_CHECK(sum == part);
    return static_cast<double>(part * sums_.size() * sizeof(std::uint64_t));
  }

 private:
  static constexpr std::size_t kLanes = 32;  // enough additions in flight that memory alone is the limit
  static std::uint64_t sum(const std::uint64_t* words, std::size_t count) {
    typedef std::uint64_t Vector __attribute__((vector_size(64), aligned(8), may_alias));
    Vector a{};
    Vector b{};
    Vector c{};
    Vector d{};
    for (std::size_t place = 0; place < count; place += kLanes) {
      const auto* vectors = reinterpret_cast<const Vector*>(words + place);
      a += vectors[0];
      b += vectors[1];
      c += vectors[2];
      d += vectors[3];
    }
    a += b + (c + d);
    std::uint64_t result = 0;
    for (std::size_t lane = 0; lane < 8; ++lane) result += a[lane];
    return result;
  }

  int threads_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> sums_;
};

/// A line "VmHWM:   1234 kB" of this process' status, in MB (10^6 bytes).
double status_megabytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(field + ":")) continue;
    std::istringstream number(line.substr(field.size() + 1));
    double kibibytes = 0.0;
    number >> kibibytes;
    return kibibytes * 1024e-6;
  }
  throw_run_time_error("/proc/self/status has no " + field + ": peak memory cannot be measured here");
}

/// Makes VmHWM count from the present use of memory (Linux, proc(5)).
void restart_peak_memory() {
  std::ofstream clear("/proc/self/clear_refs");
  clear << 5;
}

}  // namespace

void bench_noise(int threads, double seconds, Report& report) {
  const std::unique_ptr<NoiseSource> source = make_counter_noise();
  NoiseWork work(*source, threads);
  report.value("noise", rate(seconds, [&] { return work(); }), "normals/s", {{"threads", std::to_string(threads)}});
}

void bench_gradient(const GradientSettings& settings, Report& report) {
  const bool table = settings.source == "table";
  if (table && settings.parameters > settings.table) {
    throw_input_error("--parameters is " + std::to_string(settings.parameters) + ", but the table holds " +
                      std::to_string(settings.table) + " floats: give a larger --table");
  }
  const std::unique_ptr<NoiseSource> source =
      make_noise(table ? "table:" + std::to_string(settings.table) : "counter", settings.threads);
  restart_peak_memory();
  const double memory_before = status_megabytes("VmRSS");
  std::vector<NoiseTerm> terms;
  RandomStream weights(RandomKey{.purpose = Purpose::benchmark});
  for (std::uint64_t member = 0; member < settings.members; ++member) {
    terms.push_back({noise_key(member), weights.uniform(-0.5, 0.5)});
  }
  std::vector<double> sum(settings.parameters);
  const Work estimate = [&] {
    parallel_weighted_sum(*source, terms, sum, settings.threads);
    return 1.0;
  };
  estimate();
  const double peak = status_megabytes("VmHWM") - memory_before;

  const double numbers = static_cast<double>(settings.members) * static_cast<double>(settings.parameters);
  Work piece;
  double units = numbers;  // of the limit's work in one estimate
  std::unique_ptr<ReadWork> read;
  std::unique_ptr<NoiseWork> draw;
  if (table) {
    read = std::make_unique<ReadWork>(settings.threads);
    piece = [&] { return (*read)(); };
    units *= sizeof(float);
  } else {
    draw = std::make_unique<NoiseWork>(*source, settings.threads);
    piece = [&] { return (*draw)(); };
  }
  // As much as one estimate needs, so that both sides last about as long.
  const Work limit = [&] {
    double done = 0.0;
    while (done < units) done += piece();
    return done;
  };
  const Alternation measured(settings.seconds, {estimate, limit});
  const double limit_seconds = units / measured.rate(1);
  const Details details{{"source", source->description()},
                        {"members", std::to_string(settings.members)},
                        {"parameters", std::to_string(settings.parameters)},
                        {"threads", std::to_string(settings.threads)},
                        {"limit", scaled_text(limit_seconds)},
                        {"limit_rate", scaled_text(measured.rate(1)) + (table ? " bytes/s" : " normals/s")},
                        {"peak_megabytes", scaled_text(peak)}};
  report.value("gradient", 1.0 / measured.rate(0), "s", details);
  report.value("limit", limit_seconds, "s", details);
  report.value("limit_over_gradient", measured.ratio(0, 1) * units, "", details);
  report.value("peak_megabytes", peak, "MB", details);
  report.value("memory_limit_over_peak", kMemoryLimitMegabytes / peak, "", details);
}

}  // namespace clade::bench
