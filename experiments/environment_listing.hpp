#pragma once

#include <iosfwd>

namespace clade {

/// What --list-envs prints: every environment by family, with its options and, where it cannot be made here, why.
/// Returns the exit code.
int print_environments(std::ostream& out);

}  // namespace clade
