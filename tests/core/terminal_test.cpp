#include "core/terminal.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>
#include <sstream>
#include <string>

#include "tests/support/catch.hpp"

using clade::quote_for_message;
using clade::terminal_columns;
using clade::wrap_text;

TEST_CASE("text is broken at blanks within the width", "[terminal]") {
  CHECK(wrap_text("one two three", 7) == "one two\nthree");
  CHECK(wrap_text("one two three", 13) == "one two three");
  CHECK(wrap_text("one two three", 12) == "one two\nthree");
  CHECK(wrap_text("one two three", 9, 4) == "one\n    two\n    three");
  CHECK(wrap_text("incomprehensibility is long", 8) == "incomprehensibility\nis long");
  CHECK(wrap_text("one\ntwo", 80, 2) == "one\n  two");
  CHECK(wrap_text("  one   two  ", 80) == "one two");
  CHECK(wrap_text("", 10).empty());
}

TEST_CASE("messages quote foreign text in one printable line", "[terminal]") {
  CHECK(quote_for_message("sigma") == "'sigma'");
  CHECK(quote_for_message("a\nb\x1b[2J\x7f") == "'a?b?[2J?'");
  CHECK(quote_for_message(std::string(100, 'x')) == "'" + std::string(80, 'x') + "...'");
  CHECK(quote_for_message("caf\xc3\xa9") == "'caf\xc3\xa9'");
  CHECK(quote_for_message("\x89HDF") == "'?HDF'");
  CHECK(quote_for_message("caf\xc3") == "'caf?'");
  CHECK(quote_for_message(std::string(79, 'x') + "\xc3\xa9") == "'" + std::string(79, 'x') + "...'");
}

TEST_CASE("files and foreign streams have no columns, terminals have", "[terminal]") {
  const int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  REQUIRE(file >= 0);
  CHECK_FALSE(terminal_columns(file).has_value());
  close(file);
  CHECK_FALSE(terminal_columns(-1).has_value());
  const std::ostringstream text;
  CHECK_FALSE(terminal_columns(text).has_value());

  const int controller = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (controller < 0 || grantpt(controller) != 0 || unlockpt(controller) != 0) CLADE_SKIP("no pseudo-terminals here");
  const int terminal = open(ptsname(controller), O_RDWR | O_NOCTTY | O_CLOEXEC);
  REQUIRE(terminal >= 0);
  CHECK(terminal_columns(terminal) == std::size_t{80});  // a terminal that does not know its size
  winsize size{};
  size.ws_row = 24;
  size.ws_col = 132;
  REQUIRE(ioctl(terminal, TIOCSWINSZ, &size) == 0);
  CHECK(terminal_columns(terminal) == std::size_t{132});
  close(terminal);
  close(controller);
}
