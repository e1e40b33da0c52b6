#include "core/config_file.hpp"

#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using clade::detail::config_value;
using clade::detail::ConfigLine;
using clade::detail::read_config;

namespace {

std::vector<ConfigLine> read(const std::string& text) {
  std::istringstream in(text);
  return read_config(in, "run.cfg");
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const clade::Error& error) {
    CHECK(error.kind() == clade::ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("config lines are key = value, with comments and blanks left out", "[config_file]") {
  const auto lines = read(
      "\xef\xbb\xbf# a file\n"
      "\n"
      "sigma=0.02\r\n"
      "  env-option =  forward_reward_weight=2   # 1 by default\n"
      "\t# nothing\n"
      "out =\n"
      "env = Half Cheetah");
  REQUIRE(lines.size() == 4);
  CHECK((lines[0].line == 3 && lines[0].key == "sigma" && lines[0].value == "0.02"));
  CHECK((lines[1].line == 4 && lines[1].key == "env-option" && lines[1].value == "forward_reward_weight=2"));
  CHECK((lines[2].line == 6 && lines[2].key == "out" && lines[2].value.empty()));
  CHECK((lines[3].line == 7 && lines[3].key == "env" && lines[3].value == "Half Cheetah"));
  CHECK(read("").empty());
}

TEST_CASE("every value reads back as it was written", "[config_file]") {
  for (const std::string value :
       {"", "plain", "with blanks inside", " outer ", "a#b", "#", "\"", "\"quoted\"", "back\\slash", " \\ ", "tab\t",
        "line\nbreak", "\r", "a=b", "[x]", "none", "ends with \\", "#\\\"\n\t"}) {
    const std::string text = "key = " + config_value(value) + "\n";
    INFO(text);
    const auto lines = read(text);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].value == value);
  }
  CHECK(config_value("0.02") == "0.02");
  CHECK(config_value("a#b") == "\"a#b\"");
  CHECK(read("key = \"a # b\" # c")[0].value == "a # b");
}

TEST_CASE("a line that is not key = value is refused with its number", "[config_file]") {
  CHECK(refusal("a = 1\nsigma 0.02\n") == "config file run.cfg, line 2: 'sigma 0.02' is not 'key = value'");
  CHECK(refusal("[strategy]") == "config file run.cfg, line 1: sections are not used; write 'key = value' lines");
  CHECK(refusal("out = \"a") == "config file run.cfg, line 1: the closing quote is missing");
  CHECK(refusal("out = \"a\\") == "config file run.cfg, line 1: the closing quote is missing");
  CHECK(refusal("out = \"a\" b") == "config file run.cfg, line 1: only a comment may follow the closing quote");
  CHECK(refusal("out = \"\\q\"") ==
        "config file run.cfg, line 1: unknown escape '\\q' in a quoted value; write \\\\ for a backslash");
  CHECK(refusal("\x89HDF\r\n\x1a\n") == "config file run.cfg, line 1: '?HDF?' is not 'key = value'");
}

TEST_CASE("a config file that cannot be read is named", "[config_file]") {
  CHECK_THROWS_WITH(clade::detail::read_config_file("no/such.cfg"),
                    "config file no/such.cfg: cannot be opened: No such file or directory");
  CHECK_THROWS_WITH(clade::detail::read_config_file("/"), "config file /: it is a folder");
}
