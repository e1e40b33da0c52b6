#include "core/options.hpp"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/program.hpp"
#include "tests/support/catch.hpp"

using clade::ConfigEntry;
using clade::OptionHelp;
using clade::Options;
using clade::ResultEffect;

namespace {

/// A program with an option of each type.
struct Program {
  std::string env = "HalfCheetah-v4";
  std::vector<std::string> env_options;
  std::string on_failure = "worst";
  double sigma = 0.02;
  std::uint64_t seed = 1;
  std::int64_t shift = 0;
  bool mirrored = true;
  std::optional<std::uint64_t> budget_episodes;
  std::optional<double> target_return;
  std::string out = "run.h5";
  bool quiet = false;
  std::string init_from;
  Options options{"clade-test", "evolve something for a test"};
  std::ostringstream printed;

  Program() {
    const auto range = [](const char* text, double minimum, bool open, double maximum) {
      OptionHelp help;
      help.text = text;
      help.minimum = minimum;
      help.minimum_open = open;
      help.maximum = maximum;
      return help;
    };
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    options.group("Environment");
    options.add("env", env, {.text = "environment to evolve for", .value_name = "NAME"});
    options.add("env-option", env_options, {.text = "a parameter of the environment", .value_name = "KEY=VALUE"});
    options.add("on-failure", on_failure, {.text = "what a failed episode does", .choices = {"worst", "stop"}});
    options.group("Strategy");
    options.add("sigma", sigma, range("standard deviation of the perturbation", 0.0, true, kInfinity));
    options.add("seed", seed, {.text = "seed of every random draw"});
    options.add("shift", shift, range("shift of each step's reward", -10.0, false, 10.0));
    options.add("mirrored", mirrored, {.text = "evaluate each perturbation with both signs"});
    options.group("Budget");
    options.add("budget-episodes", budget_episodes,
                {.text = "stop after these training episodes",
                 .unit = "episodes",
                 .effect = ResultEffect::budget,
                 .minimum = 1});
    options.add("target-return", target_return,
                {.text = "stop once the evaluation reaches this", .effect = ResultEffect::budget});
    options.group("Run file");
    options.add("out", out, {.text = "where the run is saved", .effect = ResultEffect::none, .value_name = "FILE"});
    options.add("quiet", quiet, {.text = "no progress", .effect = ResultEffect::none});
    options.add("init-from", init_from,
                {.text = "start from another run's result", .in_configuration = false, .value_name = "FILE"});
    options.add_preset("HalfCheetah", "a runner",
                       {{"env", "HalfCheetah-v4"}, {"sigma", "0.03"}, {"env-option", "a=1 b=2"}});
    options.add_preset("Swimmer", "a swimmer", {{"env", "Swimmer-v4"}, {"sigma", "0.01"}, {"seed", "1e3"}});
  }

