// SPDX-License-Identifier: Apache-2.0
//
// What a person at a terminal sees: failures, life cycles, progress and summaries.
#include "sinks/terminal_lines.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "sinks/columns.hpp"

namespace actord::sinks {

TEST_SUITE_BEGIN("sinks/terminal_lines");

namespace {

using Fields = std::vector<log::Field>;
using Lines = std::vector<std::string>;
constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::string_view erase = "\r\x1b[K";

/// A terminal, with a clock that the test moves.
class Screen {
 public:
  explicit Screen(unsigned columns, bool can_rewrite = true, bool is_coloured = false)
      : columns_(columns),
        lines_({.is_coloured = is_coloured, .can_rewrite = can_rewrite, .columns = [this] {
                  return columns_;
                }}) {}

  void resize(unsigned columns) { columns_ = columns; }
  void pass(std::int64_t ns) { now_ns_ += ns; }
  void put(log::Level level, std::string_view event, std::string_view msg, const Fields& fields) {
    log::Record record;
    record.stamp_ns = now_ns_;
    record.level = level;
    record.event = event;
    record.msg = msg;
    record.fields = fields;
    lines_.append(out_, record, wall_ns);
  }
  void life(std::string_view event, const std::string& path) {
    put(log::Level::info, event, event.substr(6), {{"actor.path", path}});
  }
  void fail(std::string_view path, std::string_view id, std::string_view directive,
            const Fields& more = {}) {
    Fields fields = {{"actor.path", path},
                     {"failure.id", id},
                     {"failure.type", "shop::Trouble"},
                     {"failure.message", "no stock"},
                     {"decision.directive", directive},
                     {"decision.rule", "default"},
                     {"decision.config_origin", "shop.conf:7"}};
    fields.insert(fields.end(), more.begin(), more.end());
    put(log::Level::error, "actor.failed", "", fields);
  }
  void outcome(std::string_view event, std::string_view path, std::string_view id) {
    put(log::Level::warning, event, event.substr(6), {{"actor.path", path}, {"failure.id", id}});
  }
  bool end_batch(bool is_last = false) { return lines_.end_batch(out_, now_ns_, is_last); }

  /// The bytes written since the last call.
  std::string take() {
    std::string text(out_.view());
    out_.clear();
    return text;
  }
  /// The same as lines, without their time of day, which is local time.
  Lines take_lines() {
    std::istringstream text(take());
    Lines lines;
    for (std::string line; std::getline(text, line);)
      lines.push_back(line.size() > 12 && line.substr(5, 7) == ":01.123" ? line.substr(13) : line);
    return lines;
  }

 private:
  static constexpr std::int64_t wall_ns = 1'714'559'521'123'456'789;

  unsigned columns_;
  std::int64_t now_ns_ = 5 * second_ns;
  TerminalLines lines_;
  LineBuffer out_;
};

}  // namespace

TEST_CASE("a failure whose decision is carried out is one line") {
  Screen screen(120);
  screen.fail("/user/shop/clerk", "a-1", "restart");
  screen.outcome("actor.restarted", "/user/shop/clerk", "a-1");
  screen.fail("/user/shop/clerk", "a-2", "resume");
  screen.outcome("actor.resumed", "/user/shop/clerk", "a-2");
  screen.fail("/user/shop/clerk", "a-3", "stop");
  screen.outcome("actor.stopped", "/user/shop/clerk", "a-3");
  CHECK(screen.take_lines() ==
        Lines{"ERROR /user/shop/clerk shop::Trouble: no stock → restart (rule default, "
              "shop.conf:7) a-1",
              "ERROR /user/shop/clerk shop::Trouble: no stock → resume (rule default, "
              "shop.conf:7) a-2",
              "ERROR /user/shop/clerk shop::Trouble: no stock → stop (rule default, "
              "shop.conf:7) a-3"});
}

TEST_CASE("a summary of failures is one line, too") {
  Screen screen(120);
  const Fields fields = {{"of", "actor.failed"},
                         {"count", 13},
                         {"actor.behaviour", "shop/Clerk"},
                         {"failure.type", "shop::Trouble"},
                         {"failure.phase", "receive"},
                         {"decision.directive", "restart"},
                         {"decision.rule", "default"},
                         {"first.id", "a-6"},
                         {"last.id", "a-j"}};
  screen.put(log::Level::error, "log.suppressed", "13 more failures of this kind", fields);
  CHECK(screen.take_lines() ==
        Lines{"ERROR shop/Clerk shop::Trouble: 13 more → restart (rule default) a-6..a-j"});
}

TEST_CASE("an actor that is created anew after its creation failed confirms the restart") {
  Screen screen(120);
  screen.fail("/user/a", "a-1", "restart");
  screen.outcome("actor.started", "/user/a", "a-1");
  screen.end_batch(true);
  CHECK(screen.take_lines().size() == 1);
  screen.fail("/user/a", "a-2", "stop");
  screen.outcome("actor.started", "/user/a", "a-2");
  CHECK(screen.take_lines().size() == 2);
}

TEST_CASE("an outcome other than the decision is shown") {
  Screen screen(120);
  screen.fail("/user/a", "a-1", "restart");
  screen.outcome("actor.stopped", "/user/a", "a-1");
  screen.outcome("actor.pre_restart-failed", "/user/a", "a-1");
  screen.outcome("actor.restarted", "/user/a", "a-9");  // its failure was not written
  const Lines lines = screen.take_lines();
  REQUIRE(lines.size() == 4);
  CHECK(lines[1] == "WARN  actor.stopped /user/a stopped id=a-1");
  CHECK(lines[2] == "WARN  actor.pre_restart-failed /user/a pre_restart-failed id=a-1");
  CHECK(lines[3] == "WARN  actor.restarted /user/a restarted id=a-9");
}

TEST_CASE("a restart that the limit denies and one that waits say so in the verdict") {
  Screen screen(120);
  screen.fail("/user/a", "a-1", "stop", {{"decision.denied", "restart"}});
  screen.outcome("supervisor.limit", "/user/a", "a-1");
  screen.outcome("actor.stopped", "/user/a", "a-1");
  screen.fail("/user/a", "a-2", "restart", {{"restart.delay", std::chrono::milliseconds(1500)}});
  screen.outcome("actor.backoff", "/user/a", "a-2");
  const Lines lines = screen.take_lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].find("→ stop (restart denied) (rule default") != std::string::npos);
  CHECK(lines[1].find("→ restart in 1.5s (rule default") != std::string::npos);
}

