// SPDX-License-Identifier: Apache-2.0
//
// A host that only records its calls, so that the SDK can be tested without a runtime.
#pragma once

#include <actord/actord.hpp>

#include <string>
#include <vector>

namespace fake {

inline std::string text(actord_str s) { return {s.data, s.size}; }

/// Gives every message type that the plugin has or imports an id, once.
inline void list(const actord_plugin* plugin) {
  static actord_type_id last = 0;
  const auto give = [](actord_type_id& id) {
    if (id == 0) id = ++last;
  };
  for (std::size_t i = 0; i < plugin->n_messages; ++i) give(*plugin->messages[i]->id);
  for (std::size_t i = 0; i < plugin->n_imports; ++i) give(*plugin->imports[i].id);
}

inline std::string text(const actord_field& field) {
  std::string value;
  switch (field.kind) {
    case ACTORD_BOOL: value = field.value.i != 0 ? "true" : "false"; break;
    case ACTORD_INT: value = std::to_string(field.value.i); break;
    case ACTORD_UINT: value = std::to_string(field.value.u) + "u"; break;
    case ACTORD_DOUBLE: value = std::to_string(field.value.d); break;
    case ACTORD_TEXT: value = text(field.value.text); break;
    case ACTORD_REF: value = "#" + std::to_string(field.value.u); break;
    case ACTORD_DURATION: value = std::to_string(field.value.i) + "ns"; break;
    default: value = "?";
  }
  return text(field.key) + '=' + value;
}

inline std::string text(const actord_field* fields, std::size_t n) {
  std::string all;
  for (std::size_t i = 0; i < n; ++i) all += ' ' + text(fields[i]);
  return all;
}

/// Records failures; `chain` names each type with its bases and goes from cause to cause.
struct Errors : actord_errors {
  Errors() : actord_errors{&take} {}

  static void take(actord_errors* self, const actord_failure* failure) {
    auto& me = static_cast<Errors&>(*self);
    ++me.reports;
    me.flags = failure->flags;
    me.types = failure->types;
    me.what = text(failure->what);
    me.details = text(failure->details, failure->n_details);
    me.payload_type = failure->payload_type;
    if (me.on_payload != nullptr && failure->payload != nullptr) me.on_payload(failure->payload);
    for (const actord_failure* f = failure; f != nullptr; f = f->cause) {
      for (std::uint32_t i = 0; i < f->n_types; ++i) {
        me.chain += (i == 0 ? "" : " < ") + text(f->types[i]);
      }
      me.innermost = text(f->what);
      if (f->cause != nullptr) me.chain += " | ";
    }
  }
  bool is_foreign() const { return (flags & ACTORD_FOREIGN) != 0; }

