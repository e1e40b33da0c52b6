#include "experiments/rate_probe.hpp"

#include "core/noise.hpp"
#include "tests/support/catch.hpp"

namespace clade {
namespace {

TEST_CASE("R* is what two parts that share the cores allow together") {
  CHECK(Rates{.environment = 300.0, .inference = 600.0}.limit() == Approx(200.0));
  CHECK(Rates{.environment = 300.0, .inference = 0.0}.limit() == 0.0);
  CHECK(Rates{}.limit() == 0.0);
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
