#include "tests/benchmarks/forward_bench.hpp"

#include <ctime>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <memory>
#include <span>
#include <vector>

#include "core/conv_kernels.hpp"
#include "core/cpu_network.hpp"
#include "core/dense_kernels.hpp"
#include "core/error.hpp"
#include "core/huge_page_allocator.hpp"
#include "core/instruction_set.hpp"
#include "core/network.hpp"
#include "core/noise.hpp"
#include "core/packed_weights.hpp"
#include "core/population.hpp"
#include "core/random.hpp"
#include "tests/benchmarks/machine_limits.hpp"
#if defined(CLADE_ONEDNN)
#include "tests/benchmarks/onednn_network.hpp"
#endif

namespace clade::bench {
namespace {

constexpr std::size_t kSide = 84;
constexpr std::size_t kChannels = 4;
constexpr std::size_t kActions = 18;
constexpr float kPower = 0.002F;        // of the perturbation that tells members apart
constexpr double kAlwaysActive = 50.0;  // a bias that no rectifier sees below 0
constexpr double kTurnSeconds = 5e-3;   // of a work before the next one's turn
constexpr std::size_t kFewestRounds = 5;
constexpr double kTolerance = 1e-3;  // of oneDNN's outputs, which are summed in another order

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Works that alternate, each for about kTurnSeconds of processor time a turn, so that other load on the machine
/// matters little.
class Turns {
 public:
  /// Returns the work's number. `work` does a piece and returns its units.
  std::size_t add(Work work) {
    works_.push_back(std::move(work));
    return works_.size() - 1;
  }
  void run(double seconds) {
    std::vector<std::size_t> pieces;
    for (const Work& work : works_) {
      work();
      const double start = thread_seconds();
      work();
      const double taken = std::max(thread_seconds() - start, 1e-9);
      pieces.push_back(std::max<std::size_t>(1, static_cast<std::size_t>(kTurnSeconds / taken)));
    }
    rates_.assign(works_.size(), {});
    const double start = now();
    while (rates_.front().size() < kFewestRounds || now() - start < seconds) {
      for (std::size_t i = 0; i < works_.size(); ++i) {
        double units = 0.0;
        const double begin = thread_seconds();
        for (std::size_t piece = 0; piece < pieces[i]; ++piece) units += works_[i]();
        rates_[i].push_back(units / (thread_seconds() - begin));
      }
    }
  }
  double rate(std::size_t work) const { return median(rates_[work]); }
  double ratio(std::size_t a, std::size_t b) const {
    std::vector<double> ratios;
    for (std::size_t round = 0; round < rates_[a].size(); ++round)
      ratios.push_back(rates_[a][round] / rates_[b][round]);
    return median(std::move(ratios));
  }

 private:
  std::vector<Work> works_;
  std::vector<std::vector<double>> rates_;  // [works][rounds]
};

/// Networks of one shape, their weights and what they see.
struct Problem {
  explicit Problem(const ForwardSettings& settings)
      : network(parse_network(settings.network), shape(), kActions),
        rows(settings.rows),
        members(settings.members),
        half_zeros(settings.zeros == "half"),
        precision(settings.precision == "bf16" ? Precision::bf16 : Precision::fp32),
        noise(make_counter_noise()) {
    if (network.convolutions().empty()) {
      throw_input_error("--network is '" + settings.network + "', expected one with convolutions, such as large_model");
    }
    if (network.spec().virtual_batch_norm) {
      throw_input_error("--network is '" + settings.network +
                        "', whose reference batch is not measured here: leave ;vbn out");
    }
    std::vector<double> parameters(network.parameter_count());
    initialise(network, Initialisation::fan_in, {.purpose = Purpose::benchmark}, parameters);
    const ConvolutionLayer& last = network.convolutions().back();
    if (!half_zeros)
      std::fill_n(parameters.begin() + static_cast<std::ptrdiff_t>(last.bias_offset), last.filters, kAlwaysActive);
    population.bases.push_back(std::make_shared<const std::vector<float>>(parameters.begin(), parameters.end()));
    for (std::size_t m = 0; m < members; ++m) {
      Member member;
      member.form = PerturbationForm::dense;
      member.key = pack({.purpose = Purpose::benchmark, .generation = 1, .member = m});
      member.scale = kPower;
      population.members.push_back(member);
    }
    RandomStream rng({.purpose = Purpose::benchmark, .generation = 2});
    observations.resize(rows * kSide * kSide * kChannels);
    for (std::uint8_t& byte : observations) byte = static_cast<std::uint8_t>(256.0 * rng.uniform());
    for (std::size_t row = 0; row < rows; ++row) {
      rows_of_bytes.push_back(
          reinterpret_cast<const std::byte*>(observations.data() + row * kSide * kSide * kChannels));
    }
  }

  static std::span<const std::size_t> shape() {
    static constexpr std::size_t kShape[] = {kSide, kSide, kChannels};
    return kShape;
  }
  MemberWeights member_weights(std::size_t member) const {
    return MemberWeights(population, population.members[member], *noise);
  }

