// SPDX-License-Identifier: Apache-2.0
//
// What plugin.h offers to a plugin, in a host process: each function becomes a request.
#include <cstring>

#include "link/guest_breakers.hpp"
#include "link/guest_call.hpp"
#include "link/guest_persistence.hpp"
#include "link/guest_routing.hpp"
#include "link/guest_shutdown.hpp"
#include "link/guest_topics.hpp"
#include "link/twin_tables.hpp"
#include "message/complete.hpp"
#include "message/message_pack.hpp"
#include "message/packed_message.hpp"
#include "message/report.hpp"

namespace actord::link {

namespace {

using message::report;
using message::view;
using State = GuestState;

GuestCall& of(actord_context* c) { return GuestCall::of(c); }

std::uint64_t address_of(actord_reply_handler handler) {
  return reinterpret_cast<std::uint64_t>(handler);
}

// ---- sending ------------------------------------------------------------------------------------

// Begins a request with a message; `ready` is false if it cannot be written.
bool begin_message(GuestCall& call, Request request, actord_ref to, std::uint64_t other,
                   std::string_view paths, actord_type_id type, const void* message) {
  FrameWriter& frame = call.begin(request);
  frame.put(to);
  frame.put(other);
  frame.text(paths);
  return call.put_message(type, message);
}

void tell(actord_context* c, actord_ref to, actord_type_id type, void* message) {
  if (begin_message(of(c), Request::tell, to, 0, {}, type, message)) of(c).send();
}
void tell_from(actord_context* c, actord_ref to, actord_type_id type, void* message,
               actord_ref sender) {
  if (begin_message(of(c), Request::tell_from, to, sender, {}, type, message)) of(c).send();
}
void reply(actord_context* c, actord_type_id type, void* message) {
  if (begin_message(of(c), Request::reply, 0, 0, {}, type, message)) of(c).send();
}
void publish(actord_context* c, actord_type_id type, void* message) {
  if (begin_message(of(c), Request::publish, 0, 0, {}, type, message)) of(c).send();
}
std::size_t tell_selection(actord_context* c, actord_str paths, actord_type_id type,
                           void* message) {
  if (!begin_message(of(c), Request::tell_selection, 0, 0, view(paths), type, message)) return 0;
  return of(c).ask().take<std::uint64_t>();
}
std::uint64_t schedule_once(actord_context* c, actord_ref to, std::int64_t delay_ns,
                            actord_type_id type, void* message) {
  const auto delay = static_cast<std::uint64_t>(delay_ns);
  if (!begin_message(of(c), Request::schedule_once, to, delay, {}, type, message)) return 0;
  return of(c).ask().take<std::uint64_t>();
}

bool begin_ask(GuestCall& call, Request request, actord_ref to, std::string_view paths,
               actord_type_id type, const void* message, std::int64_t timeout_ns,
               actord_reply_handler handler) {
  FrameWriter& frame = call.begin(request);
  frame.put(to);
  frame.put(timeout_ns);
  frame.put(address_of(handler));
  frame.text(paths);
  return call.put_message(type, message);
}
void ask(actord_context* c, actord_ref to, actord_type_id type, void* message,
         std::int64_t timeout_ns, actord_reply_handler handler) {
  if (begin_ask(of(c), Request::ask, to, {}, type, message, timeout_ns, handler)) of(c).send();
}
std::size_t ask_selection(actord_context* c, actord_str paths, actord_type_id type, void* message,
                          std::int64_t timeout_ns, actord_reply_handler handler) {
  if (!begin_ask(of(c), Request::ask_selection, 0, view(paths), type, message, timeout_ns, handler))
    return 0;
  return of(c).ask().take<std::uint64_t>();
}
void graceful_stop(actord_context* c, actord_ref whom, actord_type_id type, void* message,
                   std::int64_t timeout_ns, actord_reply_handler handler) {
  if (begin_ask(of(c), Request::graceful_stop, whom, {}, type, message, timeout_ns, handler))
    of(c).send();
}
void await_end(actord_context* c, actord_ref whom, actord_reply_handler handler) {
  if (begin_ask(of(c), Request::await_end, whom, {}, 0, nullptr, 0, handler)) of(c).send();
}

actord_status reply_read(actord_context* c, actord_str type, actord_value fields,
                         actord_errors* errors) {
  message::PackWriter writer;
  message::copy_value(fields, writer);
  if (const std::string_view fault = writer.fault(); !fault.empty()) return report(*errors, fault);
  FrameWriter& frame = of(c).begin(Request::reply_read);
  frame.text(type);
  frame.text(writer.bytes());
  FrameReader answer = of(c).ask();
  const auto status = answer.take<actord_status>();
  of(c).report_answered(answer, errors);
  return status;
}

void put_fail(GuestCall& call, Request request, actord_ref to, const actord_failure& failure) {
  FrameWriter& frame = call.begin(request);
  frame.put(to);
  put_failure(frame, call.guest.codec, failure);
}
void reply_failure(actord_context* c, const actord_failure* failure) {
  put_fail(of(c), Request::reply_failure, 0, *failure);
  of(c).send();
}
std::int32_t fail_ask(actord_context* c, actord_ref asker, const actord_failure* failure) {
  put_fail(of(c), Request::fail_ask, asker, *failure);
  return of(c).ask().take<std::int32_t>();
}

// ---- the tree -----------------------------------------------------------------------------------

void begin_tree(GuestCall& call, Request request, actord_ref ref = 0, actord_ref other = 0,
                actord_str text = {}) {
  FrameWriter& frame = call.begin(request);
  frame.put(ref);
  frame.put(other);
  frame.text(text);
}
void forward(actord_context* c, actord_ref to) {
  begin_tree(of(c), Request::forward, to);
  of(c).send();
}
void forward_from(actord_context* c, actord_ref to, actord_ref sender) {
  begin_tree(of(c), Request::forward_from, to, sender);
  of(c).send();
}
std::size_t forward_selection(actord_context* c, actord_str paths) {
  begin_tree(of(c), Request::forward_selection, 0, 0, paths);
  return of(c).ask().take<std::uint64_t>();
}
void stop(actord_context* c, actord_ref whom) {
  begin_tree(of(c), Request::stop, whom);
  of(c).send();
}
void stop_children(actord_context* c) {
  begin_tree(of(c), Request::stop_children);
  of(c).send();
}
void unwatch(actord_context* c, actord_ref whom) {
  begin_tree(of(c), Request::unwatch, whom);
  of(c).send();
}

actord_ref spawn(actord_context* c, actord_str name, const actord_props* given,
                 actord_errors* errors) {
  GuestCall& call = of(c);
  const actord_props props = message::complete(*given);
  const std::int32_t place = call.guest.place_of(props.behaviour);
  const bool is_listed = props.behaviour == nullptr || place >= 0;
  const bool is_plain = is_listed && props.create == nullptr && props.args == nullptr &&
                        props.args_destroy == nullptr;
  FrameWriter description;
  if (!is_listed) put_behaviour(description, *props.behaviour);
  FrameWriter& frame = call.begin(Request::spawn);
  frame.text(name);
  frame.put(is_plain ? Creation::configured : Creation::by_address);
  frame.put(static_cast<std::uint32_t>(place >= 0 ? place : 0));
  frame.text(description.bytes());
  frame.text(props.behaviour == nullptr ? props.behaviour_name : actord_str{});
  frame.text(props.dispatcher);
  frame.put(props.flags);
  frame.put(reinterpret_cast<std::uint64_t>(props.behaviour));
  frame.put(reinterpret_cast<std::uint64_t>(props.create));
  frame.put(reinterpret_cast<std::uint64_t>(props.args));
  frame.put(reinterpret_cast<std::uint64_t>(props.args_destroy));
  put_strategy(frame, props.strategy);
  FrameReader answer = call.ask();
  const auto child = answer.take<actord_ref>();
  call.report_answered(answer, errors);
  return child;
}
actord_ref spawn_configured(actord_context* c, actord_str name, actord_errors* errors) {
  begin_tree(of(c), Request::spawn_configured, 0, 0, name);
  FrameReader answer = of(c).ask();
  const auto child = answer.take<actord_ref>();
  of(c).report_answered(answer, errors);
  return child;
}

std::size_t all_children(actord_context* c, actord_child* out, std::size_t capacity) {
  begin_tree(of(c), Request::children);
  FrameReader answer = of(c).ask();
  const auto n = answer.take<std::uint32_t>();
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto ref = answer.take<actord_ref>();
    const auto is_stopping = answer.take<std::int32_t>();
    if (i < capacity) out[i] = {ref, is_stopping, 0};
  }
  return n;
}
std::size_t children(actord_context* c, actord_ref* out, std::size_t capacity) {
  begin_tree(of(c), Request::children);
  FrameReader answer = of(c).ask();
  const auto n = answer.take<std::uint32_t>();
  std::size_t n_living = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto ref = answer.take<actord_ref>();
    if (answer.take<std::int32_t>() != 0) continue;
    if (n_living < capacity) out[n_living] = ref;
    ++n_living;
  }
  return n_living;
}
std::int32_t child(actord_context* c, actord_str name, actord_child* out) {
  begin_tree(of(c), Request::child, 0, 0, name);
  FrameReader answer = of(c).ask();
  const auto is_there = answer.take<std::int32_t>();
  const auto ref = answer.take<actord_ref>();
  if (is_there != 0) *out = {ref, answer.take<std::int32_t>(), 0};
  return is_there;
}

