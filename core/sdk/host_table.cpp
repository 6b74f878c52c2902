// SPDX-License-Identifier: Apache-2.0
#include "sdk/host_table.hpp"

#include "actor/replies.hpp"
#include "actor/routing.hpp"
#include "actor/selection.hpp"
#include "actor/spawning.hpp"
#include "actor/subscriptions.hpp"
#include "actor/supervisor.hpp"
#include "message/message_values.hpp"
#include "message/report.hpp"
#include "sdk/plugin_log.hpp"
#include "system/actor_system.hpp"
#include "system/crash_site.hpp"

namespace actord::sdk {

namespace {

using actor::Activation;
using message::view;
using system::ActorSystem;

Activation& of(actord_context* context) { return *static_cast<Activation*>(context); }

namespace causes = actor::causes;

actord_status report(actord_errors* errors, std::string_view what,
                     std::span<const actord_str> types = causes::error) {
  return message::report(*errors, what, types);
}

// A time in [0, longest_delay_ns]: a negative one counts as 0, and sums do not overflow.
int64_t clamp_delay(int64_t ns) { return std::clamp(ns, int64_t{0}, sched::longest_delay_ns); }

// ---- sending ------------------------------------------------------------------------------------

void tell(actord_context* c, actord_ref to, actord_type_id type, void* message) {
  of(c).thread().tell(to, type, message, c->self);
}
void tell_from(actord_context* c, actord_ref to, actord_type_id type, void* message,
               actord_ref sender) {
  of(c).thread().tell(to, type, message, sender);
}
void reply(actord_context* c, actord_type_id type, void* message) {
  actor::reply(of(c), type, message);
}
actord_status reply_read(actord_context* c, actord_str type, actord_value fields,
                         actord_errors* errors) {
  const message::TypeRegistry& types = of(c).environment().types;
  const message::TypeId id = types.find(view(type));
  if (id == 0) return report(errors, "no plugin has a message " + std::string{view(type)});
  const actord_message_type& table = *types.at(id).table;
  const std::align_val_t align{table.align};
  void* const storage = ::operator new(table.size, align);
  const actord_status status = message::read_message(types.at(id), storage, fields, *errors);
  if (status == ACTORD_OK) {
    actor::reply(of(c), id, storage);
    if (!types.at(id).is_trivial) table.destroy(storage);
  }
  ::operator delete(storage, align);
  return status;
}
void reply_failure(actord_context* c, const actord_failure* failure) {
  static_cast<void>(actor::fail_ask(of(c), c->sender, *failure));
}
int32_t fail_ask(actord_context* c, actord_ref answer_ref, const actord_failure* failure) {
  return actor::fail_ask(of(c), answer_ref, *failure) ? 1 : 0;
}
actord_ref asker(actord_context* c) { return actor::asker(of(c)); }
void forward(actord_context* c, actord_ref to) { actor::forward(of(c), to, c->sender); }
void ask(actord_context* c, actord_ref to, actord_type_id type, void* message, int64_t timeout_ns,
         actord_reply_handler handler) {
  of(c).extras().asks.ask(of(c), to, type, message, clamp_delay(timeout_ns), handler);
}
size_t ask_selection(actord_context* c, actord_str paths, actord_type_id type, void* message,
                     int64_t timeout_ns, actord_reply_handler handler) {
  return of(c).extras().asks.ask_selection(of(c), view(paths), type, message,
                                           clamp_delay(timeout_ns), handler);
}

// ---- the tree -----------------------------------------------------------------------------------

actord_ref spawn(actord_context* c, actord_str name, const actord_props* props,
                 actord_errors* errors) {
  const auto child = actor::spawn(of(c), view(name), *props);
  if (child) [[likely]]
    return *child;
  report(errors, child.error().what, child.error().types);
  return actor::nobody;
}
void stop(actord_context* c, actord_ref whom) { of(c).stop(whom); }
void stop_children(actord_context* c) { actor::stop_children(of(c)); }
size_t children(actord_context* c, actord_ref* out, size_t capacity) {
  return actor::living_children(of(c), out, capacity);
}
actord_child described(const actor::CellPool& cells, const actor::Cell& child) {
  return {cells.ref_of(child), child.has(actor::Cell::dying) ? 1 : 0, 0};
}
size_t all_children(actord_context* c, actord_child* out, size_t capacity) {
  size_t n = 0;
  for (const actor::Cell& child : actor::children_of(of(c))) {
    if (child.has(actor::Cell::helper)) continue;
    if (n < capacity) out[n] = described(of(c).environment().cells, child);
    ++n;
  }
  return n;
}
int32_t child(actord_context* c, actord_str name, actord_child* out) {
  const actor::Cell* const found = actor::find_child(of(c), view(name));
  if (found == nullptr || found->has(actor::Cell::helper)) return 0;
  *out = described(of(c).environment().cells, *found);
  return 1;
}
// For plugins built against ABI 1.0, whose watch() cannot report an error.
void watch(actord_context* c, actord_ref whom) {
  static_cast<void>(of(c).extras().death_watch.watch(of(c), whom, 0, nullptr));
}
actord_status watch_with(actord_context* c, actord_ref whom, actord_type_id type, void* message,
                         actord_errors* errors) {
  const auto watched = of(c).extras().death_watch.watch(of(c), whom, type, message);
  return watched ? ACTORD_OK : report(errors, watched.error().what);
}
void graceful_stop(actord_context* c, actord_ref whom, actord_type_id type, void* message,
                   int64_t timeout_ns, actord_reply_handler handler) {
  if (!of(c).extras().asks.ask_for_end(of(c), whom, clamp_delay(timeout_ns), handler)) return;
  if (type == 0) of(c).stop(whom);
  else of(c).thread().tell(whom, type, message, c->self);
}
void await_end(actord_context* c, actord_ref whom, actord_reply_handler handler) {
  of(c).extras().asks.ask_for_end(of(c), whom, sched::longest_delay_ns, handler);
}
actord_ref spawn_configured(actord_context* c, actord_str name, actord_errors* errors) {
  const auto child = actor::spawn_configured(of(c), view(name));
  if (child) return *child;
  report(errors, child.error().what);
  return actor::nobody;
}
void unwatch(actord_context* c, actord_ref whom) {
  if (actor::CellExtras* const extras = of(c).find_extras())
    extras->death_watch.unwatch(of(c), whom);
}

void budget(actord_context* c, int64_t* max_restarts, int64_t* within_ns) {
  const actor::RestartLimit& limit = actor::supervisor::strategy(of(c)).restart_limit;
  *max_restarts = limit.max_restarts;
  *within_ns = limit.within_ns;
}

// ---- the actor's own state ----------------------------------------------------------------------

void become(actord_context* c, const actord_receive* state, int32_t keep_old) {
  actor::ReceiveStack::become(of(c), state, keep_old != 0);
}
void unbecome(actord_context* c) { actor::ReceiveStack::unbecome(of(c)); }
actord_status stash(actord_context* c, actord_errors* errors) {
  actor::CellExtras& extras = of(c).extras();
  const auto added = extras.stash.add(of(c), extras.death_watch);
  if (added) return ACTORD_OK;
  if (added.error().is_overflow) return report(errors, added.error().what, causes::stash_overflow);
  return report(errors, added.error().what);
}
void unstash_all(actord_context* c) {
  if (actor::CellExtras* const extras = of(c).find_extras()) extras->stash.unstash_all(of(c));
}
void unstash(actord_context* c, size_t n) {
  const auto count = static_cast<std::int64_t>(std::min<size_t>(n, INT64_MAX));
  if (actor::CellExtras* const extras = of(c).find_extras()) extras->stash.unstash(of(c), count);
}
void start_timer(actord_context* c, actord_str key, int64_t delay_ns, int64_t period_ns,
                 actord_type_id type, void* message) {
  of(c).extras().timers.start(of(c), view(key), clamp_delay(delay_ns), clamp_delay(period_ns),
                              false, type, message);
}
void start_timer_at_fixed_rate(actord_context* c, actord_str key, int64_t delay_ns,
                               int64_t period_ns, actord_type_id type, void* message) {
  of(c).extras().timers.start(of(c), view(key), clamp_delay(delay_ns), clamp_delay(period_ns), true,
                              type, message);
}
int32_t has_timer(actord_context* c, actord_str key) {
  actor::CellExtras* const extras = of(c).find_extras();
  return extras != nullptr && extras->timers.has(view(key)) ? 1 : 0;
}
uint64_t schedule_once(actord_context* c, actord_ref to, int64_t delay_ns, actord_type_id type,
                       void* message) {
  return ActorSystem::of(c->system).schedule_once(of(c).thread(), to, delay_ns, type, message);
}
void cancel_timer(actord_context* c, actord_str key) {
  if (actor::CellExtras* const extras = of(c).find_extras())
    extras->timers.cancel(of(c), view(key));
}
void receive_timeout(actord_context* c, int64_t ns) {
  of(c).extras().timers.set_receive_timeout(of(c), clamp_delay(ns));
}

// ---- surroundings -------------------------------------------------------------------------------

int64_t now_ns(actord_context* c) { return of(c).thread().now_ns(); }
uint64_t random(actord_context* c) { return of(c).thread().random.next(); }

void traceparent(actord_context* c, char* out) {
  const actor::ThreadState& thread = of(c).thread();
  const std::string text =
      thread.is_carrying() ? message::traceparent_of(thread.carried()) : std::string{};
  out[text.copy(out, ACTORD_TRACEPARENT_SIZE - 1)] = '\0';
}
int32_t continue_trace(actord_context* c, actord_str header) {
  Activation& activation = of(c);
  const auto read = message::read_traceparent(view(header));
  if (!read || !read->is_recorded ||
      !activation.environment().tracing.is_enabled.load(base::relaxed))
    return 0;
  activation.continue_trace(read->context);
  return 1;
}

void subscribe(actord_context* c, actord_str type) {
  Activation& activation = of(c);
  if (const auto id = activation.environment().types.find(view(type)))
    actor::subscribe(activation, id);
}
void unsubscribe(actord_context* c, actord_str type) {
  Activation& activation = of(c);
  if (const auto id = activation.environment().types.find(view(type)))
    actor::unsubscribe(activation, id);
}
using TypeGroup = actor::TypeGroup;
void subscribe_prefix(actord_context* c, actord_str prefix) {
  actor::subscribe(of(c), TypeGroup{TypeGroup::Kind::prefix, view(prefix)});
}
void subscribe_family(actord_context* c, actord_str family) {
  actor::subscribe(of(c), TypeGroup{TypeGroup::Kind::family, view(family)});
}
void unsubscribe_family(actord_context* c, actord_str family) {
  actor::unsubscribe(of(c), TypeGroup{TypeGroup::Kind::family, view(family)});
}
void unsubscribe_prefix(actord_context* c, actord_str prefix) {
  actor::unsubscribe(of(c), TypeGroup{TypeGroup::Kind::prefix, view(prefix)});
}
size_t tell_selection(actord_context* c, actord_str paths, actord_type_id type, void* message) {
  const actor::Selected selected = actor::select(of(c), view(paths));
  actor::tell_all(of(c), selected, type, message, c->self);
  return selected.actors.size();
}
size_t forward_selection(actord_context* c, actord_str paths) {
  const actor::Selected selected = actor::select(of(c), view(paths));
  actor::forward_all(of(c), selected);
  return selected.actors.size();
}
void forward_from(actord_context* c, actord_ref to, actord_ref sender) {
  actor::forward(of(c), to, sender);
}
void publish(actord_context* c, actord_type_id type, void* message) {
  Activation& activation = of(c);
  activation.environment().publish(activation.thread(), type, message, c->self);
}

// ---- routers ------------------------------------------------------------------------------------

actord_status route(actord_context* c, int32_t logic, actord_errors* errors) {
  const auto routed = actor::route(of(c), logic);
  return routed ? ACTORD_OK : report(errors, routed.error().what);
}
actord_status add_routee(actord_context* c, actord_ref routee, actord_errors* errors) {
  const auto added = actor::add_routee(of(c), routee);
  return added ? ACTORD_OK : report(errors, added.error().what);
}
void remove_routee(actord_context* c, actord_ref routee) {
  of(c).environment().routes.remove(of(c).cell(), routee);
}
size_t routees(actord_context* c, actord_ref router, actord_routee* out, size_t capacity) {
  const auto found = of(c).environment().routes.read(router);
  for (size_t i = 0; i < std::min(found.size(), capacity); ++i)
    out[i] = {found[i].routee, found[i].waiting, found[i].is_idle ? 1 : 0, found[i].unhandled};
  return found.size();
}
size_t tell_routees(actord_context* c, actord_ref router, actord_type_id type, void* message) {
  return actor::tell_routees(of(c), router, type, message);
}
actord_ref spawn_like(actord_context* c, actord_ref child, actord_str name, actord_errors* errors) {
  const auto spawned = actor::spawn_like(of(c), child, view(name));
  if (spawned) return *spawned;
  report(errors, spawned.error().what, spawned.error().types);
  return actor::nobody;
}
void refuse(actord_context* c) { actor::refuse(of(c)); }
int32_t offer(actord_context* c, actord_ref routee) { return actor::offer(of(c), routee) ? 1 : 0; }
int32_t hash_of_field(actord_context* c, actord_str field, uint64_t* out) {
  const auto hash = actor::hash_of_field(of(c), view(field));
  *out = hash.value_or(0);
  return hash ? 1 : 0;
}

// ---- circuit breakers that actors share ---------------------------------------------------------

system::Breakers& breakers(actord_context* c) { return ActorSystem::of(c->system).breakers(); }

uint64_t breaker(actord_context* c, actord_str name, actord_errors* errors) {
  const auto found = breakers(c).find_or_add(view(name));
  if (found) return *found;
  report(errors, found.error().what);
  return 0;
}
int32_t admit_call(actord_context* c, uint64_t breaker, int64_t* call_timeout_ns) {
  const auto admitted = breakers(c).admit(breaker, of(c).thread(), c->self);
  *call_timeout_ns = admitted.call_timeout.count();
  return static_cast<int32_t>(admitted.admission);
}
void settle_call(actord_context* c, uint64_t breaker, int32_t admission, int32_t has_failed) {
  using system::Admission;
  if (admission != ACTORD_CALL && admission != ACTORD_TRIAL_CALL) return;
  const Admission as = admission == ACTORD_CALL ? Admission::call : Admission::trial;
  breakers(c).settle(breaker, as, has_failed != 0, of(c).thread(), c->self);
}
void breaker_state(actord_context* c, uint64_t breaker, actord_breaker* out) {
  const auto now = breakers(c).look(breaker, of(c).thread(), c->self);
  *out = {static_cast<int32_t>(now.state), now.failures, now.remaining.count()};
}

// ---- tasks of the shutdown ----------------------------------------------------------------------

actord_status add_shutdown_task(actord_context* c, actord_str phase, actord_str task,
                                actord_ref actor, int32_t is_end, actord_errors* errors) {
  const auto added = ActorSystem::of(c->system).add_shutdown_task(of(c).thread(), view(phase),
                                                                  view(task), actor, is_end != 0);
  return added ? ACTORD_OK : report(errors, added.error().what, causes::shutdown_task_refused);
}

// ---- persistent actors --------------------------------------------------------------------------

// Null if the behaviour of the actor is not persistent; then the call has failed.
actor::Persistence* persistence_of(actord_context* c, actord_errors* errors) {
  if (of(c).table().persistence == nullptr) {
    report(errors, "only an actor of a persistent behaviour can call this");
    return nullptr;
  }
  std::unique_ptr<actor::Persistence>& persistence = of(c).extras().persistence;
  if (persistence == nullptr) persistence = std::make_unique<actor::Persistence>();
  return persistence.get();
}
int32_t status_of(const actor::Persistence::Error& error, actord_errors* errors) {
  report(errors, error.what);
  return error.is_rejected ? int32_t{ACTORD_REJECTED} : int32_t{ACTORD_FAILED};
}
actord_status persistence_id(actord_context* c, actord_str id, actord_errors* errors) {
  actor::Persistence* const persistence = persistence_of(c, errors);
  if (persistence == nullptr) return ACTORD_FAILED;
  const auto named = persistence->set_id(view(id));
  return named ? ACTORD_OK : report(errors, named.error().what);
}
int32_t persist(actord_context* c, actord_type_id type, const void* event, uint32_t flags,
                uint64_t* sequence, actord_errors* errors) {
  actor::Persistence* const persistence = persistence_of(c, errors);
  if (persistence == nullptr) return ACTORD_FAILED;
  const auto persisted =
      persistence->persist(of(c), type, event, (flags & ACTORD_PERSIST_ASYNC) != 0);
  if (!persisted) return status_of(persisted.error(), errors);
  *sequence = *persisted;
  return ACTORD_OK;
}
int32_t save_snapshot(actord_context* c, actord_type_id type, const void* state,
                      actord_errors* errors) {
  actor::Persistence* const persistence = persistence_of(c, errors);
  if (persistence == nullptr) return ACTORD_FAILED;
  const auto saved = persistence->save_snapshot(of(c), type, state);
  return saved ? ACTORD_OK : status_of(saved.error(), errors);
}
void delete_events(actord_context* c, uint64_t to) {
  if (actor::CellExtras* const extras = of(c).find_extras(); extras != nullptr)
    if (extras->persistence != nullptr) extras->persistence->delete_events(of(c), to);
}
void persistence_state(actord_context* c, actord_persistence_state* out) {
  const actor::CellExtras* const extras = of(c).find_extras();
  *out = extras != nullptr && extras->persistence != nullptr ? extras->persistence->state()
                                                             : actord_persistence_state{};
}

// ---- any thread ---------------------------------------------------------------------------------

void system_tell(actord_system* s, actord_ref to, actord_type_id type, void* message) {
  ActorSystem::of(s).tell(to, type, message);
}
int32_t system_try_tell(actord_system* s, actord_ref to, actord_type_id type, void* message) {
  return ActorSystem::of(s).try_tell(to, type, message) ? 1 : 0;
}
actord_status spawn_system(actord_system* s, actord_str name, const actord_props* wanted,
                           actord_errors* errors) {
  ActorSystem& system = ActorSystem::of(s);
  auto props = system.props_of(*wanted, "actord/SystemGuardian");
  if (!props) return report(errors, props.error().what);
  const bool has_dispatcher = ACTORD_HAS(actord_props, wanted, dispatcher);
  const auto spawned = system.system_actors().spawn(
      std::string{view(name)}, has_dispatcher ? view(wanted->dispatcher) : std::string_view{},
      std::move(*props));
  return spawned ? ACTORD_OK : report(errors, spawned.error().what);
}
size_t path(actord_system* s, actord_ref ref, char* out, size_t capacity) {
  const std::string text = ActorSystem::of(s).path(ref);
  if (capacity != 0) {
    const size_t n = text.copy(out, capacity - 1);
    out[n] = '\0';
  }
  return text.size();
}
actord_ref find(actord_system* s, actord_str where) { return ActorSystem::of(s).find(view(where)); }
actord_str type_name(actord_system* s, actord_type_id type) {
  return message::to_c(ActorSystem::of(s).types.name(type));
}
actord_str state_directory(actord_system* s) {
  return message::to_c(ActorSystem::of(s).settings().state_directory);
}
uint64_t schedule(actord_system* s, actord_ref to, int64_t delay_ns, int64_t period_ns,
                  int32_t at_fixed_rate, actord_type_id type, void* message) {
  return ActorSystem::of(s).schedule(to, {delay_ns, period_ns, at_fixed_rate != 0}, type, message);
}
int32_t cancel_scheduled(actord_system* s, uint64_t id) {
  return ActorSystem::of(s).cancel(id) ? 1 : 0;
}
const void* extension(actord_system* s, actord_str id) {
  return ActorSystem::of(s).extensions().find(view(id),
                                              system::CrashSite::plugin_of_running_actor());
}
actord_status publish_extension(actord_system* s, actord_str id, const void* table,
                                actord_errors* errors) {
  const auto published = ActorSystem::of(s).extensions().publish(view(id), table);
  return published ? ACTORD_OK : report(errors, published.error().what);
}

constexpr actord_host table{sizeof(actord_host),
                            ACTORD_ABI_MAJOR,
                            ACTORD_ABI_MINOR,
                            &tell,
                            &tell_from,
                            &reply,
                            &reply_failure,
                            &forward,
                            &ask,
                            &spawn,
                            &stop,
                            &stop_children,
                            &children,
                            &watch,
                            &unwatch,
                            &become,
                            &unbecome,
                            &stash,
                            &unstash_all,
                            &start_timer,
                            &cancel_timer,
                            &receive_timeout,
                            &now_ns,
                            &random,
                            &log_event,
                            &subscribe,
                            &unsubscribe,
                            &publish,
                            &system_tell,
                            &system_log,
                            &path,
                            &find,
                            &state_directory,
                            &extension,
                            &watch_with,
                            &graceful_stop,
                            &has_timer,
                            &start_timer_at_fixed_rate,
                            &tell_selection,
                            &forward_from,
                            &spawn_configured,
                            &subscribe_prefix,
                            &budget,
                            &reply_read,
                            &type_name,
                            &schedule,
                            &cancel_scheduled,
                            &schedule_once,
                            &system_try_tell,
                            &asker,
                            &fail_ask,
                            &ask_selection,
                            &forward_selection,
                            &all_children,
                            &child,
                            &subscribe_family,
                            &unsubscribe_family,
                            &unsubscribe_prefix,
                            &spawn_system,
                            &log_supervision,
                            &traceparent,
                            &continue_trace,
                            &publish_extension,
                            &route,
                            &add_routee,
                            &remove_routee,
                            &routees,
                            &tell_routees,
                            &spawn_like,
                            &unstash,
                            &hash_of_field,
                            &breaker,
                            &admit_call,
                            &settle_call,
                            &breaker_state,
                            &persistence_id,
                            &persist,
                            &save_snapshot,
                            &delete_events,
                            &persistence_state,
                            &add_shutdown_task,
                            &await_end,
                            &refuse,
                            &offer};

}  // namespace

const actord_host& host_table() { return table; }

}  // namespace actord::sdk
