// SPDX-License-Identifier: Apache-2.0
#include "app/admin_verbs.hpp"

#include <algorithm>

#include "app/busiest_actors.hpp"
#include "app/daemon_metrics.hpp"
#include "app/daemon_status.hpp"
#include "app/log_levels.hpp"
#include "app/log_reading.hpp"
#include "app/metrics_text.hpp"
#include "app/reload.hpp"
#include "app/reply_size.hpp"
#include "app/verb_arguments.hpp"
#include "config/configuration.hpp"
#include "config/isolation.hpp"
#include "config/json_forms.hpp"
#include "config/runtime.hpp"
#include "isolate/options.hpp"
#include "log/hub.hpp"
#include "os/process_usage.hpp"
#include "sinks/log_history.hpp"
#include "sinks/secret_mask.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

using config::text_in;
using schema::Role;
using wire::Json;

namespace {

int status(config::ExitCode code) { return static_cast<int>(code); }

std::string_view word_for(Role role) {
  const auto found = std::ranges::find(schema::role_words, role, &schema::Word<Role>::value);
  return found->word;
}

void reject(const admin::Responder& responder, std::string why) {
  responder.reply({0, status(config::ExitCode::command_line), std::move(why), {}});
}

// ---- arguments ----------------------------------------------------------------------------------

using Kind = VerbArgument::Kind;

constexpr VerbArgument path_argument{"path"};
constexpr VerbArgument reason_argument{.name = "reason", .is_needed = false};
// An answer has at most wire::depth_max brackets, and each level has two.
constexpr VerbArgument levels_argument{.name = "levels", .kind = Kind::number, .max = 20};

constexpr VerbArgument flag(std::string_view name) {
  return {.name = name, .kind = Kind::flag, .is_needed = false};
}

constexpr VerbArgument of_reload[] = {
    flag("dry_run"),
    flag("all_or_nothing"),
    flag("force"),
    {.name = "confirm_ms", .kind = Kind::number, .is_needed = false, .max = 86'400'000}};
constexpr VerbArgument of_show[] = {
    {.name = "from", .kind = Kind::number, .is_needed = false, .min = 0}};
constexpr VerbArgument of_explain[] = {{"key"}};
constexpr VerbArgument of_path[] = {path_argument};
constexpr VerbArgument of_tree[] = {path_argument, levels_argument};
constexpr VerbArgument traceparent_argument{.name = "traceparent", .is_needed = false};
constexpr VerbArgument of_tell[] = {path_argument, {"type"}, {"message"}, traceparent_argument};
constexpr VerbArgument of_ask[] = {
    path_argument, {"type"}, {"message"}, timeout_argument, traceparent_argument};
constexpr VerbArgument of_drain[] = {{.name = "on", .kind = Kind::flag}, reason_argument};
constexpr VerbArgument of_shutdown[] = {{.name = "from", .is_needed = false}, reason_argument};
constexpr VerbArgument of_top[] = {
    {.name = "interval_ms", .kind = Kind::number, .min = 100, .max = 10'000},
    {.name = "sort"},
    {.name = "most", .kind = Kind::number, .max = 1000}};
constexpr VerbArgument of_level[] = {
    path_argument,
    {"level"},
    {.name = "for_ms", .kind = Kind::number, .is_needed = false, .max = timeout_argument.max},
    reason_argument};
constexpr VerbArgument of_list[] = {
    {.name = "after", .kind = Kind::number, .is_needed = false, .min = 0},
    {.name = "path", .is_needed = false},
    {.name = "reason", .is_needed = false}};
constexpr VerbArgument of_id[] = {{"id"}};
constexpr VerbArgument page_argument{.name = "most", .kind = Kind::number};
constexpr VerbArgument of_journal_list[] = {
    {.name = "after", .is_needed = false}, {.name = "prefix", .is_needed = false}, page_argument};
constexpr VerbArgument of_journal_show[] = {
    {"id"}, {.name = "from", .kind = Kind::number, .is_needed = false, .min = 0}, page_argument};
constexpr VerbArgument of_plugin[] = {{"name"}};
constexpr VerbArgument of_crash[] = {{.name = "id", .is_needed = false}};
constexpr VerbArgument of_replay[] = {{"id"}, {.name = "path", .is_needed = false}};
constexpr VerbArgument of_order[] = {path_argument, timeout_argument, reason_argument};

constexpr VerbArgument of_spawn[] = {
    {"behaviour"}, {"name"}, {"config"}, flag("persist"), reason_argument};
constexpr VerbArgument of_trace[] = {
    path_argument,
    {.name = "count", .kind = Kind::number, .min = 0, .max = 10'000},
    timeout_argument,
    reason_argument};

}  // namespace

AdminVerbs::AdminVerbs(const Parts& parts)
    : parts_(parts), letters_(parts.questions, parts.runtime.actors()) {}

/// A verb as data. To add one: a row here, a function, a row in daemon/wire/README.md.
struct AdminVerbs::Verb {
  std::string_view name;
  Role role;
  Effect effect;
  std::span<const VerbArgument> arguments;
  void (AdminVerbs::*run)(const Received&);
  bool needs_actor = false;  // for its path; the start may still bring it
};

const AdminVerbs::Verb* AdminVerbs::find(std::string_view name) {
  static constexpr Verb all[] = {
      {"status", Role::read, Effect::none, {}, &AdminVerbs::tell_status},
      {"daemon.drain", Role::operate, Effect::change, of_drain, &AdminVerbs::drain},
      {"daemon.shutdown", Role::admin, Effect::change, of_shutdown, &AdminVerbs::shut_down},
      {"daemon.load", Role::read, Effect::none, {}, &AdminVerbs::tell_load},
      {"top", Role::read, Effect::none, of_top, &AdminVerbs::tell_busiest},
      {"metrics", Role::read, Effect::none, {}, &AdminVerbs::tell_metrics},
      {"breakers.list", Role::read, Effect::none, {}, &AdminVerbs::list_breakers},
      {"workers.list", Role::read, Effect::none, {}, &AdminVerbs::list_workers},
      {"log.read", Role::read, Effect::none, {}, &AdminVerbs::read_log},
      {"log.levels", Role::read, Effect::none, {}, &AdminVerbs::list_levels},
      {"log.set-level", Role::operate, Effect::change, of_level, &AdminVerbs::set_level},
      {"deadletters.list", Role::read, Effect::none, of_list, &AdminVerbs::list_letters},
      {"deadletters.show", Role::read, Effect::none, of_id, &AdminVerbs::show_letter},
      {"deadletters.replay", Role::operate, Effect::change, of_replay, &AdminVerbs::replay_letter},
      {"deadletters.drop", Role::operate, Effect::change, of_id, &AdminVerbs::drop_letter},
      {"quarantine.list", Role::read, Effect::none, of_list, &AdminVerbs::list_quarantined},
      {"quarantine.show", Role::read, Effect::none, of_id, &AdminVerbs::show_quarantined},
      {"quarantine.replay", Role::operate, Effect::change, of_replay,
       &AdminVerbs::replay_quarantined},
      {"quarantine.drop", Role::operate, Effect::change, of_id, &AdminVerbs::drop_quarantined},
      {"crash.list", Role::read, Effect::none, {}, &AdminVerbs::list_crashes},
      {"crash.show", Role::read, Effect::none, of_crash, &AdminVerbs::show_crash},
      {"journal.list", Role::read, Effect::none, of_journal_list, &AdminVerbs::list_journal},
      {"journal.show", Role::read, Effect::none, of_journal_show, &AdminVerbs::show_journal},
      {"journal.verify", Role::read, Effect::none, {}, &AdminVerbs::verify_journal},
      {"journal.compact", Role::operate, Effect::change, {}, &AdminVerbs::compact_journal},
      {"journal.drop", Role::admin, Effect::change, of_id, &AdminVerbs::drop_journal},
      {"journal.status", Role::read, Effect::none, {}, &AdminVerbs::tell_journal},
      {"plugin.list", Role::read, Effect::none, {}, &AdminVerbs::list_plugins},
      {"plugin.inspect", Role::read, Effect::none, of_plugin, &AdminVerbs::inspect_plugin},
      {"plugin.load", Role::admin, Effect::change, of_plugin, &AdminVerbs::load_plugin},
      {"plugin.rescan", Role::operate, Effect::change, {}, &AdminVerbs::rescan_plugins},
      {"plugin.retire", Role::admin, Effect::change, of_plugin, &AdminVerbs::retire_plugin},
      {"config.show", Role::read, Effect::none, of_show, &AdminVerbs::show},
      {"config.explain", Role::read, Effect::none, of_explain, &AdminVerbs::explain},
      {"config.diff", Role::read, Effect::none, {}, &AdminVerbs::diff},
      {"config.reload", Role::admin, Effect::of_its_own, of_reload, &AdminVerbs::reload},
      {"config.confirm", Role::admin, Effect::change, {}, &AdminVerbs::confirm},
      {"config.revert", Role::admin, Effect::change, {}, &AdminVerbs::revert},
      {"actor.inspect", Role::read, Effect::none, of_path, &AdminVerbs::inspect},
      {"actor.tree", Role::read, Effect::none, of_tree, &AdminVerbs::show_tree},
      {"actor.tell", Role::operate, Effect::with_content, of_tell, &AdminVerbs::tell, true},
      {"actor.ask", Role::operate, Effect::with_content, of_ask, &AdminVerbs::ask, true},
      {"actor.start", Role::operate, Effect::change, of_path, &AdminVerbs::start},
      {"actor.spawn", Role::operate, Effect::with_content, of_spawn, &AdminVerbs::spawn},
      {"actor.stop", Role::operate, Effect::change, of_order, &AdminVerbs::stop, true},
      {"actor.kill", Role::operate, Effect::change, of_order, &AdminVerbs::kill, true},
      {"actor.restart", Role::operate, Effect::change, of_order, &AdminVerbs::restart, true},
      {"actor.suspend", Role::operate, Effect::change, of_order, &AdminVerbs::suspend, true},
      {"actor.resume", Role::operate, Effect::change, of_order, &AdminVerbs::resume, true},
      {"actor.trace", Role::operate, Effect::change, of_trace, &AdminVerbs::trace, true},
  };
  const auto found = std::ranges::find(all, name, &Verb::name);
  return found == std::end(all) ? nullptr : found;
}

void AdminVerbs::answer(const wire::Request& request, const admin::PeerFields& peer,
                        const admin::Responder& responder) {
  const Verb* const verb = find(request.verb);
  if (verb == nullptr)
    return reject(responder, "this daemon does not know the verb \"" + request.verb + '"');
  if (!is_permitted(verb->role, request, peer, responder)) return;
  const bool reads_itself = verb->run == &AdminVerbs::read_log;
  if (const std::string fault =
          reads_itself ? std::string{} : argument_fault(request.arguments, verb->arguments);
      !fault.empty())
    return reject(responder, request.verb + ' ' + fault);
  if (is_early(*verb, request.arguments)) return early_.push_back({request, peer, responder});
  if (verb->effect == Effect::change) log_command(request.verb, request.arguments, peer);
  // What a message or a config holds is not logged: members of it may be secret.
  if (verb->effect == Effect::with_content) {
    Json arguments = request.arguments;
    for (const char* left_out : {"message", "config", "timeout_ms"}) arguments.erase(left_out);
    log_command(request.verb, arguments, peer);
  }
  (this->*verb->run)({request.verb, request.arguments, peer, responder});
}

/// With a socket of the service manager, requests come while actord is still starting.
bool AdminVerbs::is_early(const Verb& verb, const Json& arguments) const {
  if (has_begun_ || !verb.needs_actor) return false;
  return actor::index_of(parts_.runtime.actors().find(text_in(arguments, "path"))) == 0;
}

void AdminVerbs::begin() {
  has_begun_ = true;
  for (const Early& each : std::exchange(early_, {}))
    answer(each.request, each.peer, each.responder);
}

bool AdminVerbs::is_permitted(Role needed, const wire::Request& request,
                              const admin::PeerFields& peer, const admin::Responder& responder) {
  const Role own = parts_.reloader.running().settings.admin_roles.role_of(peer.peer());
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

void AdminVerbs::tell_status(const Received& from) {
  parts_.status.tell([this, responder = from.responder](Json status) {
    cut_texts(status);
    reply_with(responder, config::ExitCode::ok, {}, std::move(status));
  });
}

void AdminVerbs::drain(const Received& from) {
  parts_.is_draining = flag_in(from.arguments, "on");
  tell_load(from);
}

void AdminVerbs::shut_down(const Received& from) {
  const system::ShutdownPlan& plan = parts_.runtime.actors().settings().shutdown;
  const std::string first = text_in(from.arguments, "from");
  if (!first.empty() && plan.find(first) == nullptr)
    return reject(from.responder,
                  "the shutdown has no phase " + first + "; it has " + plan.names());
  if (!parts_.shut_down(first))
    return reply_with(from.responder, config::ExitCode::boot_failed, "actord is stopping already",
                      Json::object());
  Json phases = Json::array();
  for (const system::ShutdownPhase& phase : plan.phases()) {
    if (phase.name == first) phases.clear();
    if (phase.is_enabled) phases.push_back(phase.name);
  }
  reply_with(from.responder, config::ExitCode::ok, {}, {{"phases", std::move(phases)}});
}

/// How many actors have messages that wait, or handle one.
void AdminVerbs::tell_load(const Received& from) {
  reply_with(from.responder, config::ExitCode::ok, {},
             {{"draining", parts_.is_draining},
              {"waiting", parts_.runtime.actors().cells.with_mail().size()}});
}

void AdminVerbs::tell_busiest(const Received& from) {
  const auto by = BusiestActors::by_named(text_in(from.arguments, "sort"));
  if (!by)
    return reject(from.responder,
                  "top needs a text \"sort\": busy, rate, mailbox, failures or restarts");
  parts_.busiest.look({std::chrono::milliseconds{number_in(from.arguments, "interval_ms")}, *by,
                       number_in(from.arguments, "most")},
                      [this, responder = from.responder](Json busiest) {
                        cut_list(busiest, "actors");
                        reply_with(responder, config::ExitCode::ok, {}, std::move(busiest));
                      });
}

void AdminVerbs::tell_metrics(const Received& from) {
  MetricsText text(MetricsText::Format::prometheus);
  parts_.metrics.write(text);
  reply_with(from.responder, config::ExitCode::ok, {}, {{"text", text.take()}});
}

void AdminVerbs::list_breakers(const Received& from) {
  system::ActorSystem& actors = parts_.runtime.actors();
  Json all = Json::array();
  for (const auto& each : actors.breakers().reports(std::chrono::nanoseconds{actors.now_ns()}))
    all.push_back(
        {{"name", each.name},
         {"state", system::name_of(each.state)},
         {"failures", each.failures},
         {"remaining_ms", std::chrono::ceil<std::chrono::milliseconds>(each.remaining).count()},
         {"opened", each.entered[static_cast<std::size_t>(system::BreakerState::open)]},
         {"failed", each.failed},
         {"refused", each.refused}});
  Json result = {{"breakers", std::move(all)}};
  cut_list(result, "breakers");
  reply_with(from.responder, config::ExitCode::ok, {}, std::move(result));
}

void AdminVerbs::list_workers(const Received& from) {
  using isolate::HostOutcome;
  const config::Isolation& isolation = parts_.runtime.isolation();
  Json hosts = Json::array(), plugins = Json::array();
  for (const isolate::HostFacts& host : isolation.hosts()) {
    const os::ProcessUsage usage = os::usage_of(host.process_id);
    Json json = {{"process", host.process_id},
                 {"plugin", host.plugin},
                 {"state", state_name(host)},
                 {"actors", host.actors},
                 {"age_ms", host.age_ns / base::ns_per_ms},
                 {"cpu_ms", usage.cpu_ns / base::ns_per_ms},
                 {"resident_bytes", usage.resident_bytes}};
    if (host.is_adopted) json["group"] = group_name(host);
    if (host.group.starts_with('/')) json["actor"] = host.group;
    hosts.push_back(std::move(json));
  }
  for (const auto& [plugin, count] : isolation.host_counts()) {
    plugins.push_back({{"plugin", plugin},
                       {"started", count.started},
                       {"stopped", count.of(HostOutcome::stopped)},
                       {"crashed", count.of(HostOutcome::crashed)},
                       {"killed", count.killed()}});
  }
  Json result = {{"workers", std::move(hosts)}, {"plugins", std::move(plugins)}};
  cut_list(result, "workers");
  reply_with(from.responder, config::ExitCode::ok, {}, std::move(result));
}

void AdminVerbs::list_levels(const Received& from) {
  Json levels = parts_.levels.list();
  cut_list(levels, "actors");
  reply_with(from.responder, config::ExitCode::ok, {}, std::move(levels));
}

void AdminVerbs::set_level(const Received& from) {
  const std::string at = text_in(from.arguments, "path"), word = text_in(from.arguments, "level");
  if (!at.starts_with('/'))
    return reject(from.responder, "the path of an actor begins with /: " + at);
  Json result = {{"path", at}};
  if (const auto level = LogLevels::level_named(word)) {
    parts_.levels.set(at, *level, std::chrono::milliseconds{number_in(from.arguments, "for_ms")});
    result["outcome"] = word;
  } else if (word == "default") {
    result["outcome"] = parts_.levels.reset(at) ? "reset" : "unchanged";
  } else {
    return reject(from.responder, "a level is error, warning, info, debug or default, not " + word);
  }
  reply_with(from.responder, config::ExitCode::ok, {}, std::move(result));
}

void AdminVerbs::read_log(const Received& from) {
  const auto filter = read_filter(from.arguments);
  if (!filter) return reject(from.responder, "log.read has " + filter.error().what);
  reply_with(from.responder, config::ExitCode::ok, {}, app::read_log(parts_.history, *filter));
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

}  // namespace actord::app