  Network network;
  std::size_t rows;
  std::size_t members;
  bool half_zeros;
  Precision precision;
  std::unique_ptr<NoiseSource> noise;
  Population population;
  std::vector<std::uint8_t> observations;
  std::vector<const std::byte*> rows_of_bytes;
};

/// Counts members round.
class NextMember {
 public:
  explicit NextMember(std::size_t members) : members_(members) {}
  std::size_t operator()() { return last_ = (last_ + 1) % members_; }

 private:
  std::size_t members_;
  std::size_t last_ = 0;
};

#if defined(CLADE_ONEDNN)
void compare_outputs(const CpuNetwork& network, std::span<const float> theirs, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t j = 0; j < kActions; ++j) {
      const double ours = network.output(row)[j];
      const double difference = std::abs(ours - static_cast<double>(theirs[row * kActions + j]));
      if (!(difference <= kTolerance * std::max(1.0, std::abs(ours)))) {
        throw_run_time_error("oneDNN's outputs differ from Clade's by " + std::to_string(difference) +
                             ": they did not compute the same network");
      }
    }
  }
}
#endif

/// The whole pass, beside oneDNN's.
void measure_whole(const Problem& problem, double seconds, Report& report, const Details& details) {
  const InstructionSet set = preferred_instruction_set();
  const ObservationSpec observation{ObservationType::uint8, {kSide, kSide, kChannels}};
  ObservationReader reader(observation, set);
  std::vector<std::unique_ptr<CpuNetwork>> networks;
  for (std::size_t m = 0; m < problem.members; ++m) {
    networks.push_back(std::make_unique<CpuNetwork>(problem.network, problem.precision, problem.rows, 0, set));
    networks.back()->load(problem.member_weights(m));
  }
  Turns turns;
  NextMember next(problem.members);
  const std::size_t forward = turns.add([&] {
    networks[next()]->forward(reader, problem.rows_of_bytes);
    return static_cast<double>(problem.rows);
  });
#if defined(CLADE_ONEDNN)
  OneDnnNetwork peer(problem.network, problem.rows);
  std::vector<float> parameters(problem.network.parameter_count());
  for (std::size_t m = 0; m < problem.members; ++m) {
    problem.member_weights(m).read(0, parameters);
    peer.add_member(parameters);
  }
  if (problem.precision == Precision::fp32) {
    networks[0]->forward(reader, problem.rows_of_bytes);
    compare_outputs(*networks[0], peer.forward(0, problem.observations.data()), problem.rows);
  }
  NextMember peers_next(problem.members);
  const std::size_t onednn = turns.add([&] {
    peer.forward(peers_next(), problem.observations.data());
    return static_cast<double>(problem.rows);
  });
#endif
  turns.run(seconds);
  report.value("forward", turns.rate(forward), "rows/s", details);
  report.value("pass", static_cast<double>(problem.rows) / turns.rate(forward), "s", details);
#if defined(CLADE_ONEDNN)
  Details peers = details;
  peers.emplace_back("onednn", OneDnnNetwork::version() + " fp32");
  report.value("onednn", turns.rate(onednn), "rows/s", peers);
  report.value("forward_over_onednn", turns.ratio(forward, onednn), "", peers);
#else
  std::cerr << "skipped: onednn (its headers, libdnnl-dev, were not there when this was built)\n";
#endif
}

/// Multiply-adds of a convolution over places inside the image.
double multiply_adds(const ConvolutionLayer& layer) {
  const auto inside = [&](std::size_t outputs, std::size_t inputs, std::size_t pad) {
    double count = 0.0;
    for (std::size_t i = 0; i < outputs; ++i) {
      for (std::size_t k = 0; k < layer.kernel; ++k) {
        const std::size_t place = i * layer.stride + k;
        if (place >= pad && place - pad < inputs) count += 1.0;
      }
    }
    return count;
  };
  return inside(layer.output_height, layer.input_height, layer.pad_y) *
         inside(layer.output_width, layer.input_width, layer.pad_x) *
         static_cast<double>(layer.input_channels * layer.filters);
}

