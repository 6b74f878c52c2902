// SPDX-License-Identifier: Apache-2.0
#include "system/log_actor.hpp"

#include <algorithm>

#include "base/counted.hpp"
#include "log/event_fields.hpp"
#include "system/actor_system.hpp"

namespace actord::system {

namespace {

// A built-in behaviour runs inside the host, so that the handle may be read as the system.
ActorSystem& system_of(Context& ctx) { return ActorSystem::of(ctx.c().system); }

void write_line(ActorSystem& system, const actor::UnloggedFailures& failures) {
  std::vector<log::Field> fields = {{"of", failures.event}, {"count", failures.count}};
  const std::string path =
      failures.actor == actor::nobody ? std::string{} : system.path(failures.actor);
  const bool has_path = !path.empty() && path != "/deadLetters";  // else it has gone
  if (has_path) fields.push_back({"actor.path", path});
  const std::string first = system.failure_id_text(failures.first_id);
  const std::string last = system.failure_id_text(failures.last_id);
  fields.insert(fields.end(), {{"actor.behaviour", failures.behaviour->name},
                               {"failure.type", failures.cause_types->type()},
                               {"failure.phase", actor::name_of(failures.phase)}});
  const bool is_of_hook = failures.first_id == 0;
  if (!is_of_hook)
    fields.insert(fields.end(), {{"decision.directive", actor::name_of(failures.outcome)},
                                 {"decision.rule", failures.rule},
                                 {"first.id", first},
                                 {"last.id", last}});
  system.log.shared().emit(failures.level, "log.suppressed",
                           base::counted(failures.count, "more failure") + " of this kind", fields);
}

void write_line(ActorSystem& system, const actor::RestartStorm& storm) {
  system.log.shared().emit(log::Level::info, "supervisor.storm-over",
                           "no restart for a while: restarts are not delayed any more",
                           {{"actor.path", storm.actor_path},
                            {"supervisor.path", storm.supervisor_path},
                            {"decision.rule", storm.rule},
                            {"decision.config_origin", storm.origin},
                            {"restart.delayed", storm.restarts}});
}

void write_number(ActorSystem& system, log::Level level, std::string_view event,
                  std::uint64_t count, std::string_view one, std::string_view many) {
  if (count == 0) return;
  system.log.shared().emit(level, "log.suppressed",
                           std::to_string(count).append(base::by_number(count, one, many)),
                           {{"of", event}, {"count", count}});
}

void write_storms(ActorSystem& system, std::int64_t now_ns) {
  write_number(system, log::Level::warning, "supervisor.storm", system.storms.take_unannounced(),
               " more actor is restarted too often: its restarts are delayed from now on",
               " more actors are restarted too often: their restarts are delayed from now on");
  const auto is_alive = [&](actor::Ref ref) { return system.cells.is_living(ref); };
  std::uint64_t unannounced = 0;
  for (const actor::RestartStorm& storm : system.storms.take_over(now_ns, is_alive)) {
    if (storm.is_announced) write_line(system, storm);
    else ++unannounced;
  }
  write_number(system, log::Level::info, "supervisor.storm-over", unannounced,
               " more storm of restarts is over", " more storms of restarts are over");
}

// Writes what is to be summarized. True if there was something.
bool write_summaries(Context& ctx) {
  ActorSystem& system = system_of(ctx);
  const std::int64_t now = ctx.now().count();
  const auto unlogged = system.failure_log.take(now);
  for (const auto& each : unlogged) write_line(system, each);
  write_storms(system, now);
  return !unlogged.empty();
}

}  // namespace

void Log::pre_start(Context& ctx) {
  ctx.subscribe<DeadLetter>();
  ctx.subscribe<Unhandled>();
}

// Any plugin may publish a dead letter, with any text as its reason. The table of events does not
// know that one, so that it becomes part of the sentence.
void Log::dead_letter(Context& ctx, const DeadLetter& letter) {
  std::string text = "not delivered";
  std::string_view reason = letter.reason;
  const auto& known = log::fields::undelivered_reasons;
  if (std::ranges::find(known, reason) == std::end(known)) {
    if (!reason.empty()) text.append(": ").append(reason);
    reason = log::fields::other_reason;
  }
  write_line(ctx, "deadletter", text, letter.type, letter.path, letter.sender, reason);
}

void Log::unhandled(Context& ctx, const Unhandled& message) {
  write_line(ctx, "message.unhandled", "unhandled message", message.type,
             ctx.path(message.recipient), message.sender, "unhandled");
}

// Goes on once a second as long as there is something to write or to wait for.
void Log::write_summary(Context& ctx, const detail::WriteSummary& /*request*/) {
  ActorSystem& system = system_of(ctx);
  system.begin_summary();
  const bool goes_on = write_summaries(ctx) || !system.storms.is_calm();
  if (goes_on && system.claim_summary())
    ctx.schedule_once(std::chrono::seconds{1}, ctx.self(), detail::WriteSummary{});
}

void Log::post_stop(Context& ctx) { write_summaries(ctx); }

Log::Permission Log::ask_for_line(Context& ctx) {
  const DeadLetterLimit limit = system_of(ctx).dead_letter_limit();
  if (limit.logged == 0) return {};
  if (limit.logged < 0) return {true, false, 0};
  const std::int64_t now = ctx.now().count();
  if (silent_until_ns_ != 0) {
    if (now < silent_until_ns_) return ++suppressed_, Permission{};
    silent_until_ns_ = 0;
    count_ = 0;
    return {true, false, std::exchange(suppressed_, 0)};
  }
  if (++count_ < limit.logged) return {true, false, 0};
  silent_until_ns_ = limit.silence_ns > 0 && limit.silence_ns < INT64_MAX - now
                         ? now + limit.silence_ns
                         : INT64_MAX;
  return {true, true, 0};
}

void Log::write_line(Context& ctx, std::string_view event, std::string_view text,
                     std::string_view type, std::string_view recipient, Ref sender,
                     std::string_view reason) {
  ActorSystem& system = system_of(ctx);
  const DeadLetterLimit limit = system.dead_letter_limit();
  if (system.is_terminating() && !limit.during_shutdown) return;
  const Permission permission = ask_for_line(ctx);
  if (!permission.is_given) return;
  std::string sentence{text};
  if (permission.is_last) {
    sentence += "; further ones are not logged";
    if (limit.silence_ns > 0)
      sentence += " in the next " + std::to_string(limit.silence_ns / 1'000'000'000) + " s";
  } else if (permission.suppressed != 0) {
    sentence += "; " + std::to_string(permission.suppressed);
    sentence += base::by_number(permission.suppressed, " earlier one was", " earlier ones were");
    sentence += " not logged";
  }
  const std::string from = sender ? ctx.path(sender) : std::string{};
  const log::Field fields[] = {
      {"actor.path", "/system/log"}, {"message.type", type}, {"message.recipient", recipient},
      {"message.sender", from},      {"reason", reason},     {"kept_back", permission.suppressed}};
  system.log.shared().emit(log::Level::info, event, sentence, fields, log::Class::best_effort);
}

}  // namespace actord::system
