// SPDX-License-Identifier: Apache-2.0
//
// The verbs of AdminVerbs about the configuration: config.reload, config.show, config.explain,
// config.diff.
#include <algorithm>

#include "app/admin_verbs.hpp"
#include "app/background_reader.hpp"
#include "app/reload.hpp"
#include "app/reply_size.hpp"
#include "app/verb_arguments.hpp"
#include "config/configuration.hpp"
#include "config/explanation.hpp"
#include "config/json_forms.hpp"
#include "config/runtime.hpp"
#include "sinks/wall_time.hpp"
#include "system/actor_system.hpp"
#include "wire/frame.hpp"

namespace actord::app {

using wire::Json;

namespace {

constexpr std::size_t values_per_reply = 1000;
constexpr std::size_t bytes_per_reply = wire::text_size_max / 2;

/// Whether `key` is one of `keys` or lies below one of them.
bool is_part_of_any(const std::vector<std::string>& keys, std::string_view key) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const std::string& each) { return is_part_of(key, each); });
}

/// The definition of the key that waits for a restart.
config::Written definition_of(const hocon::Tree& tree, const std::string& key) {
  const hocon::Value value = tree.find(key);
  if (!value || value.is_null()) return {std::string{config::built_in}, {}};
  return {config::origin_text(tree, value.origin()), key + " = " + config::shown(value)};
}

std::string text_of(ReloadReport::Outcome outcome) {
  switch (outcome) {
    case ReloadReport::Outcome::applied: return "applied";
    case ReloadReport::Outcome::unchanged: return "unchanged";
    case ReloadReport::Outcome::retried: return "retried";
    case ReloadReport::Outcome::planned: return "planned";
    case ReloadReport::Outcome::rejected: return "rejected";
    case ReloadReport::Outcome::busy: break;
  }
  return "busy";
}

Json json_of_report(const ReloadReport& report) {
  Json json = {{"outcome", text_of(report.outcome)}, {"generation", report.generation}};
  if (report.is_forced) json["forced"] = true;
  if (!report.plan.is_null()) {
    json["plan"] = report.plan;
    cut_list(json["plan"], "steps");
  }
  json["pending"] = report.pending;
  if (!report.lost.empty()) json["lost"] = report.lost;
  if (!report.late.empty()) json["late"] = report.late;
  json["duration_ms"] = report.duration_ms;
  if (report.confirm_within.count() != 0) json["confirm_ms"] = report.confirm_within.count();
  json["findings"] = config::json_of(report.findings);
  for (const char* list : {"pending", "lost", "late", "findings"}) cut_list(json, list);
  return json;
}

}  // namespace

void AdminVerbs::reload(const Received& from) {
  const admin::Responder responder = from.responder;
  ReloadRequest reload{
      .is_dry_run = flag_in(from.arguments, "dry_run"),
      .all_or_nothing = flag_in(from.arguments, "all_or_nothing"),
      .is_forced = flag_in(from.arguments, "force"),
      .confirm_within = std::chrono::milliseconds{number_in(from.arguments, "confirm_ms")},
      .asked_by = from.peer.text(),
      .peer = from.peer};
  if (!reload.is_dry_run) log_command(from.verb, from.arguments, *reload.peer);
  // A client that does not wait takes this for success. While actord stops, the reply comes first.
  if (!parts_.reloader.is_stopping()) responder.progress({{"phase", "accepted"}});
  parts_.reloader.request_reload(reload, [this, responder](const ReloadReport& report) {
    reply_with(responder, report.code, report.reason, json_of_report(report));
  });
}

void AdminVerbs::confirm(const Received& from) {
  if (parts_.reloader.confirm())
    return reply_with(from.responder, config::ExitCode::ok, {},
                      {{"generation", parts_.reloader.generation()}});
  reply_with(from.responder, config::ExitCode::command_line, "no reload waits to be confirmed",
             {{"help", "actorctl config reload --confirm 60s makes one that does"}});
}

