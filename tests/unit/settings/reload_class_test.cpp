// SPDX-License-Identifier: Apache-2.0
//
// Every key is changed, wherever it may stand, and what a reload would do is compared with what the
// schema promises for the key.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "schema/schema.hpp"
#include "settings/plan.hpp"
#include "system/system_settings.hpp"
#include "unit/schema/schema_samples.hpp"
#include "unit/settings/settings_text.hpp"

namespace actord::settings {

namespace {

using schema::Reload;
using schema::SettingKey;
using schema::Type;
using Action = Step::Action;

// ---- the changes ----------------------------------------------------------------------------

std::string quoted(std::string_view text) { return '"' + std::string{text} + '"'; }

// An example shows the form of a text; the longer text keeps that form.
std::vector<std::string> texts_of(const SettingKey& key) {
  std::string text{key.example.empty() ? key.default_value : key.example};
  std::erase(text, '"');
  return {quoted(text), quoted(text + '2')};
}

// The names of phases must be those of phases.
std::vector<std::string> lists_of(const SettingKey& key) {
  if (key.own_name() == "depends-on")
    return {R"(["service-stop"])", R"(["service-stop", "service-unbind"])"};
  return {R"(["/a"])", R"(["/a", "/b"])"};
}

// Different values that the key takes; none for a section, which has only members.
std::vector<std::string> values_of(const SettingKey& key) {
  std::vector<std::string> values{key.words.begin(), key.words.end()};
  const auto add = [&](std::vector<std::string> more) {
    values.insert(values.end(), more.begin(), more.end());
  };
  switch (key.type) {
    case Type::boolean: add({"on", "off"}); break;
    case Type::integer:
    case Type::number:
    case Type::duration:
    case Type::size: {
      const std::int64_t min = key.min == SettingKey::no_min ? 0 : key.min;
      add({as_written(key, min + 1), as_written(key, min)});  // 0 may have a word
      break;
    }
    case Type::text: add(texts_of(key)); break;
    case Type::path: add({"/srv/a", "/srv/b"}); break;
    case Type::list: add(lists_of(key)); break;
    case Type::object: add({"{ x = 1 }", "{ x = 2 }"}); break;
    case Type::section:
    case Type::names:
    case Type::word: break;
  }
  return values;
}

struct Change {
  std::string from, to;
  bool is_visible = true;  // false: the value may equal the default
};

std::vector<Change> changes_of(const SettingKey& key) {
  const std::vector<std::string> values = values_of(key);
  std::vector<Change> changes;
  for (std::size_t i = 1; i < values.size(); ++i)
    changes.push_back({text_with(key, values[i - 1]), text_with(key, values[i])});
  if (key.is_needed || values.empty()) return changes;
  changes.push_back({text_beside(key), text_with(key, values.front()), key.default_value.empty()});
  changes.push_back({text_with(key, values.back()), text_beside(key), key.default_value.empty()});
  return changes;
}

// ---- the places -----------------------------------------------------------------------------

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// The same change at every other place where the key may stand.
std::vector<Change> everywhere(const Change& change) {
  std::vector<Change> all{change};
  const auto put = [&](std::string_view from, std::string_view to) {
    Change moved{replaced(change.from, from, to), replaced(change.to, from, to), change.is_visible};
    if (moved.to != change.to) all.push_back(std::move(moved));
  };
  put("user.a.", "user.top.children.a.");
  put("actord.user.a.supervisor-strategy",
      "actord.actor.deployment.\"/user/a\".supervisor-strategy");
  if (has(change.from + change.to, "= code\n")) return all;  // /user has no code
  for (const char* const root : {"actord", "akka", "pekko"})
    put("actord.user.a.supervisor-strategy",
        std::string{root} + ".actor.guardian-supervisor-strategy");
  return all;
}

// ---- what is promised -----------------------------------------------------------------------

bool keeps(Reload promise, const Step& step) {
  switch (promise) {
    case Reload::live:
      return step.action == Action::re_strategy ||
             (step.action == Action::live && step.note.empty());
    case Reload::new_actors: return step.action == Action::live && !step.note.empty();
    case Reload::restart_actor:
      return step.action == Action::restart || step.action == Action::replace;
    case Reload::restart: break;
  }
  return step.action == Action::needs_restart;
}

void check_promise(const SettingKey& key, const Change& change) {
  CAPTURE(change.from);
  CAPTURE(change.to);
  const Settings running = read(change.from), wanted = read(change.to);
  const Plan plan = plan_between(running, wanted);
  CAPTURE(text_of(plan));
  CHECK((!change.is_visible || !plan.is_empty()));
  for (const Step& step : plan.steps) CHECK(keeps(key.reload, step));
  const bool waits = key.reload == Reload::restart;
  CHECK(pending_between(running, wanted).size() == (waits ? plan.steps.size() : 0));
}

bool is_of_actors(const SettingKey& key) {
  return key.path.starts_with("actord.user") || key.path.starts_with("actord.actor.deployment") ||
         key.path.starts_with("actord.actor.guardian-supervisor-strategy");
}

// All that a reload changes besides actors and their rules.
std::string live_part(const Settings& settings) {
  const system::LiveSettings live = live_settings(settings);
  std::ostringstream out;
  out << static_cast<int>(settings.log.level) << ' ' << live.dead_letters.logged << ' '
      << live.dead_letters.silence_ns << ' ' << live.dead_letters.during_shutdown << ' '
      << live.dead_letters.kept_bytes << ' ' << live.stash_capacity << ' ' << live.asks_fail << ' '
      << live.debug.receive << live.debug.autoreceive << live.message_memory_max << ' '
      << live.debug.lifecycle << live.debug.unhandled << live.debug.event_stream << ' '
      << live.failure_burst << ' ' << live.storm_guard.threshold << ' '
      << live.storm_guard.within_ns << ' ' << live.storm_guard.delay_min_ns << ' '
      << live.storm_guard.delay_max_ns << ' ' << live.stuck_timeouts.default_ns << ' '
      << live.stuck_timeouts.blocking_io_ns << ' ' << live.stuck_timeouts.pinned_ns << ' '
      << static_cast<int>(settings.on_actor_lost) << ' ' << static_cast<int>(settings.core_dumps)
      << ' ' << settings.stop_timeout.count() << ' ' << static_cast<int>(live.counted_actors) << ' '
      << static_cast<int>(settings.throw_sites) << ' ' << static_cast<int>(settings.plugin_autoload)
      << ' ' << static_cast<int>(settings.admin_roles.otherwise) << ' ' << live.tracing.is_enabled
      << live.tracing.sample_ratio << ' ' << settings.worker.spare << ' '
      << settings.worker.start_timeout_ns << ' ' << settings.worker.stuck_timeout_ns << ' '
      << settings.worker.memory_max << ' ' << settings.worker.nofile << settings.worker.has_core
      << ' ' << live.quarantine.messages << ' ' << live.quarantine.bytes;
  for (const auto& [group, role] : settings.admin_roles.groups)
    out << ' ' << group << ' ' << static_cast<int>(role);
  for (const auto& [plugin, limits] : live.plugin_limits) {
    out << ' ' << plugin;
    for (const std::int64_t each : limits) out << ' ' << each;
  }
  const auto put_breaker = [&](const std::string& name, const system::BreakerSettings& breaker) {
    out << ' ' << name << ' ' << breaker.max_failures << ' ' << breaker.call_timeout.count() << ' '
        << breaker.reset_timeout.count() << ' ' << breaker.max_reset_timeout.count() << ' '
        << breaker.exponential_backoff << ' ' << breaker.random_factor;
  };
  put_breaker({}, live.circuit_breakers.standard);
  for (const auto& [name, breaker] : live.circuit_breakers.named) put_breaker(name, breaker);
  const system::LiveJournalSettings& journal = live.journal;
  out << ' ' << journal.recovery_timeout_ns << ' ' << journal.recovering_max << ' '
      << journal.snapshot_every << ' ' << journal.deletes_events << ' ' << journal.group_events_max
      << ' ' << journal.group_bytes_max << ' ' << journal.store.survives_power_loss
      << journal.store.keep_snapshots;
  return std::move(out).str();
}

}  // namespace

TEST_CASE("whatever changes, the plan says of each key what the schema promises") {
  int keys = 0;
  for (const SettingKey& key : schema::keys()) {
    CAPTURE(key.path);
    const std::vector<Change> changes = changes_of(key);
    keys += changes.empty() ? 0 : 1;
    for (const Change& change : changes) {
      for (const Change& each : everywhere(change)) check_promise(key, each);
    }
  }
  CHECK(keys > 50);
}

TEST_CASE("every key can be changed but sections that are only their members") {
  for (const SettingKey& key : schema::keys()) {
    CAPTURE(key.path);
    const bool is_members = key.type == Type::section || key.type == Type::names;
    CHECK(changes_of(key).empty() == (is_members && key.words.empty()));
  }
}

TEST_CASE("names that an operator adds or takes away: actors start and stop, rules hold at once") {
  const std::string none, one = "actord.user.a.behaviour = \"some/Behaviour\"\n",
                          two = one + "actord.user.a.children.b.behaviour = \"some/Behaviour\"\n";
  for (const auto& [few, more] : {std::pair{none, one}, std::pair{one, two}}) {
    CHECK(plan_between(read(few), read(more)).steps.front().action == Action::create);
    CHECK(plan_between(read(more), read(few)).steps.front().action == Action::stop);
  }
}

TEST_CASE("what is promised to hold at once is handed to the running system, and nothing else is") {
  for (const SettingKey& key : schema::keys()) {
    if (is_of_actors(key)) continue;
    for (const Change& change : changes_of(key)) {
      if (!change.is_visible) continue;
      CAPTURE(change.from);
      CAPTURE(change.to);
      const bool differs = live_part(read(change.from)) != live_part(read(change.to));
      CHECK(differs == (key.reload == Reload::live));
    }
  }
}

}  // namespace actord::settings
