#include "tools/learning_curve.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/run_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"
#include "tests/support/run_records.hpp"

using namespace clade;
using clade::test::TemporaryFolder;
using clade::testing::contains_text;
using clade::testing::random_record;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A run of five generations of 100 episodes and 50,000 steps: evaluations with these returns, generation by
/// generation.
RunRecord run_with(const std::vector<std::vector<double>>& evaluations, std::uint64_t seed = 1) {
  RunRecord record = random_record(seed, {.generations = evaluations.size(), .members = 4, .episodes_per_member = 25});
  record.generations.resize(evaluations.size());
  for (std::size_t g = 0; g < evaluations.size(); ++g) {
    record.generations[g].evaluation_returns = evaluations[g];
    record.generations[g].evaluation_steps.assign(evaluations[g].size(), 1000);
    record.generations[g].evaluation_frames.assign(evaluations[g].size(), 4000);
  }
  return record;
}

void set_option(RunRecord& record, const std::string& key, const std::string& value, ResultEffect effect) {
  std::erase_if(record.configuration, [&](const ConfigEntry& entry) { return entry.key == key; });
  record.configuration.push_back({key, value, effect});
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a learning curve is the evaluations' means against training") {
  const RunRecord record = run_with({{}, {1.0, 3.0}, {}, {kNaN, 7.0}, {kNaN}});
  const std::vector<CurvePoint> episodes = learning_curve(record, TrainingUnit::episodes);
  REQUIRE(episodes.size() == 2);  // that whose episodes all failed is left out
  CHECK(episodes[0].trained == 200.0);
  CHECK(episodes[0].mean_return == 2.0);
  CHECK(episodes[1].trained == 400.0);
  CHECK(episodes[1].mean_return == 7.0);
  const std::vector<CurvePoint> steps = learning_curve(record, TrainingUnit::steps);
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].trained == 100'000.0);
  CHECK(steps[1].mean_return == 7.0);
  const std::vector<CurvePoint> frames = learning_curve(record, TrainingUnit::frames);
  REQUIRE(frames.size() == 2);
  CHECK(frames[0].trained == 400'000.0);
}

