// How fast one core makes normals and gradient estimates, for each instruction set, beside the limit of each:
//
//   noise_benchmark [PARAMETERS [PAIRS [TABLE_FLOATS]]]       (1000000 500 250000000)
//
// A gradient estimate is the weighted noise sum of PAIRS mirrored pairs. From counter noise its limit is the rate of
// normals written to a cached buffer, from the table the rate at which one core reads the table in order. Work and
// limit alternate, five times each; medians of processor time are printed, so that other load on the machine matters
// little.

#include <ctime>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/instruction_set.hpp"
#include "core/noise.hpp"

namespace {

using clade::NoiseSource;
using clade::NoiseTerm;

constexpr int kRepetitions = 5;

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

struct Comparison {
  double work_rate;
  double limit_rate;
  double limit_over_work;  ///< median of the ratios within one repetition
};

/// Units a second of each; both do the same number of units a call.
Comparison compare(double units, const std::function<void()>& work, const std::function<void()>& limit) {
  const auto rate = [&](const std::function<void()>& body) {
    const double begin = thread_seconds();
    body();
    return units / (thread_seconds() - begin);
  };
  std::vector<double> work_rates;
  std::vector<double> limit_rates;
  std::vector<double> ratios;
  for (int repetition = 0; repetition <= kRepetitions; ++repetition) {
    const double work_rate = rate(work);
    const double limit_rate = rate(limit);
    if (repetition == 0) continue;  // first touch of pages and caches
    work_rates.push_back(work_rate);
    limit_rates.push_back(limit_rate);
    ratios.push_back(limit_rate / work_rate);
  }
  return {median(work_rates), median(limit_rates), median(ratios)};
}

std::vector<NoiseTerm> mirrored_pairs(std::size_t pairs) {
  std::vector<NoiseTerm> terms;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const clade::RandomKey key{.purpose = clade::Purpose::benchmark, .generation = 1, .member = pair};
    terms.push_back({clade::pack(key), 1e-3 * static_cast<double>(pair) - 0.2});
  }
  return terms;
}

/// `count` normals, a cached buffer at a time.
void write_normals(const NoiseSource& source, const NoiseTerm& term, std::size_t count, std::vector<float>& buffer) {
  for (std::size_t first = 0; first < count; first += buffer.size()) {
    source.perturb(term.key, 1.0F, first, {}, std::span(buffer).first(std::min(buffer.size(), count - first)));
  }
}

/// Reads `count` floats in order, again and again where the memory holds fewer.
std::uint64_t read_in_order(const std::vector<float>& memory, std::size_t count) {
  typedef std::uint64_t Lanes __attribute__((vector_size(64), aligned(4), may_alias));
  constexpr std::size_t kFloats = sizeof(Lanes) / sizeof(float);
  Lanes sums[4] = {};
  while (count >= 4 * kFloats) {
    const std::size_t part = std::min(count, memory.size()) / (4 * kFloats) * (4 * kFloats);
    for (std::size_t i = 0; i < part; i += 4 * kFloats) {
      for (std::size_t lane = 0; lane < 4; ++lane) {
        sums[lane] ^= *reinterpret_cast<const Lanes*>(memory.data() + i + lane * kFloats);
      }
    }
    count -= part;
  }
  const Lanes sum = sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
  return sum[0] ^ sum[3] ^ sum[7];
}

double status_megabytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kibibytes = 0.0;
  while (status >> word) {
    if (word == name + ":" && status >> kibibytes) return kibibytes * 1024e-6;
  }
  return 0.0;
}

std::size_t argument(int argc, char** argv, int index, std::size_t standard) {
  if (index >= argc) return standard;
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(argv[index], argv[index] + std::strlen(argv[index]), value);
  if (error != std::errc{} || *end != '\0' || value == 0) {
    clade::throw_input_error("'" + std::string(argv[index]) + "': expected a whole number above 0");
  }
  return value;
}

void run(int argc, char** argv) {
  const std::size_t parameters = argument(argc, argv, 1, 1'000'000);
  const std::vector<NoiseTerm> terms = mirrored_pairs(argument(argc, argv, 2, 500));
  const std::size_t table_size = argument(argc, argv, 3, clade::kPublishedTableSize);
  const double units = static_cast<double>(parameters) * static_cast<double>(terms.size());
  std::vector<double> sum(parameters);
  std::vector<float> buffer(8192);

  std::printf("%zu parameters, %zu mirrored pairs, one core\n", parameters, terms.size());
  std::printf("%-28s %14s %14s %14s\n", "gradient from", "million/s", "limit", "limit/gradient");
  for (const clade::InstructionSet set : clade::available_instruction_sets()) {
    const auto source = clade::make_counter_noise(set);
    // Plain C++ is slow: a share of the terms tells as much.
    const std::size_t share =
        set == clade::InstructionSet::generic ? std::max<std::size_t>(1, terms.size() / 25) : terms.size();
    const auto some = std::span(terms).first(share);
    const Comparison result = compare(
        units * static_cast<double>(share) / static_cast<double>(terms.size()),
        [&] { clade::parallel_weighted_sum(*source, some, sum, 1); },
        [&] {
          for (const NoiseTerm& term : some) write_normals(*source, term, parameters, buffer);
        });
    std::printf("%-28s %14.0f %14.0f %14.2f\n", ("counter, " + std::string(name_of(set))).c_str(),
                result.work_rate * 1e-6, result.limit_rate * 1e-6, result.limit_over_work);
  }
  std::printf("peak memory so far: %.0f MB\n", status_megabytes("VmHWM"));

  const auto table = clade::make_table_noise(table_size, clade::kPublishedTableSeed, 1);
  const double with_table = status_megabytes("VmRSS");
  {
    const std::vector<float> ballast(std::min<std::size_t>(table_size, std::size_t{1} << 27), 1.0F);
    std::uint64_t seen = 0;
    const Comparison result = compare(
        units, [&] { clade::parallel_weighted_sum(*table, terms, sum, 1); },
        [&] { seen ^= read_in_order(ballast, static_cast<std::size_t>(units)); });
    std::printf("%-28s %14.0f %14.0f %14.2f   (%.1f of %.1f GB/s)%s\n", table->description().c_str(),
                result.work_rate * 1e-6, result.limit_rate * 1e-6, result.limit_over_work, result.work_rate * 4e-9,
                result.limit_rate * 4e-9, seen == 1 ? " " : "");
  }
  std::printf("resident with the table: %.0f MB, of which the table %.0f MB\n", with_table,
              static_cast<double>(table_size) * 4e-6);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc, argv);
    return 0;
  } catch (const clade::Error& error) {
    std::cerr << "noise_benchmark: " << error.what() << '\n';
    return error.exit_code();
  }
}