  bool parse(const std::vector<std::string>& arguments) {
    std::vector<const char*> argv = {"clade-test"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    return options.parse(static_cast<int>(argv.size()), argv.data(), printed);
  }
};

/// The refusal of a fresh program, or "accepted".
std::string refusal(const std::vector<std::string>& arguments) {
  Program program;
  try {
    program.parse(arguments);
  } catch (const clade::Error& error) {
    CHECK(error.kind() == clade::ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

/// A file in the system's temporary folder, removed at the end.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text)
      : path_((std::filesystem::temp_directory_path() / ("clade_options_test_" + name)).string()) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("every type is read from the command line", "[options]") {
  Program program;
  REQUIRE(program.parse({"--env=Ant-v5", "--env-option", "a=1", "--env-option=b=inf", "--on-failure", "stop", "--sigma",
                         "1e-1", "--seed", "0", "--shift", "-3", "--mirrored=false", "--budget-episodes=1e6",
                         "--target-return", "-5.5", "--quiet", "--out", ""}));
  CHECK(program.env == "Ant-v5");
  CHECK(program.env_options == std::vector<std::string>{"a=1", "b=inf"});
  CHECK(program.on_failure == "stop");
  CHECK(program.sigma == 0.1);
  CHECK(program.seed == 0);
  CHECK(program.shift == -3);
  CHECK_FALSE(program.mirrored);
  CHECK(program.budget_episodes == std::uint64_t{1'000'000});
  CHECK(program.target_return == -5.5);
  CHECK(program.quiet);
  CHECK(program.out.empty());
  CHECK(program.printed.str().empty());
  CHECK(program.options.given("sigma"));
  CHECK(program.options.given_on_command_line("sigma"));
  CHECK_FALSE(program.options.given("init-from"));
  CHECK_THROWS_AS(program.options.given("no-such-option"), std::logic_error);
}

TEST_CASE("defaults are the fields' values", "[options]") {
  Program program;
  REQUIRE(program.parse({}));
  CHECK(program.sigma == 0.02);
  CHECK(program.mirrored);
  CHECK_FALSE(program.budget_episodes.has_value());
  CHECK_FALSE(program.options.given("sigma"));
  CHECK_FALSE(program.options.given_on_command_line("sigma"));
}

TEST_CASE("wrong command lines are refused in one exact line", "[options]") {
  CHECK(refusal({"--sigma", "-0.1"}) == "--sigma: -0.1 is out of range; it must be greater than 0");
  CHECK(refusal({"--sigma", "0"}) == "--sigma: 0 is out of range; it must be greater than 0");
  CHECK(refusal({"--sigma", "nan"}) == "--sigma: 'nan' is not a finite number");
  CHECK(refusal({"--sigma", "inf"}) == "--sigma: 'inf' is not a finite number");
  CHECK(refusal({"--sigma", "0,5"}) == "--sigma: '0,5' is not a number");
  CHECK(refusal({"--sigma", ""}) == "--sigma: '' is not a number");
  CHECK(refusal({"--sigma", "1e400"}) ==
        "--sigma: 1e400 is out of range; it must be greater than 0 and at most 1.7976931348623157e308");
  CHECK(refusal({"--sigma", "1e-400"}) ==
        "--sigma: '1e-400' is too close to zero for a double; write 0 or at least 5e-324");
  CHECK(refusal({"--shift", "11"}) == "--shift: 11 is out of range; it must be between -10 and 10");
  CHECK(refusal({"--shift", "1.5"}) == "--shift: '1.5' is not an integer; the value must be whole");
  CHECK(refusal({"--seed", "-5"}) == "--seed: -5 is out of range; it must be at least 0");
  CHECK(refusal({"--seed", "18446744073709551616"}) ==
        "--seed: 18446744073709551616 is out of range; it must be at most 18446744073709551615");
  CHECK(refusal({"--seed", "1_000"}) == "--seed: '1_000' is not an integer");
  CHECK(refusal({"--budget-episodes", "0"}) == "--budget-episodes: 0 is out of range; it must be at least 1");
  CHECK(refusal({"--budget-episodes", "all"}) == "--budget-episodes: 'all' is not an integer (or none)");
  CHECK(refusal({"--on-failure", "wurst"}) == "--on-failure: unknown value 'wurst'; did you mean 'worst'?");
  CHECK(refusal({"--on-failure", "zzz"}) == "--on-failure: unknown value 'zzz'; it must be one of worst, stop");
  CHECK(refusal({"--quiet=maybe"}) == "--quiet: 'maybe' is neither true nor false");
  CHECK(refusal({"--sigm", "0.1"}) == "unknown option '--sigm'; did you mean '--sigma'?");
  CHECK(refusal({"--sgima=0.1"}) == "unknown option '--sgima'; did you mean '--sigma'?");
  CHECK(refusal({"--mirror"}) == "unknown option '--mirror'; did you mean '--mirrored'?");
  CHECK(refusal({"--wrench"}) == "unknown option '--wrench'; --help lists the options");
  CHECK(refusal({"--sigma", "1", "--sigma", "2"}) == "--sigma: given more than once");
  CHECK(refusal({"--quiet", "--quiet"}) == "--quiet: given more than once");
  CHECK(refusal({"--seed"}) == "--seed: its value is missing");
  CHECK(refusal({"--out="}) == "--out: the value after '=' is missing");
  CHECK(refusal({"--wren\nch="}) == "unknown option '--wren?ch'; --help lists the options");
  CHECK(refusal({"--outt="}) == "unknown option '--outt'; did you mean '--out'?");
  CHECK(refusal({"--out", "--quiet"}) ==
        "--out: its value is missing before '--quiet'; write --out=VALUE where the value itself starts with dashes");
  CHECK(refusal({"HalfCheetah"}) == "unexpected argument 'HalfCheetah'; options start with --");
  CHECK(refusal({""}) == "unexpected argument ''; options start with --");
  CHECK(refusal({"--quiet", "false"}) == "unexpected argument 'false'; options start with --");
  CHECK(refusal({"-sigma", "0.1"}) == "unknown option '-sigma'; did you mean '--sigma'?");
  CHECK(refusal({"--=3"}) == "unknown option '--=3'; --help lists the options");
  CHECK(refusal({"--", "--sigma"}) == "unexpected argument '--sigma'; options start with --");
  CHECK(refusal({"--preset", "halfcheeta"}) == "unknown preset 'halfcheeta'; did you mean 'HalfCheetah'?");
  CHECK(refusal({"--preset", "zzz"}) == "unknown preset 'zzz'; --help lists the presets");
  CHECK(refusal({"--out=--quiet", "--"}) == "accepted");
}

TEST_CASE("a refused command line leaves the fields as they were", "[options]") {
  Program program;
  CHECK_THROWS_AS(program.parse({"--seed", "5", "--sigma", "0"}), clade::Error);
  CHECK(program.seed == 1);
}

TEST_CASE("the command line wins over the config file, the file over the preset", "[options]") {
  const TemporaryFile config("layers.cfg", "sigma = 0.05 # wider\nenv-option = c=3\nseed = 12\n");
  Program program;
  REQUIRE(program.parse({"--seed", "9", "--config", config.path(), "--preset", "Swimmer"}));
  CHECK(program.seed == 9);
  CHECK(program.sigma == 0.05);
  CHECK(program.env == "Swimmer-v4");
  CHECK(program.env_options == std::vector<std::string>{"c=3"});
  CHECK(program.options.given("env"));
  CHECK_FALSE(program.options.given_on_command_line("env"));
  CHECK_FALSE(program.options.given_on_command_line("sigma"));

  Program preset_only;
  REQUIRE(preset_only.parse({"--preset=HalfCheetah"}));
  CHECK(preset_only.sigma == 0.03);
  CHECK(preset_only.env_options == std::vector<std::string>{"a=1", "b=2"});

  Program emptied;
  REQUIRE(emptied.parse({"--preset=HalfCheetah", "--env-option", "none"}));
  CHECK(emptied.env_options.empty());

  Program replaced;
  REQUIRE(replaced.parse({"--preset=HalfCheetah", "--env-option", "z=9"}));
  CHECK(replaced.env_options == std::vector<std::string>{"z=9"});
}

TEST_CASE("a config file may name the preset it builds on", "[options]") {
  const TemporaryFile config("preset.cfg", "preset = Swimmer\nsigma = 0.5\n");
  Program program;
  REQUIRE(program.parse({"--config", config.path()}));
  CHECK(program.env == "Swimmer-v4");
  CHECK(program.seed == 1000);
  CHECK(program.sigma == 0.5);

  Program other;
  REQUIRE(other.parse({"--config", config.path(), "--preset", "HalfCheetah"}));
  CHECK(other.env == "HalfCheetah-v4");
  CHECK(other.seed == 1);
}

TEST_CASE("wrong config files are refused with file, line and key", "[options]") {
  const auto refused = [](const std::string& text) {
    const TemporaryFile config("wrong.cfg", text);
    const std::string message = refusal({"--config", config.path()});
    const std::string start = "config file " + config.path();
    CHECK(message.starts_with(start));
    return message.starts_with(start) ? message.substr(start.size()) : message;
  };
  CHECK(refused("\nsgima = 0.1") == ", line 2: unknown key 'sgima'; did you mean 'sigma'?");
  CHECK(refused("wrench = 1") == ", line 1: unknown key 'wrench'; --help lists the options");
  CHECK(refused("sigma = -1") == ", line 1: sigma: -1 is out of range; it must be greater than 0");
  CHECK(refused("sigma =") == ", line 1: sigma: '' is not a number");
  CHECK(refused("sigma = 1\n\nsigma = 2") == ", line 3: 'sigma' stands on line 1 already");
  CHECK(refused("print-config = true") == ", line 1: 'print-config' belongs on the command line, not in a config file");
  CHECK(refused("config = other.cfg") == ", line 1: 'config' belongs on the command line, not in a config file");
  CHECK(refused("init-from = a.h5") == ", line 1: 'init-from' belongs on the command line, not in a config file");
  CHECK(refused("on-failure = halt") == ", line 1: on-failure: unknown value 'halt'; it must be one of worst, stop");
  CHECK(refusal({"--config", "no/such.cfg"}) == "config file no/such.cfg: cannot be opened: No such file or directory");
  CHECK(refusal({"--config", "/"}) == "config file /: it is a folder");
}

TEST_CASE("the printed configuration reads back to the same values", "[options]") {
  Program first;
  REQUIRE(first.parse({"--sigma", "0.30000000000000004", "--env-option", "name=a # b", "--env-option", "none",
                       "--target-return=5e-324", "--seed", "18446744073709551615", "--out", " a\"b\\c ", "--shift",
                       "-10", "--mirrored=false"}));
  std::ostringstream text;
  first.options.print_configuration(text);
  const TemporaryFile config("printed.cfg", text.str());

  Program second;
  REQUIRE(second.parse({"--preset", "HalfCheetah", "--config", config.path()}));
  CHECK(std::bit_cast<std::uint64_t>(second.sigma) == std::bit_cast<std::uint64_t>(0.1 + 0.2));
  CHECK(second.env_options == std::vector<std::string>{"name=a # b", "none"});
  CHECK(second.target_return == std::numeric_limits<double>::denorm_min());
  CHECK(second.seed == std::numeric_limits<std::uint64_t>::max());
  CHECK(second.out == " a\"b\\c ");
  CHECK(second.shift == -10);
  CHECK_FALSE(second.mirrored);
  CHECK_FALSE(second.budget_episodes.has_value());
  CHECK(second.options.configuration() == first.options.configuration());
}

TEST_CASE("the configuration is printed by groups", "[options]") {
  Program program;
  CHECK_FALSE(program.parse({"--print-config", "--preset", "Swimmer", "--budget-episodes", "1e4"}));
  CHECK(program.printed.str() == "# clade-test " + clade::version_string() +
                                     ", preset Swimmer\n"
                                     "\n# Environment\n"
                                     "env = Swimmer-v4\n"
                                     "env-option = none\n"
                                     "on-failure = worst\n"
                                     "\n# Strategy\n"
                                     "sigma = 0.01\n"
                                     "seed = 1000\n"
                                     "shift = 0\n"
                                     "mirrored = true\n"
                                     "\n# Budget\n"
                                     "budget-episodes = 10000\n"
                                     "target-return = none\n"
                                     "\n# Run file\n"
                                     "out = run.h5\n"
                                     "quiet = false\n");
}

TEST_CASE("the configuration holds present values with their effects", "[options]") {
  Program program;
  REQUIRE(program.parse({"--env-option", "a=1", "--env-option", "b=2"}));
  program.seed = 42;  // resolved by the program after parsing
  const std::vector<ConfigEntry> expected = {{"env", "HalfCheetah-v4", ResultEffect::fixes_results},
                                             {"env-option", "a=1", ResultEffect::fixes_results},
                                             {"env-option", "b=2", ResultEffect::fixes_results},
                                             {"on-failure", "worst", ResultEffect::fixes_results},
                                             {"sigma", "0.02", ResultEffect::fixes_results},
                                             {"seed", "42", ResultEffect::fixes_results},
                                             {"shift", "0", ResultEffect::fixes_results},
                                             {"mirrored", "true", ResultEffect::fixes_results},
                                             {"budget-episodes", "none", ResultEffect::budget},
                                             {"target-return", "none", ResultEffect::budget},
                                             {"out", "run.h5", ResultEffect::none},
                                             {"quiet", "false", ResultEffect::none}};
  CHECK(program.options.configuration() == expected);
}

TEST_CASE("a resumed run takes the stored values beneath what the user names", "[options]") {
  Program original;
  REQUIRE(original.parse({"--sigma", "0.05", "--env-option", "a=1", "--budget-episodes", "100", "--quiet"}));
  const auto stored = original.options.configuration();

  Program resumed;
  REQUIRE(resumed.parse({"--budget-episodes", "500", "--sigma", "5e-2"}));  // the same value in other words
  resumed.options.apply_stored(stored);
  CHECK(resumed.sigma == 0.05);
  CHECK(resumed.env_options == std::vector<std::string>{"a=1"});
  CHECK(resumed.budget_episodes == std::uint64_t{500});
  CHECK(resumed.quiet);
}

TEST_CASE("a resumed run refuses what would alter its results", "[options]") {
  Program original;
  REQUIRE(original.parse({"--env-option", "a=1"}));
  const auto stored = original.options.configuration();
  const auto refused = [&](const std::vector<std::string>& arguments, const std::vector<ConfigEntry>& entries) {
    Program resumed;
    REQUIRE(resumed.parse(arguments));
    try {
      resumed.options.apply_stored(entries);
    } catch (const clade::Error& error) {
      CHECK(error.exit_code() == 2);
      CHECK(resumed.env_options.size() <= 2);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::string advice = "; use --init-from to start a new run from this one";
  CHECK(refused({"--sigma", "0.05"}, stored) ==
        "--sigma: the run was started with 0.02; a resumed run cannot change it to 0.05" + advice);
  CHECK(refused({"--env-option", "a=2", "--env-option", "b=1"}, stored) ==
        "--env-option: the run was started with a=1; a resumed run cannot change it to a=2 b=1" + advice);
  CHECK(refused({"--env-option", "none"}, stored) ==
        "--env-option: the run was started with a=1; a resumed run cannot change it to none" + advice);
  CHECK(refused({"--mirrored=false"}, stored) ==
        "--mirrored: the run was started with true; a resumed run cannot change it to false" + advice);
  CHECK(refused({"--preset", "Swimmer"}, stored) ==
        "preset Swimmer: env: the run was started with HalfCheetah-v4; a resumed run cannot change it to Swimmer-v4" +
            advice);
  const TemporaryFile config("resume.cfg", "shift = 3\n");
  CHECK(refused({"--config", config.path()}, stored) ==
        "config file " + config.path() + ": shift: the run was started with 0; a resumed run cannot change it to 3" +
            advice);
  CHECK(refused({"--out", "other.h5", "--target-return", "5"}, stored) == "accepted");

  // An option younger than the run file: the run went by its default.
  CHECK(refused({"--shift", "3"}, {}) ==
        "--shift: the run was started with 0; a resumed run cannot change it to 3" + advice);
  CHECK(refused({"--shift", "0"}, {}) == "accepted");
  // One that only the file knows.
  CHECK(refused({}, {{"tilt", "3", ResultEffect::fixes_results}}) ==
        "the run was started with tilt = '3', which clade-test " + clade::version_string() +
            " does not know; resume it with what started it");
  CHECK(refused({}, {{"colour", "red", ResultEffect::none}}) == "accepted");
  CHECK(refused({}, {{"sigma", "-1", ResultEffect::fixes_results}}) ==
        "stored configuration: sigma: -1 is out of range; it must be greater than 0");
}

TEST_CASE("help shows groups, units, defaults and ranges within the width", "[options]") {
  Program program;
  CHECK_FALSE(program.parse({"--sigma", "not read", "--help", "--wrong"}));
  const std::string expected =
      "clade-test: evolve something for a test\n"
      "Usage: clade-test [options]\n"
      "\n"
      "Environment:\n"
      "  --env NAME                 environment to evolve for [default: HalfCheetah-v4]\n"
      "  --env-option KEY=VALUE     a parameter of the environment [may be repeated]\n"
      "  --on-failure NAME          what a failed episode does [one of worst, stop; default: worst]\n"
      "\n"
      "Strategy:\n"
      "  --sigma NUMBER             standard deviation of the perturbation [default: 0.02; above 0]\n"
      "  --seed INTEGER             seed of every random draw [default: 1]\n"
      "  --shift INTEGER            shift of each step's reward [default: 0; -10 to 10]\n"
      "  --mirrored                 evaluate each perturbation with both signs [default: true;\n"
      "                             --mirrored=false turns it off]\n"
      "\n"
      "Budget:\n"
      "  --budget-episodes INTEGER  stop after these training episodes [in episodes; default: none; at\n"
      "                             least 1]\n"
      "  --target-return NUMBER     stop once the evaluation reaches this [default: none]\n"
      "\n"
      "Run file:\n"
      "  --out FILE                 where the run is saved [default: run.h5]\n"
      "  --quiet                    no progress\n"
      "  --init-from FILE           start from another run's result\n"
      "\n"
      "General:\n"
      "  --config FILE              read options from FILE, lines of 'key = value'; the command line wins\n"
      "  --preset NAME              start from a named set of values, listed below; all else wins\n"
      "  --print-config             print the resolved options as a configuration file and exit\n"
      "  --help                     print this text and exit\n"
      "  --version                  print the version and exit\n"
      "\n"
      "Presets (--preset NAME):\n"
      "  HalfCheetah                a runner\n"
      "  Swimmer                    a swimmer\n";
  CHECK(program.printed.str() == expected);
  CHECK(program.sigma == 0.02);
}

TEST_CASE("help says a single unit in the singular", "[options]") {
  std::uint64_t episodes = 1;
  Options options("x", "y");
  options.add("episodes", episodes, {.text = "played by a member", .unit = "episodes"});
  std::ostringstream out;
  const char* const argv[] = {"x", "--help"};
  CHECK_FALSE(options.parse(2, argv, out));
  CHECK_THAT(out.str(), clade::testing::contains_text("played by a member [default: 1 episode]\n"));
}

TEST_CASE("the version is printed", "[options]") {
  Program program;
  CHECK_FALSE(program.parse({"--version"}));
  CHECK(program.printed.str() == "clade-test " + clade::version_string() + "\n");
}

TEST_CASE("arguments without dashes fill the positionals in order", "[options]") {
  std::string run;
  std::string other;
  bool csv = false;
  const auto options = [&] {
    csv = false;
    auto result = std::make_unique<Options>("clade-inspect", "show what a run file holds");
    result->add("csv", csv, {.text = "print a table"});
    result->add_positional("run-file", run, "the run to show");
    result->add_positional("other", other, "a run to compare with", true);
    return result;
  };
  std::ostringstream out;
  const char* const both[] = {"clade-inspect", "--csv", "a.h5", "--", "-b.h5"};
  auto first = options();
  REQUIRE(first->parse(5, both, out));
  CHECK(run == "a.h5");
  CHECK(other == "-b.h5");
  CHECK(csv);
  CHECK(first->given("other"));

  const char* const none[] = {"clade-inspect"};
  CHECK_THROWS_WITH(options()->parse(1, none, out), "the argument RUN_FILE is missing: the run to show");
  const char* const three[] = {"clade-inspect", "a", "b", "c"};
  CHECK_THROWS_WITH(options()->parse(4, three, out), "unexpected argument 'c'; --help shows the usage");
  const char* const dashed[] = {"clade-inspect", "-c"};
  CHECK_THROWS_WITH(options()->parse(2, dashed, out), "unknown option '-c'; --help lists the options");
  const char* const preset[] = {"clade-inspect", "a", "--preset", "x"};
  CHECK_THROWS_WITH(options()->parse(4, preset, out), "unknown option '--preset'; --help lists the options");

  const char* const help[] = {"clade-inspect", "-h"};
  CHECK_FALSE(options()->parse(2, help, out));
  CHECK_THAT(out.str(), clade::testing::contains_text("Usage: clade-inspect RUN_FILE [OTHER] [options]\n"
                                                      "\n"
                                                      "Arguments:\n"
                                                      "  RUN_FILE        the run to show\n"
                                                      "  OTHER           a run to compare with (optional)\n"
                                                      "\n"
                                                      "Options:\n"
                                                      "  --csv           print a table\n"));
}

TEST_CASE("mistakes of a program's own are not blamed on the user", "[options]") {
  double sigma = 0.1;
  std::ostringstream out;
  const char* const argv[] = {"x"};
  const auto with_preset = [&](const char* key, const char* value) {
    auto options = std::make_unique<Options>("x", "y");
    OptionHelp help;
    help.minimum = 0.0;
    options->add("sigma", sigma, help);
    options->add_preset("p", "", {{key, value}});
    return options;
  };
  CHECK_THROWS_WITH(with_preset("sgima", "1")->parse(1, argv, out), "preset 'p' sets the unknown option 'sgima'");
  CHECK_THROWS_WITH(with_preset("sigma", "-1")->parse(1, argv, out),
                    "preset 'p': sigma: -1 is out of range; it must be at least 0");
  auto options = std::make_unique<Options>("x", "y");
  options->add("sigma", sigma, {});
  CHECK_THROWS_AS(options->add("sigma", sigma, {}), std::logic_error);
}
