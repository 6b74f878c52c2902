// SPDX-License-Identifier: Apache-2.0
#include "app/admin_verbs.hpp"

#include <algorithm>

#include "app/log_reading.hpp"
#include "app/reply_size.hpp"
#include "config/explanation.hpp"
#include "config/json_forms.hpp"
#include "sinks/wall_time.hpp"

namespace actord::app {

using config::text_in;
using wire::Json;
using wire::Reply;

namespace {

constexpr std::size_t values_per_reply = 1000;
constexpr const char* time_name = "timeout_ms";
constexpr std::uint64_t time_max_ms = 1000ULL * 3600 * 24 * 365;
// An answer has at most wire::depth_max brackets, and each level has two.
constexpr std::uint64_t levels_max = 20;
constexpr std::size_t bytes_per_reply = wire::text_size_max / 2;

int status(config::ExitCode code) { return static_cast<int>(code); }

/// Replaces the secrets in all texts. The recursion is bounded: results are a few levels deep.
void mask_texts(Json& json, const sinks::SecretMask& mask) {
  if (json.is_string()) json = mask.masked(json.get_ref<const std::string&>());
  if (!json.is_structured()) return;
  for (Json& each : json) mask_texts(each, mask);
}

/// The role that a verb needs. One that does not exist is refused later.
schema::Role role_for(std::string_view verb) {
  static constexpr std::string_view readers[] = {"config.show",   "config.explain", "config.diff",
                                                 "status",        "metrics",        "log.read",
                                                 "actor.inspect", "actor.tree"};
  if (std::ranges::find(readers, verb) != std::end(readers)) return schema::Role::read;
  return verb.starts_with("actor.") ? schema::Role::operate : schema::Role::admin;
}

std::string_view word_for(schema::Role role) {
  const auto found =
      std::ranges::find(schema::role_words, role, &schema::Word<schema::Role>::value);
  return found->word;
}

void reject(const admin::Responder& responder, std::string why) {
  responder.reply({0, status(config::ExitCode::command_line), std::move(why), {}});
}

/// What is wrong with the arguments of config.reload; empty: nothing. Unknown names are errors, so
/// that a misspelt dry_run is not carried out as a reload.
std::string argument_error(const Json& arguments, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : arguments.items()) {
    if (std::find(known.begin(), known.end(), name) == known.end()) return "no argument " + name;
    if (!value.is_boolean()) return "only true or false for " + name;
  }
  return {};
}

/// What is wrong with arguments that must be exactly these texts, and a number from 1 to `most` if
/// it has a name; empty: nothing.
std::string wrong_member(const Json& arguments, std::initializer_list<std::string_view> texts,
                         std::string_view number, std::uint64_t most) {
  for (const std::string_view each : texts) {
    const auto found = arguments.find(each);
    if (found == arguments.end() || !found->is_string())
      return "a text \"" + std::string{each} + '"';
  }
  if (!number.empty()) {
    const auto found = arguments.find(number);
    const bool is_number = found != arguments.end() && found->is_number_unsigned() &&
                           found->get<std::uint64_t>() >= 1 && found->get<std::uint64_t>() <= most;
    if (!is_number)
      return "a number \"" + std::string{number} + "\" from 1 to " + std::to_string(most);
  }
  if (arguments.size() != texts.size() + (number.empty() ? 0U : 1U)) return "no further arguments";
  return {};
}

std::uint64_t number_in(const Json& arguments, const char* name) {
  return arguments.find(name)->get<std::uint64_t>();
}
std::chrono::milliseconds time_in(const Json& arguments) {
  return std::chrono::milliseconds{number_in(arguments, time_name)};
}

bool is_true(const Json& arguments, const char* name) {
  const auto found = arguments.find(name);
  return found != arguments.end() && found->get<bool>();
}

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
  json["findings"] = config::json_of(report.findings);
  for (const char* list : {"pending", "lost", "late", "findings"}) cut_list(json, list);
  return json;
}

}  // namespace

void AdminVerbs::answer(const wire::Request& request, const admin::PeerFields& peer,
                        const admin::Responder& responder) {
  if (!is_permitted(request, peer, responder)) return;
  if (request.verb == "config.reload") return reload(request, peer, responder);
  if (request.verb == "config.show") return show(request, responder);
  if (request.verb == "config.explain") return explain(request, responder);
  if (request.verb == "config.diff") return diff(request, responder);
  if (request.verb == "actor.start") return start(request, peer, responder);
  if (request.verb == "status") return tell_status(request, responder);
  if (request.verb == "metrics") return tell_metrics(request, responder);
  if (request.verb == "log.read") return read_log(request, responder);
  if (ask_actor(request, peer, responder) || order_actor(request, peer, responder)) return;
  reject(responder, "this daemon does not know the verb \"" + request.verb + '"');
}