/// Every convolution beside the core's peak, the first dense layer beside the rate of reading its weights.
void measure_layers(const Problem& problem, double seconds, Report& report, const Details& details) {
  const InstructionSet set = preferred_instruction_set();
  const MachineLimits& limits = machine_limits(set);
  const DenseLayer& dense = problem.network.layers().front();
  RandomStream rng({.purpose = Purpose::benchmark, .generation = 3});

  Turns turns;
  const std::size_t peak = turns.add(limits.multiply);
  std::vector<PackedWeights> weights;
  std::vector<std::size_t> works;
  KernelBuffer<float> image;
  KernelBuffer<float> output;
  std::size_t largest = 0;
  for (const ConvolutionLayer& layer : problem.network.convolutions()) {
    weights.emplace_back(panel_layout(layer), LayerPlace{layer.weight_offset, layer.bias_offset, layer.bias},
                         problem.precision);
    weights.back().fill(problem.member_weights(0));
    largest = std::max({largest, layer.input_height * layer.input_width * layer.input_channels, layer.output_size()});
  }
  image.resize(largest);
  output.resize(largest);
  for (float& value : image) value = static_cast<float>(rng.uniform());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    works.push_back(turns.add([&, i] {
      const ConvolutionLayer& layer = problem.network.convolutions()[i];
      convolution_kernels(set).forward(
          {&layer, weights[i].floats(), weights[i].words(), weights[i].bias(), Activation::relu}, image.data(),
          output.data());
      return 2.0 * multiply_adds(layer);
    }));
  }

  std::vector<PackedWeights> matrices;
  for (std::size_t m = 0; m < problem.members; ++m) {
    matrices.emplace_back(panel_layout(dense), LayerPlace{dense.weight_offset, dense.bias_offset, dense.bias},
                          problem.precision);
    matrices.back().fill(problem.member_weights(m));
  }
  KernelBuffer<float> input;
  input.resize(problem.rows * dense.inputs);
  std::vector<bool> counts(dense.inputs, false);
  for (std::size_t row = 0; row < problem.rows; ++row) {
    for (std::size_t i = 0; i < dense.inputs; ++i) {
      const double value = problem.half_zeros ? rng.normal() : 1.0 + rng.uniform();
      input[row * dense.inputs + i] = static_cast<float>(std::max(0.0, value));
      if (value > 0.0) counts[i] = true;
    }
  }
  const double entry = problem.precision == Precision::bf16 ? 2.0 : 4.0;
  const double bytes =
      entry * static_cast<double>(dense.outputs) * static_cast<double>(std::count(counts.begin(), counts.end(), true));
  KernelBuffer<float> sums;
  sums.resize(problem.rows * padded_outputs(dense.outputs));
  NextMember next(problem.members);
  const std::size_t product = turns.add([&] {
    const PackedWeights& matrix = matrices[next()];
    PackedDense packed;
    packed.weights = matrix.floats();
    packed.words = matrix.words();
    packed.bias = matrix.bias();
    packed.inputs = dense.inputs;
    packed.outputs = padded_outputs(dense.outputs);
    packed.activation = Activation::relu;
    packed.skip_zeros = true;
    dense_kernels(set).forward(packed, input.data(), dense.inputs, sums.data(), packed.outputs, problem.rows);
    return bytes;
  });
  NextMember next_read(problem.members);
  float seen = 0.0F;
  const std::size_t read = turns.add([&] {
    const PackedWeights& matrix = matrices[next_read()];
    const PanelLayout layout = panel_layout(dense);
    const auto* memory = matrix.words() != nullptr ? reinterpret_cast<const float*>(matrix.words()) : matrix.floats();
    const std::size_t size = (matrix.words() != nullptr ? layout.words() : layout.floats()) / 256 * 256;
    seen += limits.read(memory, size);
    return static_cast<double>(size * sizeof(float));
  });
  turns.run(seconds);
  if (seen == 1.5F) std::cerr << '\n';  // the sum is used

  report.value("peak", turns.rate(peak), "FLOP/s", details);
  for (std::size_t i = 0; i < works.size(); ++i) {
    const std::string name = "convolution" + std::to_string(i);
    report.value(name, turns.rate(works[i]), "FLOP/s", details);
    report.value(name + "_over_peak", turns.ratio(works[i], peak), "", details);
  }
  report.value("read", turns.rate(read), "B/s", details);
  report.value("dense", turns.rate(product), "B/s", details);
  report.value("dense_over_read", turns.ratio(product, read), "", details);
}

void measure_child(const Problem& problem, double seconds, Report& report, const Details& details) {
  CpuNetwork network(problem.network, problem.precision, 1, 0, preferred_instruction_set());
  Turns turns;
  NextMember next(problem.members);
  const std::size_t child = turns.add([&] {
    network.load(problem.member_weights(next()));
    return 1.0;
  });
  turns.run(seconds);
  report.value("child", 1.0 / turns.rate(child), "s", details);
}

}  // namespace

void bench_forward(const ForwardSettings& settings, Report& report) {
  const Problem problem(settings);
  const Details details{{"network", problem.network.spec().description()},
                        {"parameters", std::to_string(problem.network.parameter_count())},
                        {"members", std::to_string(settings.members)},
                        {"rows", std::to_string(settings.rows)},
                        {"zeros", settings.zeros},
                        {"precision", settings.precision},
                        {"isa", std::string(name_of(preferred_instruction_set()))}};
  measure_whole(problem, settings.seconds / 2, report, details);
  measure_layers(problem, settings.seconds / 3, report, details);
  measure_child(problem, settings.seconds / 6, report, details);
}

}  // namespace clade::bench
