#include "core/instruction_set.hpp"

#include <cstdlib>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace clade {
namespace {

/// Sets CLADE_ISA and puts back what was there.
class ForcedSet {
 public:
  explicit ForcedSet(const std::string& name) {
    if (const char* const value = std::getenv("CLADE_ISA")) before_ = value;
    setenv("CLADE_ISA", name.c_str(), 1);
  }
  ForcedSet(const ForcedSet&) = delete;
  ForcedSet& operator=(const ForcedSet&) = delete;
  ~ForcedSet() {
    if (before_) {
      setenv("CLADE_ISA", before_->c_str(), 1);
    } else {
      unsetenv("CLADE_ISA");
    }
  }

 private:
  std::optional<std::string> before_;
};

TEST_CASE("instruction sets have names", "[instruction_set]") {
  for (const InstructionSet set : {InstructionSet::generic, InstructionSet::avx2, InstructionSet::avx512}) {
    CHECK(parse_instruction_set(name_of(set)) == set);
  }
  CHECK_THROWS_WITH(parse_instruction_set("avx521"), testing::contains_text("did you mean 'avx512'?"));
}

TEST_CASE("plain C++ runs everywhere", "[instruction_set]") {
  CHECK(available_instruction_sets().front() == InstructionSet::generic);
}

TEST_CASE("CLADE_ISA forces an available instruction set", "[instruction_set]") {
  for (const InstructionSet set : available_instruction_sets()) {
    const ForcedSet forced{std::string(name_of(set))};
    CHECK(preferred_instruction_set() == set);
  }
  {
    const ForcedSet forced("");
    CHECK(preferred_instruction_set() == available_instruction_sets().back());
  }
  const ForcedSet forced("sse9");
  CHECK_THROWS_AS(preferred_instruction_set(), Error);
}

TEST_CASE("CLADE_ISA that this processor cannot run is refused", "[instruction_set]") {
  if (available_instruction_sets().size() == 3) CLADE_SKIP("this processor runs every instruction set");
  const ForcedSet forced("avx512");
  CHECK_THROWS_WITH(preferred_instruction_set(), testing::contains_text("available: generic"));
}

}  // namespace
}  // namespace clade