actord_status watch_with(actord_context* c, actord_ref whom, actord_type_id type, void* message,
                         actord_errors* errors) {
  FrameWriter& frame = of(c).begin(Request::watch);
  frame.put(whom);
  if (!of(c).put_message(message != nullptr ? type : 0, message))
    return report(*errors, "the message of the watch cannot be written");
  FrameReader answer = of(c).ask();
  const auto status = answer.take<actord_status>();
  of(c).report_answered(answer, errors);
  return status;
}
void watch(actord_context* c, actord_ref whom) {
  static_cast<void>(watch_with(c, whom, 0, nullptr, &message::ignored_errors()));
}

void budget(actord_context* c, std::int64_t* max_restarts, std::int64_t* within_ns) {
  of(c).begin(Request::budget);
  FrameReader answer = of(c).ask();
  *max_restarts = answer.take<std::int64_t>();
  *within_ns = answer.take<std::int64_t>();
}

// ---- the actor's own state ----------------------------------------------------------------------

void begin_state(GuestCall& call, Request request, std::int64_t number = 0, std::int32_t flag = 0,
                 actord_str key = {}) {
  FrameWriter& frame = call.begin(request);
  frame.put(number);
  frame.put(flag);
  frame.text(key);
}
void become(actord_context* c, const actord_receive* state, std::int32_t keep_old) {
  const actord_behaviour& table = of(c).actor->behaviour.table;
  for (std::size_t i = 0; i < table.n_receives; ++i) {
    if (table.receives[i] != state) continue;
    begin_state(of(c), Request::become, static_cast<std::int64_t>(i), keep_old);
    return of(c).send();
  }
}
void unbecome(actord_context* c) {
  begin_state(of(c), Request::unbecome);
  of(c).send();
}
actord_status stash(actord_context* c, actord_errors* errors) {
  begin_state(of(c), Request::stash);
  FrameReader answer = of(c).ask();
  const auto status = answer.take<actord_status>();
  of(c).report_answered(answer, errors);
  return status;
}
void unstash_all(actord_context* c) {
  begin_state(of(c), Request::unstash_all);
  of(c).send();
}
void unstash(actord_context* c, std::size_t n) {
  begin_state(of(c), Request::unstash, static_cast<std::int64_t>(n));
  of(c).send();
}
void begin_timer(GuestCall& call, actord_str key, std::int64_t delay_ns, std::int64_t period_ns,
                 bool is_fixed_rate, actord_type_id type, const void* message) {
  FrameWriter& frame = call.begin(Request::start_timer);
  frame.text(key);
  frame.put(delay_ns);
  frame.put(period_ns);
  frame.put(static_cast<std::uint8_t>(is_fixed_rate ? 1 : 0));
  if (call.put_message(type, message)) call.send();
}
void start_timer(actord_context* c, actord_str key, std::int64_t delay_ns, std::int64_t period_ns,
                 actord_type_id type, void* message) {
  begin_timer(of(c), key, delay_ns, period_ns, false, type, message);
}
void start_timer_at_fixed_rate(actord_context* c, actord_str key, std::int64_t delay_ns,
                               std::int64_t period_ns, actord_type_id type, void* message) {
  begin_timer(of(c), key, delay_ns, period_ns, true, type, message);
}
void cancel_timer(actord_context* c, actord_str key) {
  begin_state(of(c), Request::cancel_timer, 0, 0, key);
  of(c).send();
}
std::int32_t has_timer(actord_context* c, actord_str key) {
  begin_state(of(c), Request::has_timer, 0, 0, key);
  return of(c).ask().take<std::int32_t>();
}
void receive_timeout(actord_context* c, std::int64_t ns) {
  begin_state(of(c), Request::receive_timeout, ns);
  of(c).send();
}