  int reports = 0;
  std::uint32_t flags = 0;
  const actord_str* types = nullptr;
  std::string chain, what, details, innermost;
  actord_type_id payload_type = 0;
  void (*on_payload)(void*) = nullptr;
};

/// What actord_context::cell points to.
struct Cell {
  std::vector<std::string> calls;
  std::vector<actord_ref> children;
  actord_props spawned{};
  actord_reply_handler on_reply = nullptr;
  const actord_receive* state = nullptr;
  std::string refusal;  // the error of spawn and stash; empty: none
  std::string refusal_type = "actord::Failure";
};

inline Cell& cell(actord_context* c) { return *reinterpret_cast<Cell*>(c->cell); }
inline Cell& cell(actord_system* s) { return *reinterpret_cast<Cell*>(s); }

template <class Handle, class... Words>
void note(Handle* handle, const Words&... words) {
  std::string line;
  ((line += (line.empty() ? "" : " "), line += words), ...);
  cell(handle).calls.push_back(line);
}
template <class Number>
std::string n(Number number) {
  return std::to_string(number);
}

inline actord_status refuse(Cell& cell, actord_errors* errors) {
  const actord_str type{cell.refusal_type.data(), cell.refusal_type.size()};
  actord_failure failure{};
  failure.struct_size = sizeof failure;
  failure.types = &type;
  failure.n_types = 1;
  failure.what = {cell.refusal.data(), cell.refusal.size()};
  errors->report(errors, &failure);
  return ACTORD_FAILED;
}

inline actord_host make_messaging() {
  actord_host host{};
  host.struct_size = sizeof host;
  host.tell = [](actord_context* c, actord_ref to, actord_type_id type, void*) {
    note(c, "tell", n(to), n(type));
  };
  host.tell_from = [](actord_context* c, actord_ref to, actord_type_id, void*, actord_ref sender) {
    note(c, "tell", n(to), "from", n(sender));
  };
  host.reply = [](actord_context* c, actord_type_id type, void*) { note(c, "reply", n(type)); };
  host.reply_failure = [](actord_context* c, const actord_failure* f) {
    note(c, "reply_failure", text(f->types[0]), text(f->what) + text(f->details, f->n_details));
  };
  host.forward = [](actord_context* c, actord_ref to) { note(c, "forward", n(to)); };
  host.ask = [](actord_context* c, actord_ref to, actord_type_id, void*, std::int64_t ns,
                actord_reply_handler h) {
    note(c, "ask", n(to), n(ns));
    cell(c).on_reply = h;
  };
  host.asker = [](actord_context*) -> actord_ref { return 8; };
  host.fail_ask = [](actord_context* c, actord_ref asked, const actord_failure* f) {
    note(c, "fail_ask", n(asked), text(f->types[0]) + " " + text(f->what));
    return std::int32_t{asked == 5 ? 1 : 0};
  };
  host.ask_selection = [](actord_context* c, actord_str paths, actord_type_id type, void*,
                          std::int64_t ns, actord_reply_handler) {
    note(c, "ask", text(paths), n(type) + " " + n(ns));
    return std::size_t{2};
  };
  host.forward_selection = [](actord_context* c, actord_str paths) {
    note(c, "forward", text(paths));
    return std::size_t{3};
  };
  host.publish = [](actord_context* c, actord_type_id type, void*) { note(c, "publish", n(type)); };
  host.subscribe = [](actord_context* c, actord_str type) { note(c, "subscribe", text(type)); };
  host.unsubscribe = [](actord_context* c, actord_str type) { note(c, "unsubscribe", text(type)); };
  host.subscribe_family = [](actord_context* c, actord_str family) {
    note(c, "subscribe_family", text(family));
  };
  host.unsubscribe_family = [](actord_context* c, actord_str family) {
    note(c, "unsubscribe_family", text(family));
  };
  host.unsubscribe_prefix = [](actord_context* c, actord_str prefix) {
    note(c, "unsubscribe_prefix", text(prefix));
  };
  host.system_tell = [](actord_system* s, actord_ref to, actord_type_id type, void*) {
    note(s, "system_tell", n(to), n(type));
  };
  host.spawn_system = [](actord_system* s, actord_str name, const actord_props* props,
                         actord_errors*) -> actord_status {
    note(s, "spawn_system", text(name));
    if (props->args_destroy != nullptr) props->args_destroy(props->args);
    return ACTORD_OK;
  };
  host.system_try_tell = [](actord_system* s, actord_ref to, actord_type_id type, void*) {
    note(s, "system_try_tell", n(to), n(type));
    return std::int32_t{to == 5 ? 1 : 0};
  };
  return host;
}

inline void add_tree(actord_host& host) {
  host.spawn = [](actord_context* c, actord_str name, const actord_props* props,
                  actord_errors* errors) {
    Cell& me = cell(c);
    if (!me.refusal.empty()) {
      if (props->args_destroy != nullptr) props->args_destroy(props->args);
      refuse(me, errors);
      return actord_ref{0};
    }
    me.spawned = *props;
    note(c, "spawn", text(name), text(props->behaviour_name));
    return actord_ref{77};
  };
  host.stop = [](actord_context* c, actord_ref who) { note(c, "stop", n(who)); };
  host.stop_children = [](actord_context* c) { note(c, "stop_children"); };
  host.children = [](actord_context* c, actord_ref* out, std::size_t capacity) {
    const auto& all = cell(c).children;
    for (std::size_t i = 0; i < all.size() && i < capacity; ++i) out[i] = all[i];
    return all.size();
  };
  host.all_children = [](actord_context* c, actord_child* out, std::size_t capacity) {
    const auto& all = cell(c).children;
    for (std::size_t i = 0; i < all.size() && i < capacity; ++i)
      out[i] = {all[i], static_cast<std::int32_t>(i), 0};
    return all.size();
  };
  host.child = [](actord_context*, actord_str name, actord_child* out) {
    *out = {3, 1, 0};
    return std::int32_t{text(name) == "x" ? 1 : 0};
  };
  host.watch = [](actord_context* c, actord_ref who) { note(c, "watch", n(who)); };
  host.unwatch = [](actord_context* c, actord_ref who) { note(c, "unwatch", n(who)); };
  host.watch_with = [](actord_context* c, actord_ref who, actord_type_id type, void*,
                       actord_errors* errors) -> actord_status {
    if (!cell(c).refusal.empty()) return refuse(cell(c), errors);
    note(c, type == 0 ? "watch" : "watch_with", n(who));
    return ACTORD_OK;
  };
  host.graceful_stop = [](actord_context* c, actord_ref who, actord_type_id type, void*,
                          std::int64_t timeout, actord_reply_handler) {
    note(c, "graceful_stop", n(who), n(timeout) + (type == 0 ? "" : " with"));
  };
}

inline void add_state(actord_host& host) {
  host.become = [](actord_context* c, const actord_receive* state, std::int32_t keep_old) {
    cell(c).state = state;
    note(c, "become", n(keep_old));
  };
  host.unbecome = [](actord_context* c) { note(c, "unbecome"); };
  host.stash = [](actord_context* c, actord_errors* errors) -> actord_status {
    return cell(c).refusal.empty() ? ACTORD_OK : refuse(cell(c), errors);
  };
  host.unstash_all = [](actord_context* c) { note(c, "unstash_all"); };
  host.start_timer = [](actord_context* c, actord_str key, std::int64_t delay, std::int64_t period,
                        actord_type_id,
                        void*) { note(c, "timer", text(key), n(delay), n(period)); };
  host.cancel_timer = [](actord_context* c, actord_str key) { note(c, "cancel", text(key)); };
  host.receive_timeout = [](actord_context* c, std::int64_t ns) {
    note(c, "receive_timeout", n(ns));
  };
}

inline void add_surroundings(actord_host& host) {
  host.now_ns = [](actord_context*) -> std::int64_t { return 5'000; };
  host.random = [](actord_context*) -> std::uint64_t { return 4; };
  host.log = [](actord_context* c, std::int32_t level, actord_str event, actord_str line,
                const actord_field* fields, std::size_t size) {
    note(c, "log", n(level), text(event), text(line) + text(fields, size));
  };
  host.log_supervision = [](actord_context* c, std::int32_t event, actord_ref child,
                            std::int64_t count, std::int64_t delay_ns, std::int64_t limit) {
    note(c, "log_supervision", n(event), n(child), n(count), n(delay_ns), n(limit));
  };
  host.system_log = [](actord_system* s, std::int32_t level, actord_str event, actord_str line,
                       const actord_field* fields, std::size_t size) {
    note(s, "system_log", n(level), text(event), text(line) + text(fields, size));
  };
  host.path = [](actord_system*, actord_ref ref, char* out, std::size_t capacity) {
    const std::string path = "/user/" + std::string(ref, 'x');
    return static_cast<std::size_t>(snprintf(out, capacity, "%s", path.c_str()));
  };
  host.find = [](actord_system*, actord_str path) -> actord_ref {
    return text(path) == "/user/x" ? 1 : 0;
  };
  host.state_directory = [](actord_system*) -> actord_str { return ACTORD_STR("/var/lib/actord"); };
  host.extension = [](actord_system*, actord_str) -> const void* { return nullptr; };
}

/// A cell with a context, for one actor.
struct Host {
  Host() : table(make_messaging()) {
    add_tree(table);
    add_state(table);
    add_surroundings(table);
    context.struct_size = sizeof context;
    context.host = &table;
    context.system = reinterpret_cast<actord_system*>(&cell);
    context.cell = reinterpret_cast<actord_cell*>(&cell);
    context.self = 1;
    context.parent = 2;
    context.sender = 3;
  }
  template <class M>
  void handling(const M& message) {
    context.message = &message;
    context.message_type = actord::detail::type_id<M>;
  }
  const std::string& last() const { return cell.calls.back(); }

  actord_host table;
  Cell cell;
  actord_context context{};
  Errors errors;
};

/// An instance in memory as the host gives it.
class Instance {
 public:
  explicit Instance(const actord_behaviour* table)
      : table_(table), memory_(::operator new(table->size)) {}
  Instance(const Instance&) = delete;
  ~Instance() {
    if (is_alive_) table_->destroy(memory_);
    ::operator delete(memory_);
  }
  actord_status create(Host& host, actord_value config = {}) {
    const actord_status status =
        table_->create(memory_, &host.context, config, nullptr, &host.errors);
    is_alive_ = status == ACTORD_OK;
    return status;
  }
  actord_status create_from(Host& host, const actord_props& props) {
    const actord_status status = props.create(memory_, &host.context, {}, props.args, &host.errors);
    is_alive_ = status == ACTORD_OK;
    return status;
  }
  /// Null if the state has no handler for the message.
  template <class M>
  actord_handler handler(std::size_t state = 0) const {
    const actord_receive& receive = *table_->receives[state];
    for (std::uint32_t i = 0; i < receive.n_cases; ++i) {
      if (actord::detail::view(receive.cases[i].type) == actord::message_name<M>)
        return receive.cases[i].handle;
    }
    return receive.otherwise;
  }
  template <class M>
  actord_status receive(Host& host, const M& message) {
    host.handling(message);
    return handler<M>()(memory_, &host.context, &message, &host.errors);
  }
  void* self() const { return memory_; }

 private:
  const actord_behaviour* table_;
  void* memory_;
  bool is_alive_ = false;
};

}  // namespace fake
