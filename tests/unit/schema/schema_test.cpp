// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <regex>

#include "hocon/units.hpp"
#include "schema/schema.hpp"
#include "unit/schema/schema_samples.hpp"
#include "unit/settings/settings_summary.hpp"
#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::schema;
using namespace actord::settings;

namespace {

void check_taken(const SettingKey& key, const std::string& value) {
  const std::string text = text_with(key, value);
  CAPTURE(text);
  const auto settings = try_read(text);
  INFO(errors_of(settings));
  CHECK(settings.ok());
}

void check_refused(const SettingKey& key, const std::string& value) {
  const std::string text = text_with(key, value);
  CAPTURE(text);
  CHECK_FALSE(try_read(text).ok());
}

// The nearest number outside the range.
std::string beyond(const SettingKey& key, std::int64_t number, int way) {
  if (key.type == Type::number && way > 0) return std::to_string(number) + ".1";
  if (key.type == Type::number) return number == 0 ? "-0.1" : std::to_string(number - 1) + ".9";
  return as_written(key, number + way);
}

bool is_bounded(const SettingKey& key) {
  return key.type == Type::integer || key.type == Type::number || key.type == Type::duration ||
         key.type == Type::size;
}

}  // namespace

TEST_SUITE_BEGIN("schema/schema");

TEST_CASE("a key is found by its path, whatever names the operator chose") {
  const auto path_for = [](std::string_view concrete_path) {
    const SettingKey* const key = key_for(concrete_path);
    return key == nullptr ? std::string_view{} : key->path;
  };
  CHECK(path_for("actord") == "actord");
  CHECK(path_for("actord.log.level") == "actord.log.level");
  CHECK(path_for("actord.user.crawler.dispatcher") == "actord.user.*.dispatcher");
  CHECK(path_for("actord.user.*.dispatcher") == "actord.user.*.dispatcher");
  CHECK(path_for("actord.user.a.children.b.children.\"c.d\".mailbox.capacity") ==
        "actord.user.*.mailbox.capacity");
  CHECK(path_for("actord.actor.deployment.\"/user/a/*\".supervisor-strategy.within") ==
        "actord.user.*.supervisor-strategy.within");
  CHECK(path_for("actord.actor.guardian-supervisor-strategy.decider.default") ==
        "actord.user.*.supervisor-strategy.decider.default");
  CHECK(path_for("actord.user.a.supervisor-strategy.decider.\"std::bad_alloc\"") ==
        "actord.user.*.supervisor-strategy.decider.*");
  CHECK(path_for("akka.actor.guardian-supervisor-strategy.max-restarts") ==
        "actord.user.*.supervisor-strategy.max-restarts");
  CHECK(path_for("actord.user.a.config.anything.at.all") == "actord.user.*.config");
}

TEST_CASE("what is no key is not found") {
  for (const char* path : {"", "actor", "actord.lgo", "actord.log.level.x", "actord..log", "vars.a",
                           "akka.loglevel", "akka.actor", "actord.user.a.b"}) {
    CAPTURE(path);
    CHECK(key_for(path) == nullptr);
  }
}

TEST_CASE("the table is in order: every section before its members, every path once") {
  std::set<std::string_view> seen;
  for (const SettingKey& key : schema::keys()) {
    CAPTURE(key.path);
    CHECK(seen.insert(key.path).second);
    if (key.path != "actord") CHECK(seen.contains(key.path.substr(0, key.path.rfind('.'))));
    const bool is_section = key.type == Type::section || key.type == Type::names;
    CHECK((is_section || !key.doc.empty()));
    CHECK((key.shown != Shown::in_example || !key.example.empty()));
    CHECK((key.type != Type::names || !key.name.empty() || !key.members_of.empty()));
  }
}