TEST_CASE("a genetic algorithm's learning curve is that of its elite's validation") {
  RunRecord record = clade::testing::genetic_record(1, {.generations = 2});
  Validation& validation = record.generations[1].validation;
  validation.candidates = {{1, 2}, {0, 3}};
  validation.returns = {1.0, 1.0, 10.0, 30.0};
  validation.elites = {{0, 3}};
  const std::vector<CurvePoint> curve = learning_curve(record, TrainingUnit::frames);
  REQUIRE(curve.size() == 2);
  CHECK(curve[1].trained == 40'000.0);
  CHECK(curve[1].mean_return == 20.0);
  CHECK(episodes_to_return(record, 1e9) == std::nullopt);
  const std::string svg = learning_curve_svg(std::vector{record}, {TrainingUnit::frames, std::nullopt});
  CHECK_THAT(svg, contains_text("mean return of 2 validation episodes") && contains_text("training frames"));
}

TEST_CASE("curves are summed up where all of them are") {
  const std::vector<std::vector<CurvePoint>> curves = {{{0.0, 0.0}, {10.0, 10.0}, {20.0, 40.0}},
                                                       {{5.0, 1.0}, {15.0, 5.0}}};
  const std::vector<CurveSpread> spread = spread_of_curves(curves);
  REQUIRE(spread.size() == 3);  // at 5, 10 and 15
  CHECK(spread[0].trained == 5.0);
  CHECK(spread[0].mean == 3.0);  // of 5 (between 0 and 10) and 1
  CHECK(spread[0].lowest == 1.0);
  CHECK(spread[0].highest == 5.0);
  CHECK(spread[1].trained == 10.0);
  CHECK(spread[1].mean == 6.5);  // of 10 and 3
  CHECK(spread[2].trained == 15.0);
  CHECK(spread[2].mean == 15.0);  // of 25 and 5
  CHECK(spread[2].highest == 25.0);
}

TEST_CASE("curves that never meet have no common mean") {
  const std::vector<std::vector<CurvePoint>> curves = {{{0.0, 0.0}, {10.0, 1.0}}, {{11.0, 1.0}, {12.0, 2.0}}};
  CHECK(spread_of_curves(curves).empty());
}

TEST_CASE("episodes to a return end at the first evaluation that reaches it without a failure") {
  const RunRecord record = run_with({{}, {5.0, 5.0}, {20.0, kNaN}, {10.0, 10.0}, {30.0, 30.0}});
  CHECK(episodes_to_return(record, 5.0) == 200U);
  CHECK(episodes_to_return(record, 5.5) == 400U);  // the third has a failed episode
  CHECK(episodes_to_return(record, 10.0) == 400U);
  CHECK(episodes_to_return(record, 10.5) == 500U);
  CHECK_FALSE(episodes_to_return(record, 31.0).has_value());
  CHECK_FALSE(episodes_to_return(run_with({{}, {}}), -1e9).has_value());
}

TEST_CASE("the picture of one run shows its points, the target and the axes") {
  RunRecord record = run_with({{100.0}, {}, {2000.0}, {}, {4000.0}});
  set_option(record, "target-return", "3430", ResultEffect::budget);
  set_option(record, "env-option", "a<b", ResultEffect::fixes_results);
  const std::string svg = learning_curve_svg(std::vector<RunRecord>{record}, {});
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(count_of(svg, "<circle") == 3);
  CHECK(count_of(svg, "<polyline") == 1);
  CHECK(count_of(svg, "stroke-dasharray") == 1);
  CHECK(count_of(svg, "<polygon") == 0);
  for (const char* part : {">HalfCheetah-v4<", ", a&lt;b, seed 1<", ">target return 3,430<", ">training episodes<",
                           ">mean return of 1 evaluation episode<", ">4,000<", ">500<", "seed 1"}) {
    CHECK_THAT(svg, contains_text(part));
  }
  // The plane is 652 wide from x = 84 for 0 to 500 episodes, and 276 high up to y = 342 for returns of 0 to 4000.
  CHECK_THAT(svg, contains_text("points=\"214.4,335.1 475.2,204 736,66\""));
  const std::string steps =
      learning_curve_svg(std::vector<RunRecord>{record}, {.unit = TrainingUnit::steps, .target = 50.0});
  CHECK_THAT(steps,
             contains_text(">training steps<") && contains_text(">250,000<") && contains_text(">target return 50<"));
}

TEST_CASE("the picture of several runs shows their mean and range") {
  const std::vector<RunRecord> runs = {run_with({{-10.0}, {0.0}, {20.0}}, 1), run_with({{-30.0}, {10.0}}, 2),
                                       run_with({{-20.0}, {5.0}}, 12)};
  const std::string svg = learning_curve_svg(runs, {});
  CHECK(count_of(svg, "<polygon") == 1);
  CHECK(count_of(svg, "<polyline") == 4);
  CHECK(count_of(svg, "<circle") == 3);
  CHECK(count_of(svg, "stroke-dasharray") == 0);
  for (const char* part : {"seeds 1 2 12", ">mean of 3 runs<", ">range<", ">-30<", ">20<"}) {
    CHECK_THAT(svg, contains_text(part));
  }
}

TEST_CASE("steps are counted in millions where there are many") {
  RunRecord record = run_with({{1.0}, {2.0}});
  record.generations[1].total_steps = 4'000'000;
  const std::string svg = learning_curve_svg(std::vector<RunRecord>{record}, {.unit = TrainingUnit::steps});
  CHECK_THAT(svg, contains_text(">training steps (millions)<") && contains_text(">3.5<") && contains_text(">1.2<"));
}

TEST_CASE("any evaluations give a picture of finite places") {
  for (const std::vector<std::vector<double>>& evaluations :
       std::vector<std::vector<std::vector<double>>>{{{0.0}},
                                                     {{7.5}, {7.5}},
                                                     {{-3.0}, {-3.0}},
                                                     {{1e-12}, {3e-12}},
                                                     {{-1e300}, {1e300}},
                                                     {{-5.0}, {-4.9}},
                                                     {{1e15}, {1e15 + 1.0}}}) {
    const std::string svg = learning_curve_svg(std::vector<RunRecord>{run_with(evaluations)}, {});
    INFO(svg);
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf") == std::string::npos);
    CHECK(count_of(svg, "text-anchor=\"end\"") >= 2);  // ticks
    CHECK(count_of(svg, "text-anchor=\"end\"") <= 20);
  }
}

TEST_CASE("runs without a common learning curve are refused") {
  const RunRecord record = run_with({{1.0}, {2.0}});
  const auto refusal = [&record](const RunRecord& other) -> std::string {
    try {
      learning_curve_svg(std::vector<RunRecord>{record, other}, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "no refusal";
  };
  RunRecord other = record;
  set_option(other, "generations", "99", ResultEffect::budget);
  CHECK(refusal(other) == "no refusal");
  other.program = "clade-other";
  CHECK_THAT(refusal(other), contains_text("clade-other"));
  other = record;
  other.configuration[0].value = "Hopper-v4";
  CHECK_THAT(refusal(other), contains_text("--env ('HalfCheetah-v4', 'Hopper-v4')"));
  other = record;
  set_option(other, "sigma", "0.1", ResultEffect::fixes_results);
  CHECK_THAT(refusal(other), contains_text("--sigma ('none', '0.1')"));
  CHECK_THAT(refusal(run_with({{}, {}}, 5)), contains_text("seed 5 has no evaluation"));
}

TEST_CASE("clade-inspect draws learning curves and counts episodes to a return") {
  const TemporaryFolder folder;
  save_run_file(folder.path() / "a.h5", run_with({{1.0}, {2.0}}, 1));
  save_run_file(folder.path() / "b.h5", run_with({{2.0}, {3.0}}, 2));
  const auto inspect = [&folder](const std::vector<std::string>& arguments) {
    return clade::test::run_program("clade-inspect", arguments, folder.path());
  };
  const clade::test::ProcessResult drawn =
      inspect({"a.h5", "--with", "b.h5", "--plot", "curve.svg", "--target", "2.5", "--against", "steps"});
  INFO(drawn.err);
  CHECK(drawn.exit_code == 0);
  CHECK(drawn.out == "curve.svg: learning curve of 2 runs, 4 points against training steps\n");
  const std::string svg = read_text(folder.path() / "curve.svg");
  CHECK_THAT(svg,
             contains_text("mean of 2 runs") && contains_text("target return 2.5") && contains_text("training steps"));

  CHECK(inspect({"a.h5", "--episodes-to", "2"}).out == "200\n");
  const clade::test::ProcessResult never = inspect({"a.h5", "--episodes-to", "2.5"});
  CHECK(never.out == "none\n");
  CHECK(never.exit_code == 1);

  const std::string before = read_text(folder.path() / "b.h5");
  CHECK_THAT(inspect({"a.h5", "--plot", "b.h5"}).err, contains_text("ends in .svg"));
  CHECK(read_text(folder.path() / "b.h5") == before);
  save_run_file(folder.path() / "longer.h5", run_with({{1.0}, {2.0}, {3.0}}, 1));
  std::filesystem::copy_file(folder.path() / "b.h5", folder.path() / "copy.h5");
  CHECK(inspect({"a.h5", "--with", "a.h5", "--plot", "twice.svg"}).err ==
        "clade-inspect: --with a.h5: the same run as a.h5 (configuration and seed 1); leave it out, or name one of "
        "another seed\n");
  CHECK_THAT(inspect({"a.h5", "--with", "longer.h5", "--plot", "twice.svg"}).err,
             contains_text("--with longer.h5: the same run as a.h5"));
  CHECK_THAT(inspect({"a.h5", "--with", "b.h5", "--with", "copy.h5", "--plot", "twice.svg"}).err,
             contains_text("--with copy.h5: the same run as b.h5"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "twice.svg"));
  CHECK_THAT(inspect({"a.h5", "--with", "b.h5"}).err, contains_text("--with belongs to --plot"));
  CHECK_THAT(inspect({"a.h5", "--plot", "absent/curve.svg"}).err, contains_text("absent"));
  CHECK_THAT(inspect({"a.h5", "--plot", "curve.svg", "--hash"}).err, contains_text("exclude each other"));
}