bool AdminVerbs::is_permitted(const wire::Request& request, const admin::PeerFields& peer,
                              const admin::Responder& responder) {
  const schema::Role needed = role_for(request.verb);
  const schema::Role own = parts_.reloader.running().settings.admin_roles.role_of(peer.peer());
  if (own >= needed) return true;
  std::vector<log::Field> fields{{"verb", request.verb}, {"role", word_for(own)}};
  peer.add_to(fields);
  parts_.hub.shared().audit(log::Level::warning, "admin.denied", "a client may not do that", fields,
                            log::Class::best_effort);
  reply_with(responder, config::ExitCode::not_permitted,
             request.verb + " needs the role " + std::string{word_for(needed)} + ", and " +
                 peer.text() + " has the role " + std::string{word_for(own)},
             {{"help", "actord.admin.roles and actord.admin.default-role give roles to groups"}});
  return false;
}

void AdminVerbs::reply_with(const admin::Responder& responder, config::ExitCode code,
                            std::string reason, Json result) const {
  reply_with(responder, status(code), std::move(reason), std::move(result));
}

void AdminVerbs::reply_with(const admin::Responder& responder, int status, std::string reason,
                            Json result) const {
  Json error = std::move(reason);
  mask_texts(error, parts_.mask);
  mask_texts(result, parts_.mask);
  cut_texts(error);
  responder.reply({0, status, error.get<std::string>(), std::move(result)});
}

void AdminVerbs::reload(const wire::Request& request, const admin::PeerFields& peer,
                        const admin::Responder& responder) {
  const std::string error =
      argument_error(request.arguments, {"dry_run", "all_or_nothing", "force"});
  if (!error.empty()) return reject(responder, "config.reload has " + error);
  ReloadRequest reload{is_true(request.arguments, "dry_run"),
                       is_true(request.arguments, "all_or_nothing"),
                       is_true(request.arguments, "force"), peer.text(), peer};
  if (!reload.is_dry_run) log_command(request.verb, request.arguments, *reload.peer);
  // A client that does not wait takes this for success. While actord stops, the reply comes first.
  if (!parts_.reloader.is_stopping()) responder.progress({{"phase", "accepted"}});
  parts_.reloader.request_reload(reload, [this, responder](const ReloadReport& report) {
    reply_with(responder, report.code, report.reason, json_of_report(report));
  });
}

void AdminVerbs::start(const wire::Request& request, const admin::PeerFields& peer,
                       const admin::Responder& responder) {
  const auto given = request.arguments.find("path");
  if (request.arguments.size() != 1 || given == request.arguments.end() || !given->is_string())
    return reject(responder, "actor.start has one argument, a text \"path\"");
  log_command(request.verb, request.arguments, peer);
  const std::string path = given->get<std::string>();
  parts_.starts.start(path, [this, responder, path](const ActorStarts::Outcome& outcome) {
    Json result = {{"path", path}};
    if (outcome.code == config::ExitCode::ok)
      result["outcome"] = outcome.was_running ? "running" : "started";
    if (!outcome.help.empty()) result["help"] = outcome.help;
    cut_texts(result);
    reply_with(responder, outcome.code, outcome.reason, std::move(result));
  });
}

ActorQuestions::Done AdminVerbs::answering(const admin::Responder& responder) const {
  return [this, responder](const ActorQuestions::Outcome& outcome) {
    Json result = outcome.result;
    for (auto& [name, value] : result.items()) {
      if (name != "message") cut_texts(value);  // an answer is whole, or it is none
    }
    reply_with(responder, outcome.status, outcome.reason, std::move(result));
  };
}

bool AdminVerbs::order_actor(const wire::Request& request, const admin::PeerFields& peer,
                             const admin::Responder& responder) {
  static constexpr std::string_view orders[] = {"actor.stop", "actor.kill", "actor.restart",
                                                "actor.suspend", "actor.resume"};
  const std::string& verb = request.verb;
  if (std::ranges::find(orders, verb) == std::end(orders)) return false;
  Json given = request.arguments;
  const std::string reason = text_in(given, "reason");
  if (!reason.empty()) given.erase("reason");
  if (const std::string wrong = wrong_member(given, {"path"}, time_name, time_max_ms);
      !wrong.empty())
    return reject(responder, verb + " has " + wrong + ", and a text \"reason\""), true;
  log_command(verb, request.arguments, peer);
  const std::string path = text_in(given, "path");
  const std::chrono::nanoseconds timeout = time_in(given);
  const ActorQuestions::Done done = answering(responder);
  if (verb == "actor.stop") parts_.orders.stop(path, timeout, done);
  else if (verb == "actor.kill") parts_.orders.kill(path, done);
  else if (verb == "actor.suspend") parts_.orders.suspend(path, timeout, done);
  else if (verb == "actor.resume") parts_.orders.resume(path, timeout, done);
  else
    parts_.orders.restart(path, reason.empty() ? "ordered by " + peer.text() : reason, timeout,
                          done);
  return true;
}