TEST_CASE("a range is given in words, and every word of a key is in it") {
  CHECK(range_text(*key_for("actord.actor.default-dispatcher.workers")) == "auto | 1 to 64");
  CHECK(range_text(*key_for("actord.dead-letters.suspend")) ==
        "infinite | a duration of more than 0");
  CHECK(range_text(*key_for("actord.actor.blocking-io-dispatcher.keep-alive")) == "1 ms to 1 d");
  CHECK(range_text(*key_for("actord.actor.message-memory-max")) ==
        "auto | unlimited | a size of at least 1 MiB");
  for (const SettingKey& key : schema::keys()) {
    CAPTURE(key.path);
    for (const std::string_view word : key.words) CHECK_HAS(range_text(key), word);
  }
}

TEST_CASE("the least and the most of every range are taken, and what lies just outside is not") {
  int bounds = 0;
  for (const SettingKey& key : schema::keys()) {
    if (!is_bounded(key)) continue;
    CAPTURE(key.path);
    if (key.min != SettingKey::no_min) {
      ++bounds;
      check_taken(key, as_written(key, key.min));
      // A negative limit of restarts means "unlimited" in other systems, so it is only a warning.
      if (key.own_name() != "max-restarts") check_refused(key, beyond(key, key.min, -1));
    }
    if (key.max != SettingKey::no_max) {
      ++bounds;
      check_taken(key, as_written(key, key.max));
      check_refused(key, beyond(key, key.max, 1));
    }
  }
  CHECK(bounds > 20);
}

TEST_CASE("every word of every key is taken, and another one is not") {
  for (const SettingKey& key : schema::keys()) {
    CAPTURE(key.path);
    for (const std::string_view word : key.words) check_taken(key, std::string{word});
    const bool is_any_text = key.type == Type::path;  // then any other word is a file name
    if (!key.words.empty() && !is_any_text &&
        key.path != "actord.user.*.supervisor-strategy.decider.*")
      check_refused(key, "no-such-word");
    if (key.type == Type::boolean) {
      for (const char* word : {"on", "off", "yes", "no", "true", "false"}) check_taken(key, word);
      check_refused(key, "maybe");
    }
  }
}

TEST_CASE("every example and every default is taken") {
  for (const SettingKey& key : schema::keys()) {
    CAPTURE(key.path);
    if (key.shown == Shown::as_alternative) continue;  // it excludes a key that stands beside it
    for (const std::string_view value : {key.default_value, key.example}) {
      if (!value.empty()) check_taken(key, std::string{value});
    }
  }
}

TEST_CASE("a default that is written changes nothing") {
  for (const SettingKey& key : schema::keys()) {
    if (key.default_value.empty()) continue;
    CAPTURE(key.path);
    const std::string without = text_with(key, "null");
    CHECK(summary_of(read(text_with(key, std::string{key.default_value}))) ==
          summary_of(read(without)));
  }
}

TEST_CASE("a key that its section needs is asked for") {
  for (const SettingKey& key : schema::keys()) {
    if (!key.is_needed) continue;
    CAPTURE(key.path);
    check_refused(key, "null");
  }
}

TEST_CASE("the form of a text is what its reader takes") {
  const SettingKey& name = *key_for("actord.name");
  const SettingKey& behaviour = *key_for("actord.user.*.behaviour");
  const SettingKey& guardian = *key_for("actord.actor.guardian-supervisor-strategy");
  const auto check_alike = [](const SettingKey& key, const std::string& text) {
    CAPTURE(key.path);
    CAPTURE(text);
    const bool has_form = std::regex_search(text, std::regex(std::string{key.form}));
    CHECK(try_read(concrete(key) + " = \"" + text + '"').ok() == has_form);
  };
  for (const char* text : {"a", "9-x_", "-a", "", "a b", "a.b"}) check_alike(name, text);
  for (const char* text : {"a/B", "a", "/B", "a/", "a/b/c"}) check_alike(behaviour, text);
  for (const char* text :
       {"bank/Cautious", "akka.actor.DefaultSupervisorStrategy", "akka.actor.Strategy",
        "Akka.Actor.StoppingSupervisorStrategy, Akka", "nonsense"}) {
    check_alike(guardian, text);
  }
}

TEST_SUITE_END();
