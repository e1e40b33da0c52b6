// The example configurations work as their comments say, and learn.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

using clade::test::ProcessResult;
using clade::test::TemporaryFolder;
using clade::testing::contains_text;

namespace {

std::vector<std::filesystem::path> example_configs() {
  const std::filesystem::path folder = std::filesystem::path(CLADE_TEST_SOURCE_DIR) / "experiments/configs";
  std::vector<std::filesystem::path> configs;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".cfg") configs.push_back(entry.path());
  }
  std::ranges::sort(configs);
  return configs;
}

/// "es_acrobot.cfg" is for clade-es.
std::string program_of(const std::filesystem::path& config) {
  const std::string name = config.filename().string();
  return "clade-" + name.substr(0, name.find('_'));
}

}  // namespace

TEST_CASE("each example configuration reaches its target, and prints its values") {
  const TemporaryFolder folder;
  const std::vector<std::filesystem::path> configs = example_configs();
  CHECK(configs.size() >= 2);
  for (const std::filesystem::path& config : configs) {
    const auto run = [&](const std::vector<std::string>& arguments) {
      std::vector<std::string> all = {"--config", config.string()};
      all.insert(all.end(), arguments.begin(), arguments.end());
      return clade::test::run_program(program_of(config), all, folder.path());
    };
    INFO(config);
    const ProcessResult printed = run({"--print-config"});
    INFO(printed.err);
    CHECK(printed.exit_code == 0);
    CHECK_THAT(printed.out, contains_text("target-return = "));
    const ProcessResult result = run({"--threads", "1", "--final-episodes", "1", "--force", "--out", "run.h5"});
    INFO(result.err);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.out, contains_text("target return"));
    CHECK_THAT(result.out, contains_text("reached"));
  }
}
