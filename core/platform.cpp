#include "core/platform.hpp"

#include <sys/utsname.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <set>
#include <string>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

namespace clade {
namespace {

/// Arguments of each function: enough that two variants which differ in the last bit at one argument of a thousand
/// are told apart.
constexpr std::uint64_t kArguments = 4096;

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
std::uint64_t mix(std::uint64_t word) {
  word += 0x9E3779B97F4A7C15U;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9U;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBU;
  return word ^ (word >> 31);
}

class Mixture {
 public:
  void add(double value) { state_ = mix(state_ ^ std::bit_cast<std::uint64_t>(value)); }
  void add(float value) { state_ = mix(state_ ^ std::bit_cast<std::uint32_t>(value)); }
  std::string hex() const {
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(state_));
    return text.data();
  }

 private:
  std::uint64_t state_ = 0;
};

/// Uniform in [low, high), a pure function of `index`.
double argument(std::uint64_t index, double low, double high) {
  return low + static_cast<double>(mix(index) >> 11) * 0x1.0p-53 * (high - low);
}

std::string libm_digest() {
  Mixture mixture;
  for (std::uint64_t i = 0; i < kArguments; ++i) {
    const double angle = argument(4 * i, -50.0, 50.0);
    const double unit = argument(4 * i + 1, -1.0, 1.0);
    const double positive = argument(4 * i + 2, 0.0, 20.0);
    const double exponent = argument(4 * i + 3, -5.0, 5.0);
    for (const double value :
         {std::sin(angle), std::cos(angle), std::tan(angle), std::asin(unit), std::acos(unit), std::atan(angle),
          std::atan2(angle, exponent), std::sinh(exponent), std::cosh(exponent), std::tanh(exponent),
          std::exp(exponent), std::expm1(unit), std::log(positive), std::log1p(positive), std::log2(positive),
          std::log10(positive), std::pow(positive, exponent), std::cbrt(angle), std::hypot(angle, unit)}) {
      mixture.add(value);
    }
    const auto angle_single = static_cast<float>(angle);
    const auto positive_single = static_cast<float>(positive);
    const auto exponent_single = static_cast<float>(exponent);
    for (const float value : {std::sin(angle_single), std::cos(angle_single), std::exp(exponent_single),
                              std::log(positive_single), std::pow(positive_single, exponent_single),
                              std::tanh(exponent_single), std::atan2(angle_single, exponent_single)}) {
      mixture.add(value);
    }
  }
  return mixture.hex();
}

std::string libc_text() {
#ifdef __GLIBC__
  return std::string("glibc ") + gnu_get_libc_version();
#else
  return "unknown";
#endif
}

/// The first "model name" of /proc/cpuinfo.
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string feature_names() {
  std::string names;
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
  __builtin_cpu_init();
  const auto note = [&names](bool present, const char* name) {
    if (present) names += (names.empty() ? "" : " ") + std::string(name);
  };
  note(__builtin_cpu_supports("avx") != 0, "avx");
  note(__builtin_cpu_supports("avx2") != 0, "avx2");
  note(__builtin_cpu_supports("fma") != 0, "fma");
  note(__builtin_cpu_supports("avx512f") != 0, "avx512f");
#endif
  return names.empty() ? "none known" : names;
}

}  // namespace

std::map<std::string, std::string> platform_fingerprint() {
  struct utsname system {};
  const bool known = uname(&system) == 0;
  return {{"results", std::to_string(kResultsVersion)},
          {"architecture", known ? system.machine : "unknown"},
          {"libc", libc_text()},
          {"libm", libm_digest()}};
}

std::map<std::string, std::string> machine_description() {
  struct utsname system {};
  const bool known = uname(&system) == 0;
#ifdef __clang__
  const std::string compiler = "Clang " __clang_version__;
#else
  const std::string compiler = "GCC " __VERSION__;
#endif
  return {{"processor", processor_name()},
          {"features", feature_names()},
          {"compiler", compiler},
          {"kernel", known ? std::string(system.sysname) + " " + system.release : "unknown"}};
}

std::vector<std::string> platform_differences(const std::map<std::string, std::string>& here,
                                              const std::map<std::string, std::string>& in_the_run) {
  std::set<std::string> names;
  for (const auto& [name, value] : here) names.insert(name);
  for (const auto& [name, value] : in_the_run) names.insert(name);
  const auto text_of = [](const std::map<std::string, std::string>& entries, const std::string& name) {
    const auto found = entries.find(name);
    return found == entries.end() ? std::string("absent") : found->second;
  };
  std::vector<std::string> result;
  for (const std::string& name : names) {
    const std::string now = text_of(here, name);
    const std::string then = text_of(in_the_run, name);
    if (now != then) result.push_back(name + ": " + now + " here, " + then + " in the run");
  }
  return result;
}

}  // namespace clade