TEST_CASE("the oldest failures are forgotten, and what happens to them is shown") {
  Screen screen(120);
  for (std::size_t i = 0; i <= FailureOutcomes::remembered; ++i)
    screen.fail("/user/a", std::to_string(i), "restart");
  screen.take();
  screen.outcome("actor.restarted", "/user/a", "1");
  CHECK(screen.take_lines().empty());
  screen.outcome("actor.restarted", "/user/a", "0");
  CHECK(screen.take_lines().size() == 1);
}

TEST_CASE("actors that start or stop one after the other are one line") {
  Screen screen(80);
  for (int i = 1; i <= 12; ++i)
    screen.life("actor.started", "/user/shop/clerk-" + std::to_string(i));
  CHECK(screen.end_batch());
  CHECK(screen.take().empty());
  screen.put(log::Level::info, "shop.open", "", {});
  CHECK(screen.take_lines() ==
        Lines{"INFO  12 actors started below /user/shop", "INFO  shop.open"});
  CHECK_FALSE(screen.end_batch());
  screen.life("actor.stopped", "/user/shop/clerk");
  screen.life("actor.stopped", "/user/shop");
  screen.life("actor.started", "/user/inn");
  screen.end_batch(true);
  CHECK(screen.take_lines() ==
        Lines{"INFO  2 actors stopped below /user", "INFO  actor.started /user/inn started"});
}

TEST_CASE("life-cycle lines do not wait long for others") {
  Screen screen(80);
  screen.life("actor.started", "/user/a");
  screen.pass(TerminalLines::fold_ns - 1);
  CHECK(screen.end_batch());
  CHECK(screen.take().empty());
  screen.pass(1);
  CHECK_FALSE(screen.end_batch());
  CHECK(screen.take_lines() == Lines{"INFO  actor.started /user/a started"});
}

TEST_CASE("actors that another one's failure restarts are one line with the failure's id") {
  Screen screen(80);
  screen.fail("/user/shop/a", "a-1", "restart");
  screen.outcome("actor.restarted", "/user/shop/a", "a-1");
  for (const char* path : {"/user/shop/b", "/user/shop/c"}) {
    screen.put(log::Level::warning, "actor.restarted", "restarted",
               {{"actor.path", path}, {"collateral_of", "a-1"}});
  }
  screen.end_batch(true);
  const Lines lines = screen.take_lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[1] == "WARN  2 actors restarted below /user/shop, collateral of a-1");
}

TEST_CASE("progress is one line below the others that is written over") {
  Screen screen(40);
  screen.put(log::Level::info, "shop.progress", "selling",
             {{"actor.path", "/user/shop"}, {"n", 1}});
  screen.end_batch();
  CHECK(screen.take() == "/user/shop selling n=1");
  screen.end_batch();
  CHECK(screen.take().empty());
  screen.put(log::Level::info, "shop.progress", "selling",
             {{"actor.path", "/user/shop"}, {"n", 2}});
  screen.end_batch();
  CHECK(screen.take() == std::string(erase) + "/user/shop selling n=2");
  screen.put(log::Level::info, "x", "", {});
  screen.end_batch();
  const std::string text = screen.take();
  CHECK(text.starts_with(erase));
  CHECK(text.ends_with("INFO  x\n/user/shop selling n=2"));
  screen.end_batch(true);
  CHECK(screen.take() == erase);
}

