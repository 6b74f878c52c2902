// SPDX-License-Identifier: Apache-2.0
#include "sdk/plugin_log.hpp"

#include <algorithm>
#include <forward_list>

#include "actor/activation.hpp"
#include "log/event_schema.hpp"
#include "system/actor_system.hpp"

namespace actord::sdk {

using actor::Activation;
using message::view;
using system::ActorSystem;

namespace {

// Plugins built against an interface before this one contain a back-off supervisor that writes two
// reserved events through log().
constexpr std::uint16_t minor_with_log_supervision = 5;

Activation& activation_of(actord_context* context) { return *static_cast<Activation*>(context); }

// Converts a plugin's fields to log fields. all() has an empty field before the first one, for the
// actor's path; given() does not. Refs become paths, which are stored here.
class Fields {
 public:
  static constexpr std::size_t max = 32;  // more are cut, so that a line stays readable

  Fields(const actord_field* fields, size_t n, actor::CellPool& cells) {
    at(0) = {};
    for (size_t i = 0; i < n && i < max; ++i)
      at(++count_) = {view(fields[i].key), value_of(fields[i], cells)};
  }
  /// Adds a field behind the plugin's own.
  void add(const log::Field& field) { at(++count_) = field; }
  std::span<log::Field> all() { return {&at(0), count_ + 1}; }
  std::span<const log::Field> given() { return {&at(1), count_}; }

 private:
  log::Value value_of(const actord_field& field, actor::CellPool& cells) {
    switch (field.kind) {
      case ACTORD_BOOL: return field.value.i != 0;
      case ACTORD_INT: return field.value.i;
      case ACTORD_UINT: return field.value.u;
      case ACTORD_DOUBLE: return field.value.d;
      case ACTORD_TEXT: return view(field.value.text);
      case ACTORD_DURATION: return std::chrono::nanoseconds{field.value.i};
      case ACTORD_REF: return std::string_view{paths_.emplace_front(cells.path(field.value.u))};
      default: return "?";
    }
  }
  log::Field& at(std::size_t i) { return *std::launder(reinterpret_cast<log::Field*>(room_) + i); }

  // Uninitialised, because constructing all fields would cost more than a line with a few.
  static_assert(std::is_trivially_copyable_v<log::Field>);
  alignas(log::Field) std::byte room_[(1 + max + 1) * sizeof(log::Field)];
  std::size_t count_ = 0;
  std::forward_list<std::string> paths_;
};

log::Level level_of(int32_t level) {
  return static_cast<log::Level>(std::clamp<int32_t>(level, ACTORD_ERROR, ACTORD_DEBUG));
}

// The name under which an event of a plugin is written. A reserved name becomes a field of
// plugin.event.
std::string_view event_name(std::string_view wanted, Fields& fields) {
  if (!log::is_reserved_event(wanted)) return wanted;
  fields.add({"plugin.event", wanted});
  return "plugin.event";
}

bool is_of_older_supervisor(const Activation& activation, std::string_view event) {
  return (event == "actor.backoff" || event == "supervisor.limit") &&
         activation.cell().props->behaviour.abi_minor < minor_with_log_supervision;
}

}  // namespace

void log_event(actord_context* c, int32_t level, actord_str event, actord_str text,
               const actord_field* fields, size_t n) {
  Activation& activation = activation_of(c);
  if (!activation.thread().log.is_enabled(level_of(level))) return;
  Fields converted(fields, n, activation.environment().cells);
  const std::string_view wanted = view(event);
  const std::string_view name =
      is_of_older_supervisor(activation, wanted) ? wanted : event_name(wanted, converted);
  activation.log().plugin_event(level_of(level), name, view(text), converted.all());
}

void system_log(actord_system* s, int32_t level, actord_str event, actord_str text,
                const actord_field* fields, size_t n) {
  ActorSystem& system = ActorSystem::of(s);
  log::Emitter& emitter = system.log.shared();
  if (!emitter.is_enabled(level_of(level))) return;
  Fields converted(fields, n, system.cells);
  const std::string_view name = event_name(view(event), converted);
  emitter.emit(level_of(level), name, view(text), converted.given(),
               log::class_of_author(level_of(level)));
}

void log_supervision(actord_context* c, int32_t event, actord_ref child, int64_t restart_count,
                     int64_t delay_ns, int64_t max_restarts) {
  using Step = actor::ConfiguredStep;
  const actor::Activation& activation = activation_of(c);
  switch (event) {
    case ACTORD_WAITS_FOR_RESTART:
      activation.tell_step({.kind = Step::Kind::child_waiting, .delay_ns = delay_ns});
      return activation.log().supervisor_waits(child, restart_count, delay_ns);
    case ACTORD_RESTART_LIMIT_REACHED:
      activation.tell_step({.kind = Step::Kind::gave_up});
      return activation.log().supervisor_gives_up(child, restart_count, max_restarts);
    default: return;  // of a later interface
  }
}

}  // namespace actord::sdk
