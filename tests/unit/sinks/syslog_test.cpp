// SPDX-License-Identifier: Apache-2.0
//
// Records for syslog, with a real socket.
#include <doctest/doctest.h>

#include <cerrno>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>

#include "base/clock.hpp"
#include "sinks/console_lines.hpp"
#include "sinks/json_lines.hpp"
#include "sinks/sized_text.hpp"
#include "sinks/syslog_lines.hpp"
#include "sinks/syslog_writer.hpp"
#include "support/full_queue.hpp"
#include "support/journal_socket.hpp"
#include "support/wait.hpp"

namespace actord::sinks {

TEST_SUITE_BEGIN("sinks/syslog");

namespace {

using support::JournalSocket;

constexpr std::int64_t may_6 = 1'714'975'201'000'000'000;  // 2024-05-06 06:00:01 UTC

log::Record record_of(log::Level level, std::string_view event, std::string_view msg) {
  log::Record record;
  record.level = level;
  record.event = event;
  record.msg = msg;
  return record;
}

std::string text_of(SyslogLines& lines, const log::Record& record, std::int64_t wall_ns = may_6) {
  LineBuffer out;
  lines.append(out, record, wall_ns);
  std::string_view batch = out.view();
  const std::string text(next_sized(batch));
  CHECK(batch.empty());
  return text;
}

SyslogLines console(unsigned facility) {
  return {std::make_unique<ConsoleLines>(false, ConsoleLines::Time::left_out), facility, 4711};
}

/// As syslog(3) formats it.
std::string header_time(std::int64_t wall_ns) {
  const std::time_t time = wall_ns / base::ns_per_s;
  std::tm local{};
  ::localtime_r(&time, &local);
  char text[16];
  return {text, std::strftime(text, sizeof text, "%b %e %H:%M:%S", &local)};
}

}  // namespace

TEST_CASE("a record has the header of syslog(3), with its facility and severity") {
  SyslogLines lines = console(3);
  CHECK(text_of(lines, record_of(log::Level::warning, "disk.full", "no room")) ==
        "<28>" + header_time(may_6) + " actord[4711]: WARN  disk.full no room");
  CHECK(text_of(lines, record_of(log::Level::error, "a", "")).starts_with("<27>"));
  CHECK(text_of(lines, record_of(log::Level::info, "a", "")).starts_with("<30>"));
  CHECK(text_of(lines, record_of(log::Level::debug, "a", "")).starts_with("<31>"));
  CHECK(text_of(lines, record_of(log::Level::info, "daemon.ready", "")).starts_with("<29>"));
  SyslogLines local = console(23);
  CHECK(text_of(local, record_of(log::Level::error, "a", "")).starts_with("<187>"));
}

TEST_CASE("each second has its time, and each month its name") {
  SyslogLines lines = console(3);
  for (int month = 0; month < 12; ++month) {
    const std::int64_t at = may_6 + month * 2'678'401 * base::ns_per_s;
    CHECK(text_of(lines, record_of(log::Level::info, "a", ""), at).substr(4, 15) ==
          header_time(at));
  }
}

TEST_CASE("a text of several lines is one record of one line") {
  SyslogLines lines = console(3);
  const std::string text = text_of(lines, record_of(log::Level::info, "a", "one\ntwo\r\x1b"));
  CHECK(text.ends_with(": INFO  a one\\ntwo\\r\\x1b"));
  SyslogLines json(std::make_unique<JsonLines>(JsonEnvelope{"s", "b", 4711}), 3, 4711);
  const std::string object = text_of(json, record_of(log::Level::info, "a", "one\ntwo"));
  CHECK(object.find('\n') == std::string::npos);
  CHECK(nlohmann::json::parse(object.substr(object.find('{')))["msg"] == "one\ntwo");
}

TEST_CASE("a record that is too long for a datagram arrives shortened, and says so") {
  JournalSocket syslog;
  SyslogWriter writer(syslog.path());
  CHECK(writer.write("<30>short") == 0);
  std::string text = "<30>";
  for (int i = 0; i < 10 << 20; ++i) text += "ü";
  CHECK(writer.write(text) == 0);
  CHECK(syslog.receive_text() == "<30>short");
  const std::string received = syslog.receive_text().value();
  const std::size_t end = received.find("… (");
  REQUIRE(end != std::string::npos);
  CHECK(end % 2 == 0);  // no half of a character
  CHECK(received.substr(0, end) == text.substr(0, end));
  CHECK(received.substr(end) == "… (" + std::to_string(text.size() - end) + " bytes are left out)");
  CHECK_FALSE(syslog.receive_text());
}

TEST_CASE("a text is shortened at the begin of a character") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcd", 3) == "abc… (1 bytes are left out)");
  CHECK(shortened("aüü", 2) == "a… (4 bytes are left out)");
}

TEST_CASE("a syslog daemon that is started again is found again") {
  JournalSocket syslog;
  SyslogWriter writer(syslog.path());
  CHECK(writer.write("one") == 0);
  syslog.close();
  CHECK(writer.write("two") == ENOENT);
  syslog.open();
  CHECK(writer.write("three") == 0);
  CHECK(syslog.receive_text() == "three");
}

TEST_CASE("batches wait once for a reader that takes nothing, and again when it takes something") {
  JournalSocket syslog;
  support::fill_queue(syslog.path());
  CHECK(syslog.receive_text() == "x");  // so that there is room for one
  SyslogWriter writer(syslog.path());
  constexpr std::int64_t limit = 50'000'000;
  const auto fill = [&] {
    writer.begin_batch(limit);
    std::size_t n = 0;
    while (writer.write("x") == 0) ++n;
    return n;
  };
  std::int64_t begin = base::monotonic_ns();
  CHECK(fill() == 1);
  CHECK(base::monotonic_ns() - begin >= limit - base::ns_per_ms);
  // Now nothing is waited for: 1000 batches of that wait would take 50 s.
  begin = base::monotonic_ns();
  for (int i = 0; i < 1000; ++i) {
    writer.begin_batch(limit);
    CHECK(writer.write("x") == ETIMEDOUT);
  }
  CHECK(base::monotonic_ns() - begin < 1000 * limit / 4);
  CHECK(syslog.receive_text().has_value());
  begin = base::monotonic_ns();
  CHECK(fill() == 1);
  CHECK(base::monotonic_ns() - begin >= limit - base::ns_per_ms);
}

TEST_SUITE_END();

}  // namespace actord::sinks