TEST_CASE("progress leaves the last column free, and a resized window is noticed") {
  Screen screen(12);
  const Fields fields = {{"actor.path", "/user/shop"}};
  screen.put(log::Level::info, "shop.progress", "selling", fields);
  screen.end_batch();
  CHECK(screen.take() == "/user/shop…");
  screen.resize(15);
  screen.put(log::Level::info, "shop.progress", "selling", fields);
  screen.end_batch();
  CHECK(screen.take() == std::string(erase) + "/user/shop se…");
}

TEST_CASE("progress ends with the actor") {
  Screen screen(80);
  screen.put(log::Level::info, "shop.progress", "selling", {{"actor.path", "/user/shop"}});
  screen.end_batch();
  screen.take();
  screen.life("actor.stopped", "/user/shop");
  CHECK(screen.take() == erase);
  screen.end_batch(true);
  CHECK(screen.take_lines() == Lines{"INFO  actor.stopped /user/shop stopped"});
}

TEST_CASE("where lines cannot be written over, progress is a line every ten seconds") {
  Screen screen(80, false);
  std::string all;
  for (int second = 0; second <= 20; ++second) {
    screen.put(log::Level::info, "shop.progress", "selling",
               {{"actor.path", "/user/shop"}, {"second", second}});
    screen.end_batch(second == 20);
    screen.pass(second_ns);
  }
  CHECK(screen.take_lines() == Lines{"INFO  shop.progress /user/shop selling second=0",
                                     "INFO  shop.progress /user/shop selling second=10",
                                     "INFO  shop.progress /user/shop selling second=20"});
}

TEST_CASE("the summary of a record is a block, and a long command is continued as in a shell") {
  Screen screen(40);
  screen.put(log::Level::info, "shop.closed", "it is late",
             {{"actor.path", "/user/shop"},
              {"shop.sold", 3},
              {"summary.sold", 3},
              {"summary.not_sold", "\x1b[2J"},
              {"summary.book", "sqlite3 /srv/shop/book.sqlite \"select * from sales\""}});
  CHECK(screen.take_lines() == Lines{"INFO  shop.closed /user/sh…", "  sold      3",
                                     "  not sold  \\x1b[2J", "  book      sqlite3 \\",
                                     "/srv/shop/book.sqlite \"select * from \\", "sales\""});
}

TEST_CASE("warnings and errors are shown in full on several lines, other records are cut") {
  Screen screen(30);
  screen.put(log::Level::warning, "shop.low", "there is not much left of it", {{"left", 2}});
  CHECK(screen.take_lines() ==
        Lines{"WARN  shop.low ", "  there is not much left of ", "  it left=2"});
  screen.put(log::Level::info, "shop.full", "there is much of it", {});
  CHECK(screen.take_lines() == Lines{"INFO  shop.full …"});
}

TEST_CASE("no window is too narrow, and no line is wider than its window") {
  for (unsigned columns = 0; columns <= 130; ++columns) {
    CAPTURE(columns);
    Screen screen(columns, true, columns % 2 == 0);
    screen.fail("/user/shop/中文", "a-1", "restart", {{"failure.message", "x"}});
    screen.life("actor.started", "/user/shop/中文");
    screen.life("actor.started", "/user/shop/b");
    screen.put(log::Level::error, "shop.low", "nicht viel 中文中文中文 übrig", {{"left", 2}});
    screen.put(log::Level::info, "shop.sum", "中文中文中文中文",
               {{"summary.all", "中文 中文中文 中文"}});
    screen.put(log::Level::info, "shop.progress", "中文中文中文中文中文中文中文中文", {});
    screen.end_batch();
    std::istringstream text(screen.take());
    for (std::string line; std::getline(text, line);) {
      CAPTURE(line);
      // A character of two columns does not fit into a window of one.
      CHECK(columns_of(line) <= std::max(columns, 2U));
    }
  }
}

TEST_CASE("no text can speak to the terminal") {
  Screen screen(200);
  const std::string hostile = "\x1b[2J\r\n\xe2\x80\xa8\xc2\x85\xe2\x80\xae\xff";
  screen.put(log::Level::error, "actor.failed", "",
             {{"actor.path", hostile},
              {"failure.type", hostile},
              {"failure.message", hostile},
              {"failure.id", hostile},
              {"decision.directive", hostile},
              {"decision.rule", hostile},
              {"decision.config_origin", hostile}});
  screen.put(log::Level::info, "shop.progress", hostile, {{"actor.path", hostile}, {"x", hostile}});
  screen.put(log::Level::info, "shop.sum", hostile, {{"summary.x", hostile}});
  screen.end_batch();
  const std::string text = screen.take();
  CHECK(text.find('\x1b') == text.npos);
  CHECK(text.find('\r') == text.npos);
  CHECK(text.find("\xe2\x80\xa8") == text.npos);
  CHECK(text.find("\xc2\x85") == text.npos);
  CHECK(text.find("\xe2\x80\xae") == text.npos);
  CHECK(text.find('\xff') == text.npos);
}

TEST_SUITE_END();

}  // namespace actord::sinks
