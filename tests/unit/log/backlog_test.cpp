// SPDX-License-Identifier: Apache-2.0
//
// What happens when the output is too slow: who keeps room, who loses records, and how it is said.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "log/hub.hpp"

namespace actord::log {

TEST_SUITE_BEGIN("log/backlog");

namespace {

constexpr std::size_t backlog = 64 * 1024;  // events 32 KiB, failures 16, authors 8, others 4 each

struct Output {
  std::int64_t now = 0;
  Hub hub{[this] { return ++now; }, {.ring_bytes = 1024, .backlog_bytes = backlog}};
  Emitter& emitter = hub.attach("worker");

  void emit(Level level, std::string_view event, std::string_view path, Class kind) {
    emitter.emit(level, event, "a sentence", {{"actor.path", path}}, kind);
  }
  void flood(Level level, std::string_view event, std::string_view path, Class kind) {
    for (int i = 0; i < 5'000; ++i) emit(level, event, path, kind);
  }

  /// How many records of each event were written, "event of path"; and of how many log.suppressed
  /// tells, "lost event" or "lost event of path".
  std::map<std::string, std::uint64_t> drain() {
    std::map<std::string, std::uint64_t> seen;
    hub.drain([&](const Record& record) {
      const auto text = [&](std::size_t i) { return std::string(record.fields[i].value.text()); };
      const bool is_loss = record.event == "log.suppressed";
      std::string key = is_loss ? "lost " + text(0) : std::string(record.event);
      const std::size_t path = is_loss ? 2 : 0;
      if (record.fields.size() > path) key += " of " + text(path);
      seen[key] += is_loss ? record.fields[1].value.natural() : 1;
    });
    return seen;
  }
};

}  // namespace

TEST_CASE("an actor that floods its part takes five eighths, and the others write on") {
  for (const Class kind : {Class::authors, Class::best_effort, Class::lifecycle}) {
    CAPTURE(static_cast<int>(kind));
    Output output;
    const Level level = kind == Class::authors ? Level::warning : Level::info;
    output.flood(level, "noise", "/user/loud", kind);
    for (int i = 0; i < 5; ++i) output.emit(level, "note", "/user/calm", kind);
    auto seen = output.drain();
    CHECK(seen["note of /user/calm"] == 5);
    const std::string what = kind == Class::authors       ? "warnings"
                             : kind == Class::best_effort ? "chatter"
                                                          : "noise";
    const std::uint64_t lost = seen["lost " + what + " of /user/loud"];
    CHECK(lost > 1'000);
    CHECK(seen["noise of /user/loud"] + lost == 5'000);
  }
}

TEST_CASE("no flood takes the room of what the daemon, its operators and supervisors say") {
  Output output;
  for (int i = 0; i < 3'000; ++i) {
    const std::string path = "/user/a" + std::to_string(i);
    output.emit(Level::info, "actor.reloaded", path, Class::lifecycle);
    output.emit(Level::error, "actor.failed", path, Class::failure);
    output.emit(Level::error, "actor.spawn-refused", path, Class::lifecycle);
    output.emit(Level::error, "trouble", path, Class::authors);
    output.emit(Level::info, "daemon.fake", path, Class::best_effort);
  }
  CHECK(output.hub.losses().lost_lifecycle > 0);
  constexpr std::string_view kept[] = {"daemon.stopping", "config.reloaded",  "admin.command",
                                       "plugin.loaded",   "supervisor.storm", "log.suppressed"};
  const std::uint64_t lost = output.hub.losses().lost_lifecycle;
  for (const std::string_view event : kept) output.emitter.emit(Level::info, event, "");
  CHECK(output.hub.losses().lost_lifecycle == lost);
}

TEST_CASE("authors' warnings have room when starts and stops have none, and the other way round") {
  Output output;
  output.flood(Level::info, "actor.started", "/user/a/b", Class::lifecycle);
  output.emit(Level::warning, "note", "/user/calm", Class::authors);
  output.flood(Level::error, "trouble", "/user/loud", Class::authors);
  output.emit(Level::info, "actor.stopped", "/user/calm/child", Class::lifecycle);
  auto seen = output.drain();
  CHECK(seen["note of /user/calm"] == 1);
  CHECK(seen["actor.stopped of /user/calm/child"] == 1);
}

TEST_CASE("starts and stops of children count for the actor that creates them") {
  Output output;
  for (int i = 0; i < 5'000; ++i)
    output.emit(Level::info, "actor.started", "/user/loud/" + std::to_string(i), Class::lifecycle);
  for (int i = 0; i < 10; ++i)
    output.emit(Level::info, "actor.started", "/user/calm/" + std::to_string(i), Class::lifecycle);
  auto seen = output.drain();
  CHECK(seen["lost actor.started of /user/loud"] > 1'000);
  CHECK(seen["actor.started of /user/calm/9"] == 1);
}

TEST_CASE("lines of failures that were to be written fit beside warnings that are limited") {
  Output output;
  CHECK(output.emitter.congestion() == Congestion::none);
  for (int i = 0; i < 5'000; ++i)
    output.emit(Level::error, "actor.spawn-refused", "/user/a" + std::to_string(i),
                Class::lifecycle);
  CHECK(output.emitter.congestion() != Congestion::none);
  const std::uint64_t lost = output.hub.losses().lost_lifecycle;
  for (int i = 0; i < 10; ++i) {
    output.emit(Level::error, "actor.failed", "/user/calm", Class::failure);
    output.emit(Level::warning, "actor.restarted", "/user/calm", Class::failure);
  }
  CHECK(output.hub.losses().lost_lifecycle == lost);
  for (int i = 0; i < 20; ++i)
    output.emit(Level::error, "actor.failed", "/user/loud", Class::failure);
  CHECK(output.emitter.congestion() == Congestion::full);
}

TEST_CASE("when the output is fast again, the room is given back and shares begin anew") {
  Output output;
  for (int round = 0; round < 3; ++round) {
    output.flood(Level::warning, "noise", "/user/loud", Class::authors);
    auto seen = output.drain();
    CHECK(seen["noise of /user/loud"] > 40);
    CHECK(seen["noise of /user/loud"] + seen["lost warnings of /user/loud"] == 5'000);
    CHECK(output.emitter.congestion() == Congestion::none);
  }
}

TEST_CASE("the gap in seq before log.suppressed is as wide as the loss that it tells") {
  Output output;
  output.flood(Level::warning, "noise", "/user/loud", Class::authors);
  std::uint64_t last = 0;
  output.hub.drain([&](const Record& record) {
    if (record.event == "log.suppressed")
      CHECK(record.seq == last + record.fields[1].value.natural() + 1);
    else CHECK(record.seq == last + 1);
    last = record.seq;
  });
  CHECK(last == 5'001);
}

// ---- forms --------------------------------------------------------------------------------------

namespace {

const Form& life_form(Hub& hub) {
  using Kind = Form::Kind;
  return hub.make_form("actor.started", "started",
                       {{"actor.path"},
                        {"actor.uid", Kind::base32},
                        {"actor.incarnation", Kind::natural},
                        {"plugin.name", Kind::constant, "crawler"}});
}

}  // namespace

TEST_CASE("a record with a form reads as one without, in the ring, in the backlog and cut") {
  std::int64_t now = 0;
  Hub hub([&] { return ++now; }, {.ring_bytes = 1024});
  const Form& form = life_form(hub);
  for (const std::size_t size : {8UL, 5'000UL}) {
    const std::string path = "/" + std::string(size, 'x');
    for (std::uint64_t i = 0; i < 50; ++i) {
      hub.shared().emit(Level::info, form, {path, std::uint64_t{33}, i});
      hub.shared().emit(Level::info, "actor.started", "started",
                        {{"actor.path", path},
                         {"actor.uid", "11"},
                         {"actor.incarnation", i},
                         {"plugin.name", "crawler"}});
    }
    std::vector<std::string> texts;
    hub.drain([&](const Record& record) {
      std::string text = std::string(record.event) + ' ' + std::string(record.msg);
      text += record.truncated ? " cut" : "";
      for (const Field& field : record.fields) {
        text.append(" ").append(field.key).append("=");
        if (field.value.kind() == Value::Kind::text) text += field.value.text();
        else text += std::to_string(field.value.natural());
      }
      texts.push_back(text);
    });
    REQUIRE(texts.size() == 100);
    for (std::size_t i = 0; i < texts.size(); i += 2) CHECK(texts[i] == texts[i + 1]);
    CHECK(texts[0].ends_with("actor.uid=11 actor.incarnation=0 plugin.name=crawler"));
  }
}

TEST_CASE("a record with a form is at most half as long as one without") {
  std::int64_t now = 0;
  Hub hub([&] { return ++now; });
  const std::size_t with_form =
      size_of(std::vector<Value>{"/user/crawler/fetcher-12", std::uint64_t{1}, std::uint64_t{1}});
  const std::vector<Field> fields = {{"actor.path", "/user/crawler/fetcher-12"},
                                     {"actor.uid", "280000z7"},
                                     {"actor.incarnation", 1},
                                     {"plugin.name", "crawler"}};
  const EventData data{0, Level::info, Class::lifecycle, "actor.started", "started", fields};
  CHECK(2 * with_form <= fit(data, record_bytes_max).bytes);
}

TEST_SUITE_END();

}  // namespace actord::log