// ---- surroundings -------------------------------------------------------------------------------

std::int64_t now_ns(actord_context* c) {
  if (const auto now = of(c).guest.surroundings.now_ns) return now();
  of(c).begin(Request::now);
  return of(c).ask().take<std::int64_t>();
}
std::uint64_t random(actord_context* c) {
  of(c).begin(Request::random);
  return of(c).ask().take<std::uint64_t>();
}
void put_line(FrameWriter& frame, std::int32_t level, actord_str event, actord_str text,
              const actord_field* fields, std::size_t n) {
  frame.put(level);
  frame.text(event);
  frame.text(text);
  put_fields(frame, fields, n);
}
void log_event(actord_context* c, std::int32_t level, actord_str event, actord_str text,
               const actord_field* fields, std::size_t n) {
  put_line(of(c).begin(Request::log), level, event, text, fields, n);
  of(c).send();
}
void log_supervision(actord_context* c, std::int32_t event, actord_ref who, std::int64_t count,
                     std::int64_t delay_ns, std::int64_t max_restarts) {
  FrameWriter& frame = of(c).begin(Request::log_supervision);
  frame.put(event);
  frame.put(who);
  frame.put(count);
  frame.put(delay_ns);
  frame.put(max_restarts);
  of(c).send();
}
actord_ref asker(actord_context* c) {
  of(c).begin(Request::asker);
  return of(c).ask().take<actord_ref>();
}
void traceparent(actord_context* c, char* out) {
  of(c).begin(Request::traceparent);
  FrameReader answer = of(c).ask();
  const std::string_view text = answer.text();
  out[text.copy(out, ACTORD_TRACEPARENT_SIZE - 1)] = '\0';
}
std::int32_t continue_trace(actord_context* c, actord_str header) {
  of(c).begin(Request::continue_trace).text(header);
  return of(c).ask().take<std::int32_t>();
}

