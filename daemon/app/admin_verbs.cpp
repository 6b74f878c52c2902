// SPDX-License-Identifier: Apache-2.0
#include "app/admin_verbs.hpp"

#include <algorithm>

#include "app/log_reading.hpp"
#include "app/metrics_text.hpp"
#include "app/reply_size.hpp"
#include "app/verb_arguments.hpp"
#include "config/json_forms.hpp"

namespace actord::app {

using config::text_in;
using schema::Role;
using wire::Json;

namespace {

int status(config::ExitCode code) { return static_cast<int>(code); }

/// Replaces the secrets in all texts. The recursion is bounded: results are a few levels deep.
void mask_texts(Json& json, const sinks::SecretMask& mask) {
  if (json.is_string()) json = mask.masked(json.get_ref<const std::string&>());
  if (!json.is_structured()) return;
  for (Json& each : json) mask_texts(each, mask);
}

std::string_view word_for(Role role) {
  const auto found = std::ranges::find(schema::role_words, role, &schema::Word<Role>::value);
  return found->word;
}

void reject(const admin::Responder& responder, std::string why) {
  responder.reply({0, status(config::ExitCode::command_line), std::move(why), {}});
}

// ---- arguments ----------------------------------------------------------------------------------

using Kind = VerbArgument::Kind;

constexpr VerbArgument path{"path"};
constexpr VerbArgument reason{.name = "reason", .is_needed = false};
// An answer has at most wire::depth_max brackets, and each level has two.
constexpr VerbArgument levels{.name = "levels", .kind = Kind::number, .max = 20};

constexpr VerbArgument flag(std::string_view name) {
  return {.name = name, .kind = Kind::flag, .is_needed = false};
}

constexpr VerbArgument of_reload[] = {flag("dry_run"), flag("all_or_nothing"), flag("force")};
constexpr VerbArgument of_show[] = {
    {.name = "from", .kind = Kind::number, .is_needed = false, .min = 0}};
constexpr VerbArgument of_explain[] = {{"key"}};
constexpr VerbArgument of_path[] = {path};
constexpr VerbArgument of_tree[] = {path, levels};
constexpr VerbArgument of_tell[] = {path, {"type"}, {"message"}};
constexpr VerbArgument of_ask[] = {path, {"type"}, {"message"}, timeout_argument};
constexpr VerbArgument of_list[] = {
    {.name = "after", .kind = Kind::number, .is_needed = false, .min = 0},
    {.name = "path", .is_needed = false},
    {.name = "reason", .is_needed = false}};
constexpr VerbArgument of_letter[] = {{"id"}};
constexpr VerbArgument of_replay[] = {{"id"}, {.name = "path", .is_needed = false}};
constexpr VerbArgument of_order[] = {path, timeout_argument, reason};

}  // namespace

/// A verb as data. To add one: a row here, a function, a row in daemon/wire/README.md.
struct AdminVerbs::Verb {
  std::string_view name;
  Role role;
  Effect effect;
  std::span<const VerbArgument> arguments;
  void (AdminVerbs::*run)(const Received&);
};

const AdminVerbs::Verb* AdminVerbs::find(std::string_view name) {
  static constexpr Verb all[] = {
      {"status", Role::read, Effect::none, {}, &AdminVerbs::tell_status},
      {"metrics", Role::read, Effect::none, {}, &AdminVerbs::tell_metrics},
      {"log.read", Role::read, Effect::none, {}, &AdminVerbs::read_log},
      {"deadletters.list", Role::read, Effect::none, of_list, &AdminVerbs::list_letters},
      {"deadletters.show", Role::read, Effect::none, of_letter, &AdminVerbs::show_letter},
      {"deadletters.replay", Role::operate, Effect::change, of_replay, &AdminVerbs::replay_letter},
      {"deadletters.drop", Role::operate, Effect::change, of_letter, &AdminVerbs::drop_letter},
      {"config.show", Role::read, Effect::none, of_show, &AdminVerbs::show},
      {"config.explain", Role::read, Effect::none, of_explain, &AdminVerbs::explain},
      {"config.diff", Role::read, Effect::none, {}, &AdminVerbs::diff},
      {"config.reload", Role::admin, Effect::of_its_own, of_reload, &AdminVerbs::reload},
      {"actor.inspect", Role::read, Effect::none, of_path, &AdminVerbs::inspect},
      {"actor.tree", Role::read, Effect::none, of_tree, &AdminVerbs::show_tree},
      {"actor.tell", Role::operate, Effect::message, of_tell, &AdminVerbs::tell},
      {"actor.ask", Role::operate, Effect::message, of_ask, &AdminVerbs::ask},
      {"actor.start", Role::operate, Effect::change, of_path, &AdminVerbs::start},
      {"actor.stop", Role::operate, Effect::change, of_order, &AdminVerbs::stop},
      {"actor.kill", Role::operate, Effect::change, of_order, &AdminVerbs::kill},
      {"actor.restart", Role::operate, Effect::change, of_order, &AdminVerbs::restart},
      {"actor.suspend", Role::operate, Effect::change, of_order, &AdminVerbs::suspend},
      {"actor.resume", Role::operate, Effect::change, of_order, &AdminVerbs::resume},
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
  if (verb->effect == Effect::change) log_command(request.verb, request.arguments, peer);
  // What a message holds is not logged: members of it may be secret.
  if (verb->effect == Effect::message)
    log_command(request.verb,
                {{"path", text_in(request.arguments, "path")},
                 {"type", text_in(request.arguments, "type")}},
                peer);
  (this->*verb->run)({request.verb, request.arguments, peer, responder});
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

void AdminVerbs::tell_metrics(const Received& from) {
  MetricsText text(MetricsText::Format::prometheus);
  parts_.metrics.write(text);
  reply_with(from.responder, config::ExitCode::ok, {}, {{"text", text.take()}});
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
