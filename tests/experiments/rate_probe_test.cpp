#include "experiments/rate_probe.hpp"

#include <chrono>
#include <ctime>
#include <memory>
#include <thread>

#include "core/noise.hpp"
#include "core/parallel.hpp"
#include "tests/support/catch.hpp"

namespace clade {
namespace {

TEST_CASE("R* is what two parts that share the cores allow together") {
  CHECK(Rates{.environment = 300.0, .inference = 600.0}.limit() == Approx(200.0));
  CHECK(Rates{.environment = 300.0, .inference = 0.0}.limit() == 0.0);
  CHECK(Rates{}.limit() == 0.0);
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A step takes a millisecond of processor time and waits for as long again without any.
class Busy final : public Environment {
 public:
  explicit Busy(const EnvironmentSpec& spec) : spec_(spec) {}
  const EnvironmentSpec& spec() const override { return spec_; }
  void reset(RandomStream&, ObservationRow) override {}
  StepOutcome step(const Action&, ObservationRow) override {
    const double start = processor_seconds();
    while (processor_seconds() - start < 1e-3) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return {};
  }

 private:
  const EnvironmentSpec& spec_;
};

TEST_CASE("rates are by processor time, of as many cores as there are: waiting lowers none") {
  RunSettings settings;
  settings.environment = "CartPole-v1";
  settings.network = "mlp:8";
  RunTask task = make_run_task(settings);
  const EnvironmentSpec spec = task.environment;
  task.environments = [&spec](std::size_t) { return std::make_unique<Busy>(spec); };
  const auto noise = make_counter_noise();
  Population population;
  population.bases.push_back(std::make_shared<const std::vector<float>>(task.policy.network.parameter_count(), 0.1F));
  population.members.resize(1);
  const NormalizerSnapshot normalizer;
  const int threads = 2 * available_cores();  // half of them wait for a core
  const Rates rates = measure_rates({task, *noise, population, normalizer, 3, threads, 0.1}, [] { return false; });
  // A step is a millisecond and some overhead; the same cores by wall time would make half as many.
  CHECK(rates.environment <= 1000.0 * available_cores());
  CHECK(rates.environment > 700.0 * available_cores());
}

TEST_CASE("environment and network are measured on the run's task, and not at all where a signal came") {
  RunSettings settings;
  settings.environment = "CartPole-v1";
  settings.network = "mlp:8";
  const RunTask task = make_run_task(settings);
  const auto noise = make_counter_noise();
  Population population;
  population.bases.push_back(std::make_shared<const std::vector<float>>(task.policy.network.parameter_count(), 0.1F));
  population.members.resize(1);
  const NormalizerSnapshot normalizer;
  const RateProbe probe{task, *noise, population, normalizer, 3, 2, 0.02};
  const Rates rates = measure_rates(probe, [] { return false; });
  CHECK(rates.environment > 0.0);
  CHECK(rates.inference > 0.0);
  CHECK(rates.limit() < rates.environment);
  CHECK(rates.limit() < rates.inference);
  CHECK(measure_rates(probe, [] { return true; }).limit() == 0.0);
}

}  // namespace
}  // namespace clade
