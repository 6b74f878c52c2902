// SPDX-License-Identifier: Apache-2.0
//
// The console lines: how a person sees a failure, a restart, a plain event.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sinks/console_lines.hpp"

namespace actord::sinks {

TEST_SUITE_BEGIN("sinks/console_lines");

namespace {

/// The line without its time of day, which is local time.
std::string line_of(log::Level level, std::string_view event, std::string_view msg,
                    const std::vector<log::Field>& fields) {
  log::Record record;
  record.level = level;
  record.event = event;
  record.msg = msg;
  record.fields = fields;
  ConsoleLines lines(false);
  LineBuffer out;
  lines.append(out, record, 1'714'559'521'123'456'789);
  const std::string line(out.view());
  REQUIRE(line.size() > 13);
  CHECK(line.substr(5, 8) == ":01.123 ");
  REQUIRE(line.back() == '\n');
  return line.substr(13, line.size() - 14);
}

}  // namespace

TEST_CASE("a failure is printed with actor, cause, verdict and rule") {
  CHECK(line_of(log::Level::error, "actor.failed", "the actor failed",
                {{"actor.path", "/user/crawler/fetcher-3"},
                 {"actor.uid", "hidden"},
                 {"failure.id", "7q4m1"},
                 {"failure.type", "crawler::RetrievalException"},
                 {"failure.message", "connection reset"},
                 {"decision.directive", "restart"},
                 {"decision.rule", "crawler::RetrievalException"},
                 {"decision.config_origin", "crawler.conf:14"},
                 {"restart.count", 2}}) ==
        "ERROR actor.failed /user/crawler/fetcher-3 crawler::RetrievalException: connection reset "
        "→ restart "
        "(rule crawler::RetrievalException, crawler.conf:14) id=7q4m1 restart.count=2");
}

TEST_CASE("a delayed restart has the delay beside the verdict") {
  CHECK(line_of(log::Level::error, "actor.failed", "",
                {{"actor.path", "/user/x"},
                 {"failure.type", "X"},
                 {"decision.directive", "restart"},
                 {"restart.delay", std::chrono::milliseconds(1500)}}) ==
        "ERROR actor.failed /user/x X → restart in 1.5s");
}

TEST_CASE("a restart reads with the id that joins it to its failure") {
  CHECK(line_of(log::Level::warning, "actor.restarted", "the actor was restarted",
                {{"actor.path", "/user/x"}, {"failure.id", "7q4m1"}, {"restart.count", 1}}) ==
        "WARN  actor.restarted /user/x the actor was restarted id=7q4m1 restart.count=1");
}

TEST_CASE("a sentence has neither time nor level, and leaves out what stands beside it") {
  const auto sentence_of = [](std::string_view event, const std::vector<log::Field>& fields) {
    log::Record record;
    record.event = event;
    record.msg = "a sentence";
    record.fields = fields;
    LineBuffer out;
    ConsoleLines(false).append_sentence(out, record);
    return std::string(out.view());
  };
  CHECK(sentence_of("actor.restarted", {{"actor.path", "/user/x"},
                                        {"actor.behaviour", "echo/Echo"},
                                        {"actor.incarnation", 3},
                                        {"failure.id", "7q4m1"},
                                        {"failure.type", "X"}}) ==
        "actor.restarted /user/x a sentence X id=7q4m1");
  CHECK(sentence_of("actor.stopped", {{"actor.path", "/user/x"}, {"collateral_of", "7q4m1"}}) ==
        "actor.stopped /user/x a sentence collateral_of=7q4m1");
  CHECK(sentence_of("plugin.loaded", {{"plugin.name", "echo"}, {"plugin.version", "1"}}) ==
        "plugin.loaded a sentence plugin.name=echo plugin.version=1");
  CHECK(sentence_of("actor.failed", {{"actor.path", "/user/x"},
                                     {"failure.id", "7q4m1"},
                                     {"failure.type", "X"},
                                     {"failure.phase", "receive"},
                                     {"decision.directive", "stop"},
                                     {"decision.denied", "restart"},
                                     {"restart.count", 2}}) ==
        "actor.failed /user/x X → stop (restart denied) id=7q4m1");
}

TEST_CASE(
    "an event without an actor reads as its name, its sentence and its fields in the order given") {
  const std::string_view files[] = {"a.conf", "b.conf"};
  CHECK(line_of(log::Level::info, "config.loaded", "the configuration is valid",
                {{"files", std::span<const std::string_view>(files)},
                 {"took", std::chrono::microseconds(2345)},
                 {"ratio", 0.5},
                 {"ok", true}}) ==
        "INFO  config.loaded the configuration is valid files=[a.conf, b.conf] took=2.345ms "
        "ratio=0.5 ok=true");
}

TEST_CASE("a value that could be mistaken for the line around it is quoted") {
  CHECK(
      line_of(log::Level::debug, "x", "",
              {{"a", "two words"}, {"b", ""}, {"c", "k=v"}, {"d", "say \"hi\""}, {"e", "plain"}}) ==
      R"(DEBUG x a="two words" b="" c="k=v" d="say \"hi\"" e=plain)");
}

TEST_CASE("no text can speak to the terminal or begin a new line") {
  CHECK(line_of(log::Level::info, "x",
                "one\ntwo \x1b[31mred \x7f bell\a \xc2\x9b \xe2\x80\xae \xff ä \\ \"q\"", {}) ==
        "INFO  x one\\ntwo \\x1b[31mred \\x7f bell\\x07 \\u009b \\u202e \xEF\xBF\xBD ä \\ \"q\"");
}

TEST_CASE("colours are written only when asked for, and change nothing but the colour") {
  const std::vector<log::Field> fields = {
      {"actor.path", "/user/x"}, {"failure.type", "X"}, {"decision.directive", "stop"}, {"k", "v"}};
  log::Record record;
  record.level = log::Level::error;
  record.event = "actor.failed";
  record.fields = fields;
  ConsoleLines plain(false);
  ConsoleLines coloured(true);
  LineBuffer without;
  LineBuffer with;
  plain.append(without, record, 0);
  coloured.append(with, record, 0);
  std::string stripped;
  const std::string_view text = with.view();
  CHECK(text.find("\x1b[1;31mERROR") != std::string_view::npos);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      stripped += text[i];
    }
  }
  CHECK(stripped == without.view());
}

TEST_SUITE_END();

}  // namespace actord::sinks