bool AdminVerbs::ask_actor(const wire::Request& request, const admin::PeerFields& peer,
                           const admin::Responder& responder) {
  const Json& given = request.arguments;
  const ActorQuestions::Done done = answering(responder);
  const auto has = [&](std::initializer_list<std::string_view> texts, std::string_view number,
                       std::uint64_t most) {
    const std::string wrong = wrong_member(given, texts, number, most);
    if (!wrong.empty()) reject(responder, request.verb + " has " + wrong);
    return wrong.empty();
  };
  if (request.verb == "actor.inspect") {
    if (has({"path"}, {}, 0)) parts_.questions.inspect(text_in(given, "path"), done);
    return true;
  }
  if (request.verb == "actor.tree") {
    if (!has({"path"}, "levels", levels_max)) return true;
    const auto levels = static_cast<unsigned>(number_in(given, "levels"));
    parts_.questions.tree(text_in(given, "path"), levels, done);
    return true;
  }
  const bool is_ask = request.verb == "actor.ask";
  if (!is_ask && request.verb != "actor.tell") return false;
  if (!has({"path", "type", "message"}, is_ask ? time_name : "", time_max_ms)) return true;
  const std::string path = text_in(given, "path");
  const ActorQuestions::Message message{text_in(given, "type"), text_in(given, "message")};
  // What the message holds is not logged: members of it may be secret.
  log_command(request.verb, {{"path", path}, {"type", message.type}}, peer);
  if (is_ask) parts_.questions.ask(path, message, time_in(given), done);
  else parts_.questions.tell(path, message, done);
  return true;
}

void AdminVerbs::tell_status(const wire::Request& request, const admin::Responder& responder) {
  if (!request.arguments.empty()) return reject(responder, "status has no arguments");
  parts_.status.tell([this, responder](Json status) {
    cut_texts(status);
    reply_with(responder, config::ExitCode::ok, {}, std::move(status));
  });
}

void AdminVerbs::tell_metrics(const wire::Request& request,
                              const admin::Responder& responder) const {
  if (!request.arguments.empty()) return reject(responder, "metrics has no arguments");
  MetricsText text(MetricsText::Format::prometheus);
  parts_.metrics.write(text);
  reply_with(responder, config::ExitCode::ok, {}, {{"text", text.take()}});
}

void AdminVerbs::read_log(const wire::Request& request, const admin::Responder& responder) const {
  const auto filter = read_filter(request.arguments);
  if (!filter) return reject(responder, "log.read has " + filter.error().what);
  reply_with(responder, config::ExitCode::ok, {}, app::read_log(parts_.history, *filter));
}

/// Logs a request that changes something.
void AdminVerbs::log_command(const std::string& verb, const Json& arguments,
                             const admin::PeerFields& peer) {
  const std::string texts =
      config::without_secrets(arguments, parts_.reloader.running().settings.tree).dump();
  std::vector<log::Field> fields{{"verb", verb}, {"arguments", texts}};
  peer.add_to(fields);
  parts_.hub.shared().audit(log::Level::info, "admin.command", "a client requested a change",
                            fields);
}

/// Replies with as many values as fit into a frame, beginning at index "from". "next" is the index
/// to continue at; without it there are no more values. If "generation" differs between two
/// replies, the client begins again.
void AdminVerbs::show(const wire::Request& request, const admin::Responder& responder) {
  const auto from = request.arguments.find("from");
  const bool has_from = from != request.arguments.end();
  if (request.arguments.size() > (has_from ? 1U : 0U) || (has_from && !from->is_number_unsigned()))
    return reject(responder, "config.show has no argument but a number \"from\"");
  std::size_t i = has_from ? from->get<std::size_t>() : 0;
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
  reply_with(responder, config::ExitCode::ok, {}, std::move(result));
}

/// Explains a key by the configuration in effect. For a key that waits for a restart that is the
/// one of the start.
void AdminVerbs::explain(const wire::Request& request, const admin::Responder& responder) {
  const auto given = request.arguments.find("key");
  if (request.arguments.size() != 1 || given == request.arguments.end() || !given->is_string())
    return reject(responder, "config.explain has one argument, a text \"key\"");
  config::KnownPlugins plugins(parts_.runtime.actors().behaviours());
  auto found = config::explain(parts_.reloader.running(), given->get<std::string>(), plugins);
  const bool is_pending = found && is_part_of_any(parts_.reloader.pending(), found->key);
  if (is_pending) found = config::explain(parts_.reloader.started_with(), found->key, plugins);
  Json result;
  if (!found) {
    result = {{"key", *given}, {"unknown", found.error().what}, {"help", found.error().help}};
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
  reply_with(responder, config::ExitCode::ok, {}, std::move(result));
}

/// Compares the running configuration with the one that a start would read now.
void AdminVerbs::diff(const wire::Request& request, const admin::Responder& responder) {
  if (!request.arguments.empty()) return reject(responder, "config.diff has no arguments");
  parts_.reader.read(
      parts_.reloader.running().options, BackgroundReader::ReadMode::without_snapshot,
      [this, responder](const BackgroundReader::ReadResult& wanted) {
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
