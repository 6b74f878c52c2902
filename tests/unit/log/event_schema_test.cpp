// SPDX-License-Identifier: Apache-2.0
//
// The table of events in itself. Wherever a test reads the log, the events are compared with it
// (testkit/event_check.hpp).
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "log/event_schema.hpp"

namespace actord::log {

TEST_SUITE_BEGIN("log/event_schema");

namespace {

bool is_sentence_without_end(std::string_view text) {
  return !text.empty() && !text.ends_with('.') && text.find('\n') == text.npos;
}

}  // namespace

TEST_CASE("each event is in the table once, and the events of a topic stand together") {
  std::set<std::string_view> names, topics;
  std::string_view topic;
  for (const EventSchema& event : event_schemas()) {
    CAPTURE(event.name);
    CHECK(names.insert(event.name).second);
    if (event.topic != topic) CHECK(topics.insert(event.topic).second);
    topic = event.topic;
    CHECK(find_event_schema(event.name) == &event);
  }
  CHECK(find_event_schema("actor") == nullptr);
}

TEST_CASE("each event has an id of 128 bits that no other event has") {
  std::set<std::string_view> ids;
  for (const EventSchema& event : event_schemas()) {
    CAPTURE(event.name);
    CHECK(event.id.size() == message_id_size);
    CHECK(event.id.find_first_not_of("0123456789abcdef") == event.id.npos);
    CHECK(event.id.find_first_not_of('0') != event.id.npos);
    CHECK(ids.insert(event.id).second);
  }
  // An id is what catalogues and scripts find an event by, so it never changes.
  CHECK(find_event_schema("actor.failed")->id == "e11eefdeddcc4c9ba07d26512c2460fb");
  CHECK(find_event_schema("daemon.crashed")->id == "813d71306d38415ca5e173d0e978c2a4");
}

TEST_CASE("an event has a level and a sentence, and no key twice") {
  for (const EventSchema& event : event_schemas()) {
    CAPTURE(event.name);
    CHECK(is_sentence_without_end(event.doc));
    CHECK(static_cast<int>(event.levels) != 0);
    std::set<std::string_view> keys;
    for (const EventField& each : event.fields) {
      CAPTURE(each.field->key);
      CHECK(keys.insert(each.field->key).second);
    }
    for (const FieldSchema* const field : event.one_of) CHECK(keys.contains(field->key));
  }
}

TEST_CASE("a field has a sentence, and words only if it is a text") {
  for (const EventSchema& event : event_schemas()) {
    for (const EventField& each : event.fields) {
      CAPTURE(each.field->key);
      CHECK(is_sentence_without_end(each.field->doc));
      CHECK((each.field->words.empty() || each.field->kind == FieldKind::text));
      if (each.field->kind == FieldKind::duration) CHECK_FALSE(each.field->key.ends_with("s"));
    }
  }
}

TEST_CASE("no event has a field with the name of a member of every line") {
  for (const EventSchema& event : event_schemas()) {
    for (const EventField& each : event.fields) {
      CAPTURE(each.field->key);
      const std::string_view first = each.field->key.substr(0, each.field->key.find('.'));
      CHECK(std::ranges::none_of(
          envelope_schema(), [&](const EventField& member) { return member.field->key == first; }));
    }
  }
}

TEST_CASE("a set of levels contains the levels it is made of") {
  const Levels two = Levels::error | Levels::info;
  CHECK(contains(two, Level::error));
  CHECK_FALSE(contains(two, Level::warning));
  CHECK(contains(two, Level::info));
  CHECK_FALSE(contains(two, Level::debug));
}

TEST_CASE("names with the prefixes of actord are reserved") {
  for (const EventSchema& event : event_schemas()) {
    CAPTURE(event.name);
    CHECK(is_reserved_event(event.name));
  }
  CHECK(is_reserved_event("daemon.anything"));
  CHECK(is_reserved_event("actor."));
  for (const char* name : {"", "crawler.progress", "actors.counted", "actor", "deadletters",
                           "my.actor.failed", "Actor.failed", "logs.rotated", "daemonic.deed"}) {
    CAPTURE(name);
    CHECK_FALSE(is_reserved_event(name));
  }
}

TEST_SUITE_END();

}  // namespace actord::log