// ---- any thread ---------------------------------------------------------------------------------

// Writes a request with `put`, and sends it the way that this thread has. `use` reads the answer,
// if one is expected.
template <class Put>
void send_any(actord_system* s, Request request, Put&& put) {
  State& guest = State::of(s);
  if (GuestCall* const call = GuestCall::of_this_thread(guest)) {
    if (put(call->begin(request))) call->send();
    return;
  }
  OutsideRequest outside(guest, request);
  if (put(outside.frame())) outside.send();
}
template <class Put, class Use>
auto ask_any(actord_system* s, Request request, Put&& put, Use&& use) {
  State& guest = State::of(s);
  using Answer = decltype(use(std::declval<FrameReader&>()));
  if (GuestCall* const call = GuestCall::of_this_thread(guest)) {
    if (!put(call->begin(request))) return Answer{};
    FrameReader answer = call->ask();
    return use(answer);
  }
  OutsideRequest outside(guest, request);
  if (!put(outside.frame())) return Answer{};
  FrameReader answer = outside.ask();
  return use(answer);
}

bool put_scheduled(State& guest, FrameWriter& frame, actord_ref to, std::int64_t delay_ns,
                   std::int64_t period_ns, std::int32_t is_fixed_rate, actord_type_id type,
                   const void* message) {
  frame.put(to);
  frame.put(delay_ns);
  frame.put(period_ns);
  frame.put(is_fixed_rate);
  return guest.codec.put(frame, type, message, message::ignored_errors()) == ACTORD_OK;
}

