#pragma once

// Catch2 of either kind: 2.13 (Debian 12, Ubuntu 22.04) or 3 (Ubuntu 24.04).
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // as Catch2 2 has it
#else
#include <catch2/catch.hpp>
#endif

#include <iostream>
#include <string>

namespace clade::testing {

/// Matches a text that holds `part`; the matcher's own name differs between Catch2 2 and 3.
inline auto contains_text(const std::string& part) {
#if __has_include(<catch2/catch_all.hpp>)
  return Catch::Matchers::ContainsSubstring(part);
#else
  return Catch::Matchers::Contains(part);
#endif
}

}  // namespace clade::testing

/// Ends a test case that cannot run here; CTest counts it as skipped and the reason is printed. Where only a part of a
/// test case is left out, print "skipped: why" instead and go on.
#define CLADE_SKIP(reason)                                  \
  do {                                                      \
    std::cout << "test skipped: " << (reason) << std::endl; \
    return;                                                 \
  } while (false)