void AdminVerbs::revert(const Received& from) {
  parts_.reloader.request_reload(
      {.takes_back = true, .asked_by = from.peer.text(), .peer = from.peer},
      [this, responder = from.responder](const ReloadReport& report) {
        reply_with(responder, report.code, report.reason, json_of_report(report));
      });
}

/// Replies with as many values as fit into a frame, beginning at index "from". "next" is the index
/// to continue at; without it there are no more values. If "generation" differs between two
/// replies, the client begins again.
void AdminVerbs::show(const Received& from) {
  std::size_t i = number_in(from.arguments, "from");
  const std::vector<config::EffectiveValue> all =
      config::effective_values(parts_.reloader.running().settings.tree);
  const std::vector<std::string> pending = parts_.reloader.pending();
  Json values = Json::array();
  std::size_t bytes = 0;
  for (; i < all.size() && values.size() < values_per_reply && bytes < bytes_per_reply; ++i) {
    Json value = config::json_of(all[i]);
    if (is_part_of_any(pending, all[i].key)) value["pending"] = true;
    cut_texts(value);
    std::size_t size = size_of(value);
    if (size > bytes_per_reply / 2) {
      value["value"] = "... (" + std::to_string(size) + " bytes)";
      size = size_of(value);
    }
    bytes += size;
    values.push_back(std::move(value));
  }
  Json result = {{"generation", parts_.reloader.generation()}, {"values", std::move(values)}};
  if (i < all.size()) result["next"] = i;
  reply_with(from.responder, config::ExitCode::ok, {}, std::move(result));
}

/// Explains a key by the configuration in effect. For a key that waits for a restart that is the
/// one of the start.
void AdminVerbs::explain(const Received& from) {
  const std::string key = config::text_in(from.arguments, "key");
  config::KnownPlugins plugins(parts_.runtime.actors().behaviours());
  auto found = config::explain(parts_.reloader.running(), key, plugins);
  const bool is_pending = found && is_part_of_any(parts_.reloader.pending(), found->key);
  if (is_pending) found = config::explain(parts_.reloader.started_with(), found->key, plugins);
  Json result;
  if (!found) {
    result = {{"key", key}, {"unknown", found.error().what}, {"help", found.error().help}};
  } else {
    config::RunningValue& running = found->running.emplace();
    running.generation = parts_.reloader.generation();
    if (schema::key_for(found->key) != nullptr) {
      const KeyHistory& history = parts_.reloader.history();
      const auto since = is_pending ? history.start() : history.last_change(found->key);
      running.since_generation = since.generation;
      running.since = sinks::utc_text(since.wall_ns);
    }
    if (is_pending)
      running.pending = definition_of(parts_.reloader.running().settings.tree, found->key);
    result = config::json_of(*found);
    cut_list(result, "members");
    cut_list(result, "failures");
  }
  cut_texts(result);
  reply_with(from.responder, config::ExitCode::ok, {}, std::move(result));
}

/// Compares the running configuration with the one that a start would read now.
void AdminVerbs::diff(const Received& from) {
  parts_.reader.read(
      parts_.reloader.running().options, BackgroundReader::ReadMode::without_snapshot,
      [this, responder = from.responder](const BackgroundReader::ReadResult& wanted) {
        Json result;
        if (wanted.error) {
          result["findings"] = config::json_of(wanted.error->findings);
          cut_list(result, "findings");
          return reply_with(responder, wanted.error->code, wanted.error->reason, std::move(result));
        }
        result = config::json_of(config::diff_between(parts_.reloader.running().settings.tree,
                                                      wanted.configuration->settings.tree));
        result["pending"] = parts_.reloader.pending();
        for (const char* list : {"changes", "merges", "pending"}) cut_list(result, list);
        reply_with(responder, config::ExitCode::ok, {}, std::move(result));
      });
}

}  // namespace actord::app
