#pragma once

#include <map>
#include <string>
#include <vector>

namespace clade {

/// Raised with every change of Clade that alters a run's results, so that none goes on silently with other bits.
inline constexpr int kResultsVersion = 1;

/// What decides bits outside a run's configuration, by name; runs with equal fingerprints can continue each other to
/// the same bits.
///   results        kResultsVersion
///   architecture   "x86_64"
///   libc           "glibc 2.36"
///   libm           digest of the elementary functions at fixed arguments, as they are in force: the processor's
///                  features choose among a function's variants, and GLIBC_TUNABLES can forbid some
std::map<std::string, std::string> platform_fingerprint();

/// What this machine is, for people; decides nothing.
///   processor, features (of those that libraries choose by), compiler, kernel
std::map<std::string, std::string> machine_description();

/// One line for each entry that differs or is absent on one side: "libm: 12ab here, 34cd in the run".
std::vector<std::string> platform_differences(const std::map<std::string, std::string>& here,
                                              const std::map<std::string, std::string>& in_the_run);

}  // namespace clade