void system_tell(actord_system* s, actord_ref to, actord_type_id type, void* message) {
  send_any(s, Request::system_tell, [&](FrameWriter& frame) {
    return put_scheduled(State::of(s), frame, to, 0, 0, 0, type, message);
  });
}
std::int32_t system_try_tell(actord_system* s, actord_ref to, actord_type_id type, void* message) {
  return ask_any(
      s, Request::system_try_tell,
      [&](FrameWriter& frame) {
        return put_scheduled(State::of(s), frame, to, 0, 0, 0, type, message);
      },
      [](FrameReader& answer) { return answer.take<std::int32_t>(); });
}
void system_log(actord_system* s, std::int32_t level, actord_str event, actord_str text,
                const actord_field* fields, std::size_t n) {
  send_any(s, Request::system_log, [&](FrameWriter& frame) {
    put_line(frame, level, event, text, fields, n);
    return true;
  });
}
std::size_t path(actord_system* s, actord_ref ref, char* out, std::size_t capacity) {
  return ask_any(
      s, Request::path,
      [&](FrameWriter& frame) {
        frame.put(ref);
        return true;
      },
      [&](FrameReader& answer) {
        const std::string_view text = answer.text();
        if (capacity != 0) out[text.copy(out, capacity - 1)] = '\0';
        return text.size();
      });
}
actord_ref find(actord_system* s, actord_str where) {
  return ask_any(
      s, Request::find,
      [&](FrameWriter& frame) {
        frame.text(where);
        return true;
      },
      [](FrameReader& answer) { return answer.take<actord_ref>(); });
}
std::uint64_t schedule(actord_system* s, actord_ref to, std::int64_t delay_ns,
                       std::int64_t period_ns, std::int32_t is_fixed_rate, actord_type_id type,
                       void* message) {
  return ask_any(
      s, Request::schedule,
      [&](FrameWriter& frame) {
        return put_scheduled(State::of(s), frame, to, delay_ns, period_ns, is_fixed_rate, type,
                             message);
      },
      [](FrameReader& answer) { return answer.take<std::uint64_t>(); });
}
std::int32_t cancel_scheduled(actord_system* s, std::uint64_t id) {
  return ask_any(
      s, Request::cancel_scheduled,
      [&](FrameWriter& frame) {
        frame.put(id);
        return true;
      },
      [](FrameReader& answer) { return answer.take<std::int32_t>(); });
}
// A text that stays: there are few types that a plugin does not know.
actord_str type_name(actord_system* s, actord_type_id type) {
  State& guest = State::of(s);
  const MessageCodec::Known* const known = guest.codec.find_local(type);
  if (known != nullptr) return known->table->name;
  {
    const std::lock_guard lock(guest.mutex);
    const auto named = guest.type_names.find(type);
    if (named != guest.type_names.end()) return message::to_c(named->second);
  }
  std::string name = ask_any(
      s, Request::type_name,
      [&](FrameWriter& frame) {
        frame.put(type & ~MessageCodec::foreign);
        return true;
      },
      [](FrameReader& answer) { return std::string{answer.text()}; });
  const std::lock_guard lock(guest.mutex);
  return message::to_c(guest.type_names.try_emplace(type, std::move(name)).first->second);
}
actord_str state_directory(actord_system* s) { return message::to_c(State::of(s).state_directory); }
// Functions of another plugin cannot be called from this process.
const void* extension(actord_system* s, actord_str id) {
  State& guest = State::of(s);
  const std::lock_guard lock(guest.mutex);
  const auto found = guest.extensions.find(view(id));
  return found == guest.extensions.end() ? nullptr : found->second;
}
actord_status publish_extension(actord_system* s, actord_str id, const void* table,
                                actord_errors* errors) {
  State& guest = State::of(s);
  const std::string prefix = std::string{view(guest.plugin.name)} + '.';
  if (!view(id).starts_with(prefix))
    return report(*errors, "the id of an extension begins with " + prefix);
  const std::lock_guard lock(guest.mutex);
  if (guest.extensions.emplace(view(id), table).second) return ACTORD_OK;
  return report(*errors, "the extension " + std::string{view(id)} + " is published already");
}
actord_status spawn_system(actord_system*, actord_str, const actord_props*, actord_errors* errors) {
  return report(*errors, "a plugin in a host process cannot create actors below /system");
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
                            &guest_topics::subscribe,
                            &guest_topics::unsubscribe,
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
                            &guest_topics::subscribe_prefix,
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
                            &guest_topics::subscribe_family,
                            &guest_topics::unsubscribe_family,
                            &guest_topics::unsubscribe_prefix,
                            &spawn_system,
                            &log_supervision,
                            &traceparent,
                            &continue_trace,
                            &publish_extension,
                            &guest_routing::route,
                            &guest_routing::add_routee,
                            &guest_routing::remove_routee,
                            &guest_routing::routees,
                            &guest_routing::tell_routees,
                            &guest_routing::spawn_like,
                            &unstash,
                            &guest_routing::hash_of_field,
                            &guest_breakers::breaker,
                            &guest_breakers::admit_call,
                            &guest_breakers::settle_call,
                            &guest_breakers::breaker_state,
                            &guest_persistence::persistence_id,
                            &guest_persistence::persist,
                            &guest_persistence::save_snapshot,
                            &guest_persistence::delete_events,
                            &guest_persistence::persistence_state,
                            &guest_shutdown::add_shutdown_task,
                            &await_end,
                            &guest_routing::refuse,
                            &guest_routing::offer};

}  // namespace

const actord_host& guest_table() { return table; }

}  // namespace actord::link
