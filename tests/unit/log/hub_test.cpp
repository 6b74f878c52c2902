// SPDX-License-Identifier: Apache-2.0
//
// The path of a record: order across rings, full rings, levels, losses, and what the drain learns.
#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "log/hub.hpp"

namespace actord::log {

TEST_SUITE_BEGIN("log/hub");

namespace {

/// A clock that moves only when it is told to.
struct ManualClock {
  std::atomic<std::int64_t> now{0};
  log::Hub::Clock function() {
    return [this] { return now.load(); };
  }
};

/// A clock that moves by one at every look.
struct CountingClock {
  std::atomic<std::int64_t> now{0};
  log::Hub::Clock function() {
    return [this] { return now.fetch_add(1) + 1; };
  }
};

std::vector<std::string> drain_events(log::Hub& hub) {
  std::vector<std::string> events;
  hub.drain([&](const log::Record& record) { events.emplace_back(record.event); });
  return events;
}

using Events = std::vector<std::string>;

}  // namespace

TEST_CASE("an event of the audit is taken whatever the level is, in its order") {
  CountingClock clock;
  log::Hub hub(clock.function(), {.level = log::Level::error});
  log::Emitter& own = hub.attach("own");
  own.emit(log::Level::info, "off", "");
  own.audit(log::Level::info, "a", "", {{"peer.uid", 7U}});
  hub.shared().audit(log::Level::debug, "b", "", {});
  own.emit(log::Level::error, "c", "");
  std::vector<std::string> seen;
  hub.drain([&](const log::Record& record) {
    seen.push_back(std::string{record.event} + ':' + std::string{log::level_name(record.level)});
    if (record.event == "a") CHECK(record.fields.front().value.natural() == 7);
  });
  CHECK(seen == Events{"a:info", "b:debug", "c:error"});
}

TEST_CASE("records of several threads' rings come out in the order of their stamps") {
  ManualClock clock;
  log::Hub hub(clock.function());
  log::Emitter& left = hub.attach("left");
  log::Emitter& right = hub.attach("right");
  const auto emit_at = [&](log::Emitter& emitter, std::int64_t at, std::string_view event) {
    clock.now = at;
    emitter.emit(log::Level::info, event, "");
  };
  emit_at(left, 10, "a");
  emit_at(right, 20, "b");
  emit_at(right, 25, "c");
  emit_at(hub.shared(), 30, "d");
  emit_at(left, 40, "e");
  emit_at(right, 50, "f");
  CHECK(drain_events(hub) == Events{"a", "b", "c", "d", "e", "f"});
  CHECK(drain_events(hub).empty());
}

TEST_CASE("a record that is younger than the drain's cut waits for the next drain") {
  ManualClock clock;
  log::Hub hub(clock.function());
  log::Emitter& emitter = hub.attach("worker");
  clock.now = 100;
  emitter.emit(log::Level::info, "young", "");
  clock.now = 50;
  CHECK(drain_events(hub).empty());
  clock.now = 100;
  CHECK(drain_events(hub) == Events{"young"});
}

TEST_CASE("the last drain delivers everything, whatever the clock says") {
  ManualClock clock;
  log::Hub hub(clock.function());
  clock.now = 100;
  hub.shared().emit(log::Level::info, "young", "");
  clock.now = 50;
  std::size_t n = hub.drain_all([](const log::Record&) {});
  CHECK(n == 1);
}

TEST_CASE("every kind of value arrives as it was given") {
  ManualClock clock;
  log::Hub hub(clock.function());
  log::Emitter& emitter = hub.attach("worker-7");
  const std::string_view list[] = {"one", "", "three"};
  clock.now = 5;
  emitter.emit(log::Level::warning, "all.kinds", "a sentence",
               {{"b", true},
                {"i", -3},
                {"u", std::uint64_t{1} << 63},
                {"d", 0.25},
                {"t", std::string("text")},
                {"n", std::chrono::milliseconds(2)},
                {"l", std::span<const std::string_view>(list)}},
               log::Class::best_effort);
  std::size_t n = hub.drain([&](const log::Record& record) {
    CHECK(record.stamp_ns == 5);
    CHECK(record.seq == 1);
    CHECK(record.level == log::Level::warning);
    CHECK(record.kind == log::Class::best_effort);
    CHECK(record.event == "all.kinds");
    CHECK(record.msg == "a sentence");
    CHECK(record.thread == "worker-7");
    CHECK(record.thread_id != 0);
    CHECK_FALSE(record.truncated);
    REQUIRE(record.fields.size() == 7);
    CHECK(record.fields[0].value.boolean());
    CHECK(record.fields[1].value.integer() == -3);
    CHECK(record.fields[2].value.natural() == std::uint64_t{1} << 63);
    CHECK(record.fields[3].value.real() == 0.25);
    CHECK(record.fields[4].key == "t");
    CHECK(record.fields[4].value.text() == "text");
    CHECK(record.fields[5].value.duration_ns() == 2'000'000);
    REQUIRE(record.fields[6].value.texts().size() == 3);
    CHECK(record.fields[6].value.texts()[0] == "one");
    CHECK(record.fields[6].value.texts()[1].empty());
    CHECK(record.fields[6].value.texts()[2] == "three");
  });
  CHECK(n == 1);
}

TEST_CASE("a level that is off costs nothing and leaves nothing; a change holds at once") {
  ManualClock clock;
  log::Hub hub(clock.function(), {.level = log::Level::warning});
  log::Emitter& emitter = hub.attach("worker");
  emitter.emit(log::Level::info, "off", "");
  emitter.emit(log::Level::warning, "on", "");
  CHECK_FALSE(emitter.is_enabled(log::Level::debug));
  hub.set_level(log::Level::debug);
  CHECK(hub.level() == log::Level::debug);
  emitter.emit(log::Level::debug, "detail", "");
  CHECK(drain_events(hub) == Events{"on", "detail"});
}

TEST_CASE(
    "when a ring is full chatter is dropped and counted, with a gap in seq as wide as the loss") {
  ManualClock clock;
  log::Hub hub(clock.function(), {.ring_bytes = 1024, .backlog_bytes = 0});
  log::Emitter& emitter = hub.attach("worker");
  constexpr std::uint64_t emitted = 100;
  for (std::uint64_t i = 0; i < emitted; ++i) {
    emitter.emit(log::Level::info, "chat", "a sentence", {{"i", i}}, log::Class::best_effort);
  }
  const std::uint64_t dropped = hub.losses().dropped_best_effort;
  CHECK(dropped > 0);
  CHECK(dropped < emitted);
  std::uint64_t chats = 0;
  std::uint64_t last_seq = 0;
  hub.drain([&](const log::Record& record) {
    if (record.event == "chat") {
      CHECK(record.fields[0].value.natural() == chats);
      ++chats;
    } else {
      CHECK(record.event == "log.suppressed");
      CHECK(record.level == log::Level::warning);
      CHECK(record.fields[0].key == "of");
      CHECK(record.fields[0].value.text() == "chatter");
      CHECK(record.fields[1].key == "count");
      CHECK(record.fields[1].value.natural() == dropped);
      CHECK(record.fields.size() == 2);
    }
    last_seq = record.seq;
  });
  CHECK(chats == emitted - dropped);
  CHECK(last_seq == emitted + 1);
  CHECK_FALSE(hub.drain([](const log::Record&) {}));
}

TEST_CASE("when a ring is full life-cycle records spill, and keep their place in the order") {
  ManualClock clock;
  log::Hub hub(clock.function(), {.ring_bytes = 1024});
  log::Emitter& emitter = hub.attach("worker");
  log::Emitter& other = hub.attach("other");
  constexpr std::uint64_t emitted = 200;
  std::uint64_t seen = 0;
  std::uint64_t seen_other = 0;
  const auto count = [&](const log::Record& record) {
    if (record.event == "other") {
      CHECK(seen == 201 + seen_other++);
    } else {
      CHECK(record.fields[0].value.natural() == seen++);
    }
  };
  for (std::uint64_t i = 0; i < emitted; ++i)
    emitter.emit(log::Level::info, "fact", "", {{"i", i}});
  CHECK(hub.losses().spilled > 0);
  // While the spill list holds a record, later records are put behind it, even if the ring has
  // room.
  emitter.emit(log::Level::info, "fact", "", {{"i", emitted}});
  clock.now = 1;
  other.emit(log::Level::info, "other", "");
  emitter.emit(log::Level::info, "fact", "", {{"i", emitted + 1}});
  clock.now = 0;
  hub.drain(count);
  CHECK(seen == emitted + 1);
  clock.now = 1;
  hub.drain([&](const log::Record& record) { seen += record.event == "fact" ? 1 : 0; });
  CHECK(seen == emitted + 2);
  emitter.emit(log::Level::info, "fact", "", {{"i", emitted + 2}});
  hub.drain(
      [&](const log::Record& record) { CHECK(record.fields[0].value.natural() == emitted + 2); });
  CHECK(hub.losses().lost_lifecycle == 0);
}

TEST_CASE(
    "a life-cycle record is lost, counted and reported only when the spill list is full, too") {
  ManualClock clock;
  log::Hub hub(clock.function(), {.ring_bytes = 1024, .backlog_bytes = 2000});
  log::Emitter& emitter = hub.attach("worker");
  constexpr std::uint64_t emitted = 100;
  for (std::uint64_t i = 0; i < emitted; ++i)
    emitter.emit(log::Level::info, "fact", "", {{"i", i}});
  const log::Losses losses = hub.losses();
  CHECK(losses.spilled > 10);
  CHECK(losses.lost_lifecycle > 0);
  const Events events = drain_events(hub);
  REQUIRE(events.size() == emitted - losses.lost_lifecycle + 1);
  CHECK(events.back() == "log.suppressed");
}

TEST_CASE("warnings and errors have a part of the backlog that nothing else takes") {
  ManualClock clock;
  log::Hub hub(clock.function(), {.ring_bytes = 1024, .backlog_bytes = 8000});
  log::Emitter& emitter = hub.attach("worker");
  for (int i = 0; i < 100; ++i) emitter.emit(log::Level::info, "fact", "", {{"i", i}});
  const std::uint64_t lost = hub.losses().lost_lifecycle;
  CHECK(lost > 0);
  for (int i = 0; i < 8; ++i) {
    emitter.emit(i % 2 == 0 ? log::Level::error : log::Level::warning, "failure", "", {{"i", i}});
    emitter.emit(log::Level::info, "fact", "");
  }
  CHECK(hub.losses().lost_lifecycle == lost + 8);
  int seen = 0;
  hub.drain([&](const log::Record& record) { seen += record.event == "failure" ? 1 : 0; });
  CHECK(seen == 8);
}

TEST_CASE("a spill list of many pages comes out whole and in order") {
  ManualClock clock;
  log::Hub hub(clock.function(), {.ring_bytes = 1024});
  log::Emitter& emitter = hub.attach("worker");
  const std::string text(100, 'x');
  constexpr std::uint64_t emitted = 3000;
  for (std::uint64_t i = 0; i < emitted; ++i)
    emitter.emit(log::Level::info, "fact", text, {{"i", i}});
  std::uint64_t seen = 0;
  hub.drain([&](const log::Record& record) {
    CHECK(record.fields[0].value.natural() == seen++);
    CHECK(record.msg == text);
  });
  CHECK(seen == emitted);
  CHECK(hub.losses().lost_lifecycle == 0);
}

TEST_CASE("records that have event, keys and kinds in common have a shape in common") {
  ManualClock clock;
  log::Hub hub(clock.function());
  hub.shared().emit(log::Level::info, "fact", "a", {{"i", 1}, {"t", "x"}});
  hub.shared().emit(log::Level::error, "fact", "b", {{"i", 2}, {"t", "yz"}});
  hub.shared().emit(log::Level::info, "fact", "a", {{"i", 1}, {"t", 5}});
  hub.shared().emit(log::Level::info, "facti", "a", {{"", 1}, {"t", "x"}});
  hub.shared().emit(log::Level::info, "fact", "a", {{"i", 1}});
  std::vector<std::string> shapes;
  hub.drain([&](const log::Record& record) { shapes.emplace_back(record.shape); });
  REQUIRE(shapes.size() == 5);
  CHECK(shapes[0] == shapes[1]);
  for (std::size_t i = 2; i < shapes.size(); ++i) CHECK(shapes[i] != shapes[0]);
}

TEST_CASE(
    "a long text is cut so that the record fits, at the end of a character, and the record says "
    "so") {
  ManualClock clock;
  log::Hub hub(clock.function());
  std::string text;
  while (text.size() < 100'000) text += "ä";
  hub.shared().emit(log::Level::info, "long", "short", {{"x", "y"}, {"text", text}, {"z", 1}});
  std::size_t n = hub.drain([](const log::Record& record) {
    CHECK(record.truncated);
    REQUIRE(record.fields.size() == 3);
    CHECK(record.fields[0].value.text() == "y");
    const std::string_view cut = record.fields[1].value.text();
    CHECK(cut.size() >= 8000);
    CHECK(cut.size() < log::record_bytes_max);
    CHECK(cut.substr(cut.size() - 2) == "ä");
    CHECK(record.fields[2].value.integer() == 1);
  });
  CHECK(n == 1);
}

TEST_CASE("fields beyond the limit are left out, and the record says so") {
  ManualClock clock;
  log::Hub hub(clock.function());
  std::vector<log::Field> fields(log::record_fields_max + 1, log::Field{"k", 1});
  hub.shared().emit(log::Level::info, "many", "", fields);
  fields.pop_back();
  hub.shared().emit(log::Level::info, "enough", "", fields);
  hub.drain([](const log::Record& record) {
    CHECK(record.truncated == (record.event == "many"));
    CHECK(record.fields.size() == log::record_fields_max);
  });
}

TEST_CASE("even in the smallest ring the longest event is a record") {
  ManualClock clock;
  log::Hub hub(clock.function(), {.ring_bytes = 1});
  const std::string big(50'000, 'x');
  const std::vector<std::string_view> list(1000, big);
  hub.shared().emit(log::Level::info, big, big,
                    {{big, big}, {"l", std::span<const std::string_view>(list)}});
  std::size_t n = hub.drain([](const log::Record& record) {
    CHECK(record.truncated);
    CHECK(record.event.size() == 128);
  });
  CHECK(n == 1);
}

TEST_CASE("a detached emitter's records are still drained, and its losses stay in the sum") {
  ManualClock clock;
  log::Hub hub(clock.function(), {.ring_bytes = 1024, .backlog_bytes = 0});
  log::Emitter& emitter = hub.attach("worker");
  for (int i = 0; i < 100; ++i)
    emitter.emit(log::Level::info, "chat", "", {{"i", i}}, log::Class::best_effort);
  const log::Losses before = hub.losses();
  hub.detach(emitter);
  const Events events = drain_events(hub);
  CHECK(events.size() == 100 - before.dropped_best_effort + 1);
  CHECK(hub.losses().dropped_best_effort == before.dropped_best_effort);
  CHECK(drain_events(hub).empty());
}

TEST_CASE("a record emitted while another is drained comes with the next drain") {
  CountingClock clock;
  log::Hub hub(clock.function());
  hub.shared().emit(log::Level::info, "first", "");
  hub.drain([&](const log::Record&) { hub.shared().emit(log::Level::info, "second", ""); });
  CHECK(drain_events(hub) == Events{"second"});
}

TEST_SUITE_END();

}  // namespace actord::log
