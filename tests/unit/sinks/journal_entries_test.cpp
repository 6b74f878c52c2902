// SPDX-License-Identifier: Apache-2.0
//
// Entries for the journal: the encoding, the names of fields, and that no field is forgotten.
#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "log/event_schema.hpp"
#include "sinks/journal_entries.hpp"
#include "support/journal_socket.hpp"

namespace actord::sinks {

TEST_SUITE_BEGIN("sinks/journal_entries");

namespace {

using support::JournalEntry;
using Texts = std::vector<std::string>;

constexpr std::int64_t entry_ns = 1'714'559'521'123'456'789;

log::Record record_of(std::string_view event, const std::vector<log::Field>& fields) {
  log::Record record;
  record.level = log::Level::warning;
  record.event = event;
  record.msg = "a sentence";
  record.seq = 7;
  record.fields = fields;
  return record;
}

JournalEntry entry_of(const log::Record& record) {
  JournalEntries entries({"demo", "b00t", 42});
  LineBuffer out;
  entries.append(out, record, entry_ns);
  std::string_view batch = out.view();
  JournalEntry entry(next_journal_entry(batch));
  CHECK(batch.empty());
  return entry;
}

JournalEntry entry_of(std::string_view event, const std::vector<log::Field>& fields) {
  return entry_of(record_of(event, fields));
}

char priority_of(log::Level level, std::string_view event,
                 log::Class kind = log::Class::lifecycle) {
  log::Record record = record_of(event, {});
  record.level = level;
  record.kind = kind;
  return entry_of(record)["PRIORITY"].front();
}

}  // namespace

TEST_CASE("an entry has what the journal knows, and each member that a JSON line has") {
  log::Record record = record_of("actor.restarted", {});
  record.thread_id = 43;
  record.truncated = true;
  const JournalEntry entry = entry_of(record);
  CHECK(entry["MESSAGE"] == "actor.restarted a sentence truncated=true");
  CHECK(entry["PRIORITY"] == "4");
  CHECK(entry["MESSAGE_ID"] == log::find_event_schema("actor.restarted")->id);
  CHECK(entry["SYSLOG_IDENTIFIER"] == "actord");
  CHECK(entry["ACTORD_TS"] == "2024-05-01T10:32:01.123456Z");
  CHECK(entry["ACTORD_LEVEL"] == "warning");
  CHECK(entry["ACTORD_EVENT"] == "actor.restarted");
  CHECK(entry["ACTORD_MSG"] == "a sentence");
  CHECK(entry["ACTORD_SEQ"] == "7");
  CHECK(entry["ACTORD_PID"] == "42");
  CHECK(entry["ACTORD_TID"] == "43");
  CHECK(entry["ACTORD_BOOT"] == "b00t");
  CHECK(entry["ACTORD_SYSTEM"] == "demo");
  CHECK(entry["ACTORD_SCHEMA"] == log::schema_name);
  CHECK(entry["ACTORD_TRUNCATED"] == "true");
  for (const log::EventField& member : log::envelope_schema()) {
    CAPTURE(member.field->key);
    if (member.is_required) CHECK(entry[journal_name(member.field->key).view()] != "(none)");
  }
}

TEST_CASE("the message of a failure is a sentence for people, and its fields stand beside it") {
  const std::string_view types[] = {"crawler::Timeout", "std::runtime_error"};
  const JournalEntry entry =
      entry_of("actor.failed", {{"actor.path", "/user/crawler/fetcher-3"},
                                {"actor.incarnation", 2},
                                {"actor.behaviour", "crawler/Fetcher"},
                                {"failure.id", "7q4m1"},
                                {"failure.type", "crawler::Timeout"},
                                {"failure.types", std::span<const std::string_view>(types)},
                                {"failure.message", "no answer"},
                                {"supervisor.path", "/user/crawler"},
                                {"decision.directive", "restart"},
                                {"decision.rule", "crawler::Timeout"},
                                {"decision.config_origin", "crawler.conf:14"},
                                {"restart.delay", std::chrono::microseconds(1500)}});
  CHECK(entry["MESSAGE"] ==
        "actor.failed /user/crawler/fetcher-3 crawler::Timeout: no answer → restart in 1.5ms "
        "(rule crawler::Timeout, crawler.conf:14) id=7q4m1");
  CHECK(entry["ACTORD_ACTOR"] == "/user/crawler/fetcher-3");
  CHECK(entry["ACTORD_BEHAVIOUR"] == "crawler/Fetcher");
  CHECK(entry["ACTORD_ACTOR_INCARNATION"] == "2");
  CHECK(entry["ACTORD_FAILURE_ID"] == "7q4m1");
  CHECK(entry["ACTORD_FAILURE_TYPE"] == "crawler::Timeout");
  CHECK(entry.all("ACTORD_FAILURE_TYPES") == Texts{"crawler::Timeout", "std::runtime_error"});
  CHECK(entry["ACTORD_FAILURE_MESSAGE"] == "no answer");
  CHECK(entry["ACTORD_SUPERVISOR_PATH"] == "/user/crawler");
  CHECK(entry["ACTORD_DECISION_CONFIG_ORIGIN"] == "crawler.conf:14");
  CHECK(entry["ACTORD_RESTART_DELAY_MS"] == "1.5");
}

TEST_CASE("each kind of value reaches the journal") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const JournalEntry entry = entry_of("x.y", {{"yes", true},
                                              {"minus", -5},
                                              {"most", std::numeric_limits<std::uint64_t>::max()},
                                              {"ratio", 0.5},
                                              {"nan", nan},
                                              {"took", std::chrono::milliseconds(90)},
                                              {"took_us", std::chrono::milliseconds(90)},
                                              {"none", std::span<const std::string_view>{}},
                                              {"text", ""}});
  CHECK(entry["ACTORD_YES"] == "true");
  CHECK(entry["ACTORD_MINUS"] == "-5");
  CHECK(entry["ACTORD_MOST"] == "18446744073709551615");
  CHECK(entry["ACTORD_RATIO"] == "0.5");
  CHECK(entry["ACTORD_NAN"] == "NaN");
  CHECK(entry["ACTORD_TOOK_MS"] == "90");
  CHECK(entry["ACTORD_TOOK_US"] == "90000");
  CHECK(entry.all("ACTORD_NONE") == Texts{""});
  CHECK(entry.all("ACTORD_TEXT") == Texts{""});
}

TEST_CASE("values may have line breaks, any size and any bytes, and the message stays one line") {
  const std::string huge(300'000, 'x');
  const JournalEntry entry = entry_of("x.y", {{"lines", "one\ntwo\nPRIORITY=0\n"},
                                              {"huge", huge},
                                              {"bytes", "a\xFF\xFE z\xC3"},
                                              {"control", "\x1b[31m\t=\x01"}});
  CHECK(entry["ACTORD_LINES"] == "one\ntwo\nPRIORITY=0\n");
  CHECK(entry["ACTORD_HUGE"] == huge);
  CHECK(entry["ACTORD_BYTES"] == "a\uFFFD\uFFFD z\uFFFD");
  CHECK(entry["ACTORD_CONTROL"] == "\x1b[31m\t=\x01");
  CHECK(entry.all("PRIORITY") == Texts{"4"});
  const std::string message = entry["MESSAGE"];
  CHECK(message.starts_with("x.y a sentence lines=\"one\\ntwo\\nPRIORITY=0\\n\" huge=xxx"));
  CHECK(message.find('\x1b') == message.npos);
}

TEST_CASE("an event with a line break cannot forge a field") {
  const JournalEntry entry = entry_of("x\nPRIORITY=0\nACTORD_EVENT=daemon.ready", {});
  CHECK(entry["ACTORD_EVENT"] == "x\nPRIORITY=0\nACTORD_EVENT=daemon.ready");
  CHECK(entry["PRIORITY"] == "4");
  CHECK(entry["MESSAGE_ID"] == "(none)");
}

TEST_CASE("a field whose name is taken has another one, and no value is forgotten") {
  const JournalEntry entry = entry_of("x.y", {{"event", "daemon.ready"},
                                              {"boot", "forged"},
                                              {"truncated", true},
                                              {"actor", "/user/forged"},
                                              {"actor.path", "/user/x"},
                                              {"a.b", "first"},
                                              {"a_b", "second"},
                                              {"a-b", "third"},
                                              {"actor.path", "/user/y"}});
  CHECK(entry["ACTORD_EVENT"] == "x.y");
  CHECK(entry["ACTORD_FIELDS_EVENT"] == "daemon.ready");
  CHECK(entry["ACTORD_BOOT"] == "b00t");
  CHECK(entry["ACTORD_FIELDS_BOOT"] == "forged");
  CHECK(entry["ACTORD_TRUNCATED"] == "(none)");
  CHECK(entry["ACTORD_FIELDS_TRUNCATED"] == "true");
  CHECK(entry["ACTORD_ACTOR"] == "/user/x");
  CHECK(entry["ACTORD_FIELDS_ACTOR"] == "/user/forged");
  CHECK(entry["ACTORD_FIELDS_ACTOR_PATH"] == "/user/y");
  CHECK(entry["ACTORD_A_B"] == "first");
  CHECK(entry.all("ACTORD_FIELDS_A_B") == Texts{"second", "third"});
}

TEST_CASE("a name has only what the journal allows, and at most 64 characters") {
  const std::string key = "details." + std::string(100, 'k');
  const JournalEntry entry = entry_of("x.y", {{key, "long"}, {"über.weg", 1}, {"__x", 2}});
  CHECK(entry[("ACTORD_DETAILS_" + std::string(100, 'K')).substr(0, 64)] == "long");
  CHECK(entry["ACTORD___BER_WEG"] == "1");
  CHECK(entry["ACTORD___X"] == "2");
}

TEST_CASE("in each event of actord each field has a name of its own") {
  for (const log::EventSchema& event : log::event_schemas()) {
    CAPTURE(event.name);
    std::set<std::string> names;
    for (const log::EventField& member : log::envelope_schema())
      CHECK(names.insert(std::string(journal_name(member.field->key).view())).second);
    for (const log::EventField& each : event.fields) {
      CAPTURE(each.field->key);
      CHECK(names.insert(std::string(journal_name(each.field->key).view())).second);
    }
  }
}

TEST_CASE("the priority is that of the level, and news of the whole daemon stand out") {
  using log::Level;
  CHECK(priority_of(Level::error, "actor.failed") == '3');
  CHECK(priority_of(Level::warning, "actor.restarted") == '4');
  CHECK(priority_of(Level::info, "actor.started") == '6');
  CHECK(priority_of(Level::debug, "actor.receive") == '7');
  CHECK(priority_of(Level::error, "daemon.crashed") == '2');
  CHECK(priority_of(Level::info, "daemon.ready") == '5');
  CHECK(priority_of(Level::info, "admin.command") == '5');
  CHECK(priority_of(Level::info, "config.reloaded") == '5');
  CHECK(priority_of(Level::error, "config.rejected") == '3');
  CHECK(priority_of(Level::info, "plugin.event", log::Class::best_effort) == '6');
}

TEST_CASE("a batch is taken apart into its entries") {
  JournalEntries entries({});
  LineBuffer out;
  entries.append(out, record_of("one", {}), entry_ns);
  entries.append(out, record_of("two", {{"a.b", "c\nd"}}), entry_ns);
  std::string_view batch = out.view();
  CHECK(JournalEntry(next_journal_entry(batch))["ACTORD_EVENT"] == "one");
  const JournalEntry two(next_journal_entry(batch));
  CHECK(two["ACTORD_EVENT"] == "two");
  CHECK(two["ACTORD_A_B"] == "c\nd");
  CHECK(two["ACTORD_BOOT"] == "(none)");
  CHECK(next_journal_entry(batch).empty());
}

TEST_SUITE_END();

}  // namespace actord::sinks
